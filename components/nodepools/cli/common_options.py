"""Options that several commands share: one name has one meaning on every command.

A default that is not in the function's signature is part of the help text, so that every option shows its default.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import wraps
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any, Final, cast

import typer

from nodepools.cli import completion
from nodepools.cli.output.output_formats import Format, ReportFormat

if TYPE_CHECKING:
    from nodepools.cli.command_run import CommandRun
    from nodepools.cli.inputs.demands import Demands

StackOption = Annotated[
    str | None,
    typer.Option(
        "--stack",
        "-s",
        help="Stack to read, from stacks/NAME.py.  [default: dev]",
        metavar="NAME",
        show_default=False,
        autocompletion=completion.stacks,
    ),
]
FormatOption = Annotated[Format, typer.Option("--format", help="Output format. With json, stdout has only the JSON document.")]
ReportFormatOption = Annotated[ReportFormat, typer.Option("--format", help="Output format; markdown suits pull request comments.")]
FileOption = Annotated[
    Path | None,
    typer.Option("--file", help="Read clusters and pools from a YAML or JSON file instead of a stack.  [default: none]", metavar="PLATFORM.yaml"),
]
AllOption = Annotated[bool, typer.Option("--all", help="Read all stacks of the project.  [default: off]")]
TodayOption = Annotated[
    datetime | None,
    typer.Option("--today", formats=["%Y-%m-%d"], help="Evaluate version support as of this date (YYYY-MM-DD).  [default: today]", metavar="DATE"),
]
RulesOption = Annotated[
    list[Path] | None,
    typer.Option("--own-rules", help="Python file with check rules of your own. Repeatable.  [default: none]", metavar="FILE.py"),
]
ExcludeOption = Annotated[
    list[str] | None,
    typer.Option("--exclude", help="Exclude files and folders that match, such as 'charts/*'. Repeatable.  [default: none]", metavar="GLOB"),
]
DetailsOption = Annotated[bool, typer.Option("--details", help="Show every row, reason and note.  [default: off]")]


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
    "strict": (
        False,
        Annotated[bool, typer.Option("--strict", help="Exit with 1 on everything that --fail-on can name.  [default: off]")],
    ),
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

    def read(self, run: "CommandRun") -> "Demands":
        """Reads them for the command that runs.

        Raises:
            InputError: a word is not one of the command, an acceptance has another form, or the baseline has errors.
            UnreadableError: a file cannot be read.
        """
        from nodepools.cli.inputs.demands import demands  # help does not need it

        wanted = demands(run.command, self.fail_on, strict=self.strict)
        if not self.accept and self.baseline is None and self.write_baseline is None:
            return wanted
        from nodepools.cli.inputs.acceptances import with_accepted  # needs the reader of YAML
        from nodepools.data.version_support import day_or_today

        given = self.accept if self.accept is not None else ()
        return with_accepted(wanted, given, self.baseline, self.write_baseline, day_or_today(day(self.today)))


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


def day(today: datetime | None) -> date | None:
    """The date of `--today`: Typer parses dates as points in time."""
    return today.date() if today is not None else None


def as_given(paths: Iterable[Path] | None, **options: object) -> str:
    """Paths and options as they were given, for a command that follows this one: `k8s/ --stack prod`."""
    return " ".join([*(quote(str(path)) for path in (paths if paths is not None else ())), *_options(options)])


def _options(options: dict[str, object]) -> Iterator[str]:
    for name, given in options.items():
        option = f"--{name.replace('_', '-')}"
        values = cast("list[object]", given) if isinstance(given, list) else [given] if given is not None and given is not False else []
        yield from (option if value is True else f"{option} {quote(str(value))}" for value in values)
