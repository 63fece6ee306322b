"""The commands that export clusters into a folder. They only read; `adopt` and `--existing` read the folder."""

from collections.abc import Iterator
from typing import Final

from nodepools.cli.existing.aks_export_commands import aks_commands
from nodepools.cli.existing.eks_export_commands import eks_commands
from nodepools.cli.existing.export_place import Place
from nodepools.model.per_cloud import PerCloud
from nodepools.model.platform import Platform

_ROOT: Final = "live"
_COMMANDS: Final[PerCloud[[Place], Iterator[str]]] = PerCloud(aks=aks_commands, eks=eks_commands)


def export_commands(platform: Platform) -> dict[str, list[str]]:
    """The shell commands by cluster, with the folder of each under `live`."""
    return {key: list(_commands(platform, key)) for key in platform.clusters}


def _commands(platform: Platform, key: str) -> Iterator[str]:
    place = Place(platform.stem(key), f"{_ROOT}/{key}")
    yield f"mkdir -p {place.folder}"
    yield from _COMMANDS(platform.cluster(key), place)
