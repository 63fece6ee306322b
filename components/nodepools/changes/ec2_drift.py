"""What Karpenter hashes of an EC2NodeClass to decide that nodes drift: `EC2NodeClass.Hash` of karpenter-provider-aws 1.15, hash version v6.

Subnets, security groups, images, reservations and the count of prefixes are not in the hash. The family of the images is, as it is resolved: so an
alias instead of a family changes nothing. The kubelet's settings are compared as text, the size of a disk as an amount, and `false` counts as absent
only for the root volume. Hash versions differ between versions of Karpenter, which never compares the hash of one with that of another.

Source: karpenter-provider-aws 1.14, `areSecurityGroupsDrifted` and pkg/providers/securitygroup: an id decides alone, then a name, then tags.
"""

import json
import re
from collections.abc import Mapping
from typing import Final, cast

from nodepools.changes.drift import canonical, duration
from nodepools.model.steps import mapping, sequence

_NOT_HASHED: Final = (
    "subnetSelectorTerms",
    "securityGroupSelectorTerms",
    "capacityReservationSelectorTerms",
    "ipPrefixCount",
    "amiSelectorTerms",
    "amiFamily",
    "kubelet",
    "metadataOptions",
    "blockDeviceMappings",
)
"""Fields that are not hashed, or not as they are written."""
_METADATA: Final[Mapping[str, object]] = {
    "httpEndpoint": "enabled",
    "httpProtocolIPv6": "disabled",
    "httpPutResponseHopLimit": 1,
    "httpTokens": "required",
}
"""Defaults of the CRD."""
NEWEST: Final = "v6"
"""Since Karpenter 1.15: the kubelet as text."""
WITHOUT_KUBELET: Final = "v3"
"""Before Karpenter 1.1: without the kubelet. The versions between compare its values by meaning."""
_PERIODS: Final = "evictionSoftGracePeriod"
_SIZE: Final = re.compile(r"([0-9]+)([GT])(i?)")
_UNITS: Final = {"G": 1, "T": 1000, "Gi": 1, "Ti": 1024}


def of_ec2_node_class(spec: Mapping[str, object], hash_version: str = NEWEST) -> object:
    """The canonical form of the `spec` of an EC2NodeClass."""
    return frozenset(hashed_of_ec2(spec, hash_version).items())


def hashed_of_ec2(spec: Mapping[str, object], hash_version: str = NEWEST) -> Mapping[str, object]:
    """The canonical form of each field of the hash."""
    made = {name: canonical(value) for name, value in spec.items() if name not in _NOT_HASHED and value is not None}
    kubelet = mapping(spec.get("kubelet"))
    if kubelet and hash_version == NEWEST:
        made["kubelet"] = json.dumps(kubelet, sort_keys=True)
    elif spec.get("kubelet") is not None and hash_version not in (NEWEST, WITHOUT_KUBELET):
        made["kubelet"] = _typed(kubelet)
    if spec.get("blockDeviceMappings") is not None:
        made["blockDeviceMappings"] = canonical([_device(mapping(entry)) for entry in sequence(spec["blockDeviceMappings"])])
    return {**made, "amiFamily": ec2_family(spec), "metadataOptions": canonical({**_METADATA, **mapping(spec.get("metadataOptions"))})}


def _typed(kubelet: Mapping[str, object]) -> object:
    """The kubelet as a structure: lists are sets, grace periods are durations."""
    periods = {signal: duration(str(length)) for signal, length in mapping(kubelet.get(_PERIODS)).items()}
    return canonical({**kubelet, **({_PERIODS: periods} if periods else {})})


def ec2_family(spec: Mapping[str, object]) -> str:
    """The family of the images: the one that is set, or that of the alias."""
    if isinstance(spec.get("amiFamily"), str):
        return str(spec["amiFamily"]).lower()
    aliases = [str(alias) for term in map(mapping, sequence(spec.get("amiSelectorTerms"))) if (alias := term.get("alias"))]
    return aliases[0].partition("@")[0].lower() if aliases else "custom"


def _device(entry: Mapping[str, object]) -> Mapping[str, object]:
    disk = entry.get("ebs")
    kept = {name: value for name, value in entry.items() if not (name == "rootVolume" and value is False)}
    if isinstance(disk, Mapping):
        sized = mapping(cast("object", disk))
        kept["ebs"] = {**sized, "volumeSize": _amount(sized.get("volumeSize"))}
    return kept


def _amount(size: object) -> object:
    """`1Ti` and `1024Gi` are the same; `100G` and `100Gi` are not."""
    found = _SIZE.fullmatch(str(size))
    return (int(found[1]) * _UNITS[found[2] + found[3]], found[3]) if found is not None else size


TERMS: Final = "securityGroupSelectorTerms"
_WILDCARDS: Final = ("*", "?")


def selects_others(old: object, new: object) -> bool:
    """It is certain that both select other groups: both by ids, or both by names, which are not the same. Tags can be those of the same groups."""
    first, second = _named_terms(old), _named_terms(new)
    return first is not None and second is not None and first[0] == second[0] and first[1] != second[1]


def _named_terms(terms: object) -> tuple[str, frozenset[str]] | None:
    """What all terms name, `id` or `name`, and the values; `None` if not all of them name the same."""
    found = [next(((key, str(term[key])) for key in ("id", "name") if term.get(key)), None) for term in map(mapping, sequence(terms))]
    exact = [one for one in found if one is not None and not any(mark in one[1] for mark in _WILDCARDS)]
    kinds = {kind for kind, _ in exact}
    return (kinds.pop(), frozenset(value for _, value in exact)) if len(exact) == len(found) and len(kinds) == 1 else None
