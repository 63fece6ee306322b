"""`nodepools convert`, as a person runs it."""

import json

import pytest
import yaml

from nodepools.cli.output.report import Act, command

POOLS = """\
# the pools of the shop
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: general}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      expireAfter: 300h
      terminationGracePeriod: 24h
      requirements:
        - {key: karpenter.k8s.aws/instance-category, operator: In, values: [c, m, r]} # no burstable types
        - {key: kubernetes.io/arch, operator: In, values: [amd64]}
---
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec:
  role: nodes
  amiSelectorTerms: [{alias: al2023@latest}]
  subnetSelectorTerms: [{tags: {tier: private}}]
  securityGroupSelectorTerms: [{tags: {tier: private}}]
  userData: |
    echo hunter2
"""
WEB = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      nodeSelector: {SELECTOR}
      containers: [{name: web, image: nginx, resources: {requests: {cpu: 100m}}}]
"""


def web(key, value):
    return WEB.replace("SELECTOR", f"{key}: {value}")


@pytest.fixture
def files(tmp_path):
    folder = tmp_path / "k8s"
    (folder / "apps").mkdir(parents=True)
    (folder / "pools.yaml").write_text(POOLS)
    (folder / "apps" / "web.yaml").write_text(web("karpenter.sh/nodepool", "general"))
    return tmp_path


@pytest.fixture
def convert(nodepools, files):
    return lambda *words, **more: nodepools("convert", *words, cwd=files, **more)


def test_objects_are_printed_and_the_report_is_on_stderr(convert):
    answer = convert("k8s", "--to", "auto-mode", "--role", "auto-nodes")
    assert answer.status == 0, answer.err
    workload, pool, cls = yaml.safe_load_all(answer.out)
    assert workload["spec"]["template"]["spec"]["nodeSelector"] == {"karpenter.sh/nodepool": "general-auto"}
    assert (pool["metadata"]["name"], cls["kind"], cls["spec"]["role"]) == ("general-auto", "NodeClass", "auto-nodes")
    assert "# no burstable types" in answer.out
    assert answer.err.startswith("k8s: 3 of 3 objects converted to EKS Auto Mode; ")
    assert " -o converted  # writes files only\n" in answer.err
    assert "  ✔ fits   Deployment/web  general (unknown)  general-auto; replicas up to 2 of 2 → 2 of 2\n" in answer.err
    details = convert("k8s", "--to", "auto-mode", "--details").err
    assert "  removed  EC2NodeClass/default spec.userData\n" in details
    assert "k8s/pools.yaml#EC2NodeClass/default → NodeClass/default-auto: [secret]\n" in details
    assert "hunter2" not in answer.all


def test_files_are_written_to_a_folder(convert, files):
    answer = convert("k8s", "--to", "auto-mode", "-o", "out/auto")
    assert (answer.status, answer.err) == (0, "")
    first, step = answer.out.splitlines()[:2]
    assert first.startswith("k8s: 3 of 3 objects converted to EKS Auto Mode; ")
    assert first.endswith("; wrote 2 files to out/auto")
    assert step.startswith("next: Create a role for Auto Mode")
    assert answer.out.splitlines()[2] == f"then: {command('kubectl diff -f out/auto --context CONTEXT', Act.NONE)}"
    assert sorted(str(file.relative_to(files / "out/auto")) for file in (files / "out/auto").rglob("*.yaml")) == ["apps/web.yaml", "pools.yaml"]
    assert sorted(file.name for file in (files / "out").iterdir()) == ["auto"]
    assert "kind: NodeClass" in (files / "out/auto/pools.yaml").read_text()


def test_earlier_output_is_not_an_input(convert, files):
    convert("k8s", "--to", "auto-mode", "-o", "k8s/auto")

    again, other = convert("k8s", "--to", "auto-mode", "-o", "k8s/auto"), convert("k8s", "--to", "auto-mode", "-o", "k8s/auto-2")

    assert again.status == 2
    assert "k8s/auto: is not an empty folder" in again.err
    assert "3 of 3 objects converted" in other.out
    assert "notice: k8s/auto: an output of nodepools: not read as part of a folder" in other.err
    assert sorted(file.name for file in (files / "k8s/auto-2").rglob("*.yaml")) == ["pools.yaml", "web.yaml"]
    assert "3 objects converted" in convert("k8s/auto", "--to", "auto-mode").err


def test_what_is_converted_is_not_converted_again(convert, files):
    convert("k8s", "--to", "auto-mode", "-o", "auto")
    answer = convert("auto", "--to", "auto-mode", "-o", "again")
    assert answer.status == 0
    assert "auto: nothing to convert; 0 of 3 objects converted" in answer.out
    assert "kubectl" not in answer.out
    for name in ("pools.yaml", "apps/web.yaml"):
        assert (files / "again" / name).read_text() == (files / "auto" / name).read_text()


def test_only_objects_are_piped(convert, files):
    (files / "k8s/broken.yaml").write_text("kind: [")
    answer = convert("k8s", "--to", "auto-mode")
    assert (answer.status, answer.out) == (2, "")
    assert "(not complete: " in answer.err.splitlines()[0]


def test_objects_that_do_not_change_keep_their_text(convert, files):
    text = web("team", "web").replace("kind: Deployment", "kind:   Deployment   # as it is")
    (files / "k8s/apps/web.yaml").write_text(text)
    convert("k8s", "--to", "auto-mode", "-o", "auto")
    assert (files / "auto/apps/web.yaml").read_text() == text


LOSES = {
    "a node group": (
        web("eks.amazonaws.com/nodegroup", "blue"),
        "✘ loses its pool  Deployment/web  node group blue  no NodePool for node group blue",
    ),
    "a label that the target does not have": (
        web("karpenter.k8s.aws/instance-tenancy", "dedicated"),
        "✘ loses its pool  Deployment/web  general (unknown)  no pool, its pods stay Pending",
    ),
}


@pytest.mark.parametrize(("workload", "line"), LOSES.values(), ids=LOSES)
def test_a_workload_that_loses_its_pool_fails(convert, files, workload, line):
    (files / "k8s/apps/web.yaml").write_text(workload)
    answer = convert("k8s", "--to", "auto-mode", "-o", "auto")
    assert answer.status == 1
    assert line in answer.out
    assert answer.out.startswith("k8s: do not apply it yet: 1 of 1 workload loses its pool; ")
    options = ("nothing happens to the pods of Deployment/web as long as", "general-auto: the only NodePool, for the pods of")
    assert sum(option in answer.out for option in options) == 1


def test_a_workload_that_may_lose_its_pool(convert, files):
    (files / "k8s/apps/web.yaml").write_text(web("eks.amazonaws.com/nodegroup", "blue"))
    answer = convert("k8s", "--to", "auto-mode", "-o", "auto", "--accept", "Deployment/web pending: stays on its node group")
    assert answer.status == 0
    assert "(accepted: stays on its node group)" in answer.out


def test_a_nodepool_that_is_not_in_the_input_is_an_open_question(convert, files):
    (files / "web.yaml").write_text(web("eks.amazonaws.com/nodegroup", "blue"))
    answer = convert("web.yaml", "--to", "auto-mode", "-o", "auto", "--group", "blue=nope")
    assert answer.status == 0
    assert "? unknown  Deployment/web  node group blue  NodePool nope is not in the input" in answer.out
    assert answer.out.split("next: ")[1].startswith("nodepools convert web.yaml --to auto-mode --group blue=nope --existing EXPORTS  # ")
    assert "kubectl apply" not in answer.out


def test_the_next_command_writes_to_another_folder(convert, files):
    (files / "k8s/apps/web.yaml").write_text(web("eks.amazonaws.com/nodegroup", "blue"))
    answer = convert("k8s", "-o", "auto", "--to", "auto-mode")
    role, write = answer.out.split("next: ")[1].split("then: ")
    assert role.startswith("Create a role for Auto Mode with ")
    assert write.startswith("nodepools convert k8s --to auto-mode --group blue=general-auto --role ROLE -o auto-2  # ")


def test_the_nodepool_for_a_node_group(convert, files):
    (files / "k8s/apps/web.yaml").write_text(web("eks.amazonaws.com/nodegroup", "blue"))
    answer = convert("k8s", "--to", "auto-mode", "-o", "auto", "--group", "blue=general")
    assert answer.status == 0
    assert "✔ fits   Deployment/web  node group blue  general-auto" in answer.out


def test_an_acceptance_of_nothing_is_a_note(convert):
    answer = convert("k8s", "--to", "auto-mode", "-o", "auto", "--accept", "Deployment/web pending: why not")
    assert (answer.status, answer.err) == (0, "notice: --accept: nothing matches `Deployment/web pending`\n")


def test_pods_whose_volumes_the_new_nodes_cannot_mount_lose_their_pool(convert, files):
    storage = {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "gp3"}, "provisioner": "ebs.csi.aws.com"}
    claim = {
        "metadata": {"name": "data"},
        "spec": {"storageClassName": "gp3", "accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
    }
    workload = yaml.safe_load(web("karpenter.sh/nodepool", "general")) | {"kind": "StatefulSet"}
    workload["spec"]["volumeClaimTemplates"] = [claim]
    (files / "k8s/apps/web.yaml").write_text(yaml.safe_dump_all([storage, workload]))
    answer = convert("k8s", "--to", "auto-mode", "-o", "auto")
    assert answer.status == 1
    assert "✘ loses its pool  StatefulSet/web  general (unknown)  general-auto (unknown), which cannot mount its volumes" in answer.out
    assert "or move the data to a claim of the class `gp3-auto`" in answer.out


def test_to_node_auto_provisioning(convert):
    answer = convert("k8s", "--to", "nap")
    _, pool, cls = yaml.safe_load_all(answer.out)
    nodes = pool["spec"]["template"]["spec"]
    assert nodes["nodeClassRef"] == {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": "default"}
    assert nodes["requirements"][0] == {"key": "karpenter.azure.com/sku-family", "operator": "In", "values": ["F", "D", "E"]}
    assert cls == {"apiVersion": "karpenter.azure.com/v1beta1", "kind": "AKSNodeClass", "metadata": {"name": "default"}, "spec": {}}


def test_objects_of_v1beta1(convert, files):
    text = POOLS.replace("karpenter.sh/v1", "karpenter.sh/v1beta1").replace("group: karpenter.k8s.aws", "apiVersion: karpenter.k8s.aws/v1beta1")
    text = text.replace("      expireAfter: 300h\n", "").replace("spec:\n  template", "spec:\n  disruption: {expireAfter: 300h}\n  template", 1)
    (files / "k8s/pools.yaml").write_text(text.replace("apiVersion: karpenter.k8s.aws/v1\n", "apiVersion: karpenter.k8s.aws/v1beta1\n"))
    answer = convert("k8s", "--to", "auto-mode", "-o", "auto")
    assert answer.status == 0, answer.all
    assert " error" not in answer.out
    assert "general (unknown)  general-auto" in answer.out


def test_json_has_everything(convert):
    answer = convert("k8s", "--to", "auto-mode", "--format", "json")
    assert answer.json["complete"] is True
    assert [one["changed"] for one in answer.json["objects"]] == [True, True, True]
    assert answer.json["objects"][1]["manifest"]["metadata"]["name"] == "general-auto"
    [images] = [one for one in answer.json["unconverted"] if one["path"] == "spec.amiSelectorTerms"]
    assert (images["object"], images["line"], images["outcome"]) == ("k8s/pools.yaml#EC2NodeClass/default", 20, "removed")
    assert images["message"].startswith("Nodes of Auto Mode run images that AWS selects")
    assert images["fix"] == "Run what the image contained as a DaemonSet"
    assert answer.json["files"] == []
    [workload] = answer.json["workloads"]
    assert (workload["old"]["unknown"], workload["new"]["pools"], workload["loses_pool"]) == (["general"], ["general-auto"], False)
    assert "hunter2" not in answer.out


def test_markdown_is_for_pull_requests(convert):
    answer = convert("k8s", "--to", "auto-mode", "--format", "markdown")
    assert answer.err == ""
    assert answer.out.startswith("**k8s: 3 of 3 objects converted to EKS Auto Mode; ")
    assert "| ✔ fits | Deployment/web | general (unknown) | general-auto; replicas up to 2 of 2 → 2 of 2 |" in answer.out
    assert "| removed | EC2NodeClass/default spec.userData |" in answer.out


def test_errors_of_the_output_fail(convert, files):
    (files / "k8s/pools.yaml").write_text(POOLS.replace("  role: nodes\n", "  instanceProfile: nodes\n"))
    answer = convert("k8s", "--to", "auto-mode", "-o", "auto")
    assert answer.status == 1
    assert answer.out.startswith("k8s: 1 error in the result; ")
    assert "then: nodepools check auto  # changes nothing\n" in answer.out
    assert "missing  EC2NodeClass/default spec.role" in answer.out
    assert "auto/pools.yaml:18:1: CFG001 error at NodeClass/default-auto spec.role" in answer.out


INVALID = {
    "a suffix": (["--suffix", "_x"], "`--suffix` must be at most 20 lowercase letters, digits and hyphens, not `_x`"),
    "an ARN": (["--role", "arn:aws:iam::1:role/x"], "`--role` is the name of an IAM role, not its ARN"),
    "a role of Azure": (["--to", "nap", "--role", "x"], "`--role` is for `--to auto-mode`: nodes of node auto provisioning have no IAM role"),
    "a group": (["--group", "web"], "`--group` must be `GROUP=NODEPOOL`, such as `--group workers=general`, not `web`"),
    "an acceptance": (["--accept", "web"], "`--accept` must be `CODE PATH: REASON` or `PATH VERDICT: REASON`, such as "),
    "stdout as a folder": (["-o", "-"], "`-o` is a folder; without it, the objects are printed to stdout"),
    "a folder with files": (["-o", "k8s"], "k8s: is not an empty folder: name a new one"),
    "a file as folder": (["-o", "k8s/pools.yaml"], "k8s/pools.yaml: is not an empty folder: name a new one"),
    "a folder in a file": (["-o", "k8s/pools.yaml/x"], "k8s/pools.yaml"),
}


@pytest.mark.parametrize(("words", "message"), INVALID.values(), ids=INVALID)
def test_options_that_cannot_be_used(convert, words, message):
    answer = convert("k8s", *([] if "--to" in words else ["--to", "auto-mode"]), *words)
    assert answer.status == 2
    assert message in answer.err
    assert answer.err.count("\n") == 1


BROKEN = {
    "invalid YAML": ("kind: [", "k8s/broken.yaml:2:1"),
    "no object": ("a: b", "should be a Kubernetes object"),
    "a template": ("kind: {{ .Values.kind }}\n", "`helm template CHART | nodepools convert --to auto-mode -`"),
}


@pytest.mark.parametrize(("text", "message"), BROKEN.values(), ids=BROKEN)
def test_nothing_is_written_if_a_file_cannot_be_read(convert, files, text, message):
    (files / "k8s/broken.yaml").write_text(text)
    answer = convert("k8s", "--to", "auto-mode", "-o", "auto")
    assert answer.status == 2
    assert message in answer.err
    assert "auto: not written" in answer.err
    assert not (files / "auto").exists()
    assert convert("k8s", "--to", "auto-mode").out == ""


def test_files_of_the_same_name_need_a_common_folder(convert, files):
    (files / "k8s/apps/pools.yaml").write_text(web("team", "web"))
    answer = convert("k8s/pools.yaml", "k8s/apps/pools.yaml", "--to", "auto-mode", "-o", "auto")
    assert answer.status == 2
    assert "has the same name in the output as `k8s/pools.yaml`: give the folder that contains both" in answer.err
    assert convert("k8s/pools.yaml", "k8s/apps/pools.yaml", "--to", "auto-mode").status == 0


TAKEN = "would become `{}`, another object here, which `kubectl apply` would change: use another `--suffix`"
NAMED = {
    "a NodePool": (("NodePool", ""), ("NodePool", ""), "web", "NodePool/web-auto"),
    "a NodeClass that exists": (("EC2NodeClass", ""), ("NodeClass", ""), "web", "NodeClass/web-auto"),
    "another kind": (("NodePool", ""), ("EC2NodeClass", ""), "web", None),
    "objects of one name in two namespaces keep it": (("Deployment", "a"), ("Deployment", "b"), "web-auto", None),
}
GROUPS = {"NodePool": "karpenter.sh/v1", "EC2NodeClass": "karpenter.k8s.aws/v1", "NodeClass": "eks.amazonaws.com/v1", "Deployment": "apps/v1"}


@pytest.mark.parametrize(("one", "other", "name", "becomes"), NAMED.values(), ids=NAMED)
def test_a_new_name_is_never_that_of_an_object_that_exists(convert, files, one, other, name, becomes):
    ref = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"}
    spec = {"NodePool": {"template": {"spec": {"nodeClassRef": ref, "requirements": []}}}}
    pair = [
        {"apiVersion": GROUPS[kind], "kind": kind, "metadata": {"name": named, "namespace": namespace}, "spec": spec.get(kind, {})}
        for (kind, namespace), named in ((one, name), (other, "web-auto"))
    ]
    (files / "k8s" / "apps" / "web.yaml").write_text(yaml.safe_dump_all(pair))
    said = convert("k8s", "--to", "auto-mode", "-o", "auto").err
    assert ("not written" in said, TAKEN.format(becomes) in said) == (becomes is not None, becomes is not None)


def test_files_without_objects(convert, files):
    (files / "empty.yaml").write_text("")
    answer = convert("empty.yaml", "--to", "auto-mode")
    assert (answer.status, answer.err) == (2, "error: empty.yaml: contains no Kubernetes object\n")


def test_objects_of_stdin(convert):
    answer = convert("-", "--to", "auto-mode", "--suffix", "", stdin=json.dumps({"kind": "List", "items": list(yaml.safe_load_all(POOLS))}))
    assert [item["metadata"]["name"] for item in json.loads(answer.out)["items"]] == ["general", "default"]


def test_parts_of_another_type_are_findings(convert, files):
    (files / "k8s/pools.yaml").write_text("apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: a}\nspec: []\n")
    (files / "k8s/apps/web.yaml").write_text(web("team", "web").replace("replicas: 2", "replicas: many"))
    answer = convert("k8s", "--to", "auto-mode", "-o", "auto")
    assert answer.status == 1
    assert "error at NodePool/a spec" in answer.out
    assert "Traceback" not in answer.all


def test_a_workload_that_cannot_be_read_could_lose_its_pool(convert, files):
    (files / "k8s/apps/web.yaml").write_text(web("team", "web").replace("replicas: 2", "replicas: many"))
    answer = convert("k8s", "--to", "auto-mode", "-o", "auto")
    assert (answer.status, (files / "auto/apps/web.yaml").exists()) == (2, True)
    assert "the table of workloads does not contain it" in answer.err


GROUP = {
    "nodegroup": {
        "nodegroupName": "blue",
        "nodegroupArn": "arn:aws:eks:eu-west-1:111122223333:nodegroup/shop/blue/1",
        "clusterName": "shop",
        "scalingConfig": {"minSize": 2, "maxSize": 2, "desiredSize": 2},
        "instanceTypes": ["m5.large"],
        "amiType": "AL2023_x86_64_STANDARD",
        "capacityType": "ON_DEMAND",
        "labels": {"tier": "old"},
        "status": "ACTIVE",
    }
}


def test_pods_of_a_node_group_lose_their_pool_only_if_it_is_known(convert, files):
    (files / "k8s/apps/web.yaml").write_text(web("tier", "old"))
    alone = convert("k8s", "--to", "auto-mode", "-o", "auto")
    assert (alone.status, alone.err) == (
        0,
        "notice: Deployment/web: fits no pool before and after: if one runs its pods, give its nodes and node groups with `--existing`\n",
    )
    (files / "exports").mkdir()
    (files / "exports/blue.json").write_text(json.dumps(GROUP))
    answer = convert("k8s", "--to", "auto-mode", "-o", "next", "--existing", "exports")
    assert answer.status == 1, answer.all
    assert "✘ loses its pool  Deployment/web  blue" in answer.out
    assert "no pool, its pods stay Pending" in answer.out


@pytest.mark.parametrize("given", [(), ("--group", "blue=general")])
def test_no_nodepool_is_advised_for_pods_that_require_windows(convert, files, given):
    written = web("eks.amazonaws.com/nodegroup", "blue")
    (files / "k8s/apps/web.yaml").write_text(written.replace("nodeSelector:", "os: {name: windows}\n      nodeSelector:"))
    answer = convert("k8s", "--to", "auto-mode", "-o", "auto", *given)
    assert (answer.status, answer.out.count("--group")) == (1, len(given) // 2), answer.all
    assert "--accept 'Deployment/web pending: stays on the old nodes'" in answer.out
    assert "✘ loses its pool  Deployment/web  node group blue" in answer.out


def test_pods_that_fit_no_pool_of_the_input_are_not_said_to_be_pending(convert, files):
    (files / "k8s/apps/web.yaml").write_text(web("eks.amazonaws.com/compute-type", "fargate"))
    answer = convert("k8s", "--to", "auto-mode", "-o", "auto")
    assert "? unknown  Deployment/web  no pool of the input  no pool of the input" in answer.out, answer.all
    assert ("OBJ010" in answer.out, "Pending" in answer.out) == (False, False), answer.all


def test_a_nodepool_of_the_target_that_runs_already_is_one_after_the_conversion(convert, files):
    (files / "k8s/apps/web.yaml").write_text(web("karpenter.sh/nodepool", "running"))
    pool = yaml.safe_load(POOLS.split("---", maxsplit=1)[0])
    reference = {"group": "eks.amazonaws.com", "kind": "NodeClass", "name": "default"}
    pool["spec"]["template"]["spec"]["nodeClassRef"] = reference
    (files / "live.yaml").write_text(yaml.safe_dump(pool | {"metadata": {"name": "running"}}))
    answer = convert("k8s", "--to", "auto-mode", "-o", "auto", "--existing", "live.yaml")
    assert "Deployment/web  running" in answer.out, answer.all
    assert answer.status == 0


def test_a_node_class_that_is_not_in_the_input_comes_before_the_cluster(convert, files):
    (files / "k8s/pools.yaml").write_text(POOLS.split("---", maxsplit=1)[0])
    answer = convert("k8s", "--to", "auto-mode", "-o", "auto")
    assert answer.out.split("next: ")[1].startswith("Convert EC2NodeClass `default` together with the NodePool, or write the NodeClass `def")
    assert "kubectl apply" not in answer.out


def test_an_unknown_workload_has_its_reason_and_comes_before_those_that_fit(convert, files):
    volume = {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": "pv1"},
        "spec": {
            "capacity": {"storage": "1Gi"},
            "accessModes": ["ReadWriteMany"],
            "storageClassName": "efs",
            "csi": {"driver": "efs.csi.aws.com", "volumeHandle": "fs-1"},
            "nodeAffinity": {
                "required": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "topology.kubernetes.io/zone", "operator": "In", "values": ["z"]}]}]}
            },
        },
    }
    claim = {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": "media"},
        "spec": {
            "storageClassName": "efs",
            "volumeName": "pv1",
            "accessModes": ["ReadWriteMany"],
            "resources": {"requests": {"storage": "1Gi"}},
        },
    }
    fits = yaml.safe_load(web("karpenter.sh/nodepool", "general"))
    stays = yaml.safe_load(web("karpenter.sh/nodepool", "general"))
    stays["metadata"]["name"] = "media"
    stays["spec"]["template"]["spec"]["volumes"] = [{"name": "media", "persistentVolumeClaim": {"claimName": "media"}}]
    (files / "k8s/apps/web.yaml").write_text(yaml.safe_dump_all([volume, claim, fits, stays]))
    lines = convert("k8s", "--to", "auto-mode", "-o", "auto").out.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("  ? unknown  Deployment/media"))
    assert "PersistentVolume `pv1`" in lines[at + 1]
    assert any("✔ fits     Deployment/web" in line for line in lines[at:])


OFF = (
    "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: "
    "[{matchExpressions: [{key: eks.amazonaws.com/compute-type, operator: OPERATOR}]}]}}}"
)
AGENT = WEB.replace("  replicas: 2\n", "").replace("kind: Deployment", "kind: DaemonSet").replace("nodeSelector: {SELECTOR}", OFF)
KEEPS_OFF = "DaemonSet/web: its pods keep themselves off Auto Mode: they run as long as there are other nodes for them"


@pytest.mark.parametrize(
    ("operator", "target", "stays"),
    [
        ("NotIn, values: [fargate, auto, hybrid]", "auto-mode", True),
        ("DoesNotExist", "auto-mode", True),
        ("NotIn, values: [fargate, hybrid]", "auto-mode", False),
        ("NotIn, values: [fargate, auto, hybrid]", "nap", False),
    ],
)
@pytest.mark.parametrize("kind", ["DaemonSet", "Deployment"])
def test_what_keeps_itself_off_auto_mode_loses_no_pool(convert, files, operator, target, stays, kind):
    (files / "k8s/apps/web.yaml").write_text(AGENT.replace("OPERATOR", operator).replace("DaemonSet", kind))
    answer = convert("k8s", "--to", target, "-o", "new")
    assert (answer.status, KEEPS_OFF.replace("DaemonSet", kind) in answer.err, f"{kind}/web  general" in answer.out) == (0, stays, not stays), (
        answer.all
    )
    assert ("OBJ010" in answer.out, "loses its pool" in answer.out) == (False, False), answer.all


def test_a_value_of_the_label_that_no_node_has_keeps_nothing_off_auto_mode(convert, files):
    (files / "k8s/apps/web.yaml").write_text(AGENT.replace("OPERATOR", "In, values: [autos]"))
    answer = convert("k8s", "--to", "auto-mode", "-o", "new")
    assert "keep themselves off" not in answer.err, answer.all


def owned(kind, name, owner, of):
    """An object of a running cluster, and what it belongs to."""
    reference = {"apiVersion": "apps/v1", "kind": owner, "name": of, "uid": "u", "controller": True}
    metadata = {"name": name, "labels": {"app": "web"}, "ownerReferences": [reference]}
    spec = yaml.safe_load(web("karpenter.k8s.aws/instance-category", "m"))["spec"]
    is_pod = kind == "Pod"
    return {"apiVersion": "v1" if is_pod else "apps/v1", "kind": kind, "metadata": metadata, "spec": spec["template"]["spec"] if is_pod else spec}


@pytest.mark.parametrize("form", ["list", "documents", "json", "files"])
def test_what_workloads_of_the_input_create_is_left_out(convert, files, form):
    """`kubectl get all` lists the ReplicaSets and pods of a Deployment next to it: their selectors cannot be changed."""
    own = yaml.safe_load(web("karpenter.k8s.aws/instance-category", "m"))
    every = [own, owned("ReplicaSet", "web-1", "Deployment", "web"), *(owned("Pod", f"web-1-{n}", "ReplicaSet", "web-1") for n in "ab")]
    alone = owned("Pod", "alone", "ReplicaSet", "not-here")
    written = {"apiVersion": "v1", "kind": "List", "items": [*every, alone]}
    name = "web.json" if form == "json" else "web.yaml"
    (files / "k8s/apps/web.yaml").unlink()
    if form == "files":
        for number, one in enumerate(every):
            (files / f"k8s/apps/{number}.json").write_text(json.dumps(one))
        (files / "k8s/apps/5.yaml").write_text(yaml.safe_dump(alone))
    else:
        text = json.dumps(written) if form == "json" else yaml.safe_dump(written) if form == "list" else yaml.safe_dump_all([*every, alone])
        (files / "k8s/apps" / name).write_text(text)
    answer = convert("k8s", "--to", "auto-mode", "-o", "new")
    assert answer.err == "notice: omitted, since workloads of the input create them: ReplicaSet/web-1, Pod/web-1-a, Pod/web-1-b\n", answer.all
    assert (answer.out.count("✔ fits"), "4 of 4 objects converted" in answer.out) == (2, True), answer.all
    made = [one for file in sorted((files / "new/apps").iterdir()) for one in yaml.safe_load_all(file.read_text()) if one]
    every = [part for one in made for part in one.get("items", [one])]
    assert [(one["kind"], one["metadata"]["name"]) for one in every] == [("Deployment", "web"), ("Pod", "alone")]
