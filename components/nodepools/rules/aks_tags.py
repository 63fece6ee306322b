"""Tags of Azure resources: clusters, agent pools and the nodes of node auto provisioning. What Azure accepts is in `data/limits.py`."""

from collections.abc import Iterator, Mapping
from typing import Final

from nodepools.data.limits import AZURE_NODE_TAGS, AZURE_TAGS
from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.node_class import AksNodeClass
from nodepools.model.platform import Platform
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.fix import remove
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import aks

_OWN: Final = ("karpenter.azure.com_cluster", "karpenter.sh_nodepool", "compute.aks.billing")
"""Tags that Karpenter sets on each node."""
_NODE_TAGS: Final = "karpenter-provider-azure @ 352646f (2026-08-21), pkg/providers/launchtemplate: its own tags win"


@rule("AKS325", Severity.ERROR, source=AZURE_TAGS.source, sample=lambda: aks(tags={"team/name": "web"}))
def invalid_resource_tag(
    part: Platform | AksClusterArgs | AgentPool, cluster: AksClusterArgs | None, platform: Platform | None
) -> Iterator[PartFinding]:
    """A resource of Azure has at most 50 tags; keys have up to 512 characters without `<`, `>`, `%`, `&`, `?`, slash and backslash, values 256."""
    if isinstance(part, Platform) and not _has_aks(part):
        return
    for violation in AZURE_TAGS.violations(part.tags, _inherited(part, cluster, platform)):
        at = ("tags", violation.key) if violation.key is not None else "tags"
        yield finding(part, violation.message, path=at, value=violation.key, fix=violation.fix)


@rule("NAP027", Severity.ERROR, source=f"AKSNodeClass CRD; {AZURE_TAGS.source}", sample=lambda: AksNodeClass(tags={"a?b": "c"}))
def invalid_azure_tag(node_class: AksNodeClass) -> Iterator[PartFinding]:
    """Keys of an AKSNodeClass's tags have at most 512 characters, without `<`, `>`, `%`, `&`, `?` and a backslash; Karpenter adds 3 tags of 50."""
    for violation in AZURE_NODE_TAGS.violations(node_class.tags, dict.fromkeys(_OWN, "")):
        at = ("tags", violation.key) if violation.key is not None else "tags"
        yield finding(node_class, violation.message, path=at, value=violation.key, fix=violation.fix)


@rule("NAP071", Severity.WARNING, source=_NODE_TAGS, sample=lambda: AksNodeClass(tags={"karpenter.sh/nodepool": "web"}))
def overwritten_node_tag(node_class: AksNodeClass) -> Iterator[PartFinding]:
    """Karpenter sets some tags of each node itself, and overwrites those of an AKSNodeClass; `/` in a key becomes `_`."""
    for key in node_class.tags:
        if key.replace("/", "_") in _OWN:
            message = f"Karpenter sets the tag `{key.replace('/', '_')}` of each node itself: the value here has no effect"
            yield finding(node_class, message, path=("tags", key), fix=remove(("tags", key)))


@rule("AKS326", Severity.WARNING, source=f"{AZURE_TAGS.source}; REST API, Tags - Create Or Update", sample=lambda: aks(tags={"azure-team": "web"}))
def reserved_tag_prefix(part: Platform | AksClusterArgs | AgentPool | AksNodeClass) -> Iterator[PartFinding]:
    """Azure reserves keys of tags that begin with `microsoft`, `azure` or `windows`, and documents that it rejects them."""
    for key in part.tags if not isinstance(part, Platform) or _has_aks(part) else ():
        prefix = AZURE_TAGS.reserved_prefix(key)
        if prefix is not None:
            message = f"Azure reserves keys of tags that begin with `{prefix}`, and documents that it rejects them: `{key}` can stop the deployment"
            yield finding(part, message, path=("tags", key), value=key, fix="Use a key that begins with another word")


def _inherited(part: Platform | AksClusterArgs | AgentPool, cluster: AksClusterArgs | None, platform: Platform | None) -> Mapping[str, str]:
    """Tags that the resources of `part` also get."""
    if isinstance(part, Platform):
        return {}
    above = part if isinstance(part, AksClusterArgs) else cluster
    key = next((key for key, one in platform.clusters.items() if one is above), None) if platform is not None else None
    tags = platform.default_tags(key) if platform is not None and key is not None else {}
    return {**tags, **(cluster.tags if isinstance(part, AgentPool) and cluster is not None else {})}


def _has_aks(platform: Platform) -> bool:
    return any(isinstance(cluster, AksClusterArgs) for cluster in platform.clusters.values())
