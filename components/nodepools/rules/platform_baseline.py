"""The baseline of production platforms. Facts: docs/security-baseline.md."""

from collections.abc import Iterator
from typing import Final

from nodepools.model.derive import derive
from nodepools.model.platform import Platform
from nodepools.rules.baseline import asks
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.finding_text import literal, ref
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import aks, platform

_PRODUCTION: Final = frozenset({"prod", "prd", "production", "live"})


@rule(
    "PLT050",
    Severity.NOTE,
    source="CIS Azure Kubernetes Service Benchmark 1.8, CIS Amazon EKS Benchmark 1.8",
    sample=lambda: derive(platform(one=aks()), name="prod"),
)
def production_without_baseline(whole: Platform) -> Iterator[PartFinding]:
    """Controls that the CIS benchmarks require are reported only with a baseline."""
    words = {word for name in (whole.name, whole.environment) if name is not None for word in name.lower().split("-")}
    if not asks(whole) and words & _PRODUCTION:
        yield finding(
            whole,
            f"Controls of the CIS benchmarks that clusters leave open are reported only with {ref('baseline')}: {literal('cis')}",
            path="baseline",
        )
