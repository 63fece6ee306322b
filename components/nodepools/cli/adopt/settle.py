"""`nodepools adopt settle`: gives imported resources the inputs that the program sends, with the values that the cloud has."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import typer

from nodepools.cli.command_run import CommandRun, Result
from nodepools.cli.exit_codes import usage_error
from nodepools.cli.inputs.input_files import STDIN
from nodepools.cli.inputs.sources import project_directory
from nodepools.cli.inputs.state_files import check_output, read_state, write_json
from nodepools.cli.preview import registered
from nodepools.engine.project import project_name
from nodepools.model.listing import listed
from nodepools.state.deployment import State
from nodepools.state.settled import Settlement, settled

_SHOWN: Final = 8


def result(file: Path, output: Path | None, run: CommandRun) -> Result:
    """The state with settled resources. Its stack and its project say which program sends what."""
    check_output(output, run.form)
    state = read_state(file)
    directory = project_directory()
    _same_project(state, directory)
    plan = registered(state.stack, directory, run)
    if plan is None:
        return Result()
    found = settled(state, {one.urn: one.inputs for one in plan.resources})
    if output is not None:
        write_json(output, found.state, [file])
    return Result(lambda: _fields(found), lambda: _show(found, output), fails=bool(found.undeclared))


def _same_project(state: State, directory: Path) -> None:
    name = project_name(directory)
    if name != state.project:
        usage_error(f"the state is of the project `{state.project}`, and this is `{name}`: run this in the folder of its `Pulumi.yaml`")


def _fields(found: Settlement) -> Mapping[str, object]:
    return {
        "settled": [one.resource.urn for one in found.settled],
        "changes": [{"urn": one.resource.urn, "path": ".".join(path)} for one in found.settled for path in one.changes],
        "undeclared": [one.urn for one in found.undeclared],
        "forgotten": [one.urn for one in found.forgotten],
    }


def _show(found: Settlement, output: Path | None) -> None:
    is_printed = output is not None and str(output) == STDIN

    def tell(line: str) -> None:
        typer.echo(line, err=is_printed)

    for one in found.settled:
        paths = [".".join(path) for path in one.changes]
        changes = f"`pulumi up` changes {listed(paths, _SHOWN)}" if paths else "unchanged"
        tell(f"{one.resource.kind} {one.resource.name}: {changes}")
    for one in found.undeclared:
        tell(f"{one.kind} {one.name}: not in the program, and `pulumi up` would delete it: `pulumi state delete '{one.urn}'`")
    for one in found.forgotten:
        tell(f"{one.kind} {one.name}: its interrupted creation is removed from the state")
    if not found.settled and not found.undeclared:
        tell("no imported resource is left to settle")
    elif output is not None and not is_printed:
        tell(f"next: pulumi stack import --file {output}")
