"""What can be wrong with an object of a cluster as such: its kind, its version, what is said beside it."""

from nodepools.rules.finding import Finding, Severity
from nodepools.rules.fix import fix_of
from nodepools.rules.path import Step, spelled

OBJECTS: dict[str, tuple[Severity, str]] = {
    "OBJ001": (Severity.ERROR, "The object is of a version that no cluster serves any more; the fix is the object rewritten."),
    "OBJ002": (Severity.WARNING, "The object is of a version that is served still, and deprecated."),
    "OBJ003": (Severity.NOTE, "The object is of a provider that is not judged here, such as self-managed Karpenter on AWS."),
    "OBJ004": (Severity.ERROR, "The group is one of ours, the kind or the version is none of it."),
    "OBJ005": (Severity.WARNING, "The same object stands in one file twice: the last one wins."),
    "OBJ006": (Severity.ERROR, "A comment `# nodepools: ignore CODE reason` silences nothing, or gives no reason."),
    "OBJ007": (Severity.ERROR, "The schema of the cluster, or one of its CEL rules, refuses the object (`--crds`)."),
    "OBJ008": (Severity.WARNING, "A workload beside NodePools or nodes makes pods that cannot be read."),
    "OBJ009": (
        Severity.WARNING,
        "No pool in the files takes pods without tolerations; a note where they hold no nodes: others may have the pool.",
    ),
    "OBJ010": (Severity.WARNING, "A workload selects nodes that no pool in the files offers."),
    "OBJ011": (Severity.NOTE, "A workload fits an agent pool of AKS and a NodePool: beside the cluster autoscaler both start nodes for it."),
    "OBJ012": (Severity.WARNING, "The object has the name of a NodePool or node class that the cloud makes in every cluster."),
    "OBJ013": (Severity.WARNING, "The object is of self-managed Karpenter, and objects of EKS Auto Mode, which ignores it, are beside it."),
    "OBJ014": (
        Severity.WARNING,
        "A NodePool has `disruption` without `consolidateAfter`, which Karpenter before 1.15 rejects; with `--crds` the CRD decides.",
    ),
}
"""Every code of findings of objects: how bad, and what it means."""


def object_finding(code: str, path: tuple[Step, ...], message: str, *, fix: str | None, source: str, value: object = None) -> Finding:
    """A finding of an object, as bad as its code is."""
    severity, _ = OBJECTS[code]
    return Finding(code, severity, spelled(path), value, message, fix_of(fix), source, steps=path)
