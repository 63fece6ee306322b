"""Recognizes what the Azure CLI prints, by content: clusters, agent pools and maintenance configurations, in its own spelling and in that of REST."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, cast

from nodepools.model.steps import mapping
from nodepools.wire.table import Written

_ID: Final = re.compile(
    r"/subscriptions/(?P<subscription>[^/]+)/resourcegroups/(?P<group>[^/]+)/providers/microsoft\.containerservice"
    r"/managedclusters/(?P<cluster>[^/]+)(?P<inside>/(?:agentpools|maintenanceconfigurations))?(?(inside)/(?P<child>[^/]+))",
    re.IGNORECASE,
)
_CLUSTERS: Final = "microsoft.containerservice/managedclusters"


_NOT_RECOGNIZED: Final = (
    "is not recognized: use what `az aks show`, `az aks nodepool list`, `aws eks describe-cluster`, `aws eks describe-access-entry` "
    "or `kubectl get nodepools,nodeclasses -o yaml` print"
)


class Kind(Enum):
    """What an export is about."""

    CLUSTER = _CLUSTERS
    POOL = f"{_CLUSTERS}/agentpools"
    CONFIGURATION = f"{_CLUSTERS}/maintenanceconfigurations"


@dataclass(frozen=True, slots=True)
class ClusterId:
    """The place of a cluster in Azure."""

    subscription: str
    group: str
    name: str

    def __str__(self) -> str:
        """The id as azure-native spells it."""
        beginning = f"/subscriptions/{self.subscription}/resourceGroups/{self.group}"
        return f"{beginning}/providers/Microsoft.ContainerService/managedClusters/{self.name}"

    @property
    def folded(self) -> str:
        """The id without case: Azure ignores case in ids, and exports spell one id in several ways."""
        return str(self).lower()


@dataclass(frozen=True, slots=True)
class Export:
    """One resource of an export."""

    kind: Kind
    cluster: ClusterId
    name: str
    written: Written
    source: str
    """The file."""


class NotExportError(Exception):
    """A value that is not an export that can be read. The message says why."""


class UnrecognizedError(NotExportError):
    """A value that is something else than an export of a cluster."""


def exports(value: object, source: str) -> Iterator[Export]:
    """Yields the resources in the value of one file: one resource, a list, or a page of REST.

    Raises:
        NotExportError: something else is in the file.
    """
    if isinstance(value, Mapping):
        written = cast("Written", value)
        page = written.get("value")
        if not isinstance(page, list) or "id" in written:
            yield _export(written, source)
            return
        incomplete = more_pages(written)
        if incomplete is not None:
            raise NotExportError(incomplete)
        yield from exports(cast("object", page), source)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for item in cast("Sequence[object]", value):
            if not isinstance(item, Mapping):
                raise UnrecognizedError("is not a list of resources, which are mappings with an `id` and a `type`")
            yield _export(cast("Written", item), source)
    else:
        raise UnrecognizedError("is not an export: use what `az aks show`, `aws eks describe-cluster` or `kubectl get -o yaml` print")


def _export(written: Written, source: str) -> Export:
    """The id says what it is: maintenance configurations of the API have no `type`."""
    match = _ID.fullmatch(str(written.get("id")))
    kind = None if match is None else Kind(_CLUSTERS if match["inside"] is None else f"{_CLUSTERS}{match['inside'].lower()}")
    of_type = written.get("type")
    if match is None or kind is None or (of_type is not None and str(of_type).lower() != kind.value):
        raise UnrecognizedError(_NOT_RECOGNIZED)
    cluster = ClusterId(match["subscription"], match["group"], match["cluster"])
    return Export(kind, cluster, match["child"] if match["child"] is not None else match["cluster"], _flat(written), source)


def _flat(written: Written) -> Written:
    """The spelling of `az`: what REST has in `properties` is at the top, where `type` of a pool is `typePropertiesType`."""
    properties = written.get("properties")
    if not isinstance(properties, Mapping):
        return written
    inside = dict(cast("Written", properties))
    pool_type = inside.pop("type", None)
    outside = {name: value for name, value in written.items() if name != "properties"}
    return {**inside, **({"typePropertiesType": pool_type} if pool_type is not None else {}), **outside}


_WITHOUT_LIMITS: Final = "export it without `--max-items` and `--no-paginate`"
_NEXT: Final[Mapping[str, str]] = {
    "nextLink": "use `az aks`, which prints all of them, or join the pages",
    "nextToken": _WITHOUT_LIMITS,
    "NextToken": _WITHOUT_LIMITS,
}
_CONTINUE: Final = "has more pages (`metadata.continue`): use `kubectl get -o yaml`, which prints all of them"


def more_pages(written: Mapping[str, object]) -> str | None:
    """Says that a page is not the last one, and what prints all; `None` if it is."""
    found = [f"has more pages (`{name}`): {way}" for name, way in _NEXT.items() if written.get(name)]
    if mapping(written.get("metadata")).get("continue"):
        found.append(_CONTINUE)
    return found[0] if found else None
