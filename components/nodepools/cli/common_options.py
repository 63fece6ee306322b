"""Options that several commands share: one name has one meaning on every command.

A default that is not in the function's signature is part of the help text, so that every option shows its default.
"""

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path
from shlex import quote
from typing import Annotated, Final, cast

import typer

from nodepools.cli import completion
from nodepools.cli.command_run import CommandRun
from nodepools.cli.exit_codes import usage_error
from nodepools.cli.output.output_formats import Format, ReportFormat
from nodepools.model.listing import listed

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
ExistingOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--existing",
        help="What exists, as `kubectl`, `az` and `aws` print it: files or folders; - for stdin. Repeatable.  [default: none]",
        metavar="PATH",
    ),
]
ContextOption = Annotated[
    str | None,
    typer.Option(
        "--context",
        help="What exists, read now with your `kubectl` and this context of your kubeconfig.  [default: none]",
        metavar="NAME",
    ),
]
NamespaceOption = Annotated[
    str | None,
    typer.Option("--namespace", "-n", help="Namespace of workloads such as `deploy/web`.  [default: that of the context]", metavar="NAMESPACE"),
]
StrictOption = Annotated[bool, typer.Option("--strict", help="Exit with 1 on warnings, too.  [default: off]")]
RulesOption = Annotated[
    list[Path] | None,
    typer.Option("--own-rules", help="Python file with check rules of your own. Repeatable.  [default: none]", metavar="FILE.py"),
]
ExcludeOption = Annotated[
    list[str] | None,
    typer.Option("--exclude", help="Exclude files and folders that match, such as 'charts/*'. Repeatable.  [default: none]", metavar="GLOB"),
]
DetailsOption = Annotated[bool, typer.Option("--details", help="Show every row, reason and note.  [default: off]")]


_NAMED: Final = 3
"""Files that a first line names."""
CLUSTER_FOLDER: Final = "kubectl"
"""The folder of what `--context` reads, in messages."""


@contextmanager
def existing_paths(existing: list[Path] | None, context: str | None, run: CommandRun, *, of_karpenter: bool = False) -> Generator[list[Path] | None]:
    """The given paths and those of what the cluster of `--context` says, or its objects of Karpenter, during the `with` block.

    Raises:
        InputError: the cluster cannot be read.
    """
    if context is None:
        yield existing
        return
    from nodepools.cli.inputs.kubectl import with_context  # starts processes, which no other option does

    with with_context(context, existing, run, of_karpenter=of_karpenter) as paths:
        yield paths


@contextmanager
def workloads_of_cluster(asked: Sequence[Path], context: str | None, namespace: str | None) -> Generator[None]:
    """During the `with` block, paths such as `deploy/web` are workloads of the cluster of `--context`.

    Raises:
        InputError: a workload cannot be read, or `--namespace` is given without a cluster.
    """
    if context is None:
        if namespace is not None:
            usage_error("`--namespace` is about a running cluster: it needs `--context NAME`")
        if missing := [path for path in asked if path.parent != path and str(path) != "-" and not path.exists()]:
            from nodepools.cli.inputs.kubectl import is_workload  # only a mistake needs it

            if named := list(filter(is_workload, missing)):
                usage_error(f"{named[0]}: no such file. A workload of a running cluster needs `--context NAME`: see `kubectl config get-contexts`")
        yield
        return
    from nodepools.cli.inputs.kubectl import with_workloads  # starts processes

    with with_workloads(asked, context, namespace):
        yield


def named_existing(paths: Sequence[Path]) -> str:
    """Paths of `existing_paths` as the first line names them."""
    clusters = [f"cluster {path.parts[1]}" for path in paths if path.parts[:1] == (CLUSTER_FOLDER,)]
    return listed(list(dict.fromkeys([*(str(path) for path in paths if path.parts[:1] != (CLUSTER_FOLDER,)), *clusters])), _NAMED)


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
