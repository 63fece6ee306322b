"""What a command loads before it answers: whoever merges or moves modules must not make others wait.

A list may get shorter in any change. A longer one is a decision: the start of a command is what people wait for first.
"""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

LOADED = """
import atexit, sys
def tell():
    for name, module in sorted(sys.modules.items()):
        print(name, getattr(module, "__file__", None) or "", sep="\\t", file=sys.stderr)
atexit.register(tell)
from nodepools.cli.main import main
main()
"""
STANDARD = sys.stdlib_module_names


@dataclass(frozen=True)
class Loaded:
    """The modules of one process."""

    files: dict[str, str]

    @classmethod
    def by(cls, *arguments: str, cwd: Path) -> "Loaded":
        done = subprocess.run([sys.executable, "-c", LOADED, *arguments], cwd=cwd, check=False, capture_output=True, text=True)
        assert done.returncode in {0, 1}, done.stderr
        return cls(dict(line.split("\t") for line in done.stderr.splitlines() if "\t" in line))

    @property
    def of_others(self) -> set[str]:
        """Distributions, as far as their packages are imported by name."""
        tops = {name.partition(".")[0] for name in self.files}
        return {top for top in tops if top not in STANDARD and not top.startswith(("_", "sitecustomize")) and top not in {"nodepools", "stacks"}}

    @property
    def lines(self) -> int:
        """Of our modules: a number that merging and moving leaves as it is, as long as nobody loads more."""
        return sum(Path(file).read_text(encoding="utf-8").count("\n") for name, file in self.files.items() if name.startswith("nodepools") and file)


HELP = {"annotated_doc", "shellingham", "typer"}
CORE = HELP | {"annotated_types", "pydantic", "pydantic_core", "typing_extensions", "typing_inspection"}
YAML = CORE | {"cython_runtime", "yaml"}


@pytest.mark.parametrize(
    ("command", "lines", "packages"),
    [
        pytest.param("--help", 3_760, HELP, id="help"),
        pytest.param("check --stack dev", 33_800, CORE, id="check"),
        pytest.param("explain examples/workloads --stack dev", 51_200, YAML, id="explain"),
        pytest.param("diff examples/convert/karpenter.yaml examples/node-groups/static.yaml", 67_300, YAML, id="diff"),
        pytest.param("upgrade --stack dev --to 1.37", 55_750, YAML, id="upgrade"),
        pytest.param("capacity --stack dev", 38_700, CORE, id="capacity"),
    ],
)
def test_a_command_loads_no_more_than_it_did(command: str, lines: int, packages: set[str], project: Path):
    loaded = Loaded.by(*command.split(), cwd=project)
    assert loaded.of_others <= packages
    assert loaded.lines <= lines


COMPILED = """
from nodepools.model.base import Model
from nodepools.model import platform
from nodepools.model.eks import ec2_node_class
from nodepools.rules.engine.registry import all_rules

def compiled(kind):
    return {one.__name__ for one in kind.__subclasses__() if one.__pydantic_complete__}.union(*map(compiled, kind.__subclasses__()))

before = compiled(Model)
all_rules()
print(*sorted(compiled(Model) - before))
"""


def test_rules_compile_no_validator_when_they_are_imported(project: Path):
    """Except of two that most stacks need, too: parts of samples are plain data, or made by functions."""
    done = subprocess.run([sys.executable, "-c", COMPILED], cwd=project, check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["Requirement", "Weekly"]


def test_the_aks_component_loads_no_monitoring_of_the_sdk(project: Path):
    """It takes a tenth of a second, and only clusters with logs or metrics need it: an annotation that is not text would load it."""
    script = "import sys, nodepools.aks.cluster; print(*(name for name in sys.modules if name.startswith('pulumi_azure_native.monitor.')))"
    done = subprocess.run([sys.executable, "-c", script], cwd=project, check=True, capture_output=True, text=True)
    assert done.stdout.split() == []
