"""`nodepools check FILE…` on raw objects: what people read, what programs read, what cannot be read."""

import copy
import json
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from nodepools.cli.program import app
from nodepools.reading import yaml_documents
from tests.cli.conftest import Answer
from tests.kubectl_nodes import kubectl_nodes

POOL = """apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: web
spec:
  template:
    spec:
      nodeClassRef: {group: eks.amazonaws.com, kind: NodeClass, name: default}
      requirements:
        - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}
        - {key: kubernetes.io/arch, operator: In, values: [amd64]}
      expireAfter: 300h
  weight: 10
"""
CLASS = """apiVersion: eks.amazonaws.com/v1
kind: NodeClass
metadata: {name: private}
spec:
  role: nodes
  subnetSelectorTerms: [{tags: {tier: private}}]
  securityGroupSelectorTerms: [{tags: {"aws:eks:cluster-name": dev}}]
"""
STATIC = POOL.replace("  weight: 10\n", "  weight: 10\n  replicas: 3\n")


def told(answer) -> list[str]:
    return [f"{finding['code']} {finding['severity']} {finding['object']} {finding['path']}" for finding in answer.json["findings"]]


@pytest.fixture
def check(tmp_path, monkeypatch):
    """Writes files, and checks them, in this process."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, stdin: str = "", **files: str) -> Answer:
        for name, text in files.items():
            (tmp_path / f"{name}.yaml").write_text(text)
        done = CliRunner().invoke(app, ["check", *(arguments or [f"{name}.yaml" for name in files])], input=stdin)
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return Answer(done.exit_code, done.stdout, done.stderr)

    return run


EC2_CLASS = """apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: x}
spec:
  role: nodes
  amiSelectorTerms: [{alias: al2023@v20260801}]
  subnetSelectorTerms: [{id: subnet-1}]
  securityGroupSelectorTerms: [{id: sg-1}]
"""
SELF_MANAGED = POOL.replace("eks.amazonaws.com", "karpenter.k8s.aws").replace("kind: NodeClass", "kind: EC2NodeClass")
FOUND = [
    pytest.param(POOL, [], id="a sound pool"),
    pytest.param(POOL.replace("name: default", "name: private") + "---\n" + CLASS, [], id="a pool and its class"),
    pytest.param(
        CLASS.replace("private}", "default}", 1), ["OBJ012 warning x.yaml#NodeClass/default metadata.name"], id="a class called as EKS calls its own"
    ),
    pytest.param(
        POOL.replace("name: web", "name: general-purpose"),
        ["OBJ012 warning x.yaml#NodePool/general-purpose metadata.name"],
        id="a pool called as EKS calls one of its own",
    ),
    pytest.param(
        POOL.replace("name: web", "name: system\n  labels: {app.kubernetes.io/managed-by: eks}") + "  replicas: 3\n",
        [],
        id="what EKS has made itself, printed: nobody is told to change it",
    ),
    pytest.param(
        POOL.replace("name: web", "name: web\n  labels: {app.kubernetes.io/managed-by: eks}") + "  replicas: 3\n",
        ["KAR010 error x.yaml#NodePool/web spec.weight"],
        id="what only says so",
    ),
    pytest.param(
        "apiVersion: karpenter.azure.com/v1beta1\nkind: AKSNodeClass\nmetadata: {name: system-surge}\n",
        ["OBJ012 warning x.yaml#AKSNodeClass/system-surge metadata.name"],
        id="a class called as AKS calls one of its own",
    ),
    pytest.param(
        "apiVersion: karpenter.azure.com/v1beta1\nkind: AKSNodeClass\n"
        "metadata: {name: default, annotations: {meta.helm.sh/release-name: aks-managed-karpenter-overlay}}\nspec: {vnetSubnetID: nodes}\n",
        [],
        id="what AKS has made itself, printed",
    ),
    pytest.param(
        POOL + "---\n" + CLASS.replace("private}", "own}", 1).replace("  role: nodes\n", "  role: nodes\n  tags: {team: web}\n"),
        ["EKS029 warning x.yaml#NodeClass/own spec.tags", "KAR061 note x.yaml#NodeClass/own metadata.name"],
        id="tags, and the policy that they need",
    ),
    pytest.param(
        POOL.replace("eks.amazonaws.com, kind: NodeClass", "karpenter.azure.com, kind: AKSNodeClass").replace("300h", "Never")
        + "  limits: {cpu: 100}\n".replace("100", '"100"')
        + "",
        [],
        id="a sound pool of AKS",
    ),
    pytest.param(
        POOL.replace("eks.amazonaws.com, kind: NodeClass", "karpenter.azure.com, kind: AKSNodeClass").replace(
            "values: [amd64]}", 'values: [amd64]}\n        - {key: topology.kubernetes.io/zone, operator: In, values: ["1", "2"]}'
        )
        + '  limits: {cpu: "100"}\n',
        ["NAP009 error x.yaml#NodePool/web spec.template.spec.requirements[2].values"],
        id="zones as agent pools write them",
    ),
    pytest.param(
        POOL.replace("kubernetes.io/arch, operator: In, values: [amd64]", "karpenter.k8s.aws/instance-cpu, operator: In, values: ['4']"),
        [
            "EKS045 error x.yaml#NodePool/web spec.template.spec.requirements[1].key",
            "KAR046 warning x.yaml#NodePool/web spec.template.spec.requirements",
        ],
        id="a label of self-managed Karpenter",
    ),
    pytest.param(
        POOL + "---\n" + EC2_CLASS,
        ["OBJ013 warning x.yaml#EC2NodeClass/x apiVersion"],
        id="a class of self-managed Karpenter beside Auto Mode",
    ),
    pytest.param(
        CLASS + "---\n" + POOL.replace("eks.amazonaws.com, kind: NodeClass", "karpenter.k8s.aws, kind: EC2NodeClass"),
        ["OBJ013 warning x.yaml#NodePool/web spec.template.spec.nodeClassRef.group"],
        id="and a pool of it",
    ),
    pytest.param(STATIC, ["KAR010 error x.yaml#NodePool/web spec.weight"], id="a rule of ours"),
    pytest.param(POOL.replace("weight", "wieght"), ["CFG002 error x.yaml#NodePool/web spec.wieght"], id="a misspelt field"),
    pytest.param(POOL.replace("weight: 10", 'weight: "10"'), ["CFG004 error x.yaml#NodePool/web spec.weight"], id="text for a number"),
    pytest.param(POOL.replace("300h", "720h"), ["EKS044 error x.yaml#NodePool/web spec.template.spec.expireAfter"], id="a rule of one cloud"),
    pytest.param(POOL.replace("name: web", "name: Web"), ["KAR001 error x.yaml#NodePool/Web metadata.name"], id="a name"),
    pytest.param(SELF_MANAGED.replace("name: web", "name: Web"), ["KAR001 error x.yaml#NodePool/Web metadata.name"], id="of another Karpenter"),
    pytest.param(
        POOL.replace("values: [amd64]", "values: [amd64], minValues: 2"),
        ["KAR042 error x.yaml#NodePool/web spec.template.spec.requirements[1].minValues"],
        id="a path in the words of the object",
    ),
    pytest.param(
        POOL.replace("name: default", "name: other") + "---\n" + CLASS,
        ["EKS042 warning x.yaml#NodePool/web spec.template.spec.nodeClassRef.name", "KAR061 note x.yaml#NodeClass/private metadata.name"],
        id="a class that is missing, and one that nobody uses",
    ),
    pytest.param(POOL.replace("name: default", "name: other"), [], id="a lone pool does not say which classes there are"),
    pytest.param(
        POOL.replace("name: default", "name: other") + "---\n" + EC2_CLASS,
        ["OBJ013 warning x.yaml#EC2NodeClass/x apiVersion"],
        id="neither does it next to a class of another kind",
    ),
    pytest.param(POOL + "---\n" + POOL, ["OBJ005 warning x.yaml#NodePool/web metadata.name"], id="an object twice"),
    pytest.param("kind: Deployment\napiVersion: apps/v1\nmetadata: {name: x}\n", [], id="another kind"),
    pytest.param(POOL.replace("kind: NodePool", "kind: Nodepool"), ["OBJ004 error x.yaml#Nodepool/web kind"], id="a misspelt kind"),
    pytest.param(POOL.replace("sh/v1", "sh/v2"), ["OBJ004 error x.yaml#NodePool/web apiVersion"], id="a version that there is not"),
    pytest.param(POOL.replace("sh/v1", "sh/v1beta1"), ["OBJ001 error x.yaml#NodePool/web apiVersion"], id="a former version"),
    pytest.param(
        "apiVersion: karpenter.azure.com/v1alpha2\nkind: AKSNodeClass\nmetadata: {name: x}\n",
        ["OBJ002 warning x.yaml#AKSNodeClass/x apiVersion"],
        id="a deprecated version",
    ),
    pytest.param(
        "apiVersion: karpenter.k8s.aws/v1beta1\nkind: EC2NodeClass\nmetadata: {name: x}\n",
        ["OBJ001 error x.yaml#EC2NodeClass/x apiVersion"],
        id="a former version of a class of self-managed Karpenter",
    ),
    pytest.param(EC2_CLASS, [], id="a class of self-managed Karpenter"),
    pytest.param(EC2_CLASS.replace("@v20260801", ""), ["SMK006 error x.yaml#EC2NodeClass/x spec.amiSelectorTerms[0].alias"], id="its alias"),
    pytest.param(SELF_MANAGED, [], id="a pool of self-managed Karpenter"),
    pytest.param(
        SELF_MANAGED.replace("weight: 10", "weight: 101").replace("kind: EC2NodeClass", "kind: NodeClass"),
        [
            "CFG007 error x.yaml#NodePool/web spec.weight",
            "CFG003 error x.yaml#NodePool/web spec.template.spec.nodeClassRef.kind",
        ],
        id="is checked by the rules of Karpenter",
    ),
    pytest.param(
        SELF_MANAGED.replace("values: [amd64]", "values: [amd64]}\n        - {key: kubernetes.io/os, operator: In, values: [windows]"),
        [],
        id="which launches Windows nodes too",
    ),
    pytest.param(
        SELF_MANAGED.replace("values: [amd64]", "values: [amd64]}\n        - {key: karpenter.k8s.aws/instance-memory, operator: Gt, values: ['16']"),
        [
            "KAR048 warning x.yaml#NodePool/web spec.template.spec.requirements[2].values[0]",
        ],
        id="with the units of its labels",
    ),
    pytest.param(
        POOL.replace("eks.amazonaws.com", "karpenter.kwok.sh").replace("weight: 10", "weight: 101"),
        ["CFG007 error x.yaml#NodePool/web spec.weight", "OBJ003 note x.yaml#NodePool/web spec.template.spec.nodeClassRef.group"],
        id="a pool of another provider",
    ),
    pytest.param(
        POOL.replace("eks.amazonaws.com", "eks.amazonaws.com/v1"),
        ["CFG006 error x.yaml#NodePool/web spec.template.spec.nodeClassRef.group"],
        id="a group with a version",
    ),
    pytest.param(
        POOL.replace("      nodeClassRef: {group: eks.amazonaws.com, kind: NodeClass, name: default}\n", ""),
        ["CFG001 error x.yaml#NodePool/web spec.template.spec.nodeClassRef"],
        id="no class at all: of which cloud it is, is not known",
    ),
    pytest.param(CLASS.replace("  role: nodes\n", ""), ["CFG001 error x.yaml#NodeClass/private spec.role"], id="a class without a role"),
    pytest.param(
        "apiVersion: karpenter.azure.com/v1beta1\nkind: AKSNodeClass\nmetadata: {name: x}\nspec: {kubelet: {podsPerCore: 3}}\n",
        ["CFG002 error x.yaml#AKSNodeClass/x spec.kubelet.podsPerCore"],
        id="an unknown field inside a class",
    ),
]


@pytest.mark.parametrize(("text", "found"), FOUND)
def test_what_is_found_in_objects(check, text, found):
    answer = check("x.yaml", "--format", "json", x=text)
    assert sorted(told(answer)) == sorted(found)
    assert answer.status == int(any(" error " in one for one in found))


def test_a_former_version_comes_with_the_object_rewritten(check):
    old = POOL.replace("sh/v1", "sh/v1beta1").replace("group: eks.amazonaws.com", "apiVersion: eks.amazonaws.com/v1")
    old += "  disruption: {consolidationPolicy: WhenUnderutilized, expireAfter: 100h}\n"
    old = old.replace("      expireAfter: 300h\n", "      kubelet: {maxPods: 20}\n")
    [finding] = check("x.yaml", "--format", "json", x=old).json["findings"]
    head, _, new = finding["fix"]["text"].partition("\n")
    assert "move `kubelet`" in head
    assert "expireAfter: 100h" in new
    assert check("y.yaml", "--format", "json", y=new).json["findings"] == []


def test_text_has_the_counts_first_and_each_finding_with_file_line_and_object(check):
    answer = check(x=STATIC)
    assert answer.status == 1
    assert answer.out.startswith("x.yaml: 1 object: 1 error\nnext: x.yaml:13:3: spec.weight: Remove `weight`\n")
    assert "\n\nx.yaml:13:3: KAR010 error at NodePool/web spec.weight: 10\n" in answer.out
    assert check(x=POOL).out == "x.yaml: 1 object: no findings; nothing to correct\n"


def test_a_long_list_counts_warnings_by_rule_and_shows_every_error(check):
    pools = [POOL.replace("name: web", f"name: web{number}").replace("kubernetes.io/arch", "team") for number in range(20)]
    answer = check(x="---\n".join([*pools, STATIC]))
    lines = answer.out.splitlines()
    assert lines[0] == "x.yaml: 21 objects: 1 error, 20 warnings, 19 notes"
    assert "more, below" not in lines[1]
    assert "KAR010 error at NodePool/web spec.weight" in lines[3]
    assert "20 × KAR046 warning: " in answer.out
    assert len(lines) < 15
    assert check("x.yaml", "--details").out.count("KAR046 warning at NodePool/web") == 20


def test_one_of_several_texts_of_a_rule_is_an_example(check):
    pools = [POOL.replace("name: web", f"name: web{number}") for number in range(20)]
    new = [
        pool.replace(
            "kubernetes.io/arch, operator: In, values: [amd64]", f"node.kubernetes.io/instance-type, operator: In, values: [m{9 + n}9.large]"
        )
        for n, pool in enumerate(pools)
    ]
    assert "20 × EKS062 warning, for example: `m99.large` " in check(x="---\n".join(new)).out


def test_what_has_nothing_to_check_is_not_called_checked(check):
    answer = check(x="apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")
    assert (answer.status, answer.out) == (0, "x.yaml: nothing was checked: no NodePool and no node class\n")


@pytest.mark.parametrize("pools", ["", POOL], ids=["alone", "next to a NodePool"])
def test_disruption_budgets_are_not_passed_over(check, pools):
    budget = "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: a}\nspec: {maxUnavailable: 0, selector: {}}\n"
    answer = check(x="---\n".join([pools, budget] if pools else [budget]))
    assert "notice: not checked: 1 PodDisruptionBudget: `nodepools explain` and" in answer.all


def test_lists_folders_json_and_standard_input_are_read_alike(check, tmp_path):
    (tmp_path / "k8s" / "deep").mkdir(parents=True)
    (tmp_path / "k8s" / "deep" / "list.json").write_text(json.dumps({"kind": "List", "apiVersion": "v1", "items": [yaml.safe_load(STATIC)]}))
    (tmp_path / "k8s" / "notes.txt").write_text("no object")
    assert told(check("k8s", "--format", "json")) == ["KAR010 error k8s/deep/list.json#NodePool/web spec.weight"]
    assert told(check("-", "--format", "json", stdin=STATIC)) == ["KAR010 error stdin#NodePool/web spec.weight"]


def test_kubernetes_own_words_for_true_and_numbers(check):
    text = POOL.replace("    spec:\n", "    metadata: {labels: {spare: no}}\n    spec:\n", 1)
    assert told(check("x.yaml", "--format", "json", x=text)) == ["CFG004 error x.yaml#NodePool/web spec.template.metadata.labels.spare"]


DOTTED = POOL.replace("name: web", "name: web.v2")
IGNORES = [
    pytest.param("# nodepools: ignore KAR002 it moves next week\n" + DOTTED, [], id="before the object"),
    pytest.param(DOTTED + "# nodepools: ignore KAR002 it moves\n", [], id="inside it"),
    pytest.param(DOTTED + "# nodepools: ignore dot-in-node-pool-name it moves\n", [], id="by its name"),
    pytest.param(DOTTED + "# nodepools: ignore KAR002\n", ["IGN002", "KAR002"], id="without a reason"),
    pytest.param(DOTTED + "# nodepools: ignore KAR999 other\n", ["IGN002", "KAR002"], id="of a code that is not there"),
    pytest.param(DOTTED + "# nodepools: ignore KAR011 other\n", ["IGN001", "KAR002"], id="of another code"),
    pytest.param(POOL + "# nodepools: ignore KAR002 for nothing\n", ["IGN001"], id="where nothing is wrong"),
    pytest.param(POOL + "# nodepools: ignore KAR002 here\n---\n" + DOTTED, ["IGN001", "KAR002"], id="next to another object"),
    pytest.param("# nodepools: ignore KAR010 it moves\n" + STATIC, ["IGN003", "KAR010"], id="an error stays"),
]


@pytest.mark.parametrize(("text", "codes"), IGNORES)
def test_ignores(check, text, codes):
    found = [finding["code"] for finding in check("x.yaml", "--format", "json", x=text).json["findings"]]
    assert sorted(code for code in found if code in ("KAR002", "KAR010") or code.startswith("IGN")) == codes


def test_no_object_of_a_file_has_accepted_errors(check):
    [finding] = [one for one in check("x.yaml", "--format", "json", x=IGNORES[-1].values[0]).json["findings"] if one["code"] == "IGN003"]
    assert finding["fix"]["text"] == "Correct what KAR010 reports and remove the comment"


@pytest.mark.parametrize(
    ("field", "told"),
    [
        pytest.param("forProvider: {manifest: OBJECT}", "NodePool in Object of karpenter.sh (1 object)", id="of Crossplane"),
        pytest.param("workload: {manifests: [OBJECT, OBJECT]}", "NodePool in Object of karpenter.sh (2 objects)", id="in a list"),
        pytest.param(
            r'values: "extra:\n  - apiVersion: karpenter.sh/v1\n    kind: NodePool"', "NodePool in Object of karpenter.sh (1 object)", id="in a text"
        ),
        pytest.param(r'values: "ref:\n  apiVersion: karpenter.sh/v1\n  kind: NodePool"', None, id="a reference in a text"),
        pytest.param("scaleTargetRef: {apiVersion: karpenter.sh/v1, kind: NodePool, name: web}", None, id="a reference is no object"),
        pytest.param("template: {apiVersion: example.com/v1, kind: NodePool, spec: {}}", None, id="of another group"),
    ],
)
def test_objects_inside_of_others_are_not_checked_silently(check, field, told):
    inner = "{apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {name: web}, spec: {weight: 0}}"
    outer = f"apiVersion: kubernetes.crossplane.io/v1alpha2\nkind: Object\nmetadata: {{name: x}}\nspec: {{{field.replace('OBJECT', inner)}}}\n"
    alone, beside = check("x.yaml", x=outer), check("x.yaml", x=f"{outer}---\n{POOL}")
    assert f"no node class, only {told}" in alone.out.replace("\n", " ") if told else "only" not in alone.out
    assert (f"notice: not checked: {told}\n" in beside.err) == (told is not None)


def test_crds_without_a_kind_are_named(check, tmp_path):
    (tmp_path / "crd.yaml").write_text(yaml.safe_dump(CRD))
    answer = check("x.yaml", "--crds", "crd.yaml", x=f"{POOL}---\n{CLASS}")
    assert "notice: --crds: not validated, because it has no valid CRD: NodePool of karpenter.sh (1 object)\n" in answer.err
    assert "not validated" not in check("x.yaml", "--crds", "crd.yaml", x=CLASS).err


def test_sarif_has_rules_places_and_levels(check):
    log = check("x.yaml", "--format", "sarif", x=STATIC).json
    [run] = log["runs"]
    [result] = run["results"]
    assert (log["version"], result["ruleId"], result["level"]) == ("2.1.0", "KAR010", "error")
    [place] = result["locations"]
    assert place["physicalLocation"] == {"artifactLocation": {"uri": "x.yaml"}, "region": {"startLine": 13, "startColumn": 3}}
    assert place["logicalLocations"] == [{"fullyQualifiedName": "x.yaml#NodePool/web spec.weight"}]
    assert [(rule["id"], rule["name"]) for rule in run["tool"]["driver"]["rules"]] == [("KAR010", "weight-of-static-pool")]


def test_github_shows_it_beside_the_line(check):
    assert check("x.yaml", "--format", "github", x=STATIC).out.startswith(
        "::error file=x.yaml,line=13,col=3,title=KAR010 spec.weight::The API server rejects"
    )


SARIF_LEVELS = {"none", "note", "warning", "error"}


def asked_by_sarif(log) -> None:
    """What the schema of SARIF 2.1.0 asks of what is in our logs, and what its text asks beyond."""
    assert set(log) == {"$schema", "version", "runs"}
    [run] = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"]
    codes = [rule["id"] for rule in driver["rules"]]
    assert codes == sorted(set(codes))
    assert all(rule["shortDescription"]["text"] for rule in driver["rules"])
    for result in run["results"]:
        assert result["level"] in SARIF_LEVELS
        assert codes[result["ruleIndex"]] == result["ruleId"]
        assert result["message"]["text"]
        for location in result["locations"]:
            uri = location["physicalLocation"]["artifactLocation"]["uri"]
            assert re.fullmatch(r"[A-Za-z0-9._~%/-]+", uri), uri  # a reference of RFC 3986, without scheme
            assert all(number >= 1 for number in location["physicalLocation"].get("region", {}).values())
            assert [set(one) for one in location["logicalLocations"]] == [{"fullyQualifiedName"}]


def test_sarif_is_what_its_schema_asks(check, tmp_path):
    (tmp_path / "ä b").mkdir()
    for number, text in enumerate([*WRONG.values(), STATIC, POOL.replace("sh/v1", "sh/v1beta1")]):
        (tmp_path / "ä b" / f"{number} #.yaml").write_text(text)
    log = check("ä b", "--format", "sarif").json
    assert len(log["runs"][0]["results"]) > len(WRONG)
    asked_by_sarif(log)


@pytest.mark.parametrize("source", [["--all"], ["--stack", "dev"]])
def test_declarations_have_the_same_formats(nodepools, project, source):
    log = nodepools("check", *source, "--format", "sarif", cwd=project).json
    asked_by_sarif(log)
    places = {result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in log["runs"][0]["results"]}
    assert "stacks/dev.py" in places


BOMB = "a: &a [x, x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1 if i else ''}, *a{i - 1 if i else ''}]\n" for i in range(60))
UNREADABLE: dict[str, bytes] = {
    "a text that ends early": POOL.encode()[:-100] + b"  - {",
    "a quote that does not end": b"kind: 'NodePool\n",
    "a list that does not end": b"items: [1, 2\n",
    "a tab": b"kind:\tNodePool\n\tx: y\n",
    "tabs for blanks": POOL.replace("  ", "\t").encode(),
    "a bomb of aliases": BOMB.encode(),
    "an alias of itself": b"a: &a [*a]\n",
    "an alias of nothing": b"a: *b\n",
    "a merge of no mapping": b"kind: x\n<<: 3\n",
    "ten megabytes of one list": b"kind: x\nitems:\n" + b"- a\n" * 2_600_000,
    "ten megabytes of zeros": b"\x00" * 10_000_000,
    "more than we read": b"#" * 34_000_000,
    "a picture": b"\x89PNG\r\n\x1a\n\x00\x00",
    "an archive": b"PK\x03\x04\x14\x00\x08\x00\xff\xfe",
    "another encoding": POOL.encode("utf-16"),
    "latin letters": "kind: caf\xe9\n".encode("latin-1"),
    "a control character": b"kind: \x07\n",
    "lists in lists": b"[" * 100_000,
    "mappings in mappings": b"{a: " * 100_000,
    "deep indentation": b"\n".join(b" " * i + b"a:" for i in range(2_000)),
    "deep JSON": b'{"a":' * 5_000 + b"1" + b"}" * 5_000,
    "a list for a key": b"? [a]\n: b\n",
    "null for a key": b"~: b\n",
    "nothing": b"",
    "blank lines": b"\n\n\n",
    "a comment": b"# nothing here\n",
    "separators": b"---\n---\n---\n",
    "a number": b"3\n",
    "a word": b"NodePool\n",
    "a list of words": b"- a\n- b\n",
    "no kind": b"apiVersion: karpenter.sh/v1\nmetadata: {name: x}\n",
    "a kind that is a number": b"kind: 3\n",
    "a kind that is a list": b"kind: [NodePool]\n",
    "items that are no list": b"kind: List\nitems: 3\n",
    "an item that is no object": b"kind: List\nitems: [3]\n",
    "an item that is null": b"kind: List\nitems: [~]\n",
    "a template of Helm": b"kind: NodePool\nmetadata:\n  name: {{ .Values.name }}\n",
    "a block of Helm": b"{{- if .Values.on }}\nkind: NodePool\n{{- end }}\n",
    "a tag of CloudFormation": b"kind: !Ref NodePool\n",
    "a tag of Python": b"kind: !!python/object/apply:os.system [ls]\n",
    "a version of YAML that there is not": b"%YAML 9.9\n---\nkind: x\n",
    "JSON that ends early": b'{"kind": "NodePool", "spec": ',
    "a shell script": b"#!/bin/sh\nset -e; [ -z $x ] && { echo: no\n",
}
WRONG: dict[str, str] = {
    "a spec that is text": "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: x}\nspec: text\n",
    "metadata that is a list": "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: [x]\nspec: {}\n",
    "a name that is a number": POOL.replace("name: web", "name: 3"),
    "requirements that are a mapping": POOL.replace("requirements:\n", "requirements: {a: b}\n").replace("        - {", "#"),
    "taints that are texts": POOL.replace("      expireAfter", "      taints: [a=b:NoSchedule]\n      expireAfter"),
    "a version that is a list": POOL.replace("apiVersion: karpenter.sh/v1", "apiVersion: karpenter.sh/[v1]"),
    "infinity": POOL.replace("weight: 10", "weight: .inf"),
    "a number beyond all bounds": POOL.replace("weight: 10", f"weight: {'9' * 400}"),
}


def test_there_are_fifty_broken_inputs():
    assert len(UNREADABLE) + len(WRONG) >= 50


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_read_is_one_line_and_status_2(check, tmp_path, name):
    (tmp_path / "x.yaml").write_bytes(UNREADABLE[name])
    answer = check("x.yaml")
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert answer.err.startswith("error: x.yaml")
    assert len(answer.err) < 400


@pytest.mark.parametrize("name", [name for name, content in UNREADABLE.items() if len(content) < 1_000_000])
def test_the_parser_in_python_refuses_the_same(check, tmp_path, monkeypatch, name):
    monkeypatch.setattr(yaml_documents, "LOADER", yaml.SafeLoader)
    test_what_cannot_be_read_is_one_line_and_status_2(check, tmp_path, name)


@pytest.mark.parametrize("name", WRONG)
def test_the_parser_in_python_finds_the_same_places(check, monkeypatch, name):
    by_libyaml = check(x=WRONG[name]).out
    monkeypatch.setattr(yaml_documents, "LOADER", yaml.SafeLoader)
    assert check(x=WRONG[name]).out == by_libyaml


OTHERS = [
    pytest.param("image: a\nreplicas: 2\n", True, id="values"),
    pytest.param("password: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  6234\n", True, id="a tag of Ansible"),
    pytest.param("- hosts: all\n", True, id="a playbook"),
    pytest.param("config:\n  aws:region: eu-west-1\n", True, id="settings of a stack"),
    pytest.param("name: a\nruntime: python\n", True, id="a project"),
    pytest.param("name: a\nruntime: yaml\n", False, id="a program in YAML"),
    pytest.param("apiVersion: v1\nmetadata: {name: !x a}\n", False, id="a tag in an object"),
    pytest.param("apiVersion: karpenter.sh/v1\nspec: {}\n", False, id="an object without its kind"),
    pytest.param("Kind: NodePool\nspec: {}\n", False, id="an object with a misspelled field"),
    pytest.param("extra:\n- apiVersion: v1\n  kind: Pod\n", False, id="objects inside of others"),
    pytest.param('a: {{ include "pool" . }}\n', False, id="a template"),
    pytest.param("${POOLS}\n", False, id="a variable"),
    pytest.param("items: [1, 2\n", False, id="a text that ends early"),
]


@pytest.mark.parametrize(("text", "is_other"), OTHERS)
def test_a_folder_is_complete_without_files_that_cannot_have_an_object(nodepools, tmp_path, text, is_other):
    (tmp_path / "pool.yaml").write_text(POOL)
    complete = nodepools("check", ".", cwd=tmp_path)
    (tmp_path / "other.yaml").write_text(text)
    answer = nodepools("check", ".", cwd=tmp_path)
    assert (answer.status == complete.status and "not complete" not in answer.out) is is_other
    assert ("notice: other.yaml: has no Kubernetes object: not read as part of a folder" in answer.err) is is_other
    assert nodepools("check", "other.yaml", cwd=tmp_path).status == 2, "a file that is named is read"
    (tmp_path / "pool.yaml").unlink()
    assert nodepools("check", ".", cwd=tmp_path).status == 2, "no object at all"


def test_a_folder_of_fifty_broken_inputs_in_bounded_memory(tmp_path):
    for number, content in enumerate([*UNREADABLE.values(), *(text.encode() for text in WRONG.values())]):
        (tmp_path / f"{number:02}.yaml").write_bytes(content)
    limit = 2 * 1024**3
    done = subprocess.run(
        [sys.executable, "-m", "nodepools", "check", ".", "--format", "json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )
    assert "Traceback" not in done.stderr
    assert done.returncode == 1
    silent = {"nothing", "blank lines", "a comment", "separators", "an item that is null"}  # nothing to say beside others
    answer = json.loads(done.stdout)
    others = done.stderr.partition(": has no Kubernetes object")[0].rpartition("notice: ")[2].count(".yaml")
    assert len(answer["problems"]) + others >= len(UNREADABLE) - len(silent)
    named = {finding["object"].partition("#")[0] for finding in answer["findings"]}
    assert named >= {f"{len(UNREADABLE) + number:02}.yaml" for number in range(len(WRONG))}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_what_is_read_and_wrong_is_told_with_status_1(check, text):
    answer = check(x=text)
    assert answer.status == 1, answer.all
    assert "fix: " in answer.out


def test_one_file_that_cannot_be_read_does_not_hide_the_others(check):
    answer = check("x.yaml", "y.yaml", x=STATIC, y="a: [")
    assert answer.status == 1
    assert answer.out.startswith(
        "x.yaml, y.yaml: 1 object: 1 error (not complete: y.yaml:2:1: is not valid YAML: did not find expected node content)\n"
    )
    assert "KAR010" in answer.out
    assert answer.err.startswith("error: y.yaml:")


def test_a_file_that_is_not_there(check):
    answer = check("missing.yaml")
    assert answer.status == 2
    assert answer.err.startswith("error: missing.yaml: No such file or directory")


CRD = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "nodeclasses.eks.amazonaws.com"},
    "spec": {
        "group": "eks.amazonaws.com",
        "names": {"kind": "NodeClass", "plural": "nodeclasses"},
        "versions": [
            {
                "name": "v1",
                "served": True,
                "schema": {
                    "openAPIV3Schema": {
                        "type": "object",
                        "properties": {
                            "spec": {
                                "type": "object",
                                "properties": {
                                    "role": {
                                        "type": "string",
                                        "x-kubernetes-validations": [
                                            {"rule": "self.startsWith('team-')", "message": "roles begin with team-"},
                                            {"rule": "self == oldSelf", "message": "immutable"},
                                        ],
                                    },
                                    "subnetSelectorTerms": {
                                        "type": "array",
                                        "items": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
                                    },
                                },
                            }
                        },
                    }
                },
            }
        ],
    },
}


def test_the_clusters_own_schema_is_asked_too_and_does_not_silence_us(check, tmp_path):
    (tmp_path / "crd.yaml").write_text(yaml.safe_dump({"kind": "List", "apiVersion": "v1", "items": [CRD]}))
    text = CLASS.replace("role: nodes", "role: arn:aws:iam::111122223333:role/x")
    unknown = check("x.yaml", "--crds", "crd.yaml", "--format", "json", x=text)
    assert told(unknown) == [
        "EKS022 error x.yaml#NodeClass/private spec.role",
        "OBJ007 error x.yaml#NodeClass/private spec.securityGroupSelectorTerms",
    ]
    both = check("x.yaml", "--crds", "crd.yaml", "--format", "json", x=CLASS.replace("role: nodes", "role: 1"))
    assert told(both) == ["CFG009 error x.yaml#NodeClass/private spec.role", *told(unknown)[1:]], "what both reject is told once, with our fix"
    CRD["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["x-kubernetes-preserve-unknown-fields"] = True
    (tmp_path / "crd.yaml").write_text(yaml.safe_dump(CRD))
    ruled = check("x.yaml", "--crds", "crd.yaml", x=text)
    assert "roles begin with team-" in ruled.out
    assert "also validated against eks.amazonaws.com/v1 NodeClass: of its first versions" in ruled.out
    assert (
        check("x.yaml", "--crds", "x.yaml").err
        == "error: x.yaml: holds no CustomResourceDefinition: write those of a cluster with `kubectl get crd -o yaml`\n"
    )
    other = copy.deepcopy(CRD)
    del other["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]["role"]["x-kubernetes-validations"]
    (tmp_path / "crd.yaml").write_text(yaml.safe_dump_all([other, CRD]))
    of_two = check("x.yaml", "--crds", "crd.yaml", x=text)
    assert "OBJ007" not in of_two.out
    assert of_two.out.count("also validated against eks.amazonaws.com/v1 NodeClass") == 2


def test_kinds_of_the_first_versions_are_errors_next_to_others(check):
    old = "".join(f"---\napiVersion: {version}\nkind: {kind}\nmetadata: {{name: x}}\n" for version, kind in FIRST)
    answer = check("x.yaml", "--format", "json", x=SELF_MANAGED + old)
    assert told(answer) == [f"OBJ001 error x.yaml#{kind}/x apiVersion" for _, kind in FIRST]
    assert "not checked" not in answer.err
    assert check("x.yaml", x=SELF_MANAGED + old).out.startswith("x.yaml: 3 objects: 2 errors\n")


def test_what_sops_encrypted_is_no_error_and_no_success(check):
    encrypted = SELF_MANAGED.replace("weight: 10", "weight: ENC[AES256_GCM,data:x,type:int]") + "sops: {version: 3.9.0}\n"
    answer = check("x.yaml", x=encrypted)
    assert (answer.status, "Remove it" in answer.out) == (2, False)
    assert "`sops` is of SOPS, so the object is not checked completely. Decrypt it first" in answer.err


FIRST = [("karpenter.sh/v1alpha5", "Provisioner"), ("karpenter.k8s.aws/v1alpha1", "AWSNodeTemplate")]


@pytest.mark.parametrize(
    ("written", "later", "field"),
    [
        ("weight: 10", "weight: ${WEIGHT}", "spec.weight"),
        ("weight: 10", "weight: ${WEIGHT:=10}", "spec.weight"),
        ("values: [amd64]", "values: ['${ARCH}']", "spec.template.spec.requirements[1].values[0]"),
        ("weight: 10", "limits: {cpu: '${CPU}m'}", "spec.limits.cpu"),
        (
            "values: [amd64]",
            "values: [amd64]}\n        - {key: node.kubernetes.io/instance-type, operator: In, values: ['m5.${SIZE}']",
            "spec.template.spec.requirements",
        ),
    ],
)
def test_what_another_program_fills_in_is_no_error_and_no_success(check, written, later, field):
    answer = check("x.yaml", x=SELF_MANAGED.replace(written, later))
    assert (answer.status, "1 object: no findings; nothing to correct (not complete: " in " ".join(answer.out.split())) == (2, True)
    assert f"`{field}` has a placeholder, which is not checked" in answer.err
    wrong = check("x.yaml", "--format", "json", x=SELF_MANAGED.replace(written, later).replace("kind: NodePool\n", "kind: NodePool\nstatuss: {}\n"))
    assert told(wrong) == ["CFG002 error x.yaml#NodePool/web statuss"]


def test_an_acceptance_without_the_object_is_told_its_whole_path(check):
    text = "apiVersion: karpenter.azure.com/v1alpha2\nkind: AKSNodeClass\nmetadata: {name: x}\n"
    whole = "x.yaml#AKSNodeClass/x apiVersion"
    for part in ("apiVersion", "AKSNodeClass/x apiVersion"):
        told_whole = f"notice: --accept: nothing matches `OBJ002 {part}`: its whole path is `{whole}`\n"
        assert check("x.yaml", "--strict", "--accept", f"OBJ002 {part}: later", x=text).err == told_whole
    assert check("x.yaml", "--strict", "--accept", "OBJ002 metadata: later", x=text).err.endswith("nothing matches `OBJ002 metadata`\n")
    assert check("x.yaml", "--strict", "--accept", f"OBJ002 {whole}: later", x=text).status == 0


def test_an_object_that_only_a_crd_checks_is_counted(check, tmp_path):
    widget = copy.deepcopy(CRD)
    widget["spec"]["names"]["kind"] = "Widget"
    (tmp_path / "crd.yaml").write_text(yaml.safe_dump_all([widget, CRD]))
    alone = "apiVersion: eks.amazonaws.com/v1\nkind: Widget\nmetadata: {name: one}\nspec: {role: team-a}\n"
    assert check("x.yaml", "--crds", "crd.yaml", x=alone).out.startswith("x.yaml: 1 object: no findings; nothing to correct\n")
    assert check("x.yaml", "--crds", "crd.yaml", x=alone.replace("team-a", "a")).out.startswith("x.yaml: 1 object: 1 error\n")
    assert check("x.yaml", "--crds", "crd.yaml", x=f"{alone}---\n{CLASS}---\nkind: ConfigMap\n").out.startswith("x.yaml: 2 objects: ")


def test_every_manifest_of_others_is_processed(nodepools, project, tmp_path):
    folder: Path = project.parent / "shared" / "manifests"
    if not folder.is_dir():
        pytest.skip("the manifests of others are not at hand: they are not ours to ship")
    answer = nodepools("check", str(folder), "--format", "json", cwd=tmp_path)
    assert answer.status == 1
    assert [
        line for line in answer.err.splitlines() if not line.startswith(("notice: 2 of kind NodePool are named", "notice: checked without"))
    ] == []


EC2_POOL = SELF_MANAGED.replace("name: default", "name: x")
OF_RESERVATIONS = EC2_POOL.replace("on-demand", "reserved")
APART = "each folder, file or object with such a name is checked as a cluster of its own, and no workload is compared with them"
WITHOUT = "checked without their node classes, which are in other files or occur twice"


@pytest.mark.parametrize(
    ("files", "codes", "without"),
    [
        ({"a/k": f"{OF_RESERVATIONS}---\n{EC2_CLASS}", "b/k": f"{EC2_POOL}---\n{EC2_CLASS}"}, {"a/k.yaml": "SMK051"}, ""),
        ({"c/a/pool": OF_RESERVATIONS, "c/a/own/class": EC2_CLASS, "c/b/k": f"{EC2_POOL}---\n{EC2_CLASS}"}, {"c/a/pool.yaml": "SMK051"}, ""),
        ({"pools/a": OF_RESERVATIONS, "pools/b": EC2_POOL, "classes/k": EC2_CLASS}, {}, "pools/a.yaml#NodePool/web, pools/b.yaml#NodePool/web"),
        ({"c/a/pool": OF_RESERVATIONS, "c/a/class": EC2_CLASS, "c/k": f"{EC2_POOL}---\n{EC2_CLASS}"}, {"c/a/pool.yaml": "SMK051"}, ""),
        ({"a": f"{OF_RESERVATIONS}---\n{EC2_CLASS}", "b": EC2_POOL}, {"a.yaml": "SMK051"}, "b.yaml#NodePool/web"),
        ({"a": f"{OF_RESERVATIONS}---\n{EC2_CLASS}", "b": EC2_CLASS}, {"a.yaml": "SMK051"}, ""),
        ({"a": f"{EC2_POOL}---\n{EC2_CLASS}---\n{EC2_CLASS}"}, {"a.yaml": "OBJ005"}, "a.yaml#NodePool/web"),
        ({"a/k": f"{POOL}---\n{EC2_CLASS}---\n{OF_RESERVATIONS.replace('web', 'own')}", "b/k": POOL}, {"a/k.yaml": "SMK051"}, ""),
    ],
    ids=[
        "folders",
        "folders of folders",
        "folders of kinds",
        "a folder next to a file",
        "pools of two files",
        "classes of two files",
        "one file",
        "another cloud",
    ],
)
def test_equal_names_are_of_several_clusters(check, tmp_path, files: dict[str, str], codes: dict[str, str], without: str) -> None:
    for name, text in files.items():
        (tmp_path / f"{name}.yaml").parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / f"{name}.yaml").write_text(text)
    answer = check(".", "--format", "json")
    found = {one["object"].partition("#")[0]: one["code"] for one in answer.json["findings"] if one["code"] in ("SMK051", "OBJ005")}
    assert found == codes
    assert APART in answer.err
    assert (f"{WITHOUT}: {without}\n" in answer.err) if without else (WITHOUT not in answer.err)


FENCED = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: compute}
spec:
  weight: 1000
  template: {spec: {nodeClassRef: {group: eks.amazonaws.com, kind: NodeClass, name: default}, requirements: []}}
"""


@pytest.mark.parametrize("limit", [{"NODEPOOLS_MAX_VALUES": "2000"}, {"NODEPOOLS_MAX_MIB": "1"}], ids=["values", "size"])
def test_the_nodes_of_a_large_cluster_do_not_hide_its_pools(nodepools, tmp_path, limit):
    (tmp_path / "cluster.yaml").write_text("".join(kubectl_nodes(80, 50, "yaml")) + f"---{FENCED}")
    answer = nodepools("check", "cluster.yaml", "--format", "json", cwd=tmp_path, env=limit)
    assert (answer.status, answer.json["complete"]) == (1, True)
    assert {finding["path"] for finding in answer.json["findings"] if finding["severity"] == "error"} == {"spec.weight"}


def test_another_large_file_is_still_too_large(nodepools, tmp_path):
    (tmp_path / "objects.yaml").write_text("kind: ConfigMap\ndata:\n" + "".join(f"  key{number}: x\n" for number in range(2000)))
    answer = nodepools("check", "objects.yaml", cwd=tmp_path, env={"NODEPOOLS_MAX_VALUES": "2000"})
    assert answer.status == 2
    assert "the environment variable `NODEPOOLS_MAX_VALUES` raises the limit" in answer.err


def test_workloads_without_node_pools_are_for_explain(check):
    pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: b}]}\n"
    alone = check(pods=f"{pod}---\n{pod.replace('name: a', 'name: b', 1)}")
    assert alone.out == (
        "pods.yaml: nothing was checked: no NodePool and no node class, only 2 Pods\n"
        "next: nodepools explain pods.yaml  # changes nothing; shows which pools the pods of these files land on\n"
    )
    assert "does not check" not in check(pods=pod, pool=POOL).out


@pytest.mark.parametrize(
    ("version", "kind", "served"),
    [
        ("karpenter.sh/v1", "NodeClass", "eks.amazonaws.com/v1"),
        ("karpenter.k8s.aws/v1", "NodePool", "karpenter.sh/v1"),
        ("v1", "EC2NodeClass", "karpenter.k8s.aws/v1"),
        ("karpenter.k8s.azure/v1", "AKSNodeClass", "karpenter.azure.com/v1beta1"),
        ("karpenter.k8s.io/v1", "NodePool", "karpenter.sh/v1"),
    ],
)
def test_a_known_kind_of_another_group(check, version, kind, served):
    answer = check("--format", "json", "x.yaml", x=f"apiVersion: {version}\nkind: {kind}\nmetadata: {{name: a}}\nspec: {{}}\n")
    [found] = answer.json["findings"]
    assert (found["code"], found["message"], found["fix"]["text"] if isinstance(found["fix"], dict) else found["fix"]) == (
        "OBJ004",
        f"`{version}` has no kind `{kind}`",
        f"Use `{served}`",
    )


def test_a_kind_of_another_project_is_its_own(check):
    assert check(x="apiVersion: hypershift.openshift.io/v1beta1\nkind: NodePool\nmetadata: {name: a}\nspec: {}\n").status == 0
