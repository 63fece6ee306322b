"""`nodepools adopt settle`: gives imported resources the inputs that the program sends, with the values that the cloud has."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from nodepools.changes.platform_changes import request_set_changes
from nodepools.cli.command_run import CommandRun, Result
from nodepools.cli.diff.answer import VERBS
from nodepools.cli.inputs.input_files import STDIN
from nodepools.cli.inputs.programs import registered, stack_program
from nodepools.cli.inputs.sources import project_directory
from nodepools.cli.inputs.state_files import check_output, read_state, write_json
from nodepools.cli.output.report import NOTHING_LOST, Act, Report, Row, Section, Step, Tone, command, previewed, typed
from nodepools.cli.problem import usage_error
from nodepools.clouds.change import Requests
from nodepools.engine.project import project_name
from nodepools.model.listing import counted, listed
from nodepools.model.values import replace
from nodepools.resources.plan_requests import plan_requests
from nodepools.resources.resource import of_plan_json
from nodepools.state.deployment import State
from nodepools.state.settled import Settled, Settlement, settled
from nodepools.wire.table import Effect

_SHOWN: Final = 8


def result(file: Path, output: Path | None, run: CommandRun) -> Result:
    """The state with settled resources. Its stack and its project say which program sends what."""
    check_output(output, run.form)
    state = read_state(file)
    directory = project_directory(instead="")
    _same_project(state, directory)
    plan = registered(stack_program(state.stack, directory, run), run)
    if plan is None:
        return Result()
    found = settled(state, {one.urn: one.inputs for one in plan.resources if one.options.get("custom")})
    printed = write_json(output, found.state, [file]) if output is not None else ""
    written = [output] if output is not None and not printed else []
    report = Report(state.stack, _answer(found, written), tuple(_steps(found, file, output)), (Section("", tuple(_rows(found))),))
    return Result(lambda: _fields(found, written), fails=bool(found.undeclared) or _is_severe(found), report=report, printed=printed)


def _same_project(state: State, directory: Path) -> None:
    name = project_name(directory)
    if name != state.project:
        usage_error(f"the state is of the project `{state.project}`, and this is `{name}`: run this in the folder of its `Pulumi.yaml`")


def _fields(found: Settlement, written: Sequence[Path]) -> Mapping[str, object]:
    return {
        "settled": [one.resource.urn for one in found.settled],
        "changes": [{"urn": one.resource.urn, "path": ".".join(path)} for one in found.settled for path in one.changes],
        "effects": [{"urn": one.resource.urn, "path": path, "effect": effect.value} for one in found.settled for effect, path, _ in _effects(one)],
        "unknown": [{"urn": one.resource.urn, "path": ".".join(path)} for one in found.settled for path in one.hidden],
        "undeclared": [one.urn for one in found.undeclared],
        "created": [one.urn for one in found.created],
        "forgotten": [one.urn for one in found.forgotten],
        "files": [str(file) for file in written],
    }


def _effects(one: Settled) -> list[tuple[Effect, str, str]]:
    """What `diff` says of each change that does more than an update in place, with its path; unknown for a resource that has no table."""
    before, after = (plan_requests(of_plan_json([{**one.resource.entry, "inputs": side}])).requests.all for side in (one.inputs, one.sent))
    if not (before and after):
        return [(Effect.UNKNOWN, ".".join(path), "The effect is not known here") for path in one.changes]
    found = request_set_changes(Requests((replace(before[0], key=after[0].key),)), Requests(after)).all if one.changes else ()
    parts = [(change.effect, replace(change, steps=change.steps[len(after[0].steps) :]).path, change.message) for change in found]
    return [part for part in parts if part[0] > Effect.IN_PLACE]


def _is_severe(found: Settlement) -> bool:
    return any(effect not in (Effect.UNKNOWN, Effect.IN_PLACE_LATER) for one in found.settled for effect, _, _ in _effects(one))


def _answer(found: Settlement, written: Sequence[Path]) -> str:
    """What the next `pulumi up` does to the imported resources."""
    named = f"; not in the state: {counted(len(found.created), 'resource')}" if found.created else ""
    named += f"; wrote {written[0]}" if written else ""
    if found.undeclared:
        return f"pulumi up would delete {counted(len(found.undeclared), 'imported resource')}: not in the program{named}"
    if not found.settled:
        return f"no imported resource is left to settle{named}"
    changes, hidden = (sum(map(len, side)) for side in zip(*((one.changes, one.hidden) for one in found.settled), strict=True))
    whole, unsure = counted(len(found.settled), "imported resource"), f"{counted(hidden, 'secret')} cannot be compared"
    if hidden and not changes:
        return f"unknown whether pulumi up changes something of {whole}: {unsure}{named}"
    effect, label = max(((effect, one.resource.label) for one in found.settled for effect, _, _ in _effects(one)), default=(Effect.NONE, ""))
    what = f"changes {counted(changes, 'value')}" if changes else "changes nothing"
    return f"pulumi up {f'{VERBS[effect].format(label)}, and ' if label else ''}{what} of {whole}{f', and {unsure}' if hidden else ''}{named}"


def _steps(found: Settlement, file: Path, output: Path | None) -> Iterator[Step]:
    """What the program does not have is deleted after the import of the state, which has it, too."""
    has_state = bool(found.settled or found.forgotten)
    if has_state and output is None:
        yield command(f"nodepools adopt settle {typed(file)} -o settled.json", Act.FILES)
        return
    if has_state:
        yield command(f"pulumi stack import --file {'FILE' if str(output) == STDIN else typed(output)}", Act.STATE)
    for one in found.undeclared:
        force = " --force" if one.entry.get("protect") is True else ""
        yield command(f"pulumi state delete '{one.urn}'{force}", Act.STATE, f"unless you declare {one.kind} {one.name}")
    yield from previewed(NOTHING_LOST) if has_state else ()


def _rows(found: Settlement) -> Iterator[Row]:
    for one in found.undeclared:
        yield Row((one.label, "not in the program: pulumi up would delete it"), Tone.BAD)
    for one in found.settled:
        paths = [".".join(path) for path in one.changes]
        told = [f"pulumi up changes {listed(paths, _SHOWN)}"] * bool(paths)
        told += [f"unknown, a secret: {listed(['.'.join(path) for path in one.hidden], _SHOWN)}"] * bool(one.hidden)
        cells, rest = (one.resource.label, "; ".join(told) if told else "unchanged"), paths[_SHOWN:]
        below = tuple(f"{path}: {message}" for _, path, message in _effects(one))
        yield Row(cells, Tone.BAD if below else Tone.CAUTION if told else Tone.PLAIN, below, (", ".join(rest),) if rest else ())
    for one in found.forgotten:
        yield Row((one.label, "its interrupted creation is removed from the state"))
    if found.created:
        labels = [one.label for one in found.created]
        yield Row(("not in the state", f"pulumi up would create {listed(labels, _SHOWN)}"), Tone.CAUTION, details=tuple(labels[_SHOWN:]))
