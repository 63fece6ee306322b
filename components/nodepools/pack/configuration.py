"""The configuration of the policies: their levels and settings."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from pydantic import ValidationError

from nodepools.pack.policy import Level, Policy, PolicyFunction

ALL: Final = "all"
"""Pulumi's name for every policy; Pulumi sets the levels."""


class ConfigurationError(Exception):
    """An invalid configuration, with all of its errors."""

    def __init__(self, findings: Iterable[str]) -> None:
        super().__init__("\n".join(findings))


@dataclass(frozen=True, slots=True)
class Configured:
    """A policy with its level and settings."""

    policy: Policy
    level: Level
    function: PolicyFunction


def configured(policies: Iterable[Policy], given: Mapping[str, tuple[Level, Mapping[str, object]]]) -> tuple[Configured, ...]:
    """Every policy, with the level and the settings that `given` has for it.

    Raises:
        ConfigurationError: a policy or a setting is not known, or a value is not valid.
    """
    known = {policy.name: policy for policy in policies}
    findings = [_unknown(name, known, "is not a policy of this pack") for name in given if name not in known and name != ALL]
    made: list[Configured] = []
    for name, policy in known.items():
        level, settings = given.get(name, (policy.level, {}))
        wrong = [
            f"{name}: {_unknown(setting, policy.settings, 'is not a setting of this policy')}"
            for setting in settings
            if setting not in policy.settings
        ]
        findings.extend(wrong)
        try:
            made.append(Configured(policy, level, policy.function({key: value for key, value in settings.items() if key in policy.settings})))
        except ValidationError as errors:
            findings.extend(f"{name}: {'.'.join(map(str, error['loc']))}: {error['msg']}" for error in errors.errors())
    if findings:
        raise ConfigurationError(findings)
    return tuple(made)


def _unknown(name: str, known: Iterable[str], what: str) -> str:
    close = get_close_matches(name, known, n=1)
    return f"`{name}` {what}{f': use `{close[0]}`' if close else ''}"
