"""The shape of the code: what import-linter does not see."""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import nodepools

ROOT = Path(nodepools.__file__).parent
PATHS = {str(path.relative_to(ROOT)): path for path in sorted(ROOT.rglob("*.py"))}
MODULES = {".".join(("nodepools", *Path(name).with_suffix("").parts)).removesuffix(".__init__"): name for name in PATHS}


@cache
def tree(name: str) -> ast.Module:
    return ast.parse(PATHS[name].read_text(encoding="utf-8"))


OF_ONE_CLOUD = {
    "AgentPool",
    "AksClusterArgs",
    "AksNetworkArgs",
    "AksNodeClass",
    "AksNodePool",
    "AutoMode",
    "EksClusterArgs",
    "EksNetworkArgs",
    "EksNodeClass",
    "EksNodePool",
    "ExistingAksNetwork",
    "ExistingEksNetwork",
    "ManagedAksNetwork",
    "NodeProvisioning",
}
"""Classes of the model that say which cloud something is in."""
NAMES = {"AKS", "EKS", "aks", "eks", "aws", "azure", "AksCluster", "EksCluster", "AksNetwork", "EksNetwork", "ManagedCluster"}
"""Words, and members of enumerations, that say so too."""
MAY_BRANCH = {
    "manifests/object_checks.py": "network policies are a field of the NodeClass of EKS alone",
    "rules/karpenter/disruption_budgets.py": "Auto Mode replaces nodes after 21 days, whatever a NodePool says",
    "rules/platform/base_facts.py": "letters of other alphabets: names of Azure are those of sizes and of regions",
    "engine/ejection.py": "the SDKs of the clouds have modules and options of their own, and no declaration is read",
    "needs/owners.py": "agent pools have a number of nodes, and NodePools have limits",
    "model/platform.py": "agent pools have tags, and NodePools have none",
    "pack/organization/clusters.py": "a ManagedCluster has agent pools in its inputs, which no other resource has",
    "pack/input_values.py": "a ManagedCluster has agent pools in its inputs, which no other resource has",
    "resources/kubernetes_objects.py": "a table of readers by cloud and kind takes the place of it",
}
MAY_IMPORT_BOTH = {
    "__init__.py": "the public names",
    "model/platform.py": "the union of the declarations of all clouds",
    "clouds/karpenter_objects.py": "the writers of the objects of both clouds",
    "manifests/cluster_checks.py": "the type of whatever object is read",
    "manifests/existing/existing_pools.py": "the table of the classes of objects, by group",
    "manifests/supported_kinds.py": "the table of the forms of objects, by cloud and kind",
    "pack/policy.py": "which types of resources a rule is about",
    "plugin/provider.py": "the table of declarations, by the type of the component, and the names of their fields",
    "resources/kubernetes_objects.py": "the type of whatever object is read",
}


def is_about_one_cloud(name: str) -> bool:
    """The module's name, or that of its folder, says which."""
    path = Path(name)
    words = {word for part in path.with_suffix("").parts for word in part.split("_")}
    return bool({"aks", "eks", "azure", "nap"} & words)  # NAP: node auto provisioning of AKS


NEUTRAL = [name for name in PATHS if not is_about_one_cloud(name)]


def branches(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Where a module asks which cloud something is in, and by which word."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, classes]):
                yield from ((node.lineno, word) for word in sorted(words_in(classes) & OF_ONE_CLOUD))
            case ast.Compare(comparators=[ast.Constant(value=None)]):
                pass  # whether something is there
            case ast.Compare():
                sides = (node.left, *node.comparators)
                yield from ((node.lineno, word) for side in sides for word in sorted(words_of(side) & (OF_ONE_CLOUD | NAMES)))
            case ast.match_case():
                yield from ((node.pattern.lineno, word) for word in sorted(words_in(node.pattern) & (OF_ONE_CLOUD | NAMES)))
            case _:
                pass


def words_in(tree: ast.AST) -> set[str]:
    return {word for node in ast.walk(tree) for word in words_of(node)}


def words_of(node: ast.AST) -> set[str]:
    match node:
        case ast.Name(id=word) | ast.Attribute(attr=word) | ast.Constant(value=str(word)):
            return {word}
        case _:
            return set()


def imports(name: str) -> set[str]:
    """The modules of nodepools that a module imports, those for type checkers among them; those of functions aside."""
    outer = [node for statement in tree(name).body if not isinstance(statement, ast.FunctionDef | ast.ClassDef) for node in ast.walk(statement)]
    named = [(node.module, alias.name) for node in outer if isinstance(node, ast.ImportFrom) and node.module for alias in node.names]
    return {f"{module}.{one}" if f"{module}.{one}" in MODULES else module for module, one in named if module.startswith("nodepools")}


def circle(of: Mapping[str, set[str]]) -> list[str]:
    """The modules of a circle of imports; none where there is none."""
    try:
        TopologicalSorter(of).prepare()
    except CycleError as error:
        return error.args[1]
    return []


def test_branches_are_found():
    written = "isinstance(x, A | EksClusterArgs)\nplace.name == 'aks'\none.cloud is Cloud.EKS\nmatch x:\n    case AutoMode():\n        pass\n"
    assert sorted(branches(ast.parse(written))) == [(1, "EksClusterArgs"), (2, "aks"), (3, "EKS"), (5, "AutoMode")]


def test_circles_are_found():
    assert circle({"a": {"b"}, "b": {"a"}})
    assert not circle({"a": {"b"}, "b": set()})


def test_neutral_modules_do_not_branch_on_the_cloud():
    """What differs is a method of `Cloud`, a field of a record that each cloud has, or a property of the declaration."""
    assert [f"{name}:{line} asks for {word}" for name in NEUTRAL if name not in MAY_BRANCH for line, word in branches(tree(name))] == []


def test_models_of_both_clouds_meet_in_few_places():
    """Rules are asked by the types of their parameters, so a module of rules may name both clouds."""
    both = {name for name in NEUTRAL if {"nodepools.model.aks", "nodepools.model.eks"} <= {".".join(one.split(".")[:3]) for one in imports(name)}}
    assert {name for name in both if not name.startswith("rules/")} - MAY_IMPORT_BOTH.keys() == set()


def test_imports_of_the_test_kit_lead_in_no_circle():
    """For type checkers neither: what two modules need of each other is a protocol in the lower one."""
    of = {module: imports(name) - {"nodepools.testing"} for module, name in MODULES.items() if name.startswith("testing/")}
    del of["nodepools.testing"]  # names what is public, and is imported by nobody here
    assert circle(of) == []


_UNEXPLAINED = re.compile(r"(?:type|pyright): ignore(?:\[[^\]]*\])?\s*$", re.MULTILINE)


def test_every_exception_for_the_type_checker_has_a_reason() -> None:
    """In the same line: what the type checker cannot know."""
    assert [name for name, path in PATHS.items() if _UNEXPLAINED.search(path.read_text(encoding="utf-8"))] == []
