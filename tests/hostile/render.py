"""Folders that `render -o` cannot replace as a whole."""

from pathlib import Path
from typing import Final

from tests.hostile.case import Case

_PLATFORM: Final = """
name: dev
clusters:
  use1:
    kind: EksCluster
    region: us-east-1
    kubernetes_version: "1.35"
    auto_mode: {node_classes: {a: {}}, node_pools: {a: {node_class: a}, b: {node_class: a}}}
"""


def _last_file_is_a_folder(folder: Path) -> None:
    (folder / "out" / "use1" / "nodepool-b.yaml" / "kept").mkdir(parents=True)
    (folder / "out" / "use1" / "nodepool-a.yaml").write_text("mine")


def _cluster_is_a_link(folder: Path) -> None:
    (folder / "elsewhere").mkdir()
    (folder / "out").mkdir()
    (folder / "out" / "use1").symlink_to("../elsewhere")


RENDER: Final = (
    Case(
        "a file that cannot be replaced",
        ("render", "--file", "platform.yaml", "-o", "out"),
        2,
        "out/use1/nodepool-b.yaml: Is a directory",
        {"platform.yaml": _PLATFORM},
        prepare=_last_file_is_a_folder,
    ),
    Case(
        "a cluster folder that is a link out of the folder",
        ("render", "--file", "platform.yaml", "-o", "out"),
        2,
        "is outside of out: `render` does not follow symbolic links out of it",
        {"platform.yaml": _PLATFORM},
        prepare=_cluster_is_a_link,
    ),
    Case(
        "a list of rendered files that is another file",
        ("render", "--file", "platform.yaml", "-o", "out"),
        2,
        "error: out/.nodepools-rendered: is not the list of files that `nodepools render` wrote",
        {"platform.yaml": _PLATFORM, "out/.nodepools-rendered": "[1]"},
    ),
    Case(
        "a list of rendered files that names a file elsewhere",
        ("render", "--file", "platform.yaml", "-o", "out"),
        2,
        "error: out/../platform.yaml: is outside of out",
        {"platform.yaml": _PLATFORM, "out/.nodepools-rendered": '{"dev": {"use1": ["../platform.yaml"]}}'},
    ),
)
