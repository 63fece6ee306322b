"""Converts storage from the EBS CSI add-on to EKS Auto Mode, which takes over no volume: new classes are created next to the old ones.

Source, read 2026-11-23: EKS user guide, create-storage-class.
"""

from typing import Final

from nodepools.conversion.raw_parts import Object, as_list, as_mapping, part, renamed, text
from nodepools.conversion.replaced_names import Classes
from nodepools.conversion.unconverted import Log

OLD_DRIVERS: Final = ("ebs.csi.aws.com", "kubernetes.io/aws-ebs")
"""The drivers of EBS volumes outside of Auto Mode."""
DRIVER: Final = "ebs.csi.eks.amazonaws.com"
"""The driver of Auto Mode."""
_DEFAULT: Final = "storageclass.kubernetes.io/is-default-class"
_ZONE: Final = "topology.ebs.csi.aws.com/zone"


def convert_storage_class(made: Object, _: Classes, log: Log) -> None:
    """Converts a StorageClass in place."""
    made["provisioner"] = DRIVER
    parameters = part(made, "parameters")
    if "fsType" in parameters:
        renamed(parameters, "fsType", "csi.storage.k8s.io/fstype")
    _topologies(made, log)
    reason = "volumes that exist keep the driver `ebs.csi.aws.com`, and nodes of Auto Mode cannot mount them"
    log.changed(("provisioner",), OLD_DRIVERS[0], reason, "Create new claims with the new class, and move the data, for example from snapshots")
    if text(part(made, "metadata", "annotations").get(_DEFAULT)) == "true":
        log.kept(
            ("metadata", "annotations", _DEFAULT), "true", "with two default classes, Kubernetes uses the newest", "Remove it from the old class"
        )


def _topologies(made: Object, log: Log) -> None:
    """Restricts volumes to nodes of Auto Mode: other nodes cannot mount them, and pods with them would be scheduled there, too."""
    topologies = as_list(made.get("allowedTopologies"))
    if not topologies:
        topologies.append({})
        made["allowedTopologies"] = topologies
    for index, topology in enumerate(topologies):
        expressions = as_list(as_mapping(topology).setdefault("matchLabelExpressions", []))
        for number, expression in enumerate(expressions):
            if as_mapping(expression).get("key") == _ZONE:
                as_mapping(expression)["key"] = "topology.kubernetes.io/zone"
                at = ("allowedTopologies", index, "matchLabelExpressions", number, "key")
                log.changed(at, _ZONE, "nodes of Auto Mode have the zone in `topology.kubernetes.io/zone`")
        expressions.append({"key": "eks.amazonaws.com/compute-type", "values": ["auto"]})


def convert_snapshot_class(made: Object, _: Classes, log: Log) -> None:
    """Converts a VolumeSnapshotClass in place."""
    made["driver"] = DRIVER
    log.changed(("driver",), OLD_DRIVERS[0], "snapshots that exist keep their class", None)


def list_claim(made: Object, classes: Classes, log: Log) -> None:
    """Lists the class of a claim that has a new one."""
    _claimed(part(made, "spec"), ("spec",), classes, log)


def list_claim_templates(made: Object, classes: Classes, log: Log) -> None:
    """Lists the classes of claims of a StatefulSet that have a new one."""
    for index, template in enumerate(as_list(part(made, "spec").get("volumeClaimTemplates"))):
        _claimed(part(template, "spec"), ("spec", "volumeClaimTemplates", index, "spec"), classes, log)


def _claimed(spec: Object, at: tuple[str | int, ...], classes: Classes, log: Log) -> None:
    name = text(spec.get("storageClassName"))
    new = classes.of("StorageClass").get(name)
    if new is not None and new != name:
        reason = "a claim keeps its class and its volume, which nodes of Auto Mode cannot mount"
        log.kept((*at, "storageClassName"), name, reason, f"Move the data to a claim of the class `{new}`, or keep these pods on the old nodes")
