"""NodePools of a former version, of other providers, or without what the API server requires: what is certain of them, and what is not."""

import pytest
import yaml

from nodepools.manifests.existing.existing_pools import read_existing_pools
from nodepools.manifests.existing.node_pools import UNNAMED
from nodepools.placement.explain import Explainer
from nodepools.placement.node_pools import ClusterPools
from nodepools.placement.workloads.reader import read_workloads
from nodepools.reading.bounded_input import TextError

AWS, AUTO, AKS = "karpenter.k8s.aws", "eks.amazonaws.com", "karpenter.azure.com"
EC2 = {"group": AWS, "kind": "EC2NodeClass", "name": "default"}
KWOK = {"group": "karpenter.kwok.sh", "kind": "KWOKNodeClass", "name": "tiny"}
AMD64 = {"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]}
REJECTED = "which the API server rejects"


def pool(
    reference: object = None,
    version: str = "v1",
    name: object = "general",
    labels: dict[str, str] | None = None,
    spec: object = None,
    **nodes: object,
) -> str:
    inside = {**({} if reference is None else {"nodeClassRef": reference}), "requirements": [AMD64], **nodes}
    template: dict[str, object] = {"metadata": {"labels": labels if labels is not None else {}}, "spec": inside}
    metadata = {} if name is None else {"name": name}
    raw: dict[str, object] = {
        "apiVersion": f"karpenter.sh/{version}",
        "kind": "NodePool",
        "metadata": metadata,
        "spec": {"template": template} if spec is None else spec,
    }
    return yaml.safe_dump(raw)


def former_class(**spec: object) -> str:
    return yaml.safe_dump({"apiVersion": f"{AWS}/v1beta1", "kind": "EC2NodeClass", "metadata": {"name": "default"}, "spec": spec})


def read(*texts: str) -> ClusterPools:
    return read_existing_pools([(text, f"{number}.yaml") for number, text in enumerate(texts)])


def answer(pools: ClusterPools, selector: dict[str, str] | None = None, cpu: str = "1") -> tuple[str, list[str]]:
    container = {"name": "main", "resources": {"requests": {"cpu": cpu}}}
    spec = {"nodeSelector": selector if selector is not None else {}, "containers": [container]}
    [workload] = read_workloads({"kind": "Pod", "metadata": {"name": "p"}, "spec": spec})
    [judged] = Explainer(pools).answer(workload).pools
    return judged.verdict.value, [reason.message for reason in judged.reasons]


@pytest.mark.parametrize(
    ("text", "cloud", "assumed"),
    [
        pytest.param(pool(EC2), "self-managed", [], id="whole"),
        pytest.param(
            pool({"kind": "EC2NodeClass", "name": "default"}),
            "self-managed",
            [f"`nodeClassRef.group` is missing, {REJECTED}: it is read as `{AWS}`, the group of `EC2NodeClass`"],
            id="the kind identifies the group",
        ),
        pytest.param(
            pool({"kind": "NodeClass", "name": "default", "group": ""}),
            "eks",
            [f"`nodeClassRef.group` is missing, {REJECTED}: it is read as `{AUTO}`, the group of `NodeClass`"],
            id="an empty group",
        ),
        pytest.param(
            pool({"kind": "AKSNodeClass", "name": "default"}),
            "aks",
            [f"`nodeClassRef.group` is missing, {REJECTED}: it is read as `{AKS}`, the group of `AKSNodeClass`"],
            id="the kind of AKS",
        ),
        pytest.param(
            pool(EC2 | {"group": f"{AWS}/v1"}),
            "self-managed",
            [f"`nodeClassRef.group` is `{AWS}/v1`, {REJECTED}: it is read as `{AWS}`"],
            id="a group with its version",
        ),
        pytest.param(
            pool({"apiVersion": f"{AWS}/v1beta1", "kind": "EC2NodeClass", "name": "default"}, "v1beta1"),
            "self-managed",
            ["`karpenter.sh/v1beta1` is read as `karpenter.sh/v1`, to which OBJ001 of `nodepools check` converts it"],
            id="a former version",
        ),
        pytest.param(
            pool({"name": "default", "kind": "EC2NodeClass"}, "v1beta1"),
            "self-managed",
            ["`karpenter.sh/v1beta1` is read as `karpenter.sh/v1`, to which OBJ001 of `nodepools check` converts it"],
            id="a former version, whose reference needs no version",
        ),
        pytest.param(
            pool(),
            "unknown",
            [f"`nodeClassRef` is missing, {REJECTED}: labels and instance types of its provider are not known"],
            id="no reference",
        ),
        pytest.param(
            pool({"name": "default"}),
            "unknown",
            [f"`nodeClassRef` has no group, {REJECTED}: labels and instance types of its provider are not known"],
            id="a reference that names nothing known",
        ),
        pytest.param(pool(KWOK), "unknown", [], id="another provider is valid"),
        pytest.param(
            pool(EC2, requirements=None),
            "self-managed",
            [f"`requirements` is missing, {REJECTED}: it is read as an empty list"],
            id="no requirements",
        ),
        pytest.param(pool(EC2, name=None), "self-managed", [f"`metadata.name` is missing, {REJECTED}: it is called `{UNNAMED}` here"], id="no name"),
        pytest.param(
            pool(spec={"weight": 3}),
            "unknown",
            [
                f"`requirements` is missing, {REJECTED}: it is read as an empty list",
                f"`nodeClassRef` is missing, {REJECTED}: labels and instance types of its provider are not known",
            ],
            id="no template",
        ),
    ],
)
def test_how_node_pools_are_read(text: str, cloud: str, assumed: list[str]) -> None:
    [found] = read(text).provisioned
    assert (found.cloud.name.partition(",")[0], list(found.assumed)) == (cloud, assumed)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(pool(7), "nodeClassRef", id="a reference that is a number"),
        pytest.param(pool(spec={"template": 7}), "template", id="a template that is a number"),
        pytest.param(pool(spec=7), "spec", id="a spec that is a number"),
        pytest.param(pool(EC2).replace("metadata:\n  name: general", "metadata: 7"), "metadata", id="metadata that is a number"),
        pytest.param(pool(EC2, name=7), "name", id="a name that is a number"),
        pytest.param(pool(EC2, requirements=[{**AMD64, "operator": "in"}]), "operator", id="an operator in lower case"),
        pytest.param(pool(KWOK, requirements=[{**AMD64, "operator": "in"}]), "operator", id="the same of another provider"),
    ],
)
def test_values_that_have_no_certain_meaning_are_errors(text: str, said: str) -> None:
    with pytest.raises(TextError, match=said):
        read(text)


TAINT = {"key": "team", "value": "a", "effect": "NoSchedule"}
WHOSE = "its node class is of `karpenter.kwok.sh`, whose labels and instance types are not known"


@pytest.mark.parametrize(
    ("text", "selector", "verdict", "reason"),
    [
        pytest.param(pool(KWOK), {}, "unknown", WHOSE, id="its instance types are not known"),
        pytest.param(pool(KWOK), {"karpenter.kwok.sh/size": "s"}, "unknown", WHOSE, id="nor are its labels"),
        pytest.param(pool(KWOK), {"node.kubernetes.io/instance-type": "x"}, "unknown", WHOSE, id="nor the names of instance types"),
        pytest.param(pool(KWOK), {"topology.kubernetes.io/zone": "z"}, "unknown", WHOSE, id="nor its zones"),
        pytest.param(
            pool(KWOK),
            {"disk": "ssd"},
            "cannot",
            "incompatible requirements: pod requires `disk=ssd`, nodes have no label `disk`",
            id="a label without a domain is one of the NodePool, or none",
        ),
        pytest.param(
            pool(KWOK),
            {"kubernetes.io/arch": "arm64"},
            "cannot",
            "incompatible requirements: pod requires `kubernetes.io/arch=arm64`, nodes have `kubernetes.io/arch=amd64`",
            id="requirements of the NodePool hold for every provider",
        ),
        pytest.param(pool(KWOK, taints=[TAINT]), {}, "cannot", "pod did not tolerate taint `team=a:NoSchedule`", id="and so do its taints"),
        pytest.param(
            pool(KWOK),
            {"karpenter.kwok.sh/kwoknodeclass": "other"},
            "cannot",
            "incompatible requirements: pod requires `karpenter.kwok.sh/kwoknodeclass=other`, nodes have `karpenter.kwok.sh/kwoknodeclass=tiny`",
            id="nodes name their node class",
        ),
        pytest.param(pool(KWOK, labels={"disk": "ssd"}), {"disk": "ssd"}, "unknown", WHOSE, id="a label of the NodePool"),
        pytest.param(
            pool(),
            {"eks.amazonaws.com/nodeclass": "x"},
            "unknown",
            f"`nodeClassRef` is missing, {REJECTED}: labels and instance types of its provider are not known",
            id="without a reference, the labels of every provider are possible",
        ),
    ],
)
def test_node_pools_of_unknown_providers(text: str, selector: dict[str, str], verdict: str, reason: str) -> None:
    found, reasons = answer(read(text), selector)
    assert (found, reason in reasons) == (verdict, True), reasons


FORMER = pool({"apiVersion": f"{AWS}/v1beta1", "kind": "EC2NodeClass", "name": "default"}, "v1beta1", kubelet={"maxPods": 20})


def test_a_former_node_pool_takes_settings_of_the_kubelet_to_its_node_class() -> None:
    [found] = read(FORMER, former_class(amiFamily="AL2023")).provisioned
    room = {bounds for machine in found.cloud.index.machines if machine.name for name, bounds in machine.offers.items() if name == "pods"}
    assert {(bounds.least, bounds.most) for bounds in room} == {(18_000, 20_000)}


@pytest.mark.parametrize(
    ("spec", "system"),
    [
        pytest.param({"amiFamily": "Bottlerocket"}, "linux", id="the newest image of the family"),
        pytest.param({"amiFamily": "Windows2022"}, "windows", id="Windows"),
        pytest.param({"amiFamily": "Custom"}, "linux", id="a custom image: Karpenter offers it no Windows"),
        pytest.param({"amiFamily": "AL2", "amiSelectorTerms": [{"id": "ami-0aa1bb2cc3dd4ee5f"}]}, "linux", id="images that are selected"),
        pytest.param({}, "", id="no family"),
    ],
)
def test_images_of_former_node_classes(spec: dict[str, object], system: str) -> None:
    [found] = read(FORMER, former_class(**spec)).provisioned
    assert found.system == system


def test_settings_of_the_kubelet_in_the_class_count() -> None:
    [found] = read(FORMER, former_class(amiFamily="AL2023", kubelet={"maxPods": 9})).provisioned
    assert {machine.offers["pods"].most for machine in found.cloud.index.machines if machine.name} == {9_000}


def test_a_field_that_is_not_known_leaves_it_uncertain_whether_pods_fit() -> None:
    found, reasons = answer(read(pool(EC2, kubelet={"maxPods": 20})), cpu="0")
    assert found == "unknown"
    assert reasons[-1].startswith("`spec.template.spec.kubelet` is not a known field: the API server drops it, unless")
    assert answer(read(pool(EC2, kubelet={"maxPods": 20})), {"disk": "ssd"})[0] == "cannot"
