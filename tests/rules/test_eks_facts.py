"""Every fact of docs/facts/eks.md § 1 to § 3 and § 7: which rules say it, or what makes it true, or why nothing can."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from nodepools.rules.engine.registry import all_rules


@dataclass(frozen=True)
class Row:
    """What is done about a fact."""

    rules: tuple[str, ...]
    shown: tuple[str, ...]
    """Tests of what makes it true by construction, or guides of what nobody can declare."""
    why: str


def told(*rules: str, shown: tuple[str, ...] = (), why: str = "") -> Row:
    return Row(rules, shown, why)


def made(*shown: str, why: str = "") -> Row:
    """True by construction, or by the types."""
    return Row((), shown, why)


def unseen(why: str, *guides: str) -> Row:
    """Of a cluster that is there already, or of AWS's own doing: nothing of it is declared."""
    return Row((), guides, why)


ENABLE = "docs/guides/enable-auto-mode.md"
ARGUMENTS, ACCESS, OBJECTS, ROLES = (f"tests/eks/test_{name}.py" for name in ("cluster_arguments", "access", "objects", "iam_roles"))
BASE, READ = "tests/model/test_base.py", "tests/manifests/test_object_reader.py"

CLUSTER = {
    "C1": told("EKS013", shown=(ARGUMENTS,)),
    "C2": told("EKS013", shown=(ARGUMENTS, "tests/eks/test_cluster.py")),
    "C3": told("EKS014", shown=(ARGUMENTS,)),
    "C4": made("tests/eks/test_add_ons.py", ENABLE),
    "C5": told("EKS014", shown=(ARGUMENTS,)),
    "C6": unseen("the mode that a cluster had is not declared", ENABLE),
    "C7": told("EKS001"),
    "C8": made("tests/model/eks/test_presets.py", why="two words, by type; CFG005 for others"),
    "C9": told("EKS092", shown=(ARGUMENTS,)),
    "C10": told("EKS092", shown=(ARGUMENTS,)),
    "C11": made("tests/eks/test_built_in_pools.py"),
    "C12": made(ARGUMENTS),
    "C13": told("EKS013", "EKS089", shown=(ENABLE,)),
    "C14": told("EKS089"),
    "C15": made("tests/eks/test_iam_policies.py"),
    "C16": made(ROLES),
    "C17": made("tests/eks/test_iam_policies.py", ROLES),
    "C18": made(ROLES),
    "C19": told("EKS010"),
    "C20": unseen("the role that a cluster had is not declared", ENABLE),
    "C21": told("EKS082", "EKS084", shown=(ACCESS,)),
    "C22": told("EKS080", "EKS094", shown=(ACCESS, "tests/eks/test_built_in_pools.py")),
    "C23": told("EKS080", "EKS083", shown=(ACCESS,)),
    "C24": told("EKS020", "EKS042", "EKS043"),
    "C25": told("EKS040", "EKS041"),
    "C26": told("EKS002"),
    "C27": told("EKS004", "EKS005", "EKS006", "EKS008", shown=("tests/eks/test_network.py",)),
    "C28": told("EKS003", shown=(ARGUMENTS,)),
    "C29": told("EKS016", why="50 at most by type: CFG008"),
    "C30": made("tests/eks/test_add_ons.py", why="§ 18: Auto Mode supports it since July 2026, so the rule is gone"),
    "C31": told(
        "KAR043", shown=(READ,), why="Windows can be asked for; fields for the rest there are none, and those of EC2NodeClass are told as such"
    ),
    "C32": told("EKS017", "EKS070", "EKS071"),
    "C33": told("EKS018", shown=("docs/guides/drain-and-destroy.md",)),
    "C34": made(ARGUMENTS, why="the tiers by type: CFG005; settings of the controller manager are not modelled"),
    "C35": told("EKS091"),
    "C36": made(ARGUMENTS, why="secrets and nothing else are sent; the field says that removing it makes another cluster"),
    "C37": made("tests/eks/test_network.py", "examples/eks-existing-vpc/README.md"),
    "C38": told("EKS029", shown=(ROLES, "tests/eks/test_iam_policies.py")),
    "C39": told("EKS019"),
    "C40": told("EKS028", "EKS033"),
    "C41": told("EKS085", shown=(ENABLE,)),
    "C42": told("EKS086", shown=(ENABLE,)),
    "C43": made("tests/eks/test_auto_mode_objects.py"),
    "C44": unseen("pods per node follow from the type; no kubelet is set"),
    "C45": told("EKS044", why="images are replaced about weekly by AWS itself"),
    "C46": unseen("pulumi-aws 7.51.1 has no field for the Gateway API"),
    "C47": made("tests/eks/test_cluster.py"),
    "C48": told("EKS090", shown=(ARGUMENTS,)),
    "C49": told("EKS203", "EKS204"),
}

NODE_CLASS = {
    "N1": told("EKS022", "EKS087", "EKS088", shown=("tests/eks/test_rotation.py", "docs/guides/rotate.md")),
    "N2": told("EKS021", "EKS027"),
    "N3": told("EKS025", why="30 at most by type: CFG008; never empty, since the cluster's own stand in"),
    "N4": told("EKS025"),
    "N5": told("EKS026", "EKS110"),
    "N5b": told("EKS030", why="20 at most by type: CFG008"),
    "N6": told("EKS031", why="the zones of subnets are not known offline"),
    "N7": told("EKS034"),
    "N8": told("EKS023", "EKS032"),
    "N9": told("EKS033"),
    "N10": told("EKS016", "EKS024", "EKS093"),
    "N11": told("EKS035", "EKS198"),
    "N12": told("EKS036", why="lengths by type: CFG006, CFG008"),
    "N13": told("EKS050", "EKS051", "EKS052", "EKS220"),
    "N14": told("EKS038", "EKS058", why="that a group exists, and how many instances a spread group has left, only EC2 knows"),
    "N15": told("EKS053", "EKS130"),
    "N16": told("EKS054"),
    "N17": told("EKS055"),
    "N18": unseen("EC2 is asked by the cluster; Pulumi waits until a class is ready", OBJECTS, "docs/facts/eks.md"),
    "N19": told("EKS020", "KAR001", shown=("tests/manifests/test_eks_selectors.py",)),
}

NODE_POOL = {
    "P1": told("KAR001", "KAR002", "EKS040", "EKS041"),
    "P2": told("KAR010", shown=(BASE,), why="1 to 100 by type: CFG007"),
    "P3": told("KAR013", "EKS066", "EKS068"),
    "P4": told("KAR010", "KAR011", "KAR012", "KAR014", why="what a pool was before is not declared: the preset `static` says that it stays static"),
    "P5": made(OBJECTS),
    "P6": told("KAR022", "KAR028", shown=(BASE,)),
    "P7": told("KAR020"),
    "P8": told("KAR020", "KAR025", "KAR029", shown=("tests/model/kubernetes/test_words.py",)),
    "P8b": told("KAR021", "KAR023", "KAR026", "KAR027"),
    "P9": told("EKS056", "KAR022", "KAR024", "KAR025", "KAR028", "KAR080", "KAR095"),
    "P10": told("KAR031", "KAR034", "EKS045", "EKS046", "EKS047", "EKS048"),
    "P11": made(BASE),
    "P12": made(BASE),
    "P13": told("KAR042", "EKS067", why="1 to 50 by type: CFG007"),
    "P14": told("EKS057", why="the words by type: CFG005"),
    "P15": told("KAR033"),
    "P16": told("KAR033", "KAR047"),
    "P17": told("KAR043", "KAR044", "KAR045"),
    "P17b": told("KAR049"),
    "P18": told("EKS042", shown=(OBJECTS, READ)),
    "P19": told("KAR030", "KAR032", "KAR051"),
    "P20": told("EKS044"),
    "P21": told("KAR040", "KAR094"),
    "P22": told("KAR040", "KAR041"),
    "P23": told("KAR030", "KAR031", "KAR032", "KAR033", "KAR034"),
}

WRONG_WAYS = {
    "7.1": told("EKS014", shown=(ARGUMENTS,)),
    "7.2": told("EKS013", shown=(ARGUMENTS,)),
    "7.3": told("EKS011", "EKS092", shown=(ARGUMENTS,)),
    "7.4": told("EKS080", "EKS082", "EKS084", "EKS094", "EKS095", shown=(ACCESS, ROLES)),
    "7.5": told("EKS022", "EKS087", shown=("tests/eks/test_rotation.py",)),
    "7.6": told("EKS029", shown=(ROLES,)),
    "7.7": told("EKS020", "EKS043"),
    "7.8": made(READ, OBJECTS),
    "7.9": told("EKS045"),
    "7.10": told("KAR048", shown=(OBJECTS, BASE)),
    "7.11": told("EKS044", shown=(OBJECTS,)),
    "7.12": told("KAR021"),
    "7.13": told("KAR030", "EKS048"),
    "7.14": told("KAR040", "KAR041", "KAR094"),
    "7.15": told("KAR052", "KAR060"),
    "7.16": told("KAR051", shown=("tests/placement/test_cases.py", "examples/eks-gpu-arm/README.md")),
    "7.17": told("KAR050"),
    "7.18": told("EKS063", "EKS064", "EKS066"),
    "7.19": told("KAR010", "KAR011", "KAR014"),
    "7.20": told("EKS054", "EKS061", "EKS065"),
    "7.21": told("EKS060", "EKS062"),
    "7.22": made("tests/eks/test_order.py"),
    "7.23": made(READ, "tests/eks/test_cluster.py", why="unknown fields are refused: CFG002"),
    "7.24": told("EKS086", "KAR043"),
}

FACTS: Mapping[str, Row] = CLUSTER | NODE_CLASS | NODE_POOL | WRONG_WAYS

ELSEWHERE = {
    "EKS007": "§ 1.4: private nodes need a way out",
    "EKS009": "C15 to C20: roles are named by ARN, but in a NodeClass",
    "EKS012": "C27: a VPC holds the subnets of its zones",
    "EKS037": "§ 2.1: enableV4Egress, of IPv6 clusters",
    "EKS039": "§ 2.1: fips, in the US",
    "EKS049": "§ 3.4: zones of the region",
    **dict.fromkeys(("EKS179", "EKS180"), "§ 3.4: zones of the subnets"),
    "EKS057": "§ 3.7: operators of 2026",
    "EKS190": "§ 1.2: created roles have the tags of the cluster, which IAM reads in its own way",
    "EKS191": "C15 to C23: ARNs of roles, policies and keys, in the account of the cluster",
    "EKS192": "§ 19: VPC endpoints, one of each service of the region",
    "EKS193": "C21: access policies have names",
    "EKS194": "§ 12: zones of the region",
    "EKS196": "§ 17: names of namespaces and service accounts",
    "EKS197": "C21: names of users of access entries",
    "EKS096": "§ 13: the controller of network policies is off until a ConfigMap turns it on",
    **dict.fromkeys(("EKS170", "EKS171", "EKS172", "EKS173", "EKS174"), "CIS Amazon EKS Benchmark, which a baseline asks for"),
    "EKS140": "§ 16: the log group of the control plane",
    "EKS141": "§ 16: the key policy",
    "EKS142": "§ 16: a log group of another owner",
    "EKS148": "§ 19: NAT gateways are in public subnets",
    "EKS149": "§ 19: IPv6 clusters need IPv6 subnets",
    "EKS150": "§ 19: EKS chooses the IPv6 service range",
    "EKS151": "§ 19: public load balancers are in public subnets",
    "EKS152": "§ 19: IPv6 pods and IPv4 destinations",
    "EKS144": "§ 17: EKS requires a role for a service account",
    "EKS145": "§ 17: policies are those of a role that is created",
    "EKS146": "§ 17: one association for each service account",
    "EKS147": "§ 17: names and ARNs of IAM policies",
    **dict.fromkeys(("EKS210", "EKS211", "EKS212"), "§ 17: identity providers"),
    "EKS213": "nodepools: one key of secrets",
    "EKS187": "§ 17: session policies",
    "EKS188": "§ 17: statements of roles",
    "EKS189": "EKS user guide, NodePools of Auto Mode: the default policy from 1.37",
    "EKS181": "C29: the prefix aws: is reserved",
    "EKS182": "Service Quotas: public ranges of a cluster",
    "EKS183": "N8: EBS user guide, volume types",
    "EKS221": "N8: EBS user guide, volume types",
    "EKS184": "§ 3.5: the types of a family",
    "EKS175": "C23: reserved prefixes of names and groups",
    "EKS176": "C23: one association of each access policy",
    "EKS185": "C40: KMS keys",
    "EKS186": "C29: the public endpoint",
    "EKS177": "C23: principals are no sessions",
    "EKS178": "EKS user guide: the names of add-ons",
    "EKS081": "C23: principals by ARN",
    "EKS133": "Kubernetes: objects of one kind have different names; EKS creates the NodeClass default",
    "EKS132": "EKS API reference, VpcConfigRequest: securityGroupIds",
    "EKS131": "EKS API reference, CreateCluster: the name is unique in a region of an account",
    **dict.fromkeys(("KAR081", "KAR082", "KAR083", "KAR084", "KAR085"), "§ 3.1: limits of resources"),
    **dict.fromkeys(("KAR087", "KAR088"), "§ 3.4: labels that Karpenter knows"),
    "KAR089": "P6: the lowest budget wins",
    "KAR086": "§ 4.4: the order of NodePools",
    "KAR046": "§ 3.4: the architecture has no default",
    "KAR074": "§ 3.1: budgets bound how many nodes are disrupted at a time",
    "KAR075": "P6: percentages are rounded up",
    "KAR076": "P9: budgets do not limit expiration",
    "EKS069": "§ 5.3: 15 cheaper types for spot nodes",
    "KAR077": "§ 3.1: consolidateAfter is 0s by default",
    "KAR061": "nodepools: a class that nobody uses",
    "KAR090": "manual of EKS Auto Mode (2026-11): no CapacityBuffers; Azure/AKS issue 5873",
    "KAR091": "Karpenter 1.15: static NodePools ignore pending pods",
    "KAR092": "§ 3.1: no nodes are launched above limits",
    "KAR093": "nodepools: the label of a declared pool is its name",
    "EKS218": "§ 3.4: what instance types have",
    "EKS219": "EKS API reference, VpcConfigRequest.publicAccessCidrs",
}
"""Rules of EKS and of NodePools that no numbered fact is behind, with what is."""


@pytest.mark.parametrize(
    ("rows", "letter", "last", "more"),
    [(CLUSTER, "C", 49, ()), (NODE_CLASS, "N", 19, ("N5b",)), (NODE_POOL, "P", 23, ("P8b", "P17b")), (WRONG_WAYS, "7.", 24, ())],
)
def test_every_fact_has_its_row(rows: dict[str, Row], letter: str, last: int, more: tuple[str, ...]) -> None:
    assert set(rows) == {f"{letter}{number}" for number in range(1, last + 1)} | set(more)


def test_the_facts_are_those_that_were_looked_up(project) -> None:
    page = project.parent / "shared" / "facts" / "eks.md"
    if not page.is_file():
        pytest.skip("the notes of those who looked the facts up are not at hand: docs/facts says what they read")
    text = page.read_text()
    numbered = set(re.findall(r"^\| ([CNP][0-9]+b?) \|", text, re.MULTILINE))
    numbered |= {f"7.{number}" for number in re.findall(r"^([0-9]+)\. ", text.partition("## 7. ")[2].partition("## 8. ")[0], re.MULTILINE)}
    assert len(numbered) > 100
    assert numbered <= set(FACTS)


@pytest.mark.parametrize("fact", FACTS)
def test_a_row_says_what_is_done(fact: str, project) -> None:
    row = FACTS[fact]
    assert set(row.rules) <= set(all_rules())
    assert [path for path in row.shown if not (project / path).is_file()] == []
    assert row.rules or row.shown or row.why


def test_every_rule_of_these_modules_is_behind_a_fact() -> None:
    behind = {code for row in FACTS.values() for code in row.rules} | set(ELSEWHERE)
    modules = re.compile(r"nodepools\.rules\.(eks|karpenter)\..*")
    here = {code for code, rule in all_rules().items() if modules.fullmatch(rule.function.__module__)}
    assert {code for code in here if code.startswith(("EKS", "KAR"))} - behind == set()
