"""Writes the picture of the arrows between packages into ARCHITECTURE.md, made from the imports. `--check` only compares."""

import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from house import PACKAGE, PROJECT, Library

PAGE = PROJECT / "ARCHITECTURE.md"
_PICTURE = re.compile(r"(<!-- arrows: made by tools/arrows\.py -->\n```\n).*?(```\n)", re.DOTALL)
_LAYER = 3
"""Columns of the number of a layer."""


def layers(pyproject: Path = PROJECT / "pyproject.toml") -> list[list[str]]:
    """The packages of each layer, the highest first, as import-linter checks them."""
    return [layer.split(" | ") for layer in _contract(pyproject)["layers"]]


def _contract(pyproject: Path) -> Mapping[str, list[str]]:
    return tomllib.loads(pyproject.read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"][0]


def imports_of_packages(library: Library) -> Mapping[str, frozenset[str]]:
    """The packages that each package imports."""
    found: dict[str, set[str]] = {}
    for module, imported in library.graph().items():
        if module != PACKAGE:
            own = module.split(".")[1]
            found.setdefault(own, set()).update(name.split(".")[1] for name in imported if name != PACKAGE)
    return {own: frozenset(names - {own}) for own, names in found.items()}


def picture(library: Library) -> str:
    """A line for each package: its layer, and the packages that it imports, without those that these import already."""
    arrows = imports_of_packages(library)
    every = layers()
    width = max(len(name) for layer in every for name in layer)
    return "".join(_lines(arrows, every, width))


def _lines(arrows: Mapping[str, frozenset[str]], every: list[list[str]], width: int) -> Iterator[str]:
    for number, layer in zip(range(len(every), 0, -1), every, strict=True):
        for place, name in enumerate(layer):
            further = {other for direct in arrows[name] for other in _reached(arrows, direct)}
            shown = ", ".join(sorted(arrows[name] - further))
            yield f"{number if place == 0 else '':>{_LAYER}} {name:<{width}} {f'→ {shown}' if shown else ''}".rstrip() + "\n"


def _reached(arrows: Mapping[str, frozenset[str]], name: str) -> frozenset[str]:
    return arrows.get(name, frozenset()).union(*(_reached(arrows, other) for other in arrows.get(name, ())))


def page(library: Library) -> str:
    """ARCHITECTURE.md with the picture of today."""
    return _PICTURE.sub(lambda found: f"{found[1]}{picture(library)}{found[2]}", PAGE.read_text(encoding="utf-8"))


def main() -> int:
    """Writes the page; with `--check`, 1 if it would change."""
    new = page(Library.read())
    if "--check" in sys.argv:
        return new != PAGE.read_text(encoding="utf-8")
    PAGE.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
