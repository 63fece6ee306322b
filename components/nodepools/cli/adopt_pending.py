"""`nodepools adopt pending`: creations that an interrupted `pulumi up` lost, with their ids."""

from collections.abc import Mapping
from pathlib import Path

import typer

from nodepools.cli.command_run import CommandRun, Result
from nodepools.cli.input_files import STDIN
from nodepools.cli.state_files import check_output, read_state, write_json
from nodepools.state.pending_creations import Interrupted, PendingCreation, interrupted, pending_imports


def result(file: Path, output: Path | None, subscription: str | None, run: CommandRun) -> Result:
    """The pending creations of a state; one whose id is not known needs an answer of the user."""
    check_output(output, run.form)
    state = read_state(file)
    found = interrupted(state, subscription)
    if output is not None:
        write_json(output, pending_imports(found.creations, state))
    return Result(lambda: _fields(found), lambda: _show(found, output), fails=any(one.id is None for one in found.creations))


def _fields(found: Interrupted) -> Mapping[str, object]:
    return {
        "pending": [{"urn": one.resource.urn, "type": one.resource.type, "id": one.id} for one in found.creations],
        "recorded": [one.urn for one in found.recorded],
        "others": [{"urn": one.resource.urn, "operation": one.operation} for one in found.others],
    }


def _show(found: Interrupted, output: Path | None) -> None:
    is_printed = output is not None and str(output) == STDIN

    def tell(line: str) -> None:
        typer.echo(line, err=is_printed)

    for one in found.creations:
        tell(f"{one.resource.kind} {one.resource.name}: {_answer(one)}")
    for one in found.recorded:
        tell(f"{one.kind} {one.name}: recovered; `nodepools adopt settle` removes its interrupted creation from the state")
    for one in found.others:
        tell(f"{one.resource.kind} {one.resource.name}: interrupted while {one.operation}; the next `pulumi up` continues it")
    if not (found.creations or found.recorded or found.others):
        tell("no operation was interrupted")
    if output is not None and not is_printed and any(one.id is not None for one in found.creations):
        tell(f"next: pulumi import --file {output} --generate-code=false --protect=false")


def _answer(one: PendingCreation) -> str:
    if one.id is not None:
        return one.id
    if one.lacks_subscription:
        return "its subscription is not in the state: use `--subscription`"
    return "the cloud chooses its id: find it there, and add it to the import file, or delete the resource there"
