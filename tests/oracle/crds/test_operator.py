"""The API server takes what a rollout writes for the Pulumi Kubernetes Operator 2, by the operator's own CRDs.

They are not ours to ship: OPERATOR_CRDS names their folder (`deploy/crds` of github.com/pulumi/pulumi-kubernetes-operator), or Go fetches the module.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from nodepools.cli.rollout import _OBJECT_NAME
from nodepools.rollout.plan import Check, Plan, PlannedWave
from nodepools.rollout.targets import Fetched, operator

MODULE = "github.com/pulumi/pulumi-kubernetes-operator/v2@v2.9.0"
PLURAL = {"Stack": "stacks", "Workspace": "workspaces", "Update": "updates"}
PLAN = Plan(
    "fleet",
    (PlannedWave("dev", (("dev-weu", "dev-use1"), ("dev-neu",)), (Check("ok", ("smoke",)),), 60), PlannedWave("prod", (("prod-weu",), ("p" * 30,)))),
)
SOURCES = {
    "no options": Fetched("https://git.example.com/acme/fleet", "0123456789abcdef0123456789abcdef01234567"),
    "all options": Fetched(
        "https://git.example.com/acme/fleet", "0123456789abcdef0123456789abcdef01234567", "infra/fleet", "acme", "example/nodepools:1"
    ),
}


@pytest.fixture(scope="session")
def operator_crds(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    given = [Path(os.environ["OPERATOR_CRDS"])] if "OPERATOR_CRDS" in os.environ else []
    for folder in (*given, project.parent / "shared/crds/pulumi-operator"):
        if folder.is_dir():
            return folder
    if shutil.which("go") is None:
        pytest.skip("the CRDs of the operator are not at hand: OPERATOR_CRDS names their folder")
    done = subprocess.run(["go", "mod", "download", "-json", MODULE], cwd=tmp_path_factory.mktemp("go"), capture_output=True, text=True, check=False)
    found = json.loads(done.stdout) if done.stdout else {}
    if "Dir" not in found:
        pytest.skip(f"the CRDs of the operator are not at hand: {str(found.get('Error', done.stderr))[:200]}")
    return Path(found["Dir"], "deploy/crds")


@pytest.fixture(scope="session")
def refuses(server: Any, operator_crds: Path) -> Callable[[Mapping[str, Any]], str | None]:
    asked = server("pulumi-operator", operator_crds)

    def of(manifest: Mapping[str, Any]) -> str | None:
        path = f"/apis/{manifest['apiVersion']}/namespaces/default/{PLURAL[manifest['kind']]}?dryRun=All&fieldValidation=Strict"
        status, body = asked.send("POST", path, manifest)
        assert status in (201, 400, 422), (status, body)
        return None if status == 201 else body["message"]

    return of


def stacks(source: Fetched) -> list[dict[str, Any]]:
    files = operator(PLAN, source)
    return [one for name, text in files.items() if name.endswith(".yaml") for one in yaml.safe_load_all(text)]


def made_of(stack: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The objects that the operator makes of one `Stack`: a workspace with its template, and an update."""
    spec, name = stack["spec"], stack["metadata"]["name"]
    workspace = {
        **spec.get("workspaceTemplate", {}).get("spec", {}),
        "serviceAccountName": spec["serviceAccountName"],
        "git": {"url": spec["projectRepo"], "ref": spec["commit"], "dir": spec.get("repoDir", "")},
        "env": [{"name": key, "valueFrom": {"secretKeyRef": reference["secret"]}} for key, reference in spec["envRefs"].items()],
        "stacks": [{"name": spec["stack"], "create": True}],
    }
    alpha = "auto.pulumi.com/v1alpha1"
    return [
        {"apiVersion": alpha, "kind": "Workspace", "metadata": {"name": name}, "spec": workspace},
        {
            "apiVersion": alpha,
            "kind": "Update",
            "metadata": {"name": name},
            "spec": {"workspaceName": name, "stackName": spec["stack"], "type": "up"},
        },
    ]


@pytest.mark.parametrize("title", SOURCES)
def test_every_object_is_taken(refuses: Callable[[Mapping[str, Any]], str | None], title: str):
    found = stacks(SOURCES[title])
    assert [one["kind"] for one in found] == ["Stack"] * 5
    assert {one["metadata"]["name"]: refuses(one) for one in found} == dict.fromkeys(PLAN.waves[0].stacks + PLAN.waves[1].stacks)
    assert [refuses(one) for stack in found for one in made_of(stack)] == [None] * 10


def test_what_is_wrong_is_refused(refuses: Callable[[Mapping[str, Any]], str | None]):
    """The server reads the fields: one that is misspelt is refused."""
    stack = stacks(SOURCES["all options"])[-1]
    wrong = {
        "prerequisite": [{"name": "dev"}],
        "workspaceTemplate": {"spec": {"images": "a"}},
        "prerequisites": [{"name": "dev", "requirement": {"succeededWithinDuration": 3}}],
    }
    for name, value in wrong.items():
        assert refuses({**stack, "spec": {**stack["spec"], name: value}}) is not None, name
    assert refuses({**stack, "spec": {key: value for key, value in stack["spec"].items() if key != "stack"}}) is not None


@pytest.mark.parametrize("name", ["a", "dev.weu-1", "a" * 42, "a" * 43, "Dev", "dev_weu", "-a", "a-", "1"])
def test_names_that_are_compiled_are_those_that_the_server_takes(refuses: Callable[[Mapping[str, Any]], str | None], name: str):
    stack = stacks(SOURCES["no options"])[0]
    assert (refuses({**stack, "metadata": {"name": name}}) is None) == (_OBJECT_NAME.fullmatch(name) is not None)
