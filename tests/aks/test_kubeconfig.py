"""The kubeconfig: the same on a laptop and in CI."""

import base64

import pulumi
import pulumi_kubernetes
import pytest
import yaml

from nodepools import AksNodePool, NodeProvisioning, UserPool, testing
from nodepools.aks.cluster import AksCluster, environment_logs_in

CERTIFICATE = "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1BREUgVVA9PQo="


def with_exec(*arguments):
    exec_ = {"apiVersion": "client.authentication.k8s.io/v1beta1", "command": "kubelogin", "args": list(arguments), "env": None}
    return yaml.safe_dump(
        {
            "apiVersion": "v1",
            "clusters": [{"name": "c", "cluster": {"certificate-authority-data": CERTIFICATE, "server": "https://c.example:443"}}],
            "users": [{"name": "u", "user": {"exec": exec_}}],
        },
        sort_keys=False,
    )


def arguments_of(text):
    return yaml.safe_load(text)["users"][0]["user"]["exec"]["args"]


@pytest.mark.parametrize(
    ("written", "left"),
    [
        pytest.param(["get-token", "--login", "devicecode", "--tenant-id", "t"], ["get-token", "--tenant-id", "t"], id="two words in the middle"),
        pytest.param(["get-token", "--tenant-id", "t", "--login", "devicecode"], ["get-token", "--tenant-id", "t"], id="two words at the end"),
        pytest.param(["get-token", "--login=devicecode"], ["get-token"], id="one word"),
        pytest.param(["get-token", "-l", "spn"], ["get-token"], id="the short spelling"),
        pytest.param(["get-token", "--login"], ["get-token"], id="a value that is missing"),
        pytest.param(["get-token", "--tenant-id", "t"], ["get-token", "--tenant-id", "t"], id="nothing to take away"),
        pytest.param([], [], id="no arguments"),
    ],
)
def test_the_login_method_is_left_to_the_environment(written, left):
    assert arguments_of(environment_logs_in(with_exec(*written))) == left


def test_nothing_else_changes():
    text = with_exec("get-token", "--login", "devicecode")
    before, after = yaml.safe_load(text), yaml.safe_load(environment_logs_in(text))
    before["users"][0]["user"]["exec"]["args"] = ["get-token"]
    assert after == before
    assert CERTIFICATE in environment_logs_in(text)


def test_done_twice_it_is_the_same():
    once = environment_logs_in(with_exec("get-token", "--login", "devicecode"))
    assert environment_logs_in(once) == once


STATIC = f"apiVersion: v1\nusers:\n- name: u\n  user:\n    client-certificate-data: {CERTIFICATE}\n    token: '0123'\n"


@pytest.mark.parametrize("text", [STATIC, "apiVersion: v1\nusers: []\n", "apiVersion: v1\n"])
def test_a_kubeconfig_without_exec_stays_to_the_letter(text):
    assert environment_logs_in(text) == text


def answering(text):
    value = base64.b64encode(text.encode()).decode()
    return {"azure-native:containerservice:listManagedClusterUserCredentials": lambda _: {"kubeconfigs": [{"name": "clusterUser", "value": value}]}}


def test_the_cluster_has_it_as_a_secret(deploy):
    component = deploy().one("AksCluster/dev-weu")
    assert component.outputs.secret("kubeconfig")
    assert "devicecode" not in component.outputs["kubeconfig"]


def test_without_entra_it_holds_the_static_credential(deploy):
    component = deploy(entra=None, calls=answering(STATIC)).one("AksCluster/dev-weu")
    assert component.outputs["kubeconfig"] == STATIC
    assert component.outputs.secret("kubeconfig")


# Row 7 of the traps: by literal names it would be asked for in the first preview, and there is no cluster yet.
def test_the_first_preview_does_not_ask_for_it(deploy):
    def refuses(_):
        pytest.fail("asked for before there is a cluster")

    calls = {"azure-native:containerservice:listManagedClusterUserCredentials": refuses}
    outputs = deploy(preview=True, calls=calls).one("AksCluster/dev-weu").outputs
    assert repr(outputs["kubeconfig"]) == "UNKNOWN"


def test_it_is_asked_for_by_the_names_that_azure_told(deploy):
    asked = []

    def credentials(args):
        asked.append((args["resourceGroupName"], args["resourceName"], args["format"]))
        return answering(STATIC)["azure-native:containerservice:listManagedClusterUserCredentials"](args)

    named = {"azure-native:containerservice:ManagedCluster": lambda *_: {"name": "told"}}
    deploy(outputs=named, calls={"azure-native:containerservice:listManagedClusterUserCredentials": credentials})
    assert asked == [("dev-weu", "told", "exec")]


NEEDED = ("AgentPool/dev-weu-web????", "NodePool/dev-weu-general", "RoleAssignment/dev-weu-admin-*")
"""What workloads of the program are created after, and deleted before."""


def test_what_uses_it_follows_the_pools_and_the_rights(declare, preview):
    pools = {"web": UserPool(vm_size="Standard_D2ds_v5"), "old": UserPool(vm_size="Standard_D2ds_v5", name="old")}

    def program():
        cluster = AksCluster("dev-weu", declare(pools=pools, node_provisioning=NodeProvisioning(node_pools={"general": AksNodePool()})))
        there = pulumi_kubernetes.Provider("shop", kubeconfig=cluster.kubeconfig)
        pulumi_kubernetes.core.v1.ConfigMap("web", data={"a": "b"}, opts=pulumi.ResourceOptions(provider=there))

    graph = testing.run(program, preview=preview)
    labels = [one.display_name for one in graph]
    assert labels.index("AgentPool/dev-weu-old") < labels.index("kubernetes/shop")
    assert not graph.one("kubernetes/shop").depends_on("AgentPool/dev-weu-old")  # an edit would replace both
    for needed in NEEDED:
        assert graph.deletes("ConfigMap").before(needed)
        assert graph.one("kubernetes/dev-weu-kubernetes").depends_on(needed) == needed.startswith("Role")


def test_pools_are_reachable_by_key(declare):
    web = UserPool(vm_size="Standard_D2ds_v5")
    found = {}

    def program():
        rotating = UserPool(vm_size="Standard_D4ds_v5", previous=web)
        provisioning = NodeProvisioning(node_pools={"general": AksNodePool()})
        cluster = AksCluster("dev-weu", declare(pools={"web": rotating, "api": web}, node_provisioning=provisioning))
        found.update(cluster.agent_pools)
        cluster.agent_pools["web"].vm_size.apply(lambda size: found.update(size=size))
        found.update(nodes=set(cluster.node_pools))

    testing.run(program)
    assert list(found) == ["web", "api", "nodes", "size"]
    assert (found["size"], found["nodes"]) == ("Standard_D4ds_v5", {"general"})
