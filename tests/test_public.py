"""The public import path: a name is what it says, whatever was imported before it."""

import doctest
import importlib
import pkgutil
import subprocess
import sys
import time
import types
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from typing import get_args

import pytest

import nodepools
from nodepools.component.scope import one_at_a_time
from nodepools.model.base import Model
from nodepools.public_names import DOORS
from nodepools.rules.engine.registry import RULES
from tests.runner_caches import forget_rules

PACKAGES = {"aks", "eks", "keys", "pack", "partial", "rollout", "rules", "testing"}


def models_in(annotation: object) -> Iterator[type[Model]]:
    """The models that the type of a field names."""
    if isinstance(annotation, type) and issubclass(annotation, Model):
        yield annotation
    for part in get_args(annotation):
        yield from models_in(part)


FUNCTIONS = {
    f"{door}.{name}": function
    for door in DOORS
    for name in dir(importlib.import_module(door))
    if isinstance(function := getattr(importlib.import_module(door), name), types.FunctionType)
}


def test_no_public_name_is_that_of_a_module_with_another_meaning():
    modules = {found.name for found in pkgutil.iter_modules(nodepools.__path__)}
    assert modules & set(nodepools.__all__) <= PACKAGES, "importing the module would hide the name"


@pytest.mark.program
def test_every_public_name_is_there_after_every_module_was_imported():
    code = (
        "import importlib, pkgutil, types, nodepools\n"
        "for found in pkgutil.iter_modules(nodepools.__path__, 'nodepools.'):\n"
        "    if found.name != 'nodepools.__main__': importlib.import_module(found.name)\n"
        "named = {name for name in nodepools.__all__ if isinstance(getattr(nodepools, name), types.ModuleType)}\n"
        f"assert named <= {PACKAGES}, named\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_misspelt_name_is_no_attribute():
    assert not hasattr(importlib.import_module("nodepools"), "Platfrom")


def test_the_capacity_of_a_platform_is_a_value():
    cluster = nodepools.AksClusterArgs(
        location="westeurope", kubernetes_version="1.35", system_pool=nodepools.SystemPool(vm_size="Standard_D4ds_v5", count=3)
    )
    (found,) = nodepools.capacity(nodepools.Platform(name="dev", clusters={"weu": cluster}))
    needed = {(item.what, item.name): item.needed for item in found.items if item.checked_by == "server"}
    assert (found.cluster, needed["vcpus", "cores in westeurope"]) == ("weu", 12)


def test_the_changes_between_two_platforms_are_a_value():
    cluster = nodepools.AksClusterArgs(
        location="westeurope", kubernetes_version="1.35", system_pool=nodepools.SystemPool(vm_size="Standard_D4ds_v5", count=3)
    )
    old = nodepools.Platform(name="dev", clusters={"weu": cluster})
    changes = nodepools.diff(old, nodepools.derive(old, clusters={"weu": {"kubernetes_version": "1.36"}}))
    assert [(change.path, change.effect) for change in changes.all] == [("clusters.weu.kubernetes_version", nodepools.Effect.IN_PLACE)]
    assert changes.to_json()["summary"] == {"in_place": 1}
    assert not nodepools.diff(old, old).all


@pytest.mark.parametrize(
    ("absent", "name", "extra"),
    [
        ("pulumi_aws", "EksCluster", "eks"),
        ("pulumi_azure_native", "AksCluster", "aks"),
        ("pulumi", "deploy", "aks,eks"),
        ("google", "testing", "aks,eks"),
        ("grpc", "testing", "aks,eks"),
    ],
)
def test_a_name_without_its_extra_says_what_to_install(absent: str, name: str, extra: str):
    code = f"import sys; sys.modules[{absent!r}] = None; from nodepools import {name}"
    ended = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert f"nodepools.{name} requires the package `{absent}`: pip install 'nodepools[{extra}]'" in ended.stderr


def test_a_policy_pack_without_its_extra_says_what_to_install():
    code = "import sys; sys.modules['grpc'] = None; from nodepools.pack import serve; serve()"
    ended = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert "nodepools.pack.serve requires the package `grpc`: pip install 'nodepools[policy]'" in ended.stderr


@pytest.mark.parametrize("name", sorted(FUNCTIONS.keys() - {"nodepools.deploy"}))  # that needs a Pulumi program: examples/ has some
def test_the_docstring_of_a_public_function_has_an_example_that_runs(name: str, project: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(project)
    known = {name: getattr(importlib.import_module(door), name) for door in DOORS for name in dir(importlib.import_module(door))}
    [example] = doctest.DocTestFinder(recurse=False).find(FUNCTIONS[name], globs={**known, "date": date})
    assert example.examples
    told: list[str] = []
    forget_rules()
    doctest.DocTestRunner(verbose=False).run(example, out=told.append)
    RULES.pop("ACME001", None)
    forget_rules()
    assert told == []


def test_a_name_of_another_door_says_where_it_is():
    with pytest.raises(AttributeError, match=r"it is nodepools\.aks\.NetworkProfile"):
        _ = nodepools.NetworkProfile


def test_every_public_name_has_one_door():
    names = [name for door in DOORS for name in dir(importlib.import_module(door))]
    assert len(names) == len(set(names))


def test_every_part_of_a_declaration_can_be_imported():
    public = {getattr(importlib.import_module(door), name) for door in DOORS for name in dir(importlib.import_module(door)) if name[0].isupper()}
    left: list[type[Model]] = [nodepools.Platform]
    seen = set(left)
    while left:
        found = {part for field in left.pop().model_fields.values() for part in models_in(field.annotation)} - seen
        left += found
        seen |= found
    assert len(seen) > 50
    assert {part.__name__ for part in seen - public} == set()


def test_manifests_that_the_api_server_rejects_are_an_error_that_names_all_of_them():
    platform = nodepools.Platform(name="dev", clusters={"use1": nodepools.EksClusterArgs(region="us-east-1", kubernetes_version="1.36")})
    pods = "\n---\n".join(
        f"{{apiVersion: v1, kind: Pod, metadata: {{name: {name}}}, spec: {{containers: [{{name: a, image: b}}]}}}}" for name in ("A_", "B_")
    )
    with pytest.raises(nodepools.UnreadableError, match=r"A_(.|\n)*B_"):
        nodepools.explain(platform, pods)


def test_modules_of_sdks_are_first_used_in_one_thread_at_a_time():
    """Python before 3.11.9 and 3.12.3 shows another thread a module without its names."""
    entered: list[int] = []
    most: list[int] = []

    @one_at_a_time
    def use(number: int) -> int:
        entered.append(number)
        time.sleep(0.001)
        most.append(len(entered))
        entered.remove(number)
        return number

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(use, range(16))) == list(range(16))
    assert set(most) == {1}
