"""The commands that export clusters into a folder. They only read; `adopt` and `--existing` read the folder."""

from collections.abc import Iterator
from typing import Final

from nodepools.clouds.registry import cloud_of
from nodepools.model.platform import Platform

_ROOT: Final = "live"


def export_commands(platform: Platform) -> dict[str, list[str]]:
    """The shell commands by cluster, with the folder of each under `live`."""
    return {key: list(_commands(platform, key)) for key in platform.clusters}


def _commands(platform: Platform, key: str) -> Iterator[str]:
    folder = f"{_ROOT}/{key}"
    yield f"mkdir -p {folder}"
    yield from cloud_of(platform.cluster(key)).export_commands(platform.stem(key), folder)
