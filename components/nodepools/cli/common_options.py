"""Options that several commands share: one name has one meaning on every command.

A default that is not in the function's signature is part of the help text, so that every option shows its default.
"""

from collections.abc import Iterable, Iterator
from datetime import date, datetime
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, cast

import typer

from nodepools.cli import completion
from nodepools.cli.output.output_formats import Format, ReportFormat
from nodepools.cli.output.report import typed
from nodepools.cli.problem import usage_error

if TYPE_CHECKING:
    from nodepools.data.karpenter_releases import KarpenterRelease


KarpenterOption = Annotated[
    str | None,
    typer.Option(
        "--karpenter",
        help="Version of self-managed Karpenter in the AWS cluster, such as 1.8.  [default: the newest known version]",
        metavar="VERSION",
    ),
]


def release_of(text: str | None) -> "KarpenterRelease | None":
    """The version that the option names; `None` without the option.

    Raises:
        InputError: the table does not have it.
    """
    if text is None:
        return None
    from nodepools.data.karpenter_releases import karpenter_release, karpenter_releases, karpenter_releases_origin  # the option is rare

    found = karpenter_release(text)
    if found is None:
        known = karpenter_releases()
        usage_error(
            f"`--karpenter`: `{text}` is not in the table, which has {known[0].version} to {known[-1].version} ({karpenter_releases_origin()}): "
            "use one of them, or leave the option out"
        )
    return found


StackOption = Annotated[
    str | None,
    typer.Option(
        "--stack",
        "-s",
        help="Stack to read: stacks/NAME.py, or the program with Pulumi.NAME.yaml.  [default: dev]",
        metavar="NAME",
        show_default=False,
        autocompletion=completion.stacks,
    ),
]
FormatOption = Annotated[Format, typer.Option("--format", help="Output format. With json, stdout has only the JSON document.")]
ReportFormatOption = Annotated[ReportFormat, typer.Option("--format", help="Output format; markdown suits pull request comments.")]
FileOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--file",
        help="Read YAML or JSON platforms, or plans and states of Terraform, instead of a stack: files or folders. Repeatable.  [default: none]",
        metavar="PATH",
    ),
]
HclOption = Annotated[
    Path | None, typer.Option("--hcl", help="Folder with the configuration of a plan of Terraform.  [default: that of the plan]", metavar="FOLDER")
]
AllOption = Annotated[bool, typer.Option("--all", help="Read all stacks of the project.  [default: off]")]
JobsOption = Annotated[int, typer.Option("--jobs", help="Processes that read and check stacks and platform files.", metavar="N", min=1, max=256)]
TodayOption = Annotated[
    datetime | None,
    typer.Option(
        "--today", formats=["%Y-%m-%d"], help="Evaluate what depends on the day, as of this date (YYYY-MM-DD).  [default: today]", metavar="DATE"
    ),
]
RulesOption = Annotated[
    list[Path] | None, typer.Option("--own-rules", help="Python file with check rules of your own. Repeatable.  [default: none]", metavar="FILE.py")
]
ExcludeOption = Annotated[
    list[str] | None,
    typer.Option("--exclude", help="Exclude files and folders that match, such as 'charts/*'. Repeatable.  [default: none]", metavar="GLOB"),
]
DetailsOption = Annotated[bool, typer.Option("--details", help="Show every row, reason and note.  [default: off]")]


def day(today: datetime | None) -> date | None:
    """The date of `--today`: Typer parses dates as points in time."""
    return today.date() if today is not None else None


def as_given(paths: Iterable[Path] | None, **options: object) -> str:
    """Paths and options as they were given, for a command that follows this one: `k8s/ --stack prod`."""
    return " ".join([*(typed(path) for path in (paths if paths is not None else ())), *_options(options)])


def _options(options: dict[str, object]) -> Iterator[str]:
    for name, given in options.items():
        option = f"--{name.replace('_', '-')}"
        values = cast("list[object]", given) if isinstance(given, list) else [given] if given is not None and given is not False else []
        yield from (option if value is True else f"{option} {quote(str(value))}" for value in values)
