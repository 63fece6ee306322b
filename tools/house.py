"""Measures the structure of the library, and fails if a figure is worse than what is written here.

Each limit is the figure of the day on which it was last changed; one that gets worse is a decision, which its commit explains.
`aim` is what the house is on its way to.
"""

import ast
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

PROJECT = Path(__file__).resolve().parent.parent
PACKAGE = "nodepools"
LIBRARY = PROJECT / "components" / PACKAGE
_CODE = "(AKS|CFG|EKS|IGN|KAR|NAP|OBJ|PLT|SMK)[0-9]{3}"
_CLOUD = re.compile(r"(?:^|[._])(?:aks|eks|nap|azure|aws|ec2|auto_mode)(?=[._]|$)")
_OF_CLOUDS = ("model", "wire", "data", "keys", "rules", "clouds", "aks", "eks")
"""Packages that have rooms for each cloud; the last two are the components."""
_OUTPUT = "workload_client_ids|workloadClientIds"
_WRITTEN_BY_HAND = (":!tests/golden/plans",)  # tests rewrite these
_OTHER_WORD = re.compile("exported|running|live(?!n)|observed|foreign", re.IGNORECASE)
"""Words for what exists, which is called `existing`."""
_OUTSIDE_OF_ROWS = ("components/*.py", ":!components/nodepools/wire")
_OF_AGENT_POOL = (
    "vmSize|osType|osSKU|maxPods|nodeLabels|nodeTaints|availabilityZones|enableAutoScaling|minCount|maxCount|scaleSetPriority|scaleSetEvictionPolicy|"
    "scaleDownMode|vnetSubnetID|podSubnetID|podIPAllocationMode|orchestratorVersion|osDiskSizeGB|kubeletDiskType|enableFIPS|powerState|"
    "upgradeSettings|maxSurge|maxUnavailable|drainTimeoutInMinutes|undrainableNodeBehavior|virtualMachinesProfile"
)
_OF_NODE_GROUP = (
    "nodegroupName|nodegroupArn|amiType|capacityType|diskSize|instanceTypes|scalingConfig|minSize|maxSize|desiredSize|updateConfig|updateStrategy|"
    "maxUnavailablePercentage|releaseVersion|launchTemplate|nodeRole"
)

Graph: TypeAlias = Mapping[str, frozenset[str]]
"""The modules that each module imports."""


@dataclass(frozen=True)
class Figure:
    """One line of the table."""

    name: str
    now: int
    limit: int
    aim: int

    @property
    def is_worse(self) -> bool:
        """More than its limit."""
        return self.now > self.limit


@dataclass(frozen=True)
class Library:
    """The source of the library."""

    texts: Mapping[str, str]
    """By module."""

    @classmethod
    def read(cls, folder: Path = LIBRARY) -> "Library":
        """Every module below a folder."""
        return cls({_module(path.relative_to(folder.parent)): path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.py"))})

    @property
    def lines(self) -> int:
        """Blank ones and comments included."""
        return sum(text.count("\n") for text in self.texts.values())

    def graph(self) -> Graph:
        """Imports at the top, within functions, and by name as text; those for type checkers only are none."""
        return {name: frozenset(self._imported(name, ast.parse(text))) for name, text in self.texts.items()}

    def _imported(self, module: str, tree: ast.Module) -> Iterator[str]:
        for node in _nodes(tree):
            match node:
                case ast.Import(names=names):
                    yield from self._known(module, *(each.name for each in names))
                case ast.ImportFrom(module=str(source), names=names, level=0):
                    yield from self._known(module, *(f"{source}.{each.name}" if f"{source}.{each.name}" in self.texts else source for each in names))
                case ast.Constant(value=str(text)) if text.startswith(f"{PACKAGE}."):
                    yield from self._known(module, text)
                case _:
                    pass

    def _known(self, module: str, *names: str) -> Iterator[str]:
        yield from (name for name in names if name in self.texts and name not in {module, PACKAGE})


def _module(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def _nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Every node outside of `if TYPE_CHECKING:`."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.If(test=ast.Name(id="TYPE_CHECKING"), orelse=otherwise):
                for each in otherwise:
                    yield each
                    yield from _nodes(each)
            case _:
                yield node
                yield from _nodes(node)


def lone_imports(graph: Graph) -> Iterator[tuple[str, str]]:
    """Modules that only one other module imports, with it, where both are in the same package."""
    importers: dict[str, list[str]] = {}
    for module, imported in graph.items():
        for name in imported:
            importers.setdefault(name, []).append(module)
    for name, [importer, *others] in sorted(importers.items()):
        if not others and name.rpartition(".")[0] == importer.rpartition(".")[0]:
            yield name, importer


def circles(graph: Graph) -> Iterator[list[str]]:
    """Groups of modules each of which reaches all others of its group (Tarjan, 1972)."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []

    def visit(name: str) -> Iterator[list[str]]:
        number[name] = lowest[name] = len(number)
        stack.append(name)
        for other in sorted(graph[name]):
            if other not in number:
                yield from visit(other)
            if other in stack:
                lowest[name] = min(lowest[name], lowest[other])
        if lowest[name] == number[name]:
            at = stack.index(name)
            group, stack[at:] = stack[at:], []
            if len(group) > 1:
                yield sorted(group)

    for name in sorted(graph):
        if name not in number:
            yield from visit(name)


def named_after_a_cloud(modules: Iterable[str]) -> list[str]:
    """Modules that are named after one cloud, outside of the packages with rooms for each. A package counts by its modules."""
    modules = list(modules)
    packages = {module.rpartition(".")[0] for module in modules}
    inside = {module: module.split(".", 1)[1] for module in modules if module not in packages}
    return [module for module, name in inside.items() if name.partition(".")[0] not in _OF_CLOUDS and _CLOUD.search(name)]


def named_otherwise(library: Library) -> list[str]:
    """Classes, and modules, whose name has another word for what exists."""
    classes = (node.name for text in library.texts.values() for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ClassDef))
    return [name for name in (*classes, *library.texts) if _OTHER_WORD.search(name)]


def most_in_one_folder() -> int:
    """The number of modules directly in the fullest folder."""
    return max(Counter(path.parent for path in LIBRARY.rglob("*.py")).values())


def files_with(wanted: str, *folders: str, least: int = 1) -> int:
    """Files in the repository with so many different matches of a pattern, in any case."""
    done = subprocess.run(("git", "grep", "-oEwiI", "--null", wanted, "--", *folders), cwd=PROJECT, check=True, capture_output=True, text=True)  # noqa: S603, S607
    matches = {(file, found.lower()) for file, _, found in (line.partition("\0") for line in done.stdout.splitlines())}
    return sum(number >= least for number in Counter(file for file, _ in matches).values())


def figures() -> tuple[Figure, ...]:
    """The table, measured now."""
    library = Library.read()
    graph = library.graph()
    contract = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"][0]
    return (
        Figure("lines of the library", library.lines, limit=111_210, aim=80_000),
        Figure("modules of the library", len(library.texts), limit=557, aim=600),
        Figure("lines of the longest module", max(text.count("\n") for text in library.texts.values()), limit=600, aim=600),
        Figure("modules with one importer, in their own package", len(list(lone_imports(graph))), limit=38, aim=40),
        Figure("most modules directly in one folder", most_in_one_folder(), limit=23, aim=30),
        Figure("modules named after one cloud, elsewhere than in its rooms", len(named_after_a_cloud(library.texts)), limit=8, aim=10),
        Figure("classes and modules with another name for what exists", len(named_otherwise(library)), limit=0, aim=0),
        Figure("layers of import-linter", len(contract["layers"]), limit=10, aim=10),
        Figure("circles of imports, those in functions and by name included", len(list(circles(graph))), limit=0, aim=0),
        Figure("files that list rules (25 codes or more)", files_with(_CODE, "components", "tests", least=25), limit=15, aim=10),
        Figure("files that name 9 or more fields of an agent pool by hand", files_with(_OF_AGENT_POOL, *_OUTSIDE_OF_ROWS, least=9), limit=2, aim=1),
        Figure("files that name 8 or more fields of a node group by hand", files_with(_OF_NODE_GROUP, *_OUTSIDE_OF_ROWS, least=8), limit=1, aim=1),
        Figure(
            "files that name one output of the AKS component by hand", files_with(_OUTPUT, "components", "tests", *_WRITTEN_BY_HAND), limit=2, aim=5
        ),
    )


def main() -> int:
    """Prints the table; 1 if a figure is worse than its limit."""
    table = figures()
    for each in table:
        print(  # noqa: T201  # what it is for
            f"{each.name:<60} {each.now:>7,}   limit {each.limit:>7,}   aim {each.aim:>7,}{'   worse' if each.is_worse else ''}"
        )
    better = [each.name for each in table if each.now < each.limit]
    if better:
        print(f"better than its limit, which can be lowered: {', '.join(better)}")  # noqa: T201
    return any(each.is_worse for each in table)


if __name__ == "__main__":
    sys.exit(main())
