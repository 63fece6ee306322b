"""What the program of one side registers, for a comparison with a plan or a state."""

from pathlib import Path

from nodepools.changes.platform_changes import Changes, request_set_changes
from nodepools.cli.command_run import CommandRun
from nodepools.cli.diff.files import Side, file_side, resources_side
from nodepools.cli.diff.places import in_file
from nodepools.cli.diff.rows import Subject, changed, count
from nodepools.cli.diff.sides import WORKING_TREE, named_commit, named_path, project_of
from nodepools.cli.exit_codes import usage_error
from nodepools.cli.inputs.git_worktree import checked_out
from nodepools.cli.inputs.sources import Source, project_directory


def working_tree_registered(selected: Source, run: CommandRun, recorded: str) -> Side:
    """What the program in the working tree registers, to be compared with `recorded`."""
    _one_stack(selected, recorded)
    return _registered(project_directory(), WORKING_TREE, selected.stack, run)


def not_applied(deployed: Path, old: str, before: Side, selected: Source, run: CommandRun) -> Subject:
    """The changes from a state to the old side: they were merged, and `pulumi up` has not applied them.

    Raises:
        UnreadableError: the state cannot be read.
        InputError: it is not a state, or the old side has no program.
    """
    state = recorded(deployed, run)
    merged = before if before.is_recorded else _of_old(old, selected, run, str(deployed))
    [one], [other] = state.parts.values(), merged.parts.values()
    changes = request_set_changes(one.requests, other.requests, selected.today)
    return _section(f"{state.title} → {merged.title}", state, merged, changes)


def recorded(deployed: Path, run: CommandRun) -> Side:
    """The state of `--deployed`.

    Raises:
        UnreadableError: it cannot be read.
        InputError: it is not a state.
    """
    state = file_side(deployed, run)
    if not state.is_recorded:
        usage_error(f"{deployed}: `--deployed` must be a state (`pulumi stack export`) or a plan (`nodepools preview --format json`)")
    return state


def _section(sides: str, state: Side, merged: Side, changes: Changes) -> Subject:
    data = {"old": state.title, "new": merged.title, "changes": [change.to_json() for change in changes.all], "summary": dict(changes.summary)}
    verdict = f"{count(len(changes.all), 'change')} of OLD not applied yet" if changes.all else ""
    return Subject("not_applied", data, changed(f"Merged but not applied yet, and part of the next `pulumi up` ({sides})", changes.all), verdict)


def _of_old(old: str, selected: Source, run: CommandRun, recorded: str) -> Side:
    _one_stack(selected, recorded)
    path = named_path(old)
    if path is not None:
        if not (path / "stacks").is_dir():
            usage_error(f"{old}: `--deployed` compares a state with what OLD registers: use a branch, a commit, a project folder or a plan as OLD")
        return _registered(path.absolute(), old, selected.stack, run)
    at = named_commit(old)
    with checked_out(at) as folder:
        return _registered(project_of(folder), str(at), selected.stack, run)


def _one_stack(selected: Source, recorded: str) -> None:
    if selected.file is not None or selected.every:
        usage_error(f"{recorded}: a plan or a state is compared with one stack: use `--stack`")


def _registered(project: Path, title: str, stack: str, run: CommandRun) -> Side:
    from nodepools.cli.preview import registered
    from nodepools.resources.resource import of_plan

    plan = registered(stack, project, run)
    if plan is None:
        usage_error(f"the program of {title} failed, so there is nothing to compare with")
    return resources_side(title, stack, of_plan(plan.resources), run, in_file(f"stacks/{stack}.py"))
