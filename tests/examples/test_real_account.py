"""`examples/real-account`: rights that are exactly what the stacks need, limits that hold, and evidence without anything of the account."""

import json
import os
import re
import runpy
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from nodepools.model.aks.azure_roles import ROLES

pytestmark = [pytest.mark.program, pytest.mark.usefixtures("hosts")]
PROJECT = Path(__file__).parents[2]
KIT = PROJECT / "examples/real-account"
STEPS = ("up", "edit", "upgrade")
SECRET = "token-of-the-account-7f3a"  # noqa: S105  # not one

AZURE: Mapping[str, str] = {
    "azure-native:resources:ResourceGroup": "Microsoft.Resources/subscriptions/resourceGroups",
    "azure-native:network:VirtualNetwork": "Microsoft.Network/virtualNetworks",
    "azure-native:network:Subnet": "Microsoft.Network/virtualNetworks/subnets",
    "azure-native:managedidentity:UserAssignedIdentity": "Microsoft.ManagedIdentity/userAssignedIdentities",
    "azure-native:authorization:RoleAssignment": "Microsoft.Authorization/roleAssignments",
    "azure-native:containerservice:ManagedCluster": "Microsoft.ContainerService/managedClusters",
    "azure-native:containerservice:AgentPool": "Microsoft.ContainerService/managedClusters/agentPools",
}
"""Types of ARM: each is read, written and deleted."""
AZURE_TOO: Mapping[str, set[str]] = {
    "azure-native:network:VirtualNetwork": {"Microsoft.Network/locations/operations/read"},
    "azure-native:managedidentity:UserAssignedIdentity": {"Microsoft.ManagedIdentity/userAssignedIdentities/assign/action"},
    "azure-native:containerservice:ManagedCluster": {
        "Microsoft.Network/virtualNetworks/subnets/join/action",
        "Microsoft.ContainerService/managedClusters/listClusterUserCredential/action",
        "Microsoft.ContainerService/locations/operations/read",
        "Microsoft.ContainerService/locations/operationresults/read",
    },
}
TAGS = "ec2:CreateTags ec2:DeleteTags"
AWS: Mapping[str, str] = {
    "aws:ec2/vpc:Vpc": f"ec2:CreateVpc ec2:DeleteVpc ec2:DescribeVpcs ec2:DescribeVpcAttribute ec2:ModifyVpcAttribute ec2:DescribeRouteTables "
    f"ec2:DescribeNetworkAcls ec2:DescribeSecurityGroups ec2:DescribeAvailabilityZones {TAGS}",
    "aws:ec2/subnet:Subnet": f"ec2:CreateSubnet ec2:DeleteSubnet ec2:DescribeSubnets ec2:ModifySubnetAttribute ec2:DescribeNetworkInterfaces {TAGS}",
    "aws:ec2/internetGateway:InternetGateway": "ec2:CreateInternetGateway ec2:DeleteInternetGateway ec2:DescribeInternetGateways "
    f"ec2:AttachInternetGateway ec2:DetachInternetGateway {TAGS}",
    "aws:ec2/eip:Eip": "ec2:AllocateAddress ec2:ReleaseAddress ec2:DisassociateAddress ec2:DescribeAddresses ec2:DescribeAddressesAttribute",
    "aws:ec2/natGateway:NatGateway": "ec2:CreateNatGateway ec2:DeleteNatGateway ec2:DescribeNatGateways",
    "aws:ec2/routeTable:RouteTable": "ec2:CreateRouteTable ec2:DeleteRouteTable ec2:DescribeRouteTables",
    "aws:ec2/route:Route": "ec2:CreateRoute ec2:DeleteRoute ec2:DescribeRouteTables",
    "aws:ec2/routeTableAssociation:RouteTableAssociation": "ec2:AssociateRouteTable ec2:DisassociateRouteTable ec2:DescribeRouteTables",
    "aws:cloudwatch/logGroup:LogGroup": "logs:CreateLogGroup logs:DeleteLogGroup logs:DescribeLogGroups logs:PutRetentionPolicy "
    "logs:DeleteRetentionPolicy logs:ListTagsForResource logs:TagResource logs:UntagResource",
    "aws:iam/role:Role": "iam:CreateRole iam:DeleteRole iam:GetRole iam:ListRolePolicies iam:ListAttachedRolePolicies "
    "iam:ListInstanceProfilesForRole iam:UpdateAssumeRolePolicy iam:TagRole iam:UntagRole",
    "aws:iam/rolePolicyAttachment:RolePolicyAttachment": "iam:AttachRolePolicy iam:DetachRolePolicy iam:ListAttachedRolePolicies",
    "aws:eks/cluster:Cluster": "eks:CreateCluster eks:DeleteCluster eks:DescribeCluster eks:DescribeUpdate eks:UpdateClusterConfig "
    "eks:UpdateClusterVersion eks:TagResource eks:UntagResource iam:PassRole iam:CreateServiceLinkedRole sts:GetCallerIdentity",
    "aws:eks/accessEntry:AccessEntry": "eks:CreateAccessEntry eks:DeleteAccessEntry eks:DescribeAccessEntry eks:UpdateAccessEntry",
    "aws:eks/accessPolicyAssociation:AccessPolicyAssociation": "eks:AssociateAccessPolicy eks:DisassociateAccessPolicy "
    "eks:ListAssociatedAccessPolicies",
}
OTHERS = ("pulumi:", "nodepools:", "kubernetes:")


@cache
def registered(cloud: str) -> list[dict[str, Any]]:
    """Every resource of the clouds in all steps."""
    resources: list[dict[str, Any]] = []
    for step in STEPS:
        words = ["preview", "--file", str(KIT / cloud / f"{step}.yaml"), "--format", "json"]
        told = subprocess.run([sys.executable, "-m", "nodepools", *words], capture_output=True, text=True, check=True, timeout=200)
        resources += json.loads(told.stdout)["resources"]
    return [one for one in resources if not one["type"].startswith(OTHERS)]


def rights(name: str) -> Any:
    return json.loads((KIT / "rights" / name).read_text(encoding="utf-8"))


def statements() -> list[dict[str, Any]]:
    return rights("aws-policy.json")["Statement"]


def test_the_role_of_azure_has_what_the_stack_needs_and_nothing_else():
    types = {one["type"] for one in registered("aks")}
    needed = {f"{AZURE[kind]}/{verb}" for kind in types for verb in ("read", "write", "delete")}
    needed |= {action for kind in types for action in AZURE_TOO.get(kind, ())}
    assert set(rights("azure-role.json")["Actions"]) == needed


def test_azure_assigns_only_the_role_that_the_stack_assigns():
    assert {one["name"] for one in registered("aks") if one["type"].endswith(":RoleAssignment")} == {"real-aks-network"}
    condition = (KIT / "rights/azure-condition.txt").read_text(encoding="utf-8")
    assert set(re.findall(r"[0-9a-f]{8}-[0-9a-f-]{27}", condition)) == {ROLES["Network Contributor"]}
    assert {f"roleAssignments/{verb}'" in condition for verb in ("write", "delete")} == {True}
    for sort, limit in (("PrincipalType", "StringEqualsIgnoreCase {'ServicePrincipal'}"), ("PrincipalId", "GuidNotEquals {SERVICE_PRINCIPAL}")):
        sides = re.findall(rf"@(\w+)\[\S+:{sort}\] \w+:{re.escape(limit)}", condition)
        assert sides == ["Request", "Resource"], "for no user, and not for itself"
    assert {one["inputs"]["principalType"] for one in registered("aks") if one["type"].endswith(":RoleAssignment")} == {"ServicePrincipal"}


def test_the_policy_of_aws_has_what_the_stack_needs_and_nothing_else():
    needed = {action for one in registered("eks") for action in AWS[one["type"]].split()}
    actions = [(one, [one["Action"]] if isinstance(one["Action"], str) else one["Action"]) for one in statements()]
    allowed = [action for _, found in actions for action in found]
    assert set(allowed) == needed
    places = [(action, str(one["Resource"]), str(one.get("Condition"))) for one, found in actions for action in found]
    assert len(set(places)) == len(places)


def test_what_can_change_in_aws_is_limited_to_names_of_the_stack():
    by_name = {one["Sid"]: one for one in statements()}
    assert [sid for sid, one in by_name.items() if one["Resource"] == "*" and "Condition" not in one] == ["Read"]
    assert all(re.fullmatch(r"\w+:(Describe|List|Get)\w+", action) for action in by_name["Read"]["Action"])
    made = registered("eks")
    roles = {one["inputs"]["name"] for one in made if one["type"] == "aws:iam/role:Role"}
    assert all(name.startswith(by_name["Roles"]["Resource"].rpartition("/")[2].removesuffix("*")) for name in roles)
    attached = {one["inputs"]["policyArn"] for one in made if one["type"].endswith(":RolePolicyAttachment")}
    assert set(by_name["Policies"]["Condition"]["ArnEquals"]["iam:PolicyARN"]) == attached
    [cluster] = {one["inputs"]["name"] for one in made if one["type"] == "aws:eks/cluster:Cluster"}
    assert by_name["Cluster"]["Resource"][0].endswith(f":cluster/{cluster}")
    [logs] = {one["inputs"]["name"] for one in made if one["type"] == "aws:cloudwatch/logGroup:LogGroup"}
    assert logs.startswith(by_name["Logs"]["Resource"].partition("log-group:")[2].removesuffix("*"))
    assert {one["inputs"]["region"] for one in made if "region" in one["inputs"]} == {"us-east-1"}


def test_only_networks_with_the_tag_of_the_stack_change():
    by_name = {one["Sid"]: one for one in statements()}
    changing = {sid for sid, one in by_name.items() if sid != "Read" and any(action.startswith("ec2:") for action in one["Action"])}
    limits = {sid: by_name[sid]["Condition"]["StringEquals"] for sid in changing}
    created = set(by_name["Create"]["Action"])
    assert {f"ec2:{action}" for action in limits.pop("TagNew")["ec2:CreateAction"]} == created
    [(key, tag)] = {(name, value) for limit in limits.values() for name, value in ((key.rpartition("/")[2], value) for key, value in limit.items())}
    assert {next(iter(limit)).partition("/")[0] for sid, limit in limits.items() if sid != "Create"} == {"aws:ResourceTag"}
    tagged = [one for one in registered("eks") if one["type"].startswith("aws:ec2/") and "tags" in one["inputs"]]
    assert {one["inputs"]["tags"][key] for one in tagged} == {tag}
    assert {one["type"] for one in tagged} == {kind for kind, rights in AWS.items() if created & set(rights.split())}
    assert by_name["PassRole"]["Condition"] == {"StringEquals": {"iam:PassedToService": "eks.amazonaws.com"}}


def test_only_one_environment_of_one_repository_gets_the_roles():
    subject = "repo:ORGANIZATION/REPOSITORY:environment:real-account"
    [trust] = rights("aws-trust.json")["Statement"]
    issuer = "token.actions.githubusercontent.com"
    assert trust["Condition"] == {"StringEquals": {f"{issuer}:aud": "sts.amazonaws.com", f"{issuer}:sub": subject}}
    assert rights("azure-federated-credential.json")["subject"] == subject


def test_the_workflow_stores_no_secret_of_a_cloud():
    text = (KIT / ".github/workflows/evidence.yml").read_text(encoding="utf-8")
    workflow: dict[str, Any] = yaml.safe_load(text)
    job = workflow["jobs"]["run"]
    assert (workflow["permissions"], job["permissions"]) == ({}, {"contents": "read", "id-token": "write"})
    assert job["environment"] == "real-account"
    assert set(re.findall(r"secrets\.(\w+)", text)) == {"PULUMI_CONFIG_PASSPHRASE"}
    assert all(re.search(r"@[0-9a-f]{40}$", step["uses"]) for step in job["steps"] if "uses" in step)


STUB = """#!{python}
import json, os, sys
words = sys.argv[1:]
with open(os.environ["CALLS"], "a") as calls:
    calls.write(" ".join([os.path.basename(sys.argv[0]), *words]) + "\\n")
line = " ".join(words)
print(os.environ["SECRET"], file=sys.stderr)
if "get" in words:
    print(json.dumps({{"apiVersion": "v1", "kind": "List", "items": json.loads(os.environ["NODES"])}}))
elif line.startswith("stack ls"):
    print(os.environ["STACKS"])
elif line.startswith("stack export") and os.environ["STATE"]:
    print(os.environ["STATE"])
elif line.startswith("stack export"):
    left = [{{"type": "aws:eks/cluster:Cluster"}}] if os.environ["FAILING"].startswith("destroy") else []
    print(json.dumps({{"deployment": {{"resources": [{{"type": "pulumi:pulumi:Stack"}}, *left]}}}}))
elif line == "version":
    print("v3.0.0")
else:
    print(os.environ["SECRET"])
if os.environ["HANGING"] and line.startswith(os.environ["HANGING"]):
    import time
    time.sleep(60)
sys.exit(bool(os.environ["FAILING"] and line.startswith(os.environ["FAILING"])))
"""
NODES = {
    cloud: json.dumps([{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a", "labels": {label: "web"}}}])
    for cloud, label in (("aks", "nodepools/name"), ("eks", "karpenter.sh/nodepool"))
}
"""What `kubectl` shows of each cloud: a node of the pool."""
STACKS = json.dumps([{"name": "aks", "current": True}, {"name": "acme/eks"}])
Rehearsal = Callable[..., tuple[subprocess.CompletedProcess[str], list[str], dict[str, Any]]]


@pytest.fixture
def rehearsed(tmp_path: Path) -> Rehearsal:
    """Runs the kit with programs that answer for the clouds: its result, their calls, and the evidence."""
    for name in ("pulumi", "kubectl"):
        (tmp_path / name).write_text(STUB.format(python=sys.executable), encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    (tmp_path / "calls").touch()

    def run(
        *words: str,
        failing: str = "",
        hanging: str = "",
        nodes: str | None = None,
        stacks: str = STACKS,
        state: str = "",
        ended: bool = False,
        file: Path | None = None,
    ) -> tuple[subprocess.CompletedProcess[str], list[str], dict[str, Any]]:
        told = {"CALLS": str(tmp_path / "calls"), "SECRET": SECRET, "FAILING": failing, "HANGING": hanging}
        told |= {"STACKS": stacks, "STATE": state, "NODES": NODES[words[0]] if nodes is None else nodes}
        path = os.pathsep.join([str(tmp_path), os.environ["PATH"]])
        environment = {**os.environ, **told, "PATH": path, "PYTHONPATH": os.pathsep.join([str(PROJECT / "components"), os.environ["PYTHONPATH"]])}
        file = file if file is not None else tmp_path / "evidence.json"
        command = [sys.executable, str(KIT / "run.py"), *words, "--settle", "0.001", "--evidence", str(file)]
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while ended and f"pulumi {hanging}" not in (tmp_path / "calls").read_text(encoding="utf-8"):
            assert process.poll() is None
            time.sleep(0.05)
        if ended:
            process.send_signal(signal.SIGTERM)
            process.send_signal(signal.SIGTERM)
        output, errors = process.communicate(timeout=200)
        done = subprocess.CompletedProcess(command, process.returncode, output, errors)
        calls = (tmp_path / "calls").read_text(encoding="utf-8").splitlines()
        return done, calls, json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}

    return run


def destroys(calls: list[str]) -> int:
    return sum(call.startswith("pulumi destroy") for call in calls)


@pytest.mark.parametrize("cloud", ["aks", "eks"])
def test_a_run_destroys_what_it_created(rehearsed: Rehearsal, cloud: str, tmp_path: Path):
    done, calls, evidence = rehearsed(cloud)
    assert done.returncode == 0, done.stderr
    assert [call.split()[1] for call in calls if call.split()[1] in ("up", "refresh", "preview", "destroy")] == [
        *("up", "up", "up"),
        *("preview", "refresh", "destroy"),
    ]
    assert calls[-2].startswith("pulumi stack rm")
    assert (evidence["cloud"], evidence["failed"], evidence["left"]) == (cloud, None, 0)
    assert {one["step"] for one in evidence["predictions"]} == {"edit", "upgrade"}
    assert 0 < evidence["limits"]["nodes_usd"] < evidence["limits"]["most_usd"]
    assert SECRET not in json.dumps(evidence)
    sent = tmp_path / f"{evidence['day']}-{cloud}.json"
    sent.write_text(json.dumps(evidence))
    counted = runpy.run_path(str(KIT.parent.parent / "tools/evidence.py"))["row"](sent)  # the page shows what the kit writes
    assert counted.endswith(f"| {evidence['came_true']} | 0 | {evidence['not_decided']} | destroyed |\n")


@pytest.mark.parametrize(
    ("failing", "code", "attempts", "failed"),
    [
        pytest.param("up", 1, 1, "up: exit code 1", id="up"),
        pytest.param("preview", 1, 1, "nothing left to change: exit code 1", id="drift"),
        pytest.param("--kubeconfig", 1, 1, "workload: exit code 1", id="kubectl"),
        pytest.param("stack select", 1, 1, "select: exit code 1", id="no login"),
        pytest.param("destroy", 2, 3, None, id="destroy"),
    ],
)
def test_a_failure_is_destroyed_too(rehearsed: Rehearsal, failing: str, code: int, attempts: int, failed: str | None):
    done, calls, evidence = rehearsed("aks", failing=failing)
    assert (done.returncode, destroys(calls), evidence["failed"]) == (code, attempts, failed), done.stderr
    assert evidence["left"] == (1 if failing == "destroy" else 0)
    assert SECRET not in json.dumps(evidence)


def test_evidence_without_a_prediction_is_a_failure(rehearsed: Rehearsal):
    done, calls, evidence = rehearsed("aks", nodes="[]")
    assert (done.returncode, destroys(calls), evidence["predictions"], evidence["left"]) == (1, 1, [], 0), done.stderr
    assert evidence["failed"] == "edit: nothing could be compared"


def test_what_no_step_foresees_is_destroyed_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    kit: dict[str, Any] = runpy.run_path(str(KIT / "run.py"))
    destroyed: list[str] = []

    def fails(run: Any) -> None:
        run.is_begun = True
        raise OSError(f"no space left: {SECRET}")

    monkeypatch.setattr(kit["Run"], "create", fails)

    def destroy(run: Any) -> None:
        destroyed.append(run.cloud)

    monkeypatch.setattr(kit["Run"], "destroy", destroy)
    file = tmp_path / "evidence.json"
    assert (kit["main"](["aks", "--evidence", str(file)]), destroyed) == (1, ["aks"])
    assert json.loads(file.read_text(encoding="utf-8"))["failed"] == "unexpected OSError"
    assert SECRET not in file.read_text(encoding="utf-8")


def test_what_takes_too_long_is_interrupted_and_destroyed(rehearsed: Rehearsal):
    done, calls, evidence = rehearsed("aks", "--hours", "0.01", "--most", "3", hanging="up")
    assert (done.returncode, destroys(calls)) == (1, 1), done.stderr
    assert evidence["failed"].startswith("up: exit code")


def test_the_end_of_a_job_destroys_too(rehearsed: Rehearsal):
    done, calls, evidence = rehearsed("aks", hanging="up", ended=True)
    assert (done.returncode, destroys(calls)) == (1, 1), done.stderr
    assert (evidence["failed"], evidence["left"]) == ("interrupted", 0)


@pytest.mark.parametrize("state", ["update available", "{}", '{"deployment": null}', '{"deployment": {"resources": [1]}}'])
def test_a_state_that_cannot_be_read_is_not_an_empty_one(rehearsed: Rehearsal, state: str):
    done, calls, evidence = rehearsed("aks", failing="up", state=state)
    assert (done.returncode, destroys(calls)) == (2, 1), done.stderr
    assert (evidence["failed"], evidence["left"]) == ("up: exit code 1", None)
    assert not any(call.startswith("pulumi stack rm") for call in calls)


def test_evidence_has_a_folder_before_anything_is_created(rehearsed: Rehearsal, tmp_path: Path):
    done, calls, _ = rehearsed("aks", file=tmp_path / "no/evidence.json")
    assert (done.returncode, calls, "is not a folder" in done.stderr) == (2, [], True)


@pytest.mark.parametrize(
    ("words", "told"),
    [(("--most", "0.01"), "--most allows 0.01"), (("--hours", "400"), "--most allows 5"), (("--hours", "nan"), "not a number above")],
)
def test_nothing_is_created_above_the_ceiling(rehearsed: Rehearsal, words: tuple[str, ...], told: str):
    done, calls, _ = rehearsed("aks", *words)
    assert done.returncode != 0
    assert told in done.stderr
    assert all(call == "pulumi version" for call in calls)


def test_a_teardown_only_destroys(rehearsed: Rehearsal):
    done, calls, evidence = rehearsed("eks", "--teardown")
    assert (done.returncode, evidence) == (0, {})
    assert [" ".join(call.split()[1:3]) for call in calls] == ["stack ls", "destroy --yes", "stack export", "stack rm"]


@pytest.mark.parametrize(
    ("stacks", "failing", "code", "attempts"),
    [
        pytest.param("[]", "", 0, 0, id="no stack"),
        pytest.param('[{"name": "eks"}]', "", 0, 0, id="only the other one"),
        pytest.param("[]", "stack", 2, 1, id="no login"),
        pytest.param("none", "", 0, 1, id="no list: it is tried"),
    ],
)
def test_a_teardown_without_a_stack_has_nothing_to_destroy(rehearsed: Rehearsal, stacks: str, failing: str, code: int, attempts: int):
    done, calls, _ = rehearsed("aks", "--teardown", stacks=stacks, failing=failing)
    assert (done.returncode, destroys(calls)) == (code, attempts), done.stderr


def test_the_ceiling_counts_both_states_of_an_edit_and_the_time_to_destroy(rehearsed: Rehearsal):
    hours = runpy.run_path(str(KIT / "run.py"))["DESTROY_HOURS"]
    _, _, one = rehearsed("aks", "--hours", "1", "--most", "9")
    _, _, two = rehearsed("aks", "--hours", "2", "--most", "9")
    first, second = (found["limits"]["nodes_usd"] for found in (one, two))
    assert first == pytest.approx((second - first) * (1 + hours), rel=0.02)
    assert second - first == pytest.approx(2 * 0.3975, rel=0.02), "the hour of two nodes, and the hour of those that replace them"


def test_the_job_lasts_as_long_as_a_run_can():
    job = yaml.safe_load((KIT / ".github/workflows/evidence.yml").read_text(encoding="utf-8"))["jobs"]["run"]
    [hours] = {float(found) for step in job["steps"] for found in re.findall(r"--hours (\d+)", step.get("run", ""))}
    assert (hours + runpy.run_path(str(KIT / "run.py"))["DESTROY_HOURS"]) * 60 + 15 <= job["timeout-minutes"]


KEYS = {
    "top": {"format", "cloud", "day", "versions", "limits", "steps", "predictions", "came_true", "contradicted", "not_decided", "failed", "left"},
    "predictions": {"step", "cluster", "pool", "cloud", "version", "effect", "verdict", "bounded_minutes", "observed_minutes"},
    "steps": {"step", "exit_code", "seconds"},
}


def test_files_that_were_sent_have_only_what_the_kit_writes():
    for file in (PROJECT / "docs/evidence").glob("*.json"):
        sent: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        assert sent.keys() == KEYS["top"], file.name
        for name in ("predictions", "steps"):
            assert all(one.keys() == KEYS[name] for one in sent[name]), file.name
    page = (PROJECT / "docs/evidence/README.md").read_text(encoding="utf-8")
    assert ("There is none yet" in page) is not any((PROJECT / "docs/evidence").glob("*.json"))
