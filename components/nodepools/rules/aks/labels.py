"""Labels and taints of agent pools, as AKS requires them."""

import re
from collections.abc import Iterator

from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.pools import UserPool
from nodepools.model.kubernetes.label import domain
from nodepools.model.kubernetes.taint import Taint
from nodepools.rules.engine.finding import PartFinding, Severity
from nodepools.rules.engine.registry import Sample, finding, rule
from nodepools.rules.engine.samples import SIZE
from nodepools.rules.platform.labels import invalid_labels, invalid_taint

_KUBELETS_OWN = re.compile(r"(.+\.)?(kubelet|node)\.kubernetes\.io")
_SET_BY_AKS = frozenset({"node.kubernetes.io/instance-type", "topology.kubernetes.io/region", "topology.kubernetes.io/zone"})
_LEGACY = frozenset({"agentpool", "storageprofile", "storagetier", "accelerator"})
_LABELS_PAGE = "https://learn.microsoft.com/azure/aks/use-labels"


@rule(
    "AKS021",
    Severity.ERROR,
    source=f"{_LABELS_PAGE}: reserved system labels and prefixes",
    sample=Sample('labels["kubernetes.azure.com/mode"]', lambda: UserPool(vm_size=SIZE, labels={"kubernetes.azure.com/mode": "user"})),
)
def reserved_label(pool: AgentPool) -> Iterator[PartFinding]:
    """AKS rejects labels under `kubernetes.azure.com/` and `kubernetes.io/`, and labels that it sets itself."""
    for key, value in pool.labels.items():
        if (domain(key) in ("kubernetes.azure.com", "kubernetes.io") or key in _SET_BY_AKS) and pool.own_labels.get(key) != value:
            message = f"AKS rejects the label `{key}`: the key is reserved"
            yield finding(pool, message, path=("labels", key), fix=_own_prefix(key))


@rule(
    "AKS022",
    Severity.ERROR,
    source="https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#noderestriction; the kubelet does not start with others",
    sample=Sample('labels["node-role.kubernetes.io/worker"]', lambda: UserPool(vm_size=SIZE, labels={"node-role.kubernetes.io/worker": "true"})),
)
def kubelet_restricted_label(pool: AgentPool) -> Iterator[PartFinding]:
    """Nodes cannot set labels under `*.kubernetes.io` and `*.k8s.io` on themselves, except `node.kubernetes.io` and `kubelet.kubernetes.io`."""
    for key in pool.labels:
        where = domain(key)
        of_kubernetes = where == "k8s.io" or where.endswith((".kubernetes.io", ".k8s.io"))
        if (
            of_kubernetes
            and key not in _SET_BY_AKS
            and not _KUBELETS_OWN.fullmatch(where)
            and not re.fullmatch(r"(failure-domain\.)?beta\.kubernetes\.io", where)
        ):
            message = f"The kubelet does not start with the label `{key}`: nodes cannot set labels under `{where}` on themselves"
            yield finding(pool, message, path=("labels", key), fix=_own_prefix(key))


@rule(
    "AKS023",
    Severity.ERROR,
    source="https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set",
    sample=Sample("labels.team", lambda: UserPool(vm_size=SIZE, labels={"team": "web & mobile"})),
)
def invalid_agent_pool_label(pool: AgentPool) -> Iterator[PartFinding]:
    """A label has a qualified name as its key and a value of at most 63 letters, digits, `-`, `_` and `.`."""
    yield from invalid_labels(pool)


@rule(
    "AKS024",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/aks/use-node-taints: validated as upstream Kubernetes does",
    sample=Sample("taints[0].key", lambda: UserPool(vm_size=SIZE, taints=[Taint("team!", "ml")])),
)
def invalid_agent_pool_taint(taint: Taint, _: AgentPool) -> Iterator[PartFinding]:
    """A taint has a qualified name as its key and a label value, or no value."""
    yield from invalid_taint(taint)


@rule(
    "AKS025",
    Severity.WARNING,
    source=f"{_LABELS_PAGE}: deprecated labels",
    sample=Sample("labels.agentpool", lambda: UserPool(vm_size=SIZE, labels={"agentpool": "web"})),
)
def legacy_label(pool: AgentPool) -> Iterator[PartFinding]:
    """`agentpool`, `storageprofile`, `storagetier` and `accelerator` are legacy labels that AKS sets itself."""
    for key in pool.labels:
        if key in _LEGACY:
            yield finding(
                pool, f"`{key}` is a legacy label whose value AKS sets itself", path=("labels", key), fix="Use another key, or remove the label"
            )


def _own_prefix(key: str) -> str:
    return f"Use a prefix of your own, such as `example.com/{key.rpartition('/')[2]}`"
