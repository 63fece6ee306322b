"""The commands about rollouts to many stacks."""

from pathlib import Path
from typing import Annotated

import typer

from nodepools.cli.command_run import command_session
from nodepools.cli.common_options import DetailsOption, TodayOption, day
from nodepools.cli.exit_codes import usage_error
from nodepools.cli.output.output_formats import RolloutFormat


def plan(
    file: Annotated[Path, typer.Argument(help="The rollout: YAML, JSON, or Python with `ROLLOUT`.", metavar="ROLLOUT")],
    old: Annotated[
        str | None,
        typer.Argument(
            help="Plan the edits since then: a branch or commit, or a project folder.  [default: none]", metavar="OLD", show_default=False
        ),
    ] = None,
    *,
    to: Annotated[str | None, typer.Option("--to", help="Plan the upgrade to this Kubernetes version.  [default: none]", metavar="VERSION")] = None,
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
        run.set_result(plan_result(Asked(file, old, to, day(today)), run, as_picture=answer is RolloutFormat.MERMAID))
