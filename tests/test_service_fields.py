"""Each field of the services of a cluster is shown and proven: in a guide, in a declaration that people copy, by the real engine, and by a rule.

A field without a rule has the reason why nothing about it can be wrong offline.
"""

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from nodepools import AksClusterArgs, EksClusterArgs
from nodepools.model.aks.cluster_services import AksServices

AKS = [
    *AksServices.model_fields,
    *("registries", "kubelet_identity", "network_rights", "workload_identities", "run_command", "node_resource_group_restriction"),
    *("force_upgrade_until", "fqdn_subdomain", "image_cache"),
]
OF_AKS_NETWORKS = ["nat", "route_table_id", "cidr_v6", "nat_gateway", "backend_pool_type", "outbound_ip_ids"]
EKS = [
    *("logs", "log_types", "secrets_key", "zonal_shift", "role_names", "permissions_boundary", "pod_identities", "add_ons", "ip_family"),
    *("deletion_protection", "security_group_ids"),
]
OF_EKS_PARTS = ["ipv6", "public_subnets", "endpoints", "network_policies", "scheme"]
FIELDS = sorted({*AKS, *OF_AKS_NETWORKS, *EKS, *OF_EKS_PARTS})
WITHOUT_RULE = {
    "keda": "whether another adapter of external metrics is installed is known in the cluster only",
    "vertical_pod_autoscaler": "AKS accepts it in every cluster",
    "istio": "revisions end within weeks: the pattern of a revision is checked, its end is not",
    "zonal_shift": "EKS accepts it in every cluster since July 2026",
    "role_names": "both values are accepted; that roles collide is known in the account only",
}
NOT_COPIED = {"log_analytics_workspace_id": "the short form of `logs`", "log_analytics_workspace_location": "the short form of `logs`"}
WITHIN = {"network_policies": "objects", "scheme": "objects"}
"""Fields whose change is reported by their part: objects inside the cluster."""
_BLOCK = re.compile(r"^ *```python\n(.*?)^ *```", re.DOTALL | re.MULTILINE)


def texts(folder: Path, *patterns: str) -> str:
    return "\n".join(path.read_text() for pattern in patterns for path in folder.glob(pattern) if ".venv" not in path.parts)


def sets(field: str, text: str) -> bool:
    """The text sets the field, as a keyword, an entry or an argument in YAML."""
    return re.search(rf"\b{field}=|[\"']{field}[\"']:|^ *{field}:", text, re.MULTILINE) is not None


def lacking(found: Iterable[str], known: Iterable[str] = ()) -> list[str]:
    return sorted(set(FIELDS) - set(found) - set(known))


def test_the_fields_exist() -> None:
    assert {*AKS} <= AksClusterArgs.model_fields.keys()
    assert {*EKS} <= EksClusterArgs.model_fields.keys()


def test_each_field_is_in_a_guide(project: Path) -> None:
    guides = texts(project, "docs/guides/*.md")
    assert lacking(field for field in FIELDS if re.search(rf"[`.]{field}\b|\b{field}=", guides)) == []


def test_each_field_is_in_a_declaration_that_people_copy(project: Path) -> None:
    shown = [block for page in (project / "docs/guides").glob("*.md") for block in _BLOCK.findall(page.read_text())]
    copied = "\n".join([*shown, texts(project, "stacks/*.py", "examples/**/*.py", "examples/**/*.yaml")])
    assert lacking((field for field in FIELDS if sets(field, copied)), NOT_COPIED) == []


def test_the_real_engine_gets_each_field(project: Path) -> None:
    assert lacking(field for field in FIELDS if sets(field, texts(project, "tests/pulumi/*.py"))) == []


def test_each_field_has_a_row_with_its_effect(project: Path) -> None:
    tables = texts(project, "components/nodepools/wire/**/*.py", "components/nodepools/changes/unsent.py")
    assert lacking(field for field in FIELDS if f'"{WITHIN.get(field, field)}"' in tables) == []


def test_each_field_has_a_rule_or_the_reason_why_not(project: Path) -> None:
    rules = texts(project, "components/nodepools/rules/*.py")
    judged = {field for field in FIELDS if re.search(rf"\b{field}\b", rules)}
    assert lacking(judged) == sorted(WITHOUT_RULE)


@pytest.mark.parametrize("reasons", [WITHOUT_RULE, NOT_COPIED])
def test_reasons_are_for_fields(reasons: dict[str, str]) -> None:
    assert reasons.keys() <= set(FIELDS)
