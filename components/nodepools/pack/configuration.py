"""What a configuration asks of the policies: their levels and settings."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from pydantic import ValidationError

from nodepools.pack.policy import Level, Policy, PolicyFunction

ALL: Final = "all"
"""Pulumi's word for every policy; it gives the levels itself."""


class ConfigurationError(Exception):
    """A configuration that does not fit, with all that is wrong with it."""

    def __init__(self, findings: Iterable[str]) -> None:
        super().__init__("\n".join(findings))


@dataclass(frozen=True, slots=True)
class Configured:
    """A policy as it is asked for."""

    policy: Policy
    level: Level
    judge: PolicyFunction


def configured(policies: Iterable[Policy], asked: Mapping[str, tuple[Level, Mapping[str, object]]]) -> tuple[Configured, ...]:
    """Every policy, with the level and the settings that `asked` gives it.

    Raises:
        ConfigurationError: it names a policy or a setting that is none, or gives a value that cannot be.
    """
    known = {policy.name: policy for policy in policies}
    findings = [_unknown(name, known, "no policy of this pack") for name in asked if name not in known and name != ALL]
    made: list[Configured] = []
    for name, policy in known.items():
        level, settings = asked.get(name, (policy.level, {}))
        wrong = [f"{name}: {_unknown(setting, policy.settings, 'no setting of it')}" for setting in settings if setting not in policy.settings]
        findings.extend(wrong)
        try:
            made.append(Configured(policy, level, policy.judge({key: value for key, value in settings.items() if key in policy.settings})))
        except ValidationError as errors:
            findings.extend(f"{name}: {'.'.join(map(str, error['loc']))}: {error['msg']}" for error in errors.errors())
    if findings:
        raise ConfigurationError(findings)
    return tuple(made)


def _unknown(name: str, known: Iterable[str], what: str) -> str:
    close = get_close_matches(name, known, n=1)
    return f"{name} is {what}{f': did you mean {close[0]}?' if close else ''}"
