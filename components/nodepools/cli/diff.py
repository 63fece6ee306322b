"""`nodepools diff`: what an edit does to which nodes, and in which order."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import typer

from nodepools.changes.change import Change, summary, worst_first
from nodepools.changes.platform_changes import Changes, platform_changes, request_set_changes
from nodepools.changes.request import Requests
from nodepools.cli.acceptance import Acceptance, acceptances, unmatched
from nodepools.cli.command_run import CommandRun, Result
from nodepools.cli.diff_sides import Part, Side, new_side, only_objects, read_side, resources_side, working_tree
from nodepools.cli.diff_text import Difference, annotations, markdown, text_lines
from nodepools.cli.exclusion import Inputs
from nodepools.cli.exit_codes import usage_error
from nodepools.cli.output_formats import DiffFormat
from nodepools.cli.problem import Problem
from nodepools.cli.sources import Source, project_directory
from nodepools.wire.effects import Effect

_FAILING: Final = [effect.value for effect in (Effect.REPLACES, Effect.REMOVES_NODES, Effect.DELETES, Effect.REFUSED, Effect.UNKNOWN)]
"""The effects that a change has to be accepted for."""
ToInputs = Callable[[Path], Inputs]
"""The files of a folder, without those that `--exclude` excludes."""
_NOTHING: Final = Requests(())


@dataclass(frozen=True, slots=True)
class Demands:
    """Which changes fail the command."""

    failing: frozenset[Effect]
    accepted: Sequence[Acceptance]

    def fails(self, change: Change) -> bool:
        """The change has a failing effect, and no one accepts it."""
        return change.effect in self.failing and not any(one.covers(change) for one in self.accepted)


def demands(fail_on: str | None, accept: Iterable[str]) -> Demands:
    """Reads `--fail-on` and `--accept`.

    Raises:
        InputError: an effect does not exist, or an acceptance has another form.
        UnreadableError: a file of acceptances cannot be read.
    """
    names = [name.strip() for name in fail_on.split(",") if name.strip()] if fail_on is not None else _FAILING
    known = {effect.value: effect for effect in Effect}
    wrong = [name for name in names if name not in known]
    if wrong:
        usage_error(f"`--fail-on` must be effects, separated by commas, not `{wrong[0]}`: one of {', '.join(f'`{name}`' for name in known)}")
    return Demands(frozenset(known[name] for name in names), acceptances(accept))


def diff(
    old: str, new: str | None, selected: Source, run: CommandRun, *, inputs: Callable[[Path], Inputs], wanted: Demands, form: DiffFormat
) -> Result:
    """Compares both sides.

    Raises:
        UnreadableError: a side cannot be read.
        InputError: a side is neither a path nor a commit, or both cannot be compared.
        InvalidError: a declaration has schema errors.
    """
    before = read_side(old, selected, run, inputs)
    after = new_side(new, selected, run, inputs) if new is not None else _of_project(before, selected, run)
    before, after = _comparable(before, after, selected, run)
    found = _compared(before, after)
    every = worst_first(change for _, changes in found for change in changes.all)
    for one in unmatched(wanted.accepted, every):
        run.notes.append(Problem("--accept", f"no change matches `{one}`"))
    shown = Difference(f"{before.title} → {after.title}", found, frozenset(id(change) for change in every if wanted.fails(change)))

    def show() -> None:
        typer.echo(markdown(shown) if form is DiffFormat.MARKDOWN else "\n".join(text_lines(shown)))

    return Result(
        lambda: {
            "old": before.title,
            "new": after.title,
            "stacks": [name for name, _ in found],
            "changes": [change.to_json() for change in every],
            "order": [list(wave) for _, changes in found for wave in changes.order],
            "summary": summary(every),
        },
        show,
        fails=bool(shown.failing),
        annotations=lambda: annotations(shown),
    )


def _of_project(before: Side, selected: Source, run: CommandRun) -> Side:
    """The working tree in the form of the other side: what the program registers, if that is a plan or a state."""
    if before.kind != "resources":
        return working_tree(selected)
    if selected.file is not None or selected.every:
        usage_error(f"{before.title}: a plan or a state is compared with one stack: use `--stack`")
    from nodepools.cli.preview import registered
    from nodepools.resources.resource import of_plan

    plan = registered(selected.stack, project_directory(), run)
    if plan is None:
        usage_error("the program failed, so there is nothing to compare with")
    return resources_side("working tree", selected.stack, of_plan(plan.resources), run)


def _comparable(before: Side, after: Side, selected: Source, run: CommandRun) -> tuple[Side, Side]:
    kinds = {before.kind, after.kind}
    if "manifests" in kinds:
        return only_objects(before, after), only_objects(after, before)
    if kinds == {"declaration", "resources"}:
        if after.kind == "declaration" and after.title == "working tree":
            return before, _of_project(before, selected, run)
        usage_error("a plan or a state can only be compared with another one, or with the working tree: leave out the second argument")
    return before, after


def _compared(before: Side, after: Side) -> list[tuple[str, Changes]]:
    if len(before.parts) == len(after.parts) == 1:  # two files, whatever their names
        [one], [other] = before.parts.values(), after.parts.values()
        return [(other.name, _of_parts(one, other))]
    names = [*before.parts, *(name for name in after.parts if name not in before.parts)]
    return [(name, _of_parts(before.parts.get(name), after.parts.get(name))) for name in names]


def _of_parts(one: Part | None, other: Part | None) -> Changes:
    if one is not None and other is not None and one.platform is not None and other.platform is not None:
        return platform_changes(one.platform, other.platform)
    return request_set_changes(one.requests if one is not None else _NOTHING, other.requests if other is not None else _NOTHING)
