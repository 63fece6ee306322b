"""The Python code of the page: nodepools and what it imports, for Python in the browser."""

import shutil
import subprocess
import sys
import tarfile
from importlib.metadata import version
from pathlib import Path
from typing import Final

from website.layout import PROJECT

HERE: Final = Path(__file__).parent
BROWSER: Final = (
    "--only-binary",
    ":all:",
    "--platform",
    "pyemscripten_2026_0_wasm32",
    "--python-version",
    "314",
    "--implementation",
    "cp",
    "--abi",
    "cp314",
)
"""What pip calls Python in the browser; packages without compiled code are for any platform."""
LEFT_OUT: Final = ("aks", "eks", "kubernetes", "component", "plugin", "testing", "pack", "deployment.py")
"""What imports the SDKs of the clouds, and what no command of the page uses."""
TABLES: Final = (".json", ".txt")
"""Tables of the clouds, which the page fetches when a command reads them."""


def collect(folder: Path) -> None:
    """Puts every module below `folder`."""
    downloads = folder.with_name("downloads")
    _download(downloads, *BROWSER, "--requirement", str(HERE / "wheels.txt"))
    _download(downloads, "--no-binary", "pyyaml", "--requirement", str(HERE / "sources.txt"))  # what builds it can be compiled
    for wheel in downloads.glob("*.whl"):
        shutil.unpack_archive(wheel, folder, "zip")
    for source in downloads.glob("*.tar.gz"):
        _copy_yaml(source, folder)
    ours = PROJECT / "components" / "nodepools"
    shutil.copytree(ours, folder / "nodepools", ignore=lambda at, names: [name for name in names if _is_left_out(Path(at), name, ours)])
    _write_metadata(folder)


def tables() -> list[Path]:
    """Returns the tables that the page fetches when it needs them."""
    return sorted(path for path in (PROJECT / "components/nodepools/data").iterdir() if path.suffix in TABLES)


def _is_left_out(folder: Path, name: str, ours: Path) -> bool:
    return (folder == ours and name in LEFT_OUT) or name == "__pycache__" or (folder == ours / "data" and name.endswith(TABLES))


def _download(folder: Path, *arguments: str) -> None:
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--require-hashes",
        "--dest",
        str(folder),
    ]
    subprocess.run([*command, *arguments], check=True)  # noqa: S603


def _copy_yaml(source: Path, folder: Path) -> None:
    """PyYAML is published with compiled code for other platforms only; its package without it is complete."""
    with tarfile.open(source) as archive:
        archive.extractall(folder.with_name("yaml-source"), filter="data")
    [package] = folder.with_name("yaml-source").glob("*/lib/yaml")
    shutil.copytree(package, folder / "yaml")


def _write_metadata(folder: Path) -> None:
    """`nodepools --version` and outputs with a version read it."""
    place = folder / f"nodepools-{version('nodepools')}.dist-info"
    place.mkdir()
    (place / "METADATA").write_text(f"Metadata-Version: 2.1\nName: nodepools\nVersion: {version('nodepools')}\n", encoding="utf-8")
