"""Converts the volumes of nodes: of several block devices, one has the data of pods."""

import re
from typing import Final

from nodepools.conversion.raw_parts import Object, as_mapping, part, text
from nodepools.conversion.unconverted import Log
from nodepools.model.steps import Steps

_DATA: Final = "/dev/xvdb"
"""The device with the data of pods on nodes of Bottlerocket; `/dev/xvda` is its operating system."""
_SIZE: Final = re.compile(r"([1-9][0-9]*)(Gi|G|Ti|T)")
_UNITS: Final = {"Gi": 2**30, "G": 10**9, "Ti": 2**40, "T": 10**12}
_MOST: Final = 59000 * 2**30
_RANGES: Final = {"iops": (3000, 16000), "throughput": (125, 1000)}
"""EKS user guide, create-node-class; CRD of Auto Mode (2024-12)."""
_SAME: Final[Object] = {"encrypted": True, "deleteOnTermination": True, "volumeType": "gp3"}
"""What volumes of nodes of Auto Mode are."""
_WHY: Final = {
    "encrypted": "Auto Mode encrypts the volumes of its nodes",
    "deleteOnTermination": "Auto Mode deletes the volumes with the node",
    "volumeType": "volumes of nodes of Auto Mode are of type gp3",
    "snapshotID": "nodes of Auto Mode start from the image of AWS",
    "volumeInitializationRate": "nodes of Auto Mode start from the image of AWS",
}
_DISK_OF_AZURE: Final = (30, 2048)


def root_volume(devices: list[object], *, is_bottlerocket: bool) -> int | None:
    """The index of the device with the data of pods: the marked one, that of Bottlerocket for data, otherwise the first; `None` without devices."""
    marked = [index for index, device in enumerate(devices) if as_mapping(device).get("rootVolume") is True]
    data = [index for index, device in enumerate(devices) if is_bottlerocket and as_mapping(device).get("deviceName") == _DATA]
    volumes = [index for index, device in enumerate(devices) if part(device, "ebs")]
    return next(iter([*marked, *data, *volumes]), None)


def ephemeral_storage(ebs: Object, at: Steps, log: Log) -> Object:
    """Returns `ephemeralStorage` of a NodeClass."""
    storage: Object = {}
    size = ebs.get("volumeSize")
    if size is not None and _bytes(size) is None:
        log.removed((*at, "volumeSize"), size, "ephemeralStorage.size is a whole number of Gi, G, Ti or T, up to 59000Gi", "The default is 80Gi")
    elif size is not None:
        storage["size"] = size
    for name, (least, most) in _RANGES.items():
        value = ebs.get(name)
        if isinstance(value, int) and least <= value <= most:
            storage[name] = value
        elif value is not None:
            log.removed((*at, name), value, f"it must be from {least:,} to {most:,}", f"The default is {least:,}")
    if "kmsKeyID" in ebs:
        storage["kmsKeyID"] = ebs["kmsKeyID"]
    for name, reason in _WHY.items():
        if name in ebs and ebs[name] != _SAME.get(name):
            log.removed((*at, name), ebs[name], reason)
    return storage


def disk_size_gib(size: object) -> int | None:
    """`osDiskSizeGB`, which is in GiB; `None` for a size that it cannot have."""
    amount = _bytes(size)
    if amount is None or amount % _UNITS["Gi"]:
        return None
    gib = amount // _UNITS["Gi"]
    return gib if _DISK_OF_AZURE[0] <= gib <= _DISK_OF_AZURE[1] else None


def _bytes(size: object) -> int | None:
    """The size in bytes; `None` for a size that a NodeClass cannot have."""
    found = _SIZE.fullmatch(text(size))
    if found is None:
        return None
    amount = int(found[1]) * _UNITS[found[2]]
    return amount if amount <= _MOST else None
