"""The import files of `nodepools adopt`, or what must let go of resources first."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from nodepools.adoption.adopted import Adopted
from nodepools.adoption.import_file import import_entries, object_entries
from nodepools.adoption.terraform import Managed, removed_blocks, still_managed
from nodepools.cli.command_run import CommandRun
from nodepools.cli.envelope import json_text
from nodepools.cli.input_files import STDIN
from nodepools.cli.problem import Problem
from nodepools.cli.sources import project_directory
from nodepools.engine.errors import EngineError
from nodepools.engine.project import project_name
from nodepools.engine.urns import make_urn
from nodepools.loading import UnreadableError
from nodepools.model.listing import quoted

Entry: TypeAlias = Mapping[str, object]
_PROJECT: Final = "nodepools"
"""The name of the project, if there is no `Pulumi.yaml` here."""
_REMOVED: Final = "removed.tf"
_NAMED: Final = 3
_INSIDE: Final = "objects inside clusters are not in this output: they have an import file of their own, which `--import FILE` writes"


@dataclass(frozen=True, slots=True)
class ClusterImports:
    """The entries of one cluster."""

    name: str
    """Of its component."""
    component: str
    """The type of its component."""
    outside: Sequence[Entry]
    """The component, and the resources outside the cluster."""
    inside: Sequence[Entry]
    """The objects in the cluster, after the provider for them."""


@dataclass(frozen=True, slots=True)
class Imports:
    """The entries of all clusters."""

    clusters: Sequence[ClusterImports]

    @classmethod
    def of(cls, platform: str, adopted: Iterable[Adopted]) -> "Imports":
        """What the declarations register, as far as it exists."""
        return cls(
            [
                ClusterImports(f"{platform}-{one.key}", one.component, list(import_entries(platform, one)), object_entries(platform, one))
                for one in adopted
            ]
        )

    @property
    def entries(self) -> list[Entry]:
        """All of them."""
        return [entry for one in self.clusters for entry in (*one.outside, *one.inside)]

    def files(self, imports: Path, stack: str, run: CommandRun) -> Iterator[tuple[Path, str]]:
        """The import files with their texts: objects are imported after their clusters."""
        yield imports, json_text({"resources": [entry for one in self.clusters for entry in one.outside]}) + "\n"
        inside = [one for one in self.clusters if one.inside]
        if inside and str(imports) == STDIN:
            run.notes.append(Problem("--import", _INSIDE))
        elif inside:
            project = _project()
            table = {one.name: make_urn(stack, project, "", one.component, one.name) for one in inside}
            text = json_text({"nameTable": table, "resources": [entry for one in inside for entry in one.inside]})
            yield imports.with_name(f"{imports.stem}-objects{imports.suffix}"), text + "\n"

    def files_unless_managed(self, imports: Path, stack: str, terraform: Sequence[Managed], run: CommandRun) -> Iterator[tuple[Path, str]]:
        """The same, unless Terraform manages some of the resources: then the blocks that let go of them, because Terraform would delete them."""
        held = still_managed(terraform, ((str(entry["type"]), str(entry["id"])) for entry in self.entries if "id" in entry))
        if not held:
            yield from self.files(imports, stack, run)
            return
        blocks = imports.with_name(_REMOVED)
        lets_go = f"apply `{blocks}`, then export its state again"
        run.problems.append(
            Problem(str(imports), f"not written, because Terraform manages {quoted([one.address for one in held], _NAMED)}: {lets_go}")
        )
        yield blocks, removed_blocks(held)


def _project() -> str:
    """The name of the Pulumi project here, which URNs contain."""
    try:
        return project_name(project_directory())
    except (UnreadableError, EngineError):
        return _PROJECT
