"""Each field of the services of a cluster is shown and proven: in a guide, in a declaration that people copy, in a stored plan, by the real engine,
and by a rule.

A field without a rule has the reason why nothing about it can be wrong offline.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import cast

import pytest

from nodepools import AksClusterArgs, AksNetworkArgs, EksClusterArgs, EksNetworkArgs
from nodepools.aks import LoadBalancer, NetworkProfile
from nodepools.eks import ClusterObjects, IngressClass
from nodepools.loading import read_stack
from nodepools.model.aks.services import AksServices
from nodepools.model.base import Model
from tests.golden.conftest import DECLARATIONS
from tests.pulumi.test_second_up import APPLIED_TWICE

Declared = Callable[..., set[str]]
NEWER = {"app_monitoring", "gateway_api", "scheduler_profiles"}
"""Fields that the default version of the API does not have: no stored plan can have them. tests/rules/test_api_versions.py has their rule."""
FIELDS: Mapping[type[Model], Sequence[str]] = {
    AksClusterArgs: [
        *(field for field in AksServices.model_fields if field not in NEWER),
        *("registries", "kubelet_identity", "network_rights", "workload_identities", "run_command", "node_resource_group_restriction"),
        *("force_upgrade_until", "fqdn_subdomain", "image_cache"),
    ],
    AksNetworkArgs: ["nat", "route_table_id", "cidr_v6"],
    NetworkProfile: ["nat_gateway"],
    LoadBalancer: ["backend_pool_type", "outbound_ip_ids"],
    EksClusterArgs: [
        *("logs", "log_types", "secrets_key", "zonal_shift", "role_names", "permissions_boundary", "pod_identities", "add_ons", "ip_family"),
        *("deletion_protection", "security_group_ids"),
    ],
    EksNetworkArgs: ["ipv6", "public_subnets", "endpoints"],
    ClusterObjects: ["network_policies"],
    IngressClass: ["scheme"],
}
NAMES = sorted({field for fields in FIELDS.values() for field in fields})
OF_PARTS = {f"{part.__name__}.{field}" for part, fields in FIELDS.items() for field in fields}
WITHOUT_RULE = {
    "ai_toolchain_operator": "AKS accepts it in every cluster; whether there is quota for GPUs is known in the subscription only",
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
    return sorted(set(NAMES) - set(found) - set(known))


def declared(part: object) -> Iterator[str]:
    """The fields that a declaration sets: `AksClusterArgs.logs`."""
    if isinstance(part, Model):
        yield from (f"{type(part).__name__}.{field}" for field in part.model_fields_set)
        inside = [value for _, value in part]
    else:
        inside = list(cast("Mapping[str, object]", part).values()) if isinstance(part, Mapping) else []
    for one in inside:
        yield from declared(one)


@pytest.fixture
def set_in(project: Path) -> Declared:
    """The fields that stacks set, each a folder and a name."""
    return lambda *stacks: {field for folder, stack in stacks for field in declared(read_stack(stack, (project / folder).resolve()))}


def test_the_fields_exist() -> None:
    assert [(part, field) for part, fields in FIELDS.items() for field in fields if field not in part.model_fields] == []


def test_each_field_is_in_a_stored_plan(set_in: Declared) -> None:
    assert sorted(OF_PARTS - set_in(*DECLARATIONS.values())) == []


def test_the_real_engine_applies_each_field_and_then_finds_nothing_to_do(set_in: Declared) -> None:
    assert sorted(OF_PARTS - set_in(APPLIED_TWICE)) == []


def test_each_field_is_in_a_guide(project: Path) -> None:
    guides = texts(project, "docs/guides/*.md")
    assert lacking(field for field in NAMES if re.search(rf"[`.]{field}\b|\b{field}=", guides)) == []


def test_each_field_is_in_a_declaration_that_people_copy(project: Path) -> None:
    shown = [block for page in (project / "docs/guides").glob("*.md") for block in _BLOCK.findall(page.read_text())]
    copied = "\n".join([*shown, texts(project, "stacks/*.py", "examples/**/*.py", "examples/**/*.yaml")])
    assert lacking((field for field in NAMES if sets(field, copied)), NOT_COPIED) == []


def test_each_field_has_a_row_with_its_effect(project: Path) -> None:
    tables = texts(project, "components/nodepools/wire/**/*.py", "components/nodepools/changes/platform_changes.py")
    assert lacking(field for field in NAMES if f'"{WITHIN.get(field, field)}"' in tables) == []


def test_each_field_has_a_rule_or_the_reason_why_not(project: Path) -> None:
    folders = ("aks", "eks", "karpenter", "nap", "platform", "self_managed")  # the engine names what people bring from other tools
    rules = texts(project, *(f"components/nodepools/rules/{folder}/*.py" for folder in folders))
    judged = {field for field in NAMES if re.search(rf"\b{field}\b", rules)}
    assert lacking(judged) == sorted(WITHOUT_RULE)


@pytest.mark.parametrize("reasons", [WITHOUT_RULE, NOT_COPIED])
def test_reasons_are_for_fields(reasons: dict[str, str]) -> None:
    assert reasons.keys() <= set(NAMES)
