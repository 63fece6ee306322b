"""Plans and states of Terraform as what exists: `--existing`, `adopt`, `diff`; and plans with node groups as what is declared."""

import pytest

from tests.terraform_plans import (
    AKS,
    ARN,
    CLUSTER_ID,
    EKS,
    GROUPS,
    POOL,
    ROLE,
    SUBNET,
    auto_mode,
    change,
    cluster,
    eks,
    group,
    plan,
    pool,
    provider,
    state,
    subnet,
    text,
    without,
)

from .test_terraform import DEPLOYMENT, GENERAL, WINDOW

NODE_POOL = {**GENERAL, "metadata": {"name": "batch"}}
NODE_POOL["spec"] = {
    "template": {"spec": {"nodeClassRef": {"group": "eks.amazonaws.com", "kind": "NodeClass", "name": "default"}, "requirements": []}}
}
ANY = DEPLOYMENT.replace("      nodeSelector: {tier: web}\n", "")
SUBNETS = [("aws_subnet", zone, subnet(zone)) for zone in "ab"]
TEMPLATE = "aws_launch_template"


@pytest.fixture
def run(nodepools, tmp_path):
    """Runs a command with files: `plan.json` or `state.json`, and workloads."""
    (tmp_path / "web.yaml").write_text(DEPLOYMENT)
    (tmp_path / "any.yaml").write_text(ANY)
    (tmp_path / "pools.yaml").write_text(text(NODE_POOL))

    def command(line, *changes, stdin="", **more):
        if changes:
            is_state = len(changes[0]) == 3
            (tmp_path / ("state.json" if is_state else "plan.json")).write_text(text(state(*changes) if is_state else plan(*changes, **more)))
        return nodepools(*line.split(), cwd=tmp_path, stdin=stdin)

    return command


PLANNED = (
    change(EKS, eks(), eks()),
    change(GROUPS, group(), group(scaling_config=[{"min_size": 2, "max_size": 6, "desired_size": 3}])),
    *(change(kind, values, values, name=name) for kind, name, values in SUBNETS),
)
EXISTS = ((EKS, "this", eks()), (GROUPS, "this", group()), *SUBNETS)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("explain web.yaml --file plan.json", "it has 2 to 6"),
        ("explain web.yaml --existing plan.json", "web: its room is not known"),
        ("cost --file plan.json", "plan.json: 140 to 421 USD per month"),
        ("capacity --file plan.json", "capacity --file plan.json --context CONTEXT --cloud"),
        ("capacity --existing plan.json", "node addresses: subnet-a, subnet-b"),
        ("upgrade --file plan.json --to 1.36", "aws eks update-nodegroup-version --cluster-name shop --region us-east-1 --nodegroup-name web"),
        ("explain any.yaml --file plan.json --file pools.yaml", "fallback by weight"),
        ("calendar --file plan.json --file pools.yaml", "batch"),
    ],
)
def test_node_groups_of_a_plan(run, line, said):
    answer = run(line, *PLANNED)
    assert answer.status == 0, answer.all
    assert said in " ".join(answer.out.split())


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("explain web.yaml --existing state.json", "fit, up to 3 of 3 are scheduled: web: its room is not known"),
        ("capacity --existing state.json", "0 to 251"),
        ("upgrade --existing state.json --to 1.36", "shop to 1.36"),
    ],
)
def test_a_state_is_what_exists(run, line, said):
    answer = run(line, *EXISTS)
    assert answer.status == 0, answer.all
    assert said in answer.out


def test_a_state_is_what_exists_of_aks(run):
    network = ("azurerm_subnet", "nodes", {"id": SUBNET, "address_prefixes": ["10.1.0.0/24"]})
    exists = (
        (AKS, "this", cluster(current_kubernetes_version="1.35.2", automatic_upgrade_channel="patch", maintenance_window_auto_upgrade=[WINDOW])),
        (POOL, "this", pool()),
        network,
    )
    assert "up to 3 of 3 are scheduled: web: its room is not known" in " ".join(run("explain web.yaml --existing state.json", *exists).out.split())
    assert "0 to 251" in run("capacity --existing state.json").out
    assert "az aks nodepool upgrade --resource-group rg --cluster-name shop --name web" in " ".join(
        run("upgrade --existing state.json --to 1.36").out.split()
    )
    assert "shop (Kubernetes upgrades)" in run("calendar --existing state.json").out


def test_a_state_on_stdin_and_in_a_folder(run, tmp_path):
    written = text(state(*EXISTS))
    assert "its room is not known" in run("explain web.yaml --existing -", stdin=written).out
    (tmp_path / "live").mkdir()
    (tmp_path / "live" / "state.json").write_text(written)
    assert "its room is not known" in run("explain web.yaml --existing live").out
    assert "what Terraform" not in run("explain web.yaml --existing -", stdin=text(NODE_POOL)).all


def test_a_state_is_one_side_of_diff(run, tmp_path):
    run("check state.json", (EKS, "this", auto_mode()), (GROUPS, "this", group()))
    (tmp_path / "dev.yaml").write_text(run("adopt state.json --yaml").out)
    answer = run("diff state.json dev.yaml")
    assert answer.out.startswith("state.json → dev.yaml: nothing changes (1 resource is equal)")
    assert "node groups are not compared: web" in answer.err
    (tmp_path / "dev.yaml").write_text((tmp_path / "dev.yaml").read_text().replace("'1.35'", "'1.36'").replace('"1.35"', '"1.36"'))
    assert "kubernetes_version" in run("diff state.json dev.yaml").out


def test_what_a_state_has_is_adopted_and_the_cloud_can_have_more(run):
    entry = {
        "cluster_name": "shop",
        "principal_arn": f"{ROLE}/admin",
        "type": "STANDARD",
        "access_entry_arn": f"{ARN}:access-entry/shop/role/1/admin/x",
    }
    policy = {
        "cluster_name": "shop",
        "principal_arn": f"{ROLE}/admin",
        "policy_arn": "arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy",
        "access_scope": [{"type": "cluster", "namespaces": []}],
    }
    add_on = {
        "cluster_name": "shop",
        "addon_name": "coredns",
        "arn": "arn:aws:eks:us-east-1:111122223333:addon/shop/coredns/1",
        "pod_identity_association": [{"role_arn": f"{ROLE}/dns", "service_account": "coredns"}],
    }
    identity = {"cluster_name": "shop", "namespace": "web", "service_account": "web", "role_arn": f"{ROLE}/web", "association_id": "a-1"}
    answer = run(
        "adopt state.json",
        (EKS, "this", auto_mode(encryption_config=[{"resources": ["secrets"], "provider": [{"key_arn": "arn:aws:kms:us-east-1:1:key/k"}]}])),
        ("aws_eks_access_entry", "admin", entry),
        ("aws_eks_access_policy_association", "admin", policy),
        ("aws_eks_addon", "dns", add_on),
        (
            "aws_eks_pod_identity_association",
            "web",
            {**identity, "association_arn": "arn:aws:eks:us-east-1:111122223333:podidentityassociation/shop/a-1"},
        ),
        ("aws_vpc", "this", {"id": "vpc-1", "cidr_block": "10.0.0.0/16"}),
        ("kubernetes_manifest", "batch", {"manifest": NODE_POOL, "object": {**NODE_POOL, "metadata": {"name": "batch", "uid": "u"}}}),
    )
    assert answer.status == 2
    assert "is all that is known of the clusters" in answer.err
    for declared in (f'admins=["{ROLE}/admin"]', '"coredns"', '"web-web"', '"batch"', 'cidr="10.0.0.0/16"', 'secrets_key="arn:aws:kms'):
        assert declared in answer.out


def test_exports_of_the_cloud_come_before_a_state(run, tmp_path):
    (tmp_path / "aks.json").write_text(
        text({"id": CLUSTER_ID, "name": "shop", "location": "westeurope", "kubernetesVersion": "1.35", "agentPoolProfiles": []})
    )
    answer = run("adopt state.json aks.json", (AKS, "this", cluster()))
    assert "is all that is known" not in answer.err


def test_auto_mode_has_its_built_in_pools(run):
    planned = (change(EKS, None, auto_mode()), change("kubectl_manifest", None, {"yaml_body_parsed": text(NODE_POOL)}))
    alone = run("explain any.yaml --file plan.json", *planned)
    assert alone.out.startswith("plan.json: web (Deployment ×3) fits shop/general-purpose")
    assert "shop/batch" in alone.out
    assert "have no maximum" in " ".join(run("cost --file plan.json").out.split())
    beside = run("explain any.yaml --file plan.json --file pools.yaml", change(EKS, None, auto_mode()))
    assert beside.out.startswith("plan.json, pools.yaml: web (Deployment ×3) fits general-purpose")
    of_state = run("explain any.yaml --existing state.json", (EKS, "this", auto_mode()))
    assert (of_state.status, "general-purpose, system of Auto Mode are objects of the cluster" in of_state.err) == (2, True)


NEW = change(
    EKS,
    None,
    {**without(eks(), "arn", "vpc_config", "role_arn"), "vpc_config": [{"endpoint_public_access": True}]},
    unknown={"arn": True, "role_arn": True, "vpc_config": [{"subnet_ids": True, "vpc_id": True}]},
)
LATER = {"arn": True, "ami_type": True, "launch_template": [{"id": True, "version": True}], "subnet_ids": True}


def new_group(**values):
    made = without(group(launch_template=[{}], **values), "arn", "ami_type", "version", "subnet_ids")
    return change(GROUPS, None, made, unknown=LATER, module="module.g")


def test_a_cluster_that_does_not_exist_yet(run):
    template = change(TEMPLATE, None, {"user_data": "", "instance_type": "m5.large"}, module="module.g", unknown={"id": True})
    configuration = provider({"references": ["var.region"]})
    answer = run(
        "explain web.yaml --file plan.json --details",
        NEW,
        new_group(instance_types=None),
        template,
        configuration=configuration,
        variables={"region": {"value": "us-east-1"}},
    )
    assert answer.status == 0, answer.all
    assert "`m5.large` has 2" in answer.out
    hidden = run("explain web.yaml --file plan.json --details", NEW, new_group(), configuration=provider({"constant_value": "us-east-1"}))
    assert "user data of its launch template" in " ".join(hidden.out.split())
    created = run("explain any.yaml --file plan.json", change(EKS, None, auto_mode(vpc_config=NEW["change"]["after"]["vpc_config"])))
    assert "fits shop/general-purpose" in created.out
    nowhere = run("explain web.yaml --file plan.json", NEW, new_group())
    assert (nowhere.status, "the region is not in the plan" in nowhere.err) == (2, True)
    nothing = run("explain web.yaml --existing plan.json", NEW)
    assert (nothing.status, "has nothing of a cluster that exists" in nothing.err) == (2, True)


@pytest.mark.parametrize(
    ("named", "latest", "is_known"),
    [({"id": "lt-1", "version": "3"}, 3, True), ({"name": "n", "version": "2"}, 3, False), ({"id": "lt-2"}, 3, False)],
)
def test_user_data_is_that_of_the_version_of_the_launch_template(run, named, latest, is_known):
    template = {"id": "lt-1", "name": "n", "latest_version": latest, "user_data": None, "instance_type": None}
    answer = run(
        "explain web.yaml --existing state.json --details",
        (EKS, "this", eks()),
        (GROUPS, "this", group(launch_template=[named])),
        (TEMPLATE, "t", template),
    )
    assert ("user data of its launch template" in " ".join(answer.out.split())) != is_known


def test_labels_that_are_known_later_decide(run):
    answer = run(
        "explain web.yaml --file plan.json", change(EKS, eks(), eks()), change(GROUPS, group(), without(group(), "labels"), unknown={"labels": True})
    )
    assert (answer.status, f"{GROUPS}.this.labels is known after `terraform apply`" in answer.err) == (2, True)


def test_node_groups_next_to_auto_mode_are_read_as_what_exists(run):
    answer = run(
        "explain any.yaml --file plan.json",
        change(EKS, eks(), auto_mode()),
        change(GROUPS, group(), group(capacity_type="SPOT", instance_types=["x9.huge", "m5.large"])),
    )
    assert "general-purpose" in answer.out
    assert "web" in answer.out
    assert "no price of an instance type of `web`" in " ".join(run("cost --file plan.json").out.split())


def test_an_aks_plan_with_manifests_is_one_side(run):
    planned = (change(AKS, None, cluster(node_provisioning_profile=[{"mode": "Auto"}])), change(POOL, None, without(pool(), "node_count")))
    answer = run("explain web.yaml --file plan.json --file pools.yaml", *planned)
    assert "fits web" in answer.out
    assert run("cost --file plan.json --file pools.yaml").status == 2


def test_a_state_in_the_encoding_of_powershell_is_named(run, tmp_path):
    (tmp_path / "state.json").write_text(text(state(*EXISTS)), encoding="utf-16")
    refused = run("explain web.yaml --existing state.json")
    assert (refused.status, "Out-File -Encoding utf8" in refused.err) == (2, True)


@pytest.mark.parametrize("tags", [{"tier": True}, True])
def test_a_subnet_with_a_tag_that_is_known_later_is_read(run, tags):
    updated = [change(kind, values, values, name=name, actions=["update"], unknown={"tags_all": tags}) for kind, name, values in SUBNETS]
    answer = run("explain web.yaml --file plan.json", *PLANNED[:2], *updated)
    assert answer.status == 0, answer.all
    assert "it has 2 to 6" in " ".join(answer.out.split())


NETWORK = {"name": "v", "resource_group_name": "rg", "address_space": ["10.1.0.0/16"], "id": SUBNET.partition("/subnets/")[0]}
INNER = {"name": "nodes", "id": SUBNET, "security_group": ""}
OF_AZAPI = {"type": "Microsoft.Network/virtualNetworks@2024-05-01", "name": "v", "parent_id": SUBNET.partition("/providers/")[0], "id": NETWORK["id"]}


@pytest.mark.parametrize(
    "network",
    [
        ("azurerm_virtual_network", {**NETWORK, "subnet": [{**INNER, "address_prefixes": ["10.1.0.0/27"]}]}),
        ("azurerm_virtual_network", {**NETWORK, "subnet": [{**INNER, "address_prefix": "10.1.0.0/27"}]}),
        (
            "azapi_resource",
            {
                **OF_AZAPI,
                "body": {
                    "properties": {
                        "addressSpace": {"addressPrefixes": ["10.1.0.0/16"]},
                        "subnets": [{"name": "nodes", "properties": {"addressPrefix": "10.1.0.0/27"}}],
                    }
                },
            },
        ),
    ],
    ids=["azurerm", "azurerm 3", "azapi"],
)
@pytest.mark.parametrize("file", ["plan.json", "state.json"])
def test_a_subnet_in_the_block_of_a_network_has_addresses(run, network, file):
    """A range of 27 bits has 27 addresses besides the five that Azure keeps."""
    kind, values = network
    parts = ((AKS, "this", cluster()), (POOL, "web", pool()), (kind, "v", values))
    changes = parts if file == "state.json" else tuple(change(of, value, value, name=name) for of, name, value in parts)
    answer = run(f"capacity --existing {file} --format json", *changes)
    [message] = [one["message"] for one in answer.json["clusters"][0]["items"] if one["what"] == "node_subnet"]
    assert message.startswith(f"The addresses of the subnet `{SUBNET}` are 0 to 27;")
