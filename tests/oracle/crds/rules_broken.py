"""How each CEL rule of the CRDs is broken, and what it still allows, by hand: what a rule means cannot be read from its text."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Steps = tuple[str | int, ...]
Edit = tuple[Steps, Any]
"""The way to a field from where the rule is, and what is said there; a function changes what is there."""
GONE = object()
"""Takes a field away."""


@dataclass(frozen=True)
class Rows:
    broken: tuple[Edit, ...]
    kept: tuple[Edit, ...] = ()


def said(*values: Any) -> tuple[Edit, ...]:
    """Where the rule is, these are said."""
    return tuple(((), value) for value in values)


def said_at(field: str | int, *values: Any) -> tuple[Edit, ...]:
    return tuple(((field,), value) for value in values)


def with_(**fields: Any) -> Edit:
    """Several fields, said together where the rule is; GONE takes one away."""

    def change(here: dict[str, Any]) -> None:
        for name, value in fields.items():
            here.pop(name, None)
            if value is not GONE:
                here[name] = value

    return (), change


def label(*keys: str) -> tuple[Edit, ...]:
    return tuple(((key,), "x") for key in keys)


RESTRICTED: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    'label domain "kubernetes.io" is restricted': (
        ("app.kubernetes.io/name", "my-kubernetes.io/team", "kubernetes.io/unheard"),
        (
            "node.kubernetes.io/x",
            "my-node.kubernetes.io/x",
            "node-restriction.kubernetes.io/team",
            "kubernetes.io.example.com/x",
            "topology.kubernetes.io/zone",
        ),
    ),
    'label domain "k8s.io" is restricted': (
        ("k8s.io/x", "my-k8s.io/team", "x.k8s.io/y"),
        ("kops.k8s.io/x", "my-kops.k8s.io/x", "k8s.io.example.com/x"),
    ),
    'label domain "karpenter.sh" is restricted': (
        ("karpenter.sh/unheard", "x.karpenter.sh/y", "my-karpenter.sh/team", "karpenter.sh"),
        ("karpenter.sh/capacity-type", "karpenter.sh.example.com/x"),
    ),
    'label "karpenter.sh/nodepool" is restricted': (("karpenter.sh/nodepool",), ()),
    'label "kubernetes.io/hostname" is restricted': (("kubernetes.io/hostname",), ()),
    'label domain "karpenter.k8s.aws" is restricted': (
        ("karpenter.k8s.aws/unheard", "x.karpenter.k8s.aws/y", "my-karpenter.k8s.aws/team", "karpenter.k8s.aws"),
        ("karpenter.k8s.aws.example.com/x",),
    ),
    'label domain "eks.amazonaws.com" is restricted': (
        ("eks.amazonaws.com/unheard", "eks.amazonaws.com/nodegroup", "ai.eks.amazonaws.com/x", "my-eks.amazonaws.com/team", "eks.amazonaws.com"),
        ("eks.amazonaws.com/instance-family", "eks.amazonaws.com.example.com/x", "amazonaws.com/x"),
    ),
    'label domain "karpenter.azure.com" is restricted': (
        ("karpenter.azure.com/sku-unheard", "x.karpenter.azure.com/y", "my-karpenter.azure.com/team", "karpenter.azure.com"),
        ("karpenter.azure.com/sku-family", "karpenter.azure.com.example.com/x"),
    ),
    'label domain "kubernetes.azure.com" is restricted': (
        (
            "kubernetes.azure.com/unheard",
            "kubernetes.azure.com/agentpool",
            "x.kubernetes.azure.com/y",
            "my-kubernetes.azure.com/team",
            "kubernetes.azure.com",
        ),
        ("kubernetes.azure.com/mode", "kubernetes.azure.com.example.com/x", "azure.com/x"),
    ),
    **{f'label "{key}" is restricted': ((key,), (f"example.com/{key}",)) for key in ("agentpool", "storageprofile", "storagetier", "accelerator")},
}
"""Label keys that a rule refuses, and others near them."""
MORE_THAN_21_DAYS = "the sum of expireAfter and terminationGracePeriod may not exceed 21 days"
BOUNDS = ("Gt", "Lt", "Gte", "Lte")
NO_BOUND = ([], ["x"], ["-1"], ["1", "2"], ["1.5"], ["1e3"], [" 5"], ["5 "], [""], ["٣"], ["1_0"], ["9223372036854775808"], GONE)
A_BOUND = (["0"], ["5"], ["007"], ["9223372036854775807"])
PORTS = "netIPv4IPLocalPortRange"


def requirement(*operators: str, values: tuple[Any, ...]) -> tuple[Edit, ...]:
    """The third, which is about a label of our own, with each operator and each list of values."""
    made = [{"key": "rank", "operator": operator, "values": value} for operator in operators for value in values]
    return tuple(((2,), {name: part for name, part in one.items() if part is not GONE}) for one in made)


def exclusive(field: str, prefix: str, *others: str) -> Iterator[tuple[tuple[str, str], Rows]]:
    """Rules of lists of selectors: one thing selects, and they are refused where every term breaks them."""
    of = {"id": f"{prefix}-1", "tags": {"a": "b"}, "name": "web"}
    fields = ("tags", "id", *others)
    yield (field, f"{field} cannot be empty"), Rows(said([]))
    none = Rows(said([{}], [{"id": of["id"]}, {}]), said(*([{name: of[name]}] for name in fields)))
    yield (field, f"expected at least one, got none, {list(fields)}"), none
    for own in ("id", *others):
        mixed = [{own: of[own], other: of[other]} for other in fields if other != own]
        kept = said([mixed[0], {own: of[own]}], [{"tags": of["tags"]}, mixed[0]])
        text = f"'{own}' is mutually exclusive, cannot be set with a combination of other fields in {field}"
        yield (field, text), Rows(said(*([one] for one in mixed), [mixed[0], mixed[-1]], [{name: of[name] for name in fields}]), kept)


def pair(lower: str, upper: str, *, low: int, high: int) -> tuple[tuple[str, str], Rows]:
    text = f"{lower} must be <= {upper}"
    return ("sysctls", text), Rows((with_(**{lower: high, upper: low}), with_(**{lower: low + 1, upper: low})), (with_(**{lower: low, upper: low}),))


def local_dns(field: str) -> Iterator[tuple[tuple[str, str], Rows]]:
    zones = (*(((index, "zone"), zone) for index, zone in ((0, "example.com"), (1, "x.cluster.local"), (1, "cluster.local."))), ((), []))
    yield (field, "must contain required zones '.' and 'cluster.local'"), Rows(zones)
    asked = (("x.cluster.local", "mycluster.local"), ("cluster.local.", "example.com"))
    broken, kept = (tuple(with_(zone=zone, forwardDestination="VnetDNS") for zone in zones) for zones in asked)
    yield (field, "'cluster.local' cannot be forwarded to VnetDNS"), Rows(broken, kept)
    both = {"zone": "example.com", "forwardDestination": "VnetDNS"}
    one_of_them = (with_(**both, serveStale="Verify", protocol="PreferUDP"), with_(**both, serveStale="Disable", protocol="ForceTCP"))
    yield (
        (field, "serveStale Verify cannot be used with protocol ForceTCP"),
        Rows((with_(**both, serveStale="Verify", protocol="ForceTCP"),), one_of_them),
    )


def more(zone: str, destination: str) -> Edit:
    """One more zone."""
    return (), lambda here: here.append({**here[1], "zone": zone, "forwardDestination": destination})


ALIASES = {"AL2": "al2", "AL2023": "al2023", "Bottlerocket": "bottlerocket", "Windows2019": "windows2019", "Windows2022": "windows2022"}
ALIASES |= {"Windows2025": "windows2025"}
INTERFACE = {"networkCardIndex": 0, "deviceIndex": 0, "interfaceType": "interface"}
EFA = {**INTERFACE, "interfaceType": "efa-only"}


def image_family(family: str, alias: str) -> tuple[tuple[str, str], Rows]:
    terms = [{"alias": f"{alias}@latest"}]
    other = "AL2" if family != "AL2" else "AL2023"
    kept = tuple(with_(amiSelectorTerms=terms, amiFamily=said) for said in (family, "Custom", GONE))
    text = f"if set, amiFamily must be '{family}' or 'Custom' when using {'an' if alias.startswith('a') else 'a'} {family} alias"
    return ("spec", text), Rows((with_(amiSelectorTerms=terms, amiFamily=other),), kept)


EC2_RULES: dict[tuple[str, str], Rows] = {
    ("spec", "must specify exactly one of ['role', 'instanceProfile']"): Rows(
        (with_(instanceProfile="nodes"), with_(role=GONE)), (with_(role=GONE, instanceProfile="nodes"),)
    ),
    **dict(image_family(family, alias) for family, alias in ALIASES.items()),
    ("spec", "must specify amiFamily if amiSelectorTerms does not contain an alias"): Rows(
        (with_(amiFamily=GONE, amiSelectorTerms=[{"id": "ami-1"}]),), (with_(amiFamily=GONE, amiSelectorTerms=[{"alias": "al2023@latest"}]),)
    ),
    ("amiSelectorTerms", "expected at least one, got none, ['tags', 'id', 'name', 'alias', 'ssmParameter']"): Rows(
        said([{}], [{"owner": "self"}], [{"id": "ami-1"}, {}]), said([{"name": "x"}], [{"ssmParameter": "x", "id": "ami-1"}])
    ),
    ("amiSelectorTerms", "'id' is mutually exclusive, cannot be set with a combination of other fields in amiSelectorTerms"): Rows(
        said(*([{"id": "ami-1", name: value}] for name, value in (("name", "x"), ("owner", "self"), ("tags", {"a": "b"}))))
    ),
    ("amiSelectorTerms", "'alias' is mutually exclusive, cannot be set with a combination of other fields in amiSelectorTerms"): Rows(
        said(*([{"alias": "al2023@v1", name: value}] for name, value in (("id", "ami-1"), ("name", "x"), ("owner", "self"), ("tags", {"a": "b"}))))
    ),
    ("amiSelectorTerms", "'alias' is mutually exclusive, cannot be set with a combination of other amiSelectorTerms"): Rows(
        said([{"alias": "al2023@v1"}, {"id": "ami-1"}], [{"alias": "al2023@v1"}, {"alias": "al2023@v2"}])
    ),
    ("subnetSelectorTerms", "'id' is mutually exclusive, cannot be set with a combination of other fields in a subnet selector term"): Rows(
        said([{"id": "subnet-1", "tags": {"a": "b"}}]), said([{"id": "subnet-1", "tags": {"a": "b"}}, {"id": "subnet-1"}])
    ),
    **{
        (
            "securityGroupSelectorTerms",
            f"'{own}' is mutually exclusive, cannot be set with a combination of other fields in a security group selector term",
        ): Rows(said([mixed], [mixed, {"id": "sg-1", "name": "x"}]), said([mixed, {own: mixed[own]}]))
        for own, mixed in (("id", {"id": "sg-1", "tags": {"a": "b"}}), ("name", {"name": "x", "tags": {"a": "b"}}))
    },
    ("capacityReservationSelectorTerms", "expected at least one, got none, ['tags', 'id', 'instanceMatchCriteria']"): Rows(
        said([{}], [{"ownerID": "012345678901"}]), said([{"instanceMatchCriteria": "open"}], [{"tags": {"a": "b"}}])
    ),
    (
        "capacityReservationSelectorTerms",
        "'id' is mutually exclusive, cannot be set along with other fields in a capacity reservation selector term",
    ): Rows(
        said([{"id": "cr-1", "ownerID": "012345678901"}], [{"id": "cr-1", "tags": {"a": "b"}}], [{"id": "cr-1", "instanceMatchCriteria": "open"}]),
        said([{"id": "cr-1", "ownerID": "012345678901"}, {"id": "cr-1"}]),
    ),
    ("blockDeviceMappings", "must have only one blockDeviceMappings with rootVolume"): Rows(
        said([{"rootVolume": True}, {"rootVolume": True}]), said([{"rootVolume": True}, {"rootVolume": False}, {}])
    ),
    ("ebs", "snapshotID or volumeSize must be defined"): Rows((with_(snapshotID=GONE, volumeSize=GONE),), (with_(volumeSize=GONE),)),
    ("ebs", "snapshotID must be set when volumeInitializationRate is set"): Rows(
        (with_(snapshotID=GONE), with_(snapshotID="")), (with_(snapshotID=GONE, volumeInitializationRate=GONE),)
    ),
    ("connectionTracking", "at least one of tcpEstablishedTimeout, udpStreamTimeout, or udpTimeout must be set"): Rows(
        said({}), said({"udpTimeout": 30})
    ),
    ("instanceProfile", "instanceProfile cannot be empty"): Rows(said("")),
    ("placementGroupSelector", "expected at least one, got none, ['name', 'id']"): Rows(said({}), said({"id": "pg-1"})),
    ("placementGroupSelector", "'name' and 'id' are mutually exclusive"): Rows(said({"name": "x", "id": "pg-1"})),
    ("networkInterfaces", "networkInterfaces must include a primary interface with interfaceType='interface'"): Rows(
        said([EFA], [{**INTERFACE, "deviceIndex": 1}], [{**INTERFACE, "networkCardIndex": 1}]), said([])
    ),
    (
        "networkInterfaces",
        "networkInterfaces must not have duplicate networkCardIndex and deviceIndex pairs, and can have at most one efa device per network card",
    ): Rows(
        said([INTERFACE, INTERFACE], [INTERFACE, {**EFA, "deviceIndex": 1}, {**EFA, "deviceIndex": 2}]),
        said([INTERFACE, {**EFA, "deviceIndex": 1}, {**EFA, "networkCardIndex": 1}]),
    ),
    **{
        ("tags", f"tag contains a restricted tag matching {key}"): Rows(said({key: "x"}), said({f"{key}s": "x"}))
        for key in ("eks:eks-cluster-name", "karpenter.k8s.aws/ec2nodeclass")
    },
    ("alias", "'alias' is improperly formatted, must match the format 'family@version'"): Rows(said("al2023", "@v1", "al2023@", "al-2023@v1")),
    ("alias", f"family is not supported, must be one of the following: {', '.join(map(repr, ALIASES.values()))}"): Rows(
        said("ubuntu@v1", "AL2023@v1")
    ),
    ("alias", "windows families may only specify version 'latest'"): Rows(said("windows2022@v1"), said("windows2022@latest")),
}
RULES: dict[tuple[str, str], Rows] = {
    **EC2_RULES,
    **{("labels", text): Rows(label(*refused), label(*taken)) for text, (refused, taken) in RESTRICTED.items()},
    **{("key", text): Rows(said(*refused), said(*taken)) for text, (refused, taken) in RESTRICTED.items()},
    ("budgets", "'schedule' must be set with 'duration'"): Rows((((1, "schedule"), GONE), ((1, "duration"), GONE))),
    ("spec", MORE_THAN_21_DAYS): Rows(
        (
            *said_at("expireAfter", "481h", "720h", "480h0m1s"),
            *said_at("terminationGracePeriod", "205h", "504h"),
            with_(expireAfter=GONE, terminationGracePeriod="169h"),
            with_(expireAfter="481h", terminationGracePeriod=GONE),
        ),
        (*said_at("expireAfter", "480h", "0s"), *said_at("terminationGracePeriod", "204h"), with_(expireAfter=GONE, terminationGracePeriod="168h")),
    ),
    ("spec", "expireAfter may not be set to Never"): Rows(said_at("expireAfter", "Never")),
    **{(field, f"{field} may not be empty"): Rows(said("")) for field in ("group", "kind", "name")},
    ("requirements", "requirements with operator 'In' must have a value defined"): Rows(
        requirement("In", values=([], GONE)), requirement("NotIn", values=([],))
    ),
    ("requirements", "requirements operator 'Gt' or 'Lt' must have a single positive integer value"): Rows(
        requirement(*BOUNDS[:2], values=NO_BOUND), requirement(*BOUNDS[:2], values=A_BOUND)
    ),
    ("requirements", "requirements operator 'Gt', 'Lt', 'Gte', or 'Lte' must have a single positive integer value"): Rows(
        requirement(*BOUNDS, values=NO_BOUND), requirement(*BOUNDS, values=A_BOUND)
    ),
    ("requirements", "requirements with 'minValues' must have at least that many values specified in the 'values' field"): Rows(
        (((2, "minValues"), 2),), (((2, "minValues"), 1),)
    ),
    ("spec", "only 'limits.nodes' is supported on static NodePools"): Rows(
        (with_(weight=GONE, replicas=3), with_(weight=GONE, replicas=0, limits={"nodes": "4", "cpu": "10"})),
        (
            with_(weight=GONE, replicas=3, limits={"nodes": "4"}),
            with_(weight=GONE, replicas=3, limits={}),
            with_(weight=GONE, replicas=0, limits=GONE),
        ),
    ),
    ("spec", "'weight' is not supported on static NodePools"): Rows((with_(replicas=3, limits=GONE), with_(replicas=0, limits=GONE))),
    ("role", "role cannot be empty"): Rows(said("")),
    **dict(exclusive("subnetSelectorTerms", "subnet")),
    **dict(exclusive("securityGroupSelectorTerms", "sg", "name")),
    ("tags", "empty tag keys or values aren't supported"): Rows(said({"": "b"}, {"a": ""}, {"a": "b", "c": ""}), said({"a": "*"}, {" ": " "})),
    ("tags", "empty tag keys aren't supported"): Rows(said({"": "b"}), said({"a": ""})),
    ("tags", "tag contains a restricted tag matching kubernetes.io/cluster/"): Rows(
        said({"kubernetes.io/cluster/x": "owned"}, {"kubernetes.io/cluster": ""}, {"kubernetes.io/clusters": ""}), said({"kubernetes.io/clust": ""})
    ),
    **{
        ("tags", f"tag contains a restricted tag matching {key}"): Rows(said({key: "x"}), said({f"{key}s": "x"}))
        for key in (*(f"karpenter.sh/{name}" for name in ("provisioner-name", "nodepool", "nodeclaim", "managed-by")), "eks.amazonaws.com/nodeclass")
    },
    ("spec", "FIPS is not yet supported for Ubuntu2204 or Ubuntu2404"): Rows(
        tuple(with_(fipsMode="FIPS", imageFamily=family) for family in ("Ubuntu2204", "Ubuntu2404")),
        tuple(with_(fipsMode="FIPS", imageFamily=family) for family in ("Ubuntu", "AzureLinux", GONE)),
    ),
    ("spec", "kubelet.failSwapOn must be set to false when linuxOSConfig.swapFileSize is specified"): Rows(
        (((("kubelet"), "failSwapOn"), True), (("kubelet", "failSwapOn"), GONE), (("kubelet",), GONE)), ((("linuxOSConfig", "swapFileSize"), GONE),)
    ),
    ("kubelet", "imageGCHighThresholdPercent must be greater than imageGCLowThresholdPercent"): Rows(
        (*said_at("imageGCHighThresholdPercent", 79, 80), with_(imageGCHighThresholdPercent=0, imageGCLowThresholdPercent=0)),
        (*said_at("imageGCHighThresholdPercent", 81), ((("imageGCLowThresholdPercent"),), GONE)),
    ),
    **dict(
        (
            pair("netCoreRmemDefault", "netCoreRmemMax", low=212992, high=300000),
            pair("netCoreWmemDefault", "netCoreWmemMax", low=212992, high=300000),
            pair("netIPv4NeighDefaultGcThresh1", "netIPv4NeighDefaultGcThresh2", low=512, high=80000),
            pair("netIPv4NeighDefaultGcThresh2", "netIPv4NeighDefaultGcThresh3", low=1024, high=90000),
        )
    ),
    ("sysctls", f"{PORTS} first port must be in [1024, 60999]"): Rows(
        said_at(PORTS, "1023 60999", "61000 65535", "0 60999"), said_at(PORTS, "1024 60999", "60999 60999")
    ),
    ("sysctls", f"{PORTS} last port must be in [32768, 65535]"): Rows(
        said_at(PORTS, "1024 32767", "32768 65536", "1024 99999999999999999999"), said_at(PORTS, "1024 32768", "32768 65535")
    ),
    ("sysctls", f"{PORTS} first port must be <= last port"): Rows(said_at(PORTS, "60000 40000"), said_at(PORTS, "40000 40000", "01024 060999")),
    **dict(local_dns("vnetDNSOverrides")),
    **dict(local_dns("kubeDNSOverrides")),
    ("vnetDNSOverrides", "root zone '.' cannot be forwarded to ClusterCoreDNS from vnetDNSOverrides"): Rows(
        (((0, "forwardDestination"), "ClusterCoreDNS"),)
    ),
    ("vnetDNSOverrides", "external domains cannot be forwarded to ClusterCoreDNS from vnetDNSOverrides"): Rows(
        tuple(more(zone, "ClusterCoreDNS") for zone in ("example.com", "cluster.local.", "cluster.local.example.com")),
        tuple(more(zone, "ClusterCoreDNS") for zone in ("x.cluster.local", "mycluster.local")),
    ),
    ("tags", "tags keys must be less than 512 characters"): Rows(said({"x" * 513: "y"}), said({"x" * 512: "y"})),  # Azure rejects a tag without a key
    ("tags", "tags keys must not contain '<', '>', '%', '&', or '?'"): Rows(
        said(*({f"a{letter}b": "c"} for letter in "<>%&?")), said({"a/b": "c"}, {"a b": "c"})
    ),
    ("tags", "tags keys must not contain '\\'"): Rows(said({"a\\b": "c"})),
    ("tags", "tags values must be less than 256 characters"): Rows(said({"a": "x" * 257}), said({"a": "x" * 256}, {"a": ""})),
}
