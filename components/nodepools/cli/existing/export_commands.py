"""The commands that export clusters into a folder. They only read; `adopt` and `--existing` read the folder."""

from collections.abc import Iterator
from typing import Final

from nodepools.clouds.registry import cloud_of
from nodepools.model.platform import Platform

_ROOT: Final = "live"


def export_commands(*platforms: Platform) -> dict[str, list[str]]:
    """The shell commands by cluster, with the folder of each under `live`: `weu`, or `dev/weu` if there are several platforms."""
    several = len(platforms) > 1
    return {
        name: list(_commands(platform, key, f"{_ROOT}/{name}"))
        for platform in platforms
        for key in platform.clusters
        for name in [f"{platform.name}/{key}" if several else key]
    }


def _commands(platform: Platform, key: str, folder: str) -> Iterator[str]:
    yield f"mkdir -p {folder}"
    yield from cloud_of(platform.cluster(key)).export_commands(platform.stem(key), folder)
