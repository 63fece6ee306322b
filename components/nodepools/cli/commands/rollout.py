"""The commands about rollouts to many stacks."""

from pathlib import Path
from typing import Annotated

import typer

from nodepools.cli.command_run import command_session
from nodepools.cli.common_options import DetailsOption, FormatOption, JobsOption, TodayOption, day
from nodepools.cli.output.output_formats import Format, RolloutFormat, RolloutTarget
from nodepools.cli.problem import usage_error


def plan(
    file: Annotated[Path, typer.Argument(help="The rollout file (YAML, JSON, or Python that defines `ROLLOUT`; guide: fleets).", metavar="ROLLOUT")],
    old: Annotated[
        str | None,
        typer.Argument(
            help="Plan the edits since then: a branch or commit, or a project folder.  [default: none]", metavar="OLD", show_default=False
        ),
    ] = None,
    *,
    to: Annotated[str | None, typer.Option("--to", help="Plan the upgrade to this Kubernetes version.  [default: none]", metavar="VERSION")] = None,
    jobs: JobsOption = 1,
    today: TodayOption = None,
    answer: Annotated[
        RolloutFormat, typer.Option("--format", help="Output format; markdown suits pull request comments, mermaid draws the waves.")
    ] = RolloutFormat.TEXT,
    details: DetailsOption = False,
) -> None:
    """Plan a change of all stacks, in waves.

    Shows the batches of each wave, what its gates say now, effects and nodes, the time as far as it is known, and the way back. The change is the
    edits since OLD, as `nodepools diff` shows them, or with --to the first round of an upgrade. Works offline.
    """
    with command_session("rollout plan", answer, details=details) as run:
        from nodepools.cli.rollout import Asked, plan_result

        if (old is None) == (to is None):
            usage_error("say what is rolled out: either OLD, a branch or commit since which the stacks were edited, or `--to VERSION`")
        run.set_result(plan_result(Asked(file, old, to, day(today), jobs), run, as_picture=answer is RolloutFormat.MERMAID))


def compile(  # noqa: A001  # the command has this name
    file: Annotated[Path, typer.Argument(help="The plan, as `nodepools rollout plan --format json` prints it; - for stdin.", metavar="PLAN.json")],
    *,
    to: Annotated[RolloutTarget, typer.Option("--to", help="The engine that carries it out.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Write the files to this folder.", metavar="DIR")],
    repository: Annotated[
        str | None, typer.Option("--repository", help="Git repository that the operator fetches.  [default: none]", metavar="URL")
    ] = None,
    commit: Annotated[str | None, typer.Option("--commit", help="Commit that the operator fetches.  [default: none]", metavar="SHA")] = None,
    folder: Annotated[
        str | None, typer.Option("--folder", help="Folder of the project in the repository.  [default: its root]", metavar="DIR")
    ] = None,
    organization: Annotated[
        str | None, typer.Option("--organization", help="Organization of the stacks in Pulumi, for the operator.  [default: none]", metavar="NAME")
    ] = None,
    image: Annotated[
        str | None, typer.Option("--image", help="Image in which the operator runs the program.  [default: that of the operator]", metavar="IMAGE")
    ] = None,
    answer: FormatOption = Format.TEXT,
) -> None:
    """Write a plan as files for an engine.

    Of the Automation API a program, of the Pulumi Kubernetes Operator its objects and a script of gates for each wave, of GitHub Actions and Azure
    Pipelines a workflow. Each keeps waves, batches and gates. Writes all files or none.
    """
    with command_session("rollout compile", answer) as run:
        from nodepools.cli.rollout import compiled, read_plan, source_of

        fetched = {"repository": repository, "commit": commit, "folder": folder, "organization": organization, "image": image}
        source = source_of(to, fetched)
        run.set_result(compiled(read_plan(file, run), to, source, output))
