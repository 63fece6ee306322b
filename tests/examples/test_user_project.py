"""The project that uses nodepools as a package: what it says of itself holds. `make user-project` installs it for real."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

from nodepools.cli.starter_files import Cloud, Origin, project_files

pytestmark = pytest.mark.program


@pytest.fixture
def copied(project: Path, tmp_path: Path) -> Path:
    """A copy: its own tests leave something beside them."""
    return shutil.copytree(project / "examples" / "user-project", tmp_path / "user-project", ignore=shutil.ignore_patterns(".venv", "__pycache__"))


def python(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *words], cwd=cwd, capture_output=True, text=True, check=False)


def test_its_tests_pass_and_its_plans_are_the_stored_ones(copied: Path):
    told = python("-m", "pytest", "-q", "-W", "error", cwd=copied)
    assert told.returncode == 0, told.stdout
    assert re.search(r"^\d\d passed in", told.stdout, re.MULTILINE)


OWN = {
    "README.md": "about the example",
    "Pulumi.dev.yaml": "the image of the worker",
    "Pulumi.prod.yaml": "the image of the worker",
    "__main__.py": "a component of its own",
    "requirements.txt": "installs the checkout around it",
    "stacks/prod.py": "the controls of the CIS benchmarks, with resources of a security team",
}


def test_it_is_what_init_writes_with_files_of_its_own(project: Path):
    """So what CI runs is what `nodepools init payments --clouds aks` writes."""
    written = project_files("payments", Cloud.AKS, None, Origin(""))
    here = project / "examples" / "user-project"
    assert [str(path) for path, text in written.items() if (here / path).read_text() != text] == sorted(OWN, key=[*map(str, written)].index)


BROKEN = [
    ("stacks/prod.py", ", zones=[1, 2, 3])", ")", "production_survives_the_loss_of_an_azure_zone"),
    ("stacks/prod.py", "protect=True", "protect=False", "the_production_cluster_on_aks_is_protected_and_restricted"),
    ("stacks/dev.py", '{"team": "payments"}', "{}", "every_agent_pool_has_the_tag_of_its_team"),
    ("stacks/dev.py", "count=2)", "count=2, isolated=False)", "application_pods_cannot_take_the_capacity_of_system_pools"),
    ("payments/cluster.py", ", **pool.scheduling()", "", "the_worker_lands_on_its_pool"),
    ("payments/cluster.py", "parent=self, provider=provider)", "parent=self)", "the_worker_comes_after_the_pools_and_goes_before_them"),
    ("stacks/dev.py", "Autoscale(1, 3)", "Autoscale(1, 4)", "the_plan_is_the_stored_one"),
]


def test_its_tests_fail_where_something_is_broken(copied: Path):
    for file, old, new, _ in BROKEN:
        text = (copied / file).read_text()
        assert old in text
        (copied / file).write_text(text.replace(old, new))
    told = python("-m", "pytest", "-q", cwd=copied)
    assert told.returncode == 1, told.stdout
    failed = set(re.findall(r"^FAILED tests/\w+.py::test_(\w+)", told.stdout, re.MULTILINE))
    assert failed >= {test for *_, test in BROKEN}
    assert "who_holds_a_kubeconfig_holds_a_secret" not in failed, "what nobody broke"


def test_it_is_typed_to_the_last_and_so_is_the_code_of_the_guide(project: Path, copied: Path):
    guide = (project / "docs" / "guides" / "testing.md").read_text()
    [_, *code] = re.findall(r"^```python\n(.*?)^```$", guide, re.MULTILINE | re.DOTALL)
    (copied / "tests" / "test_guide.py").write_text("\n".join(code))
    report = json.loads(python("-m", "pyright", "--outputjson", "--pythonpath", sys.executable, "--project", str(copied), cwd=project).stdout)
    assert report["generalDiagnostics"] == []
    assert report["summary"]["filesAnalyzed"] >= 9


def test_the_package_holds_every_file_beside_its_modules(project: Path):
    """What only an editable install finds is missing in a package."""
    patterns = tomllib.loads((project / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]["nodepools"]
    package = project / "components" / "nodepools"
    files = [path.relative_to(package) for path in package.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    data = [path.as_posix() for path in files if path.suffix != ".py"]
    assert "py.typed" in data
    assert [path for path in data if not any(fnmatch(path, pattern) for pattern in patterns)] == []
    folders = {path.parent for path in files if path.suffix == ".py"}
    assert [
        str(folder) for folder in sorted(folders) if Path("__init__.py") not in {path.relative_to(folder) for path in files if path.parent == folder}
    ] == []


def test_without_a_place_to_install_from_it_says_how_to_name_one(copied: Path):
    # What the make around this test was told is not for this one.
    bare = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "VENV", "NODEPOOLS")}
    told = subprocess.run(["make", "test"], cwd=copied, env=bare, capture_output=True, text=True, check=False)
    assert told.returncode == 2
    assert told.stderr.splitlines()[0] == "Say where nodepools comes from: make test NODEPOOLS=git+https://…, or a path, or a wheel"
    assert not (copied / ".venv").exists()
