"""`nodepools adopt pending`: creations that an interrupted `pulumi up` lost, with their ids."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import typer

from nodepools.cli.command_run import CommandRun, Result
from nodepools.cli.exit_codes import usage_error
from nodepools.cli.inputs import input_files
from nodepools.cli.inputs.input_files import STDIN
from nodepools.cli.inputs.state_files import check_output, read_state, write_json
from nodepools.reading.limits import TextError
from nodepools.state.deployment import Recorded
from nodepools.state.pending_creations import (
    PLACEHOLDER,
    Interrupted,
    NotPreviewError,
    PendingCreation,
    interrupted,
    pending_imports,
    refused_creations,
)
from nodepools.state.resource_ids import CHOSEN


def refused(preview: Path | None, output: Path | None) -> Sequence[Recorded]:
    """The creations that failed because the resource exists.

    Raises:
        InputError: a file cannot be read, or one of both is missing.
    """
    if preview is None and output is None:
        return ()
    if preview is None or output is None:
        usage_error("--preview and --failed belong together: the preview has the resources, and the output of `pulumi up` says which of them exist")
    try:
        return refused_creations(json.loads(input_files.text(preview)), input_files.text(output))
    except TextError as error:
        usage_error(str(error))
    except (ValueError, RecursionError) as error:
        usage_error(f"{input_files.shown(preview)}: is not JSON: {error}")
    except NotPreviewError as error:
        usage_error(f"{input_files.shown(preview)}: {error}")


def result(file: Path, output: Path | None, subscription: str | None, run: CommandRun, refused: Sequence[Recorded] = ()) -> Result:
    """The pending creations of a state; one whose id is not known needs an answer of the user."""
    check_output(output, run.form)
    state = read_state(file)
    found = interrupted(state, subscription, refused)
    if output is not None:
        write_json(output, pending_imports(found.creations, state), [file])
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
        tell("the state has no interrupted operation. Does `pulumi up` say that a resource exists? Add --preview and --failed")
    if output is not None and not is_printed and found.creations:
        if any(one.id is None for one in found.creations):
            tell(f"next: write the ids into {output}, instead of {PLACEHOLDER}")
        tell(f"next: pulumi import --file {output} --generate-code=false --protect=false")


def _answer(one: PendingCreation) -> str:
    if one.id is not None:
        return one.id
    if one.lacks_subscription:
        return "its subscription is not in the state: use `--subscription`"
    how = "the cloud chooses its id" if one.resource.type in CHOSEN else "its id is not known"
    return f"{how}: find it there, or remove its entry from the import file and delete the resource in the cloud"
