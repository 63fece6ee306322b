"""The options about what makes a command exit with 1, which a command gets as one value."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from nodepools.cli.command_run import CommandRun
from nodepools.cli.common_options import day
from nodepools.cli.problem import usage_error
from nodepools.model.values import dataclass

if TYPE_CHECKING:
    from nodepools.cli.demands.demands import Demands

_DEMANDS: Final[Mapping[str, tuple[object, object]]] = {
    "fail_on": (
        None,
        Annotated[
            str | None,
            typer.Option(
                "--fail-on",
                help="Exit with 1 on these, besides errors: `warning`, `pending`, `unknown`, effects of `diff`.  "
                "[default: none; of `diff` what must be accepted]",
                metavar="WORD,…",
            ),
        ],
    ),
    "strict": (False, Annotated[bool, typer.Option("--strict", help="Exit with 1 on everything that --fail-on can name.  [default: off]")]),
    "accept": (
        None,
        Annotated[
            list[str] | None,
            typer.Option(
                "--accept",
                help="Do not fail on this: 'CODE PATH: REASON', 'PATH VERDICT: REASON', for `diff` 'PATH EFFECT NEW_VALUE: REASON'; or a file with "
                "one a line. Repeatable.  [default: none]",
                metavar="THING: REASON",
            ),
        ],
    ),
    "baseline": (
        None,
        Annotated[
            Path | None,
            typer.Option("--baseline", help="Do not fail on what this reviewed file accepts, with reasons.  [default: none]", metavar="FILE.yaml"),
        ],
    ),
    "write_baseline": (
        None,
        Annotated[
            Path | None,
            typer.Option(
                "--write-baseline", help="Add what is not accepted yet to this file; you write the reasons.  [default: none]", metavar="FILE.yaml"
            ),
        ],
    ),
}
"""The options about what makes a command exit with 1: their defaults and types."""


@dataclass(frozen=True, slots=True)
class Demanded:
    """These options as they are given."""

    fail_on: str | None
    strict: bool
    accept: Sequence[str] | None
    baseline: Path | None
    write_baseline: Path | None
    today: datetime | None

    def read(self, run: CommandRun) -> "Demands":
        """Reads them for the command that runs.

        Raises:
            InputError: a word is not one of the command, an acceptance has another form, or the baseline has errors.
            UnreadableError: a file cannot be read.
        """
        from nodepools.cli.demands.demands import STRICT_WITHOUT, WORDS, Demands  # help does not need it

        words = WORDS[run.command]
        names = [name.strip() for name in self.fail_on.split(",") if name.strip()] if self.fail_on is not None else words.default
        if wrong := [name for name in names if name not in words.known] if names or self.fail_on is None else [""]:
            known = ", ".join(f"`{name}`" for name in words.known)
            usage_error(f"`--fail-on` of `{run.command}` must be words separated by commas, not `{wrong[0]}`: use {known}")
        of_strict = [word for word in words.known if word not in STRICT_WITHOUT] if self.strict else []
        failing = frozenset([*names, *of_strict])
        if not self.accept and self.baseline is None and self.write_baseline is None:
            return Demands(run.command, failing)
        from nodepools.cli.demands.acceptances import acceptances, read_baseline  # needs the reader of YAML
        from nodepools.data.version_support import day_or_today

        given = self.accept if self.accept is not None else ()
        accepted = [*acceptances(run.command, given), *(read_baseline(self.baseline, run.command) if self.baseline is not None else ())]
        named = str(self.baseline) if self.baseline is not None else ""
        return Demands(run.command, failing, accepted, named, day_or_today(day(self.today)), self.write_baseline)


def with_demands(command: Callable[..., None]) -> Callable[..., None]:
    """Adds these options to a command, which gets them as `demanded`."""
    signature = inspect.signature(command)
    own = [one for one in signature.parameters.values() if one.name != "demanded"]
    keyword = inspect.Parameter.KEYWORD_ONLY
    added = [inspect.Parameter(name, keyword, default=default, annotation=kind) for name, (default, kind) in _DEMANDS.items()]

    @wraps(command)
    def run(**given: Any) -> None:  # noqa: ANN401  # Typer passes every option by its name
        options = {name: given.pop(name) for name in _DEMANDS}
        command(**given, demanded=Demanded(**options, today=given.get("today")))

    vars(run)["__signature__"] = signature.replace(parameters=[*own, *added])
    run.__annotations__ = {one.name: one.annotation for one in (*own, *added)}
    return run
