"""Edits that differ only in their cluster or pool as one row, by what they do: values, nodes, pace and order."""

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, Literal

from nodepools.cli.output.report import Row, Section, Tone
from nodepools.clouds.amounts import NOTHING, Amount, total
from nodepools.clouds.change import AKS_CLUSTER, Address, Change, Pace
from nodepools.model.listing import listed
from nodepools.model.steps import mapping, sequence
from nodepools.model.values import dataclass, replace
from nodepools.wire.table import Effect

NAMED: Final = 3
"""Names that are listed one by one."""
HEADS: Final = ("effect", "cluster or pool", "change")
_ROWS: Final = 8
"""Rows that are shown without `--details`. Rows that fail the command are always shown."""
_ROWS_OF_MARKDOWN: Final = 20
_MESSAGES: Final = 2
"""Sentences of one edit that are shown without `--details`."""
_USUAL: Final = ("updated in place; nodes stay", "updated in place; its nodes stay", "Pulumi creates it", "Pulumi creates the pool")
"""Ends of sentences that say no more than the effect."""
_LONGEST_VALUE: Final = 100
_MAPS: Final = ("labels", "annotations", "tags", "nodeLabels", "node_labels")
"""Fields with keys of the user: one can be, or have as its value, the name of its pool."""
GROUPS: Final[Mapping[str, tuple[Effect, ...]]] = {
    "Rejected": (Effect.REFUSED,),
    "Nodes, pools or clusters deleted": (Effect.REPLACES, Effect.REMOVES_NODES, Effect.DELETES),
    "Unknown": (Effect.UNKNOWN,),
    "Nodes replaced": (Effect.ROLLS, Effect.ROLLS_SOME, Effect.ROTATES, Effect.REIMAGES),
    "Pods evicted or disturbed: nodes stay": (Effect.IN_PLACE_PODS,),
    "Created, or updated in place: nodes stay": (Effect.IN_PLACE_LATER, Effect.IN_PLACE, Effect.CREATES),
    "No effect": (Effect.IGNORED, Effect.NONE),
}
_TONES: Final[Mapping[str, Tone]] = dict(zip(GROUPS, (Tone.BAD, Tone.BAD, Tone.BAD, Tone.CAUTION, Tone.CAUTION, Tone.GOOD, Tone.GOOD), strict=True))
_ALL: Final = Amount()
_UNCOUNTED: Final = "the number of these nodes is unknown: `--existing` with the output of `kubectl get nodes -o yaml` counts them"


@dataclass(frozen=True)
class Fold:
    """Edits that differ only in their cluster or pool. One edit can change several resources."""

    changes: Sequence[Change]
    places: Sequence[str]
    """The cluster or the pool of each change."""

    @property
    def first(self) -> Change:
        """Stands for all of them."""
        return self.changes[0]

    @cached_property
    def where(self) -> str:
        """The clusters or pools."""
        return listed(list(dict.fromkeys(self.places)), NAMED)

    @property
    def field(self) -> str:
        """The path below the cluster or pool; empty for a cluster or a pool itself."""
        return _tail(self.first)

    @property
    def subject(self) -> str:
        """The field and where it is."""
        return f"{self.field} of {self.where}" if self.field else self.where

    @property
    def edit(self) -> str:
        """The field with its old value and the new one."""
        field, old, new = self.field, self.first.old, self.first.new
        names = () if field.startswith("spec.") or {*self.first.steps[-2:-1]} & {*_MAPS} else (self.first.resource.name, self.first.steps[-1])
        if new is None and old in names:
            return f"removed: {old}"
        if old is None and new in names and self.first.effect is not Effect.REPLACES:
            return f"added: {new}"
        if not field and old is None and new is None:
            return "replaced"
        values = _of_long_lists(old, new) if _is_long(old) or _is_long(new) else f"{shown_value(old)} → {shown_value(new)}"
        return f"{field}: {values}" if field else values

    @property
    def messages(self) -> Sequence[str]:
        """What happens and why, once each."""
        return list(dict.fromkeys(change.message for change in self.changes))

    @property
    def nodes(self) -> str:
        """The nodes that the changes reach, and those that exist in addition."""
        found, extra = self._each("nodes"), self._each("extra_nodes")
        parts = [self._of_nodes(total(found))] if found else []
        if extra and total(extra) not in (NOTHING, _ALL):
            number = total(extra).counted("node")
            parts.append(number.replace(" node", " extra node") if not found else f"{number.rpartition(' ')[0]} extra")
        return ", ".join(parts)

    @property
    def is_uncounted(self) -> bool:
        """It reaches nodes whose number has no bounds."""
        found = self._each("nodes")
        return bool(found) and total(found) == _ALL

    def _of_nodes(self, number: Amount) -> str:
        if number == _ALL:
            is_of_aks = (self.first.resource.type, self.first.effect) == (AKS_CLUSTER, Effect.ROLLS)  # it has agent pools, too
            return "0 to all nodes" if self.first.effect is Effect.ROLLS_SOME else f"all nodes{' of its NodePools' * is_of_aks}"
        return number.counted("node")

    def _each(self, what: Literal["nodes", "extra_nodes"]) -> list[Amount]:
        """Those of each place once: one edit of a place can change several resources."""
        counted: dict[tuple[str, str], Amount | None] = {}
        for place, change in zip(self.places, self.changes, strict=True):
            key = (place, change.path)
            if counted.get(key) is None:
                counted[key] = getattr(change, what)
        return [number for number in counted.values() if number is not None]

    def row(self, accepted: str, *, is_detail: bool, tone: Tone = Tone.PLAIN) -> Row:
        """The row: effect, places, edit; below it, the nodes and what happens. Who sets the pace, the sources and the paths are details."""
        shown = [text for text in self.messages if not text.endswith(_USUAL)][:_MESSAGES]
        more = [text for text in self.messages if text not in shown]
        found = list(zip(self.places, self.changes, strict=True))
        paces = [f"pace: {f'{listed(at, NAMED)}: ' if len(set(self.places)) > 1 else ''}{text}" for text, at in _paces(found).items()]
        shown += [text for text in paces if text.endswith(_HELD)]
        details = (
            *more,
            *([_UNCOUNTED] if self.is_uncounted else []),
            *(text for text in paces if text not in shown),
            *(f"source: {source}" for source in dict.fromkeys(change.source for change in self.changes)),
            f"path: {listed(list(dict.fromkeys(change.path for change in self.changes)), NAMED)}",
        )
        if self.nodes:
            users = dict.fromkeys(pool for change in self.changes if change.resource.type.endswith("NodeClass") for pool in change.pools)
            reached = f"{self.nodes} of {listed(list(users), NAMED)}" if users else self.nodes
            shown[:1] = [f"{reached}: {shown[0]}" if shown else reached]
        reasons = (*shown, *([f"accepted: {accepted}"] if accepted else []))
        return Row((self.first.effect.value, self.where, self.edit), tone, reasons, details, is_detail)


def folded(changes: Sequence[Change], place: Callable[[Change], str], apart: Callable[[Change], object]) -> list[Fold]:
    """The folds, in the order of the changes. `place` names the cluster or the pool; changes that differ in `apart` stay apart."""
    edits: dict[object, list[Change]] = {}
    values: dict[object, str] = {}  # a field that a resource has in two properties is one edit
    for change in changes:
        value = values.setdefault((place(change), change.path, change.effect, change.resource), _json(change))
        edits.setdefault((place(change), change.path, change.effect, value, apart(change)), []).append(change)
    folds: dict[object, list[Change]] = {}
    for of_edit in edits.values():
        first = of_edit[0]
        sentences = tuple(dict.fromkeys(change.message for change in of_edit))
        folds.setdefault((first.effect, _tail(first), _json(first), sentences, apart(first)), []).extend(of_edit)
    return [Fold(tuple(group), tuple(map(place, group))) for group in folds.values()]


def change_sections(
    folds: Sequence[Fold], accepted: Callable[[Change], str] = lambda _: "", failing: Collection[int] = (), *, is_markdown: bool = False
) -> Iterator[Section]:
    """A section for each group of effects. With worse changes, those without any effect are details."""
    is_quiet = all(fold.first.effect is Effect.NONE for fold in folds)
    left = _ROWS_OF_MARKDOWN if is_markdown else _ROWS
    for heading, effects in GROUPS.items():
        lines: list[Row] = []
        of_group = [fold for effect in effects for fold in folds if fold.first.effect is effect]
        for fold in of_group:
            fails = any(id(change) in failing for change in fold.changes)
            is_detail = not fails and (left <= 0 or (fold.first.effect is Effect.NONE and not is_quiet))
            left -= not is_detail
            lines.append(fold.row(accepted(fold.first), is_detail=is_detail, tone=_TONES[heading]))
        if lines:
            shown = sum(not line.is_detail for line in lines)
            yield Section(
                heading if shown in (0, len(lines)) else f"{heading} ({shown} of {len(lines)} rows)", tuple(lines), HEADS if is_markdown else ()
            )


def order_section(orders: Sequence[tuple[str, Sequence[Sequence[str]]]], *, stops: bool = False) -> Iterator[Section]:
    """The operations of `pulumi up` for each stack, in waves; a long order is a detail."""
    for stack, waves in orders:
        if waves:
            lines = tuple(Row((f"{number}. {listed(wave, NAMED)}",)) for number, wave in enumerate(waves, 1))
            named = f"Order of `pulumi up`{f' for {stack}' if stack else ''}{', up to what the cloud rejects' if stops else ''}"
            yield Section(named, lines, is_detail=sum(len(each) for _, each in orders) > NAMED)


def changed(heading: str, changes: Sequence[Change]) -> Section:
    """Changes as one section, a row each without what they do."""
    folds = folded(changes, lambda change: change.at, lambda _: None)
    rows = [Row((fold.first.effect.value, fold.where, f"{fold.edit}{f' ({fold.nodes})' if fold.nodes else ''}")) for fold in folds]
    return Section(heading, tuple(rows) if rows else (Row(("nothing",)),))


def _json(change: Change) -> str:
    return json.dumps([change.old, change.new], default=str, sort_keys=True)


def _tail(change: Change) -> str:
    """The path after the cluster and the pool."""
    if isinstance(change.steps[0], Address):
        return replace(change, steps=change.steps[1:]).path
    name = change.at.rpartition("/")[2]
    rest = change.steps[2:] if change.steps[:1] == ("clusters",) else change.steps
    start = next((number + 1 for number, step in enumerate(rest) if step == name), 0)
    return ".".join(map(str, rest[start:]))


def _is_long(value: object) -> bool:
    """A list that is too long for a line."""
    return len(_text(sequence(value))) > _LONGEST_VALUE


def _of_long_lists(old: object, new: object) -> str:
    """The lengths of both lists, and the entries that only one of them has; those of lists that differ in their order are the same."""
    before, after = sequence(old), sequence(new)
    lost, gained = [entry for entry in before if entry not in after], [entry for entry in after if entry not in before]
    marked = [f"{sign}{shown_value([_entry(one) for one in entries])}" for sign, entries in (("+", gained), ("-", lost)) if entries]
    return f"{_length(old)} → {_length(new)}: {' '.join(marked) if marked else 'another order'}"


def _entry(value: object) -> object:
    """A requirement as a sentence, other entries as they are."""
    held = mapping(value)
    least = f" (minValues {held['minValues']})" if "minValues" in held else ""
    return (
        f"{held['key']}{least} {held['operator']} {', '.join(map(str, sequence(held.get('values'))))}".rstrip()
        if {"key", "operator"} <= held.keys()
        else value
    )


def _length(value: object) -> str:
    entries = len(sequence(value))
    return "not set" if value is None else f"{entries} {'entry' if entries == 1 else 'entries'}"


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, default=str, ensure_ascii=False)


def shown_value(value: object) -> str:
    """A value of a change, in at most `_LONGEST_VALUE` characters."""
    if value is None:
        return "not set"
    if value == {"$secret": True}:
        return "(secret)"
    text = _text(value).strip("\n").replace("\n", "\\n")
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}…"


_BY_PULUMI: Final = {
    Effect.ROTATES: "Pulumi, during `pulumi up`: it deletes the old pool as soon as the new one exists",
    Effect.REPLACES: "Pulumi, during `pulumi up`: it deletes before it creates, and nothing limits how many nodes at a time",
}
_WITHOUT_PACE: Final = {
    Effect.IN_PLACE_PODS: "Kubernetes, at once: pods are evicted without regard to PodDisruptionBudgets",
    Effect.IN_PLACE_LATER: "You, with the next image upgrade of the pool",
    Effect.REMOVES_NODES: "The cloud, during `pulumi up`: no disruption budget limits how many nodes at a time",
}
"""Effects on nodes that nothing of the declaration limits."""
_OF_SPOT: Final = "AKS, during `pulumi up`: it does not drain spot nodes, and does not document how many it reimages at a time"
_NO_BUDGETS: Final = "Karpenter, after the change is applied: no disruption budget limits it"
_HELD: Final = "Karpenter, once the disruption budgets permit a node: until then, it replaces none before it expires"
_OF_CLOUD: Final = "Karpenter, after the change is applied: within the disruption budgets that the cloud gives its own NodePools"


def _paces(changes: Sequence[tuple[str, Change]]) -> dict[str, list[str]]:
    """Who sets the pace and what limits it, each with the clusters or pools that it is about. Each change has the name of its place."""
    found: dict[str, list[str]] = {}
    for place, change in changes:
        for where, text in _of_change(place, change):
            if where not in found.setdefault(text, []):
                found[text].append(where)
    return found


def _of_change(place: str, change: Change) -> Iterator[tuple[str, str]]:
    if change.nodes is None or change.nodes.maximum == 0:
        return
    pace = change.pace
    if pace is None:
        if change.effect in _WITHOUT_PACE:
            yield place, _WITHOUT_PACE[change.effect]
        return
    stack = place.removesuffix(change.at)
    each = mapping(pace.get("pools"))
    for where, of_pool in [(f"{stack}{pool}", mapping(one)) for pool, one in each.items()] if each else [(place, pace)]:
        yield where, _pace_text(of_pool, change.effect)


def _pace_text(pace: Pace, effect: Effect) -> str:
    """One sentence about a pace."""
    match pace.get("by"):
        case "pulumi":
            return _BY_PULUMI[effect]
        case "cloud":
            return _OF_CLOUD
        case "spot" | "unknown" as by:
            return _OF_SPOT if by == "spot" else "not known: settings that limit it are secret, or known later"
        case "update_config":
            return f"EKS, during `pulumi up`: {_number(pace)} at a time"
        case "budgets":
            return _of_budgets([mapping(budget) for budget in sequence(pace.get("budgets"))])
        case by:
            return _of_upgrade(pace, with_surge=by == "surge")


def _number(pace: Pace) -> str:
    """The nodes that are replaced at the same time."""
    least, most = (mapping(pace.get("batch")).get(name) for name in ("minimum", "maximum"))
    bounds = f"{least} to {most}" if least else f"up to {most}"
    number = f"{most}" if least == most else f"{least} or more" if most is None else bounds
    return f"{number} node{'' if most == 1 else 's'}"


def _of_upgrade(pace: Pace, *, with_surge: bool) -> str:
    most = mapping(pace.get("batch")).get("maximum")
    first = "a surge node is" if most == 1 else "as many surge nodes are"
    extra = f" after {first} ready" if with_surge else " without extra nodes"
    minutes, soak = pace.get("drain_timeout_minutes"), pace.get("soak_minutes")
    late = "leaves the node cordoned" if pace.get("undrainable") == "Cordon" else "stops it"
    waits = f"; it waits {soak} minutes after each drain" if soak else ""
    return f"AKS, during `pulumi up`: {_number(pace)} at a time{extra}; a drain of more than {minutes} minutes {late}{waits}"


def _of_budgets(budgets: Sequence[Mapping[str, object]]) -> str:
    limits = list(map(_of_budget, budgets))
    text = f"Karpenter, after the change is applied: {'; '.join(limits)}" if limits else _NO_BUDGETS
    return _HELD if "no node" in limits else text


def _of_budget(budget: Mapping[str, object]) -> str:
    nodes, schedule = str(budget.get("nodes", "10%")), budget.get("schedule")
    number = "no node" if nodes in ("0", "0%") else f"at most {nodes} of the nodes at a time" if nodes.endswith("%") else f"at most {nodes} at a time"
    return number if schedule is None else f"{number} for {budget.get('duration')} from `{schedule}` (UTC)"
