"""`nodepools adopt pending`: creations that an interrupted `pulumi up` lost, with their ids."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from nodepools.cli.command_run import CommandRun, Result
from nodepools.cli.inputs import input_files
from nodepools.cli.inputs.input_files import STDIN
from nodepools.cli.inputs.state_files import check_output, read_state, write_json
from nodepools.cli.output.report import Act, Report, Row, Section, Step, Tone, command, edit, pasted, typed
from nodepools.cli.problem import usage_error
from nodepools.model.listing import counted
from nodepools.reading.bounded_input import TextError
from nodepools.state.deployment import Recorded
from nodepools.state.pending_creations import (
    PLACEHOLDER,
    Interrupted,
    NotPreviewError,
    PendingCreation,
    interrupted,
    listing,
    look,
    pending_imports,
    refused_creations,
)


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
    printed = write_json(output, pending_imports(found.creations, state), [file]) if output is not None else ""
    written = [output] if output is not None and not printed else []
    steps = _steps(found, file, output, subscription, state.project)
    report = Report(state.stack, _answer(found, written), tuple(steps), (Section("", tuple(_rows(found))),))
    fails = bool(found.replaced) or any(one.id is None for one in found.creations)
    return Result(lambda: _fields(found, written), fails=fails, report=report, printed=printed)


def _fields(found: Interrupted, written: Sequence[Path]) -> Mapping[str, object]:
    return {
        "pending": [
            {"urn": one.resource.urn, "type": one.resource.type, "id": one.id, "message": None if one.id is not None else _message(one)}
            for one in found.creations
        ],
        "replaced": [{"urn": one.resource.urn, "id": one.id} for one in found.replaced],
        "recorded": [one.urn for one in found.recorded],
        "others": [{"urn": one.resource.urn, "operation": one.operation} for one in found.others],
        "files": [str(file) for file in written],
    }


def _answer(found: Interrupted, written: Sequence[Path]) -> str:
    named = f"; wrote {written[0]}" if written else ""
    number = len(found.creations)
    if number:
        unknown = sum(one.id is None for one in found.creations)
        ids = f", {unknown:,} of them with an id that is not known" if unknown else ""
        return f"{counted(number, 'resource')} may exist that the state does not know{ids}{named}"
    if found.replaced:
        return f"{counted(len(found.replaced), 'replacement')} interrupted: the state has the old resource, and the cloud may have the new one{named}"
    if found.recorded:
        return f"every interrupted creation is in the state now{named}"
    return f"{'no creation was interrupted' if found.others else 'no operation was interrupted'}{named}"


def _steps(found: Interrupted, file: Path, output: Path | None, subscription: str | None, project: str) -> Iterator[Step]:
    """How to find the ids, import, and settle."""
    if found.replaced:
        yield edit("Delete the new resources that the rows below name, if they exist and nothing runs on them", "In the cloud")
    state = "state.json" if found.creations or str(file) == STDIN else typed(file)
    settle = f"nodepools adopt settle {state} -o settled.json"
    if found.creations:
        name = "pending.json" if output is None else "FILE" if str(output) == STDIN else typed(output)
        write = f"nodepools adopt pending {typed(file)}{f' --subscription {subscription}' if subscription is not None else ''} -o {name}"
        if output is None:
            yield command(write, Act.FILES)
        ids = f"Replace `{PLACEHOLDER}` by the ids that the rows below say how to find, and remove"
        ids = ids if any(one.id is None for one in found.creations) else "Remove"
        yield edit(f"{ids} the entries of resources that do not exist: they were not created", name)
        bring = f"pulumi import --file {name} --generate-code=false --protect=false && pulumi stack export --file state.json"
        line = f"{bring} && {settle} && pulumi stack import --file settled.json && pulumi preview"
        yield command(line, Act.STATE, f"in the folder of the project {project}; not protected: `pulumi up` may replace what is incomplete")
        yield command("pulumi up", Act.CLOUD, "only if the preview shows no create of what was imported")
    elif found.recorded:
        yield command(settle, Act.FILES, "the state without the interrupted creation, for `pulumi stack import`")
    elif found.others or found.replaced:
        yield command("pulumi up", Act.CLOUD, "continues what was interrupted")
    else:
        preview, failed = "--preview preview.json", "--failed failed.txt"
        yield command(f"nodepools adopt pending {typed(file)} {preview} {failed}", Act.NONE, "if `pulumi up` says that a resource exists")


def _rows(found: Interrupted) -> Iterator[Row]:
    for one in found.creations:
        unknown = one.id is None
        shown = "id not known" if one.id is None else one.id
        yield Row((one.resource.label, shown), Tone.CAUTION if unknown else Tone.PLAIN, tuple(_below(one)))
    for one in found.replaced:
        new = one.id if one.id is not None else "one whose id is not that of the state"
        below = tuple(_below(one)) if one.id is not None else tuple(map(pasted, filter(None, [_how(one)[1]])))
        yield Row((one.resource.label, f"replacement interrupted; new: {new}"), Tone.CAUTION, below)
    for one in found.recorded:
        yield Row((one.label, "recovered: it is in the state now"), Tone.GOOD)
    for one in found.others:
        yield Row((one.resource.label, f"interrupted while {one.operation}; the next `pulumi up` continues it"))


def _how(one: PendingCreation) -> tuple[str, str | None]:
    """How to find an id, and the command that lists it."""
    if one.lacks_subscription:
        return "its subscription is not in the state: use `--subscription`", None
    finder = listing(one.resource.type, one.resource.inputs)
    how = "the cloud chooses its id; this command lists it" if finder is not None else "look for its id in the cloud"
    return f"{how}: if there is none, it was not created, so remove its entry from the import file", finder


def _message(one: PendingCreation) -> str:
    how, finder = _how(one)
    return how if finder is None else f"{how}: `{finder}`"


def _below(one: PendingCreation) -> Iterator[str]:
    how, finder = _how(one) if one.id is None else ("this command shows it, if it exists", look(one.resource, one.id))
    yield from [how] if one.id is None or finder is not None else []
    if finder is not None:
        yield pasted(finder)
