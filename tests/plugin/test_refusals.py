"""Faulty arguments: one error with all that is wrong, in the caller's words, and nothing registered."""

import grpc
import pytest
from pulumi.runtime.proto.provider_pb2 import ConstructRequest

from nodepools.engine.signatures import OUTPUT, SECRET, SIGNATURE, UNKNOWN

AKS = {"location": "westeurope", "kubernetesVersion": "1.35", "systemPool": {"vmSize": "Standard_D4ds_v5", "count": 2}}
EKS = {"region": "us-east-1", "kubernetesVersion": "1.35"}
POOL = {"kind": "UserPool", "vmSize": "Standard_D2ds_v5"}


@pytest.fixture
def refused(construct):
    """The message of a refusal, after which nothing is registered."""

    def refusal(kind, inputs):
        answer = construct(kind, "shop", inputs)
        assert answer.refused.code() is grpc.StatusCode.INVALID_ARGUMENT
        assert answer.registered == {}
        assert "Traceback" not in answer.error
        return answer.error

    return refusal


SHAPES = {
    "a number where text belongs": ("AksCluster", {**AKS, "kubernetesVersion": 1.3}, "CFG004 error at kubernetesVersion: 1.3\n"),
    "a fraction where a whole number belongs": (
        "AksCluster",
        {**AKS, "pools": {"web": {**POOL, "count": 1.5}}},
        "CFG004 error at pools.web.count: 1.5\n",
    ),
    "a field as Python spells it": (
        "AksCluster",
        {**AKS, "pools": {"web": {"kind": "UserPool", "vm_size": "Standard_D2ds_v5"}}},
        "CFG002 error at pools.web.vm_size: 'Standard_D2ds_v5'\n    `vm_size` is not a field of `UserPool`\n    fix: Rename it to `vmSize`",
    ),
    "a misspelt field": ("AksCluster", {**AKS, "pools": {"web": {**POOL, "scael": {"min": 1}}}}, "CFG002 error at pools.web.scael"),
    "a field as another tool calls it": (
        "AksCluster",
        {**AKS, "pools": {"web": {**POOL, "availabilityZones": [1]}}},
        "CFG002 error at pools.web.availabilityZones: [1]\n    `availabilityZones` is not a field of `UserPool`\n    fix: Rename it to `zones`",
    ),
    "a required field that is not there": ("EksCluster", {"region": "us-east-1"}, "CFG001 error at kubernetesVersion\n"),
    "a pool that does not say its kind": (
        "AksCluster",
        {**AKS, "pools": {"web": {"vmSize": "Standard_D2ds_v5"}}},
        "CFG003 error at pools.web\n    `web` has no `kind`\n    fix: Set `kind` to `SystemPool`, `UserPool`, `GpuPool` or `WindowsPool`",
    ),
    "a kind that is not known": ("AksCluster", {**AKS, "pools": {"web": {**POOL, "kind": "userPool"}}}, "CFG003 error at pools.web\n"),
    "a word that is not one of some": ("AksCluster", {**AKS, "tier": "standard"}, "CFG005 error at tier: 'standard'"),
    "a word where only none is another": (
        "AksCluster",
        {**AKS, "networkProfile": {"pluginMode": "None"}},
        "CFG005 error at networkProfile.pluginMode: 'None'",
    ),
    "a switch that is no switch": (
        "AksCluster",
        {**AKS, "entra": {"enabled": "no"}},
        "CFG004 error at entra.enabled: 'no'\n    `enabled` must be `true` or `false`",
    ),
    "a switch that is not known yet": ("AksCluster", {**AKS, "entra": {"enabled": UNKNOWN}}, "CFG004 error at entra.enabled: a pulumi.Output"),
    "a part where a list belongs": ("EksCluster", {**EKS, "autoMode": {"builtInNodePools": {"a": 1}}}, "CFG004 error at autoMode.builtInNodePools"),
    "text where a part belongs": ("AksCluster", {**AKS, "nodeProvisioning": "Auto"}, "CFG003 error at nodeProvisioning: 'Auto'"),
    "a fraction of a resource": (
        "EksCluster",
        {**EKS, "autoMode": {"nodePools": {"web": {"limits": {"cpu": 0.5}}}}},
        "CFG009 error at autoMode.nodePools.web.limits.cpu: 0.5",
    ),
}


@pytest.mark.parametrize("case", SHAPES)
def test_shapes(refused, case):
    kind, inputs, told = SHAPES[case]
    message = refused(kind, inputs)
    assert message.startswith("1 error, nothing was deployed\n\n")
    assert told in message


def test_all_findings_come_at_once_with_keys_as_the_caller_wrote_them(refused):
    pools = {"web": {**POOL, "scale": {"min": 5, "max": "many"}, "labels": {"example.com/Some_Key": 1}}}
    message = refused("AksCluster", {**AKS, "location": "", "pools": pools})
    assert message.startswith("3 errors, nothing was deployed\n")
    assert [line.partition(" at ")[2] for line in message.splitlines() if " error at " in line] == [
        "location: ''",
        "pools.web.scale.max: 'many'",
        'pools.web.labels["example.com/Some_Key"]: 1',
    ]


def test_what_the_clouds_refuse_is_told_by_the_same_rules(refused):
    taint = {"key": "dedicated", "value": "web"}
    aks = refused(
        "AksCluster", {**AKS, "systemPool": {**AKS["systemPool"], "taints": [taint]}, "pools": {"web": {**POOL, "osDiskType": "Ephemeral"}}}
    )
    assert (
        "AKS014 error at systemPool.taints[0]: dedicated=web:NoSchedule\n    AKS rejects the taint `dedicated=web:NoSchedule` on a system pool" in aks
    )
    eks = refused("EksCluster", {**EKS, "autoMode": {"nodePools": {"web": {"nodeClass": "own", "expireAfter": "Never"}}}})
    assert "EKS042 error at autoMode.nodePools.web.nodeClass: 'own'\n    The NodeClass `own` is not declared" in eks
    assert "\n    fix: Add the NodeClass `own`" in eks
    assert "EKS044 error at autoMode.nodePools.web.expireAfter: 'Never'" in eks


NOT_KNOWN = {
    "that is not known yet": UNKNOWN,
    "of another resource": {SIGNATURE: OUTPUT, "value": "us-east-1", "dependencies": ["urn:pulumi:dev::shop::other:index:Region::r"]},
    "that is a secret": {SIGNATURE: SECRET, "value": "us-east-1"},
}


@pytest.mark.parametrize("case", NOT_KNOWN)
def test_a_plain_value(refused, case):
    message = refused("EksCluster", {**EKS, "region": NOT_KNOWN[case], "tags": {"team": NOT_KNOWN[case]}})
    told = "is a `pulumi.Output`, which has no value until Pulumi runs\n    fix: Write a plain value: only references, such as ids, accept Outputs"
    assert message.count(told) == 2
    assert "CFG010 error at region" in message


@pytest.mark.parametrize("mark", ["1c4a061d-8072-4f0a-a4cb-0ff528b18fe7", "dd056dcd-154b-4c76-9bd3-c8f88648b5ff"], ids=["yes or no", "a mapping"])
def test_what_is_not_known_yet_and_is_no_text_is_told_as_such(refused, mark):
    assert "CFG010 error at tags: a pulumi.Output" in refused("EksCluster", {**EKS, "tags": mark})


def test_a_list_of_references_that_is_one_output_is_refused_where_it_stands(refused):
    network = {"kind": "ExistingEksNetwork", "vpcId": UNKNOWN, "privateSubnetIds": UNKNOWN}
    assert "CFG010 error at network.privateSubnetIds" in refused("EksCluster", {**EKS, "network": network})


@pytest.mark.program
def test_a_plain_value_that_is_not_known_yet_in_a_property_that_came_as_one_output(construct):
    beside = {"network": ConstructRequest.PropertyDependencies(urns=["urn:pulumi:dev::shop::aws:ec2/vpc:Vpc::net"])}
    answer = construct("EksCluster", "shop", {**EKS, "network": {"kind": "EksNetwork", "cidr": UNKNOWN}}, inputDependencies=beside)
    assert "CFG010 error at network.cidr" in answer.error


@pytest.mark.program
def test_a_secret_in_the_wrong_place_is_not_printed(construct):
    secret = {SIGNATURE: OUTPUT, "value": "hunter2-hunter2", "secret": True}
    answer = construct("AksCluster", "shop", {**AKS, "location": secret, "pools": {"web": {**POOL, "labels": {"a": secret}}}, "tags": secret})
    assert answer.error.count("CFG010") == 3
    assert "hunter2" not in str(answer.refused)
    assert not any(b"hunter2" in value for _, value in answer.refused.trailing_metadata() if isinstance(value, bytes))


def test_a_component_that_is_not_there(refused):
    assert refused("GkeCluster", {}) == (
        "there is no component nodepools:index:GkeCluster: there are nodepools:index:AksCluster and nodepools:index:EksCluster"
    )


def test_what_the_clouds_cannot_be_asked_for_is_one_message_too(refused):
    """Too few zones: found after the arguments were judged."""
    assert "zones" in refused("EksCluster", {**EKS, "network": {"kind": "EksNetwork", "zones": ["us-east-1a"]}})


@pytest.mark.program
def test_warnings_are_logged_about_the_cluster(plugin):
    before = len(plugin.logs.messages)
    pools = {"web": {"requirements": [{"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["spot"]}]}}
    answer = plugin.construct("EksCluster", "warned", {**EKS, "autoMode": {"nodePools": pools}})
    assert answer.refused is None
    [warning] = [one for one in plugin.logs.messages[before:] if one.severity == "warning" and "KAR046" in one.message]
    assert warning.urn == answer.urn
    assert warning.message.startswith("KAR046 warning at autoMode.nodePools.web.requirements")
    fix = 'fix: Add `{key: "kubernetes.io/arch", operator: "In", values: ["amd64"]}` to `requirements`'
    assert warning.message.endswith(f"{fix}, unless arm64 nodes are meant")


@pytest.mark.parametrize(
    ("wrong", "code"),
    [({"systemPool": {**AKS["systemPool"], "vmSzie": "x"}}, "CFG002"), ({"entra": {"enabled": "no"}}, "CFG004")],
    ids=["schema", "switch"],
)
def test_what_the_rules_find_in_the_rest_is_in_the_same_message(refused, wrong, code):
    pools = {"web": {**POOL, "scale": {"min": 5, "max": 1}, "labels": {"kubernetes.azure.com/mode": "user"}}}
    told = refused("AksCluster", {**AKS, "pools": pools, **wrong})
    assert [line.partition(" error at ")[0] for line in told.splitlines() if " error at " in line] == [code, "AKS010", "AKS021"]
