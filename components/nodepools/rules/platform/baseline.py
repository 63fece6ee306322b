"""The baseline of production platforms, and their protection. Facts: docs/security-baseline.md."""

from collections.abc import Iterator
from typing import Final

from nodepools.model.derive import derive
from nodepools.model.platform import Platform
from nodepools.rules.engine.baseline import asks
from nodepools.rules.engine.finding import PartFinding, literal, ref, set_to
from nodepools.rules.engine.registry import BASELINES, finding, limited, note, sample, warning
from nodepools.rules.engine.samples import aks, platform

_PRODUCTION: Final = frozenset({"prod", "prd", "production", "live"})


@note("PLT050", "CIS Azure Kubernetes Service Benchmark 1.8, CIS Amazon EKS Benchmark 1.8")
@limited(BASELINES)
@sample("baseline", lambda: derive(platform(one=aks()), name="prod"))
def production_without_baseline(whole: Platform) -> Iterator[PartFinding]:
    """Controls that the CIS benchmarks require are reported only with a baseline."""
    if not asks(whole) and _is_production(whole):
        message = f"Controls of the CIS benchmarks that clusters leave open are not reported: {ref('baseline')} is not {literal('cis')}"
        yield finding(whole, message, path="baseline")


@warning("PLT065", "nodepools: `protect` is the option of Pulumi against deletion; `derive` keeps what the first platform declares")
@limited(BASELINES)
@sample("clusters.one.protect", lambda: derive(platform(one=aks()), name="prod", protect=False))
def production_not_protected(whole: Platform) -> Iterator[PartFinding]:
    """An edit that replaces a cluster, or `pulumi destroy`, deletes production at once without `protect`."""
    if asks(whole) or not _is_production(whole):
        return
    for key in whole.clusters:
        if not whole.cluster(key).is_protected:
            at = ("clusters", key, "protect")
            message = f"An edit or `pulumi destroy` can delete this production cluster at once: {ref(at)} is off"
            yield finding(whole, message, path=at, value=False, fix=set_to(at, value=True))


def _is_production(whole: Platform) -> bool:
    words = {word for name in (whole.name, whole.environment) if name is not None for word in name.lower().split("-")}
    return bool(words & _PRODUCTION)
