"""Services of AKS clusters whose support ends, as of the day of the check. Facts: docs/facts/aks.md § 2.12.

AKS keeps them where they run, so none of them is an error.
"""

from collections.abc import Iterator
from datetime import date
from typing import Final

from nodepools.data.aks_retirements import ISTIO, MANAGED_NGINX
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.services import Istio
from nodepools.model.plain_data import mapping
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.finding_text import ref
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import aks

_PAGES: Final = "https://learn.microsoft.com/azure/aks"
_NGINX: Final = ("overrides", "ingress_profile", "web_app_routing", "enabled")


@rule(
    "AKS168",
    Severity.WARNING,
    source=f"{_PAGES}/app-routing-nginx-to-gateway-api-migration: security patches through November 2026 (2026-11)",
    sample=lambda: aks(overrides={"ingress_profile": {"web_app_routing": {"enabled": True}}}),
)
def retiring_managed_nginx(cluster: AksClusterArgs, today: date) -> Iterator[PartFinding]:
    """The application routing add-on with NGINX gets no security patches after November 2026."""
    routing = mapping(mapping(cluster.overrides.get(_NGINX[1])).get(_NGINX[2]))
    if routing.get(_NGINX[3]) is True:
        fix = "Move Ingresses to the Gateway API, such as with Application Gateway for Containers or the Istio add-on, then remove it"
        yield finding(cluster, MANAGED_NGINX.ended(today), path=_NGINX, fix=fix)


@rule(
    "AKS169",
    Severity.WARNING,
    source=f"{_PAGES}/istio-support-policy: release calendar, estimated by month (2026-08)",
    sample=lambda: aks(istio={"revisions": ["asm-1-27"]}),
)
def ended_istio_revision(istio: Istio, today: date) -> Iterator[PartFinding]:
    """AKS supports a revision of the Istio add-on for some months, and installs no new mesh with a revision whose support has ended."""
    now = today.isoformat()[:7]
    ended = {revision: ISTIO[revision] for revision in istio.revisions if ISTIO.get(revision, now) < now}
    if istio.enabled and len(ended) == len(istio.revisions):
        for index, (revision, month) in enumerate(ended.items()):
            message = f"AKS supported revision `{revision}` until about {month}: it gets no fixes, and AKS installs no new mesh with it"
            fix = f"Add a newer revision to {ref('revisions')}, restart the workloads with its label, then remove `{revision}`"
            yield finding(istio, message, path=("revisions", index), value=revision, fix=fix)
