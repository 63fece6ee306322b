"""The files of the page: its own, the editor, Python for the browser, examples."""

import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from website.layout import PROJECT
from website.playground.examples import EXAMPLES, Example
from website.playground.python_parts import HERE, tables

_NOT_OF_THE_EDITOR: Final = ("pyodide", "ws", "@types/emscripten")
_FORMS: Final = ("json", "text")
RUNTIME: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")


def write_page(modules: Path, out: Path) -> None:
    """Writes all files but the Python code; `modules` has the packages that npm installed."""
    shutil.copytree(HERE / "page", out, dirs_exist_ok=True)
    shutil.copyfile(PROJECT / "website/style/mark.svg", out / "mark.svg")
    imports = json.dumps({"imports": {name: f"./{_copied(modules, name, out)}" for name in _editor(modules)}})
    _fill(out / "index.html", {"IMPORTS": imports, "IMPORTMAP": base64.b64encode(hashlib.sha256(imports.encode()).digest()).decode()})
    (out / "pyodide").mkdir()
    for name in RUNTIME:
        shutil.copyfile(modules / "pyodide" / name, out / "pyodide" / name)
    packages = json.loads((modules / "pyodide/pyodide-lock.json").read_text(encoding="utf-8"))
    (out / "pyodide/pyodide-lock.json").write_text(json.dumps(packages | {"packages": {}}), encoding="utf-8")  # the page installs nothing
    (out / "tables").mkdir()
    for table in tables():
        shutil.copyfile(table, out / "tables" / table.name)
    (out / "tables.json").write_text(json.dumps([table.name for table in tables()]), encoding="utf-8")
    first, *others = (example.shown(PROJECT) for example in EXAMPLES)
    (out / "examples.json").write_text(json.dumps([first | {"answer": built_answer(EXAMPLES[0])}, *others]), encoding="utf-8")


def built_answer(example: Example) -> dict[str, str]:
    """What the page shows while Python loads: the answer to the first example, a check of manifests, in both forms."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in example.texts.items():
            Path(folder, f"{name}.yaml").write_text(text, encoding="utf-8")
        line = [sys.executable, "-m", "nodepools", example.command, "pools.yaml", "--format"]
        width = {**os.environ, "COLUMNS": ""}  # that of the browser, which has no terminal
        return {form: subprocess.run([*line, form], cwd=folder, env=width, capture_output=True, text=True, check=False).stdout for form in _FORMS}  # noqa: S603


def _editor(modules: Path) -> list[str]:
    """Returns the packages of the editor, each of which is one module."""
    locked = json.loads((HERE / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    names = [place.removeprefix("node_modules/") for place, package in locked.items() if place and not package.get("dev", False)]
    return [name for name in names if name not in _NOT_OF_THE_EDITOR and (modules / name).exists()]


def _copied(modules: Path, name: str, out: Path) -> str:
    """Copies the module of a package, and returns its place."""
    package = json.loads((modules / name / "package.json").read_text(encoding="utf-8"))
    entry = package["exports"]["import"].removeprefix("./")
    target = f"editor/{name}.js"
    (out / target).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(modules / name / entry, out / target)
    return target


def _fill(page: Path, values: Mapping[str, str]) -> None:
    text = page.read_text(encoding="utf-8")
    for name, value in sorted(values.items(), key=lambda each: -len(each[0])):
        text = text.replace(name, value)
    page.write_text(text, encoding="utf-8")
