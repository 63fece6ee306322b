"""Which workloads of the input have pods that the terms of another workload select."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from nodepools.model.kubernetes.topology import ADDED, PodSelector, PodTerm, PodTopology
from nodepools.placement.workloads.workload import Workload

_Label: TypeAlias = tuple[str, str]


class Relations:
    """The workloads of the input, found by labels and by the labels that their terms select."""

    def __init__(self, workloads: Sequence[Workload]) -> None:
        self._all: Final = workloads
        self._labeled: Final[dict[_Label, list[Workload]]] = {}
        self._repelling: Final[dict[_Label | None, list[tuple[Workload, PodTerm]]]] = {}
        self._ports: Final[dict[tuple[int, str], list[Workload]]] = {}
        for workload in workloads:
            self._add(workload, workload.topology)

    def _add(self, workload: Workload, topology: PodTopology) -> None:
        for label in topology.labels:
            self._labeled.setdefault(label, []).append(workload)
        for term in topology.anti_affinities:
            for label in _required(term.selector) or [None]:
                self._repelling.setdefault(label, []).append((workload, term))
        for port in topology.host_ports:
            self._ports.setdefault(port, []).append(workload)

    def selected(self, workload: Workload, selector: PodSelector) -> list[Workload]:
        """The other workloads whose pods a selector of this workload selects, or may select."""
        labels = _required(selector)
        found = self._all if labels is None else (other for label in labels for other in self._labeled.get(label, ()))
        return _once(other for other in found if other is not workload and selector.selects(other.topology, itself=False))

    def repelling(self, workload: Workload) -> Iterator[tuple[Workload, PodTerm]]:
        """The anti-affinity of other workloads that selects the pods of this one."""
        for label in (None, *workload.topology.labels):
            for other, term in self._repelling.get(label, ()):
                if other is not workload and term.selector.selects(workload.topology, itself=False):
                    yield other, term

    def sharing_ports(self, workload: Workload) -> list[Workload]:
        """The other workloads that use one of its host ports."""
        return _once(other for port in workload.topology.host_ports for other in self._ports.get(port, ()) if other is not workload)


def _required(selector: PodSelector) -> list[_Label] | None:
    """Labels of which every selected pod has one; `None` if the selector names none. The values of those that controllers add are not known."""
    for expression in selector.labels.expressions or ():
        if expression.operator == "In" and expression.key not in ADDED:
            return [(expression.key, value) for value in expression.values]
    return None


def _once(workloads: Iterable[Workload]) -> list[Workload]:
    return list({id(workload): workload for workload in workloads}.values())
