"""What each field of the declaration becomes in the clouds: its arguments, and the effect of a change."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from nodepools.model.aks.agent_pool import AgentPool, GpuPool, SystemPool, UserPool, WindowsPool
from nodepools.model.aks.cluster import AksClusterArgs, AksNodeClass, AksNodePool
from nodepools.model.aks.maintenance import MaintenanceWindow
from nodepools.model.aks.network import AksNetworkArgs
from nodepools.model.base import Model
from nodepools.model.eks.access import AccessEntry, AccessPolicy, AddOn, IdentityProvider, PodIdentity
from nodepools.model.eks.cluster import EksClusterArgs, EksNetworkArgs
from nodepools.model.eks.node_class import EksNodeClass, EksNodePool
from nodepools.rules.engine.field_annotations import held_models
from nodepools.wire.aks.agent_pool import POOL
from nodepools.wire.aks.cluster import CLUSTER as AKS_CLUSTER
from nodepools.wire.aks.maintenance import CONFIGURATION
from nodepools.wire.aks.network import VIRTUAL_NETWORK
from nodepools.wire.aks.node_class import NODE_CLASS as AKS_CLASS
from nodepools.wire.eks.access import ADD_ON, ENTRY, IDENTITY_PROVIDER, POD_IDENTITY, POLICY
from nodepools.wire.eks.cluster import CLUSTER as EKS_CLUSTER
from nodepools.wire.eks.network import VPC
from nodepools.wire.eks.node_class import NODE_CLASS as EKS_CLASS
from nodepools.wire.karpenter import AKS_NODE_CLASS, EKS_NODE_CLASS, node_pool_table
from nodepools.wire.table import Effect, Entry, Pattern, Table

TABLES: Final[Sequence[tuple[type[Model], Table]]] = (
    (AksClusterArgs, AKS_CLUSTER),
    (EksClusterArgs, EKS_CLUSTER),
    *((kind, POOL) for kind in (UserPool, SystemPool, GpuPool, WindowsPool)),
    (AksNetworkArgs, VIRTUAL_NETWORK),
    (MaintenanceWindow, CONFIGURATION),
    (AksNodePool, node_pool_table(AKS_NODE_CLASS)),
    (EksNodePool, node_pool_table(EKS_NODE_CLASS)),
    (AksNodeClass, AKS_CLASS),
    (EksNodeClass, EKS_CLASS),
    (EksNetworkArgs, VPC),
    (AccessEntry, ENTRY),
    (AccessPolicy, POLICY),
    (PodIdentity, POD_IDENTITY),
    (IdentityProvider, IDENTITY_PROVIDER),
    (AddOn, ADD_ON),
)
"""Each table with the class whose fields it writes."""


class Sent(NamedTuple):
    """One argument of a field, with the effect of a change."""

    argument: str
    effect: Effect
    source: str


@cache
def sent() -> Mapping[tuple[type[Model], str], Sequence[Sent]]:
    """What is sent for each field, by the class that declares it and the name of the field."""
    found: defaultdict[tuple[type[Model], str], dict[Sent, None]] = defaultdict(dict)
    for model, table in TABLES:
        for way in table.field_paths:
            for owner, field in _owners([model], way.model):
                if way.change is not None and not isinstance(way.wire[-1] if way.wire else "", Entry):
                    found[declaring(owner, field), field][Sent(_argument(way.wire), way.change.of(model.__name__), way.change.source)] = None
    return {place: list(each) for place, each in found.items()}


def declaring(model: type[Model], field: str) -> type[Model]:
    """Returns the class that declares a field of `model`: itself, or one that it inherits from and that has a name of its own."""
    bases = [base for base in model.__mro__ if issubclass(base, Model) and field in base.model_fields and not base.__name__.startswith("_")]
    return AgentPool if AgentPool in bases else bases[-1] if bases[-1] is not Model else model


def _owners(models: Sequence[type[Model]], steps: Pattern) -> Iterator[tuple[type[Model], str]]:
    """Yields the classes that have the last field of a path."""
    named = [step for step in steps if isinstance(step, str)]
    for name in named[:-1]:
        models = [inner for model in models if name in model.model_fields for inner in held_models(model.model_fields[name].annotation)]
    for model in models:
        if named and named[-1] in model.model_fields:
            yield model, named[-1]


def _argument(wire: Pattern) -> str:
    return ".".join(str(step) for step in wire if not isinstance(step, Entry))
