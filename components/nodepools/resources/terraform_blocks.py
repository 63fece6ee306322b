"""The blocks of a configuration of Terraform: the file and the line of an address.

A plan does not say where its blocks are, so the files of its configuration are parsed: decision 32.
"""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from nodepools.model.listing import listed
from nodepools.model.steps import Steps
from nodepools.reading.bounded_input import file_text
from nodepools.reading.limits import TextError
from nodepools.rules.engine.finding import SourcePosition

if TYPE_CHECKING:
    from lark import Token, Tree

_PATTERNS: Final = ("*.tf", "*.tofu")
_PARSER: Final = "hcl2"
KEY: Final = re.compile(r'\[(?:"(?:[^"\\]|\\.)*"|\d+)\]')
"""The key of an instance, which blocks do not have."""
_STEP: Final = re.compile(r"module\.[^.]+|[^.]+\.[^.]+")
_LOCAL: Final = ("./", "../")
"""Sources of modules that are folders; others are packages, which are not in the project."""
_RESOURCE: Final = 2
_LISTED: Final = 3
_MOST: Final = 1_000_000
"""Characters of a file that is parsed: more would take minutes."""


@dataclass(frozen=True)
class Blocks:
    """The configuration of a plan: the folder of its root module, with the local modules that it calls."""

    root: Path
    failed: dict[str, str] = field(default_factory=dict[str, str])
    """Files that cannot be parsed, with the reason. Each is parsed only if it can have a block of a finding."""
    _texts: dict[Path, Mapping[Path, str]] = field(default_factory=dict[Path, Mapping[Path, str]])
    _parsed: dict[Path, "list[Tree[Token]]"] = field(default_factory=dict[Path, "list[Tree[Token]]"])

    @property
    def are_any(self) -> bool:
        """The folder has files of a configuration."""
        return any(_named(self.root))

    def position(self, address: str, steps: Steps = ()) -> SourcePosition | None:
        """The nearest block or argument of `steps` in the resource at an address; of a module that is not local, its call in the nearest one that is.

        `None`: there is no parser, or no file has the block.
        """
        every = cast("list[str]", _STEP.findall(KEY.sub("", address)))
        if not every or not self.are_any or find_spec(_PARSER) is None:
            return None
        *calls, resource = every
        folder, found = self.root, None
        for call in calls:
            inner = self._block(folder, *call.split("."))
            source = _source(inner[1]) if inner is not None else None
            found = inner if inner is not None else found
            if inner is None or source is None:
                return _position(*found) if found is not None else None
            folder = Path(os.path.normpath(folder / source))
        inner = self._block(folder, "resource", *resource.split("."))
        if inner is not None:
            return _position(inner[0], _nearest(inner[1], steps))
        return _position(*found) if found is not None else None

    def _block(self, folder: Path, *labels: str) -> "tuple[Path, Tree[Token]] | None":
        wanted = list(labels)
        for file, text in self._read(folder).items():
            if all(label in text for label in labels):
                for block in self._blocks(file, text):
                    if _labels(block) == wanted:
                        return file, block
        return None

    def _read(self, folder: Path) -> Mapping[Path, str]:
        if folder not in self._texts:
            self._texts[folder] = dict(self._files(folder))
        return self._texts[folder]

    def _files(self, folder: Path) -> Iterator[tuple[Path, str]]:
        for file in _named(folder):
            try:
                text = file_text(file)
            except TextError as error:
                self.failed[str(file)] = str(error).removeprefix(f"{file}: ")
                continue
            if len(text) > _MOST:
                self.failed[str(file)] = f"has more than {_MOST:,} characters"
                continue
            yield file, text

    def _blocks(self, file: Path, text: str) -> "list[Tree[Token]]":
        from hcl2.api import parses_to_tree  # pyright: ignore[reportUnknownVariableType]  # an extra, which takes a second to load
        from lark.exceptions import LarkError, UnexpectedInput

        if file not in self._parsed:
            try:
                body = cast("Tree[Token]", parses_to_tree(text)).children[0]
                self._parsed[file] = list(_trees(cast("Tree[Token]", body), "block"))
            except (LarkError, RecursionError) as error:
                place = f" (line {error.line}, column {error.column})" if isinstance(error, UnexpectedInput) else ""
                self.failed[str(file)] = f"is not HCL that the parser knows{place}"
                self._parsed[file] = []
        return self._parsed[file]

    def without_lines(self, addresses: list[str]) -> str:
        """Why these addresses have no line, and what gives them one."""
        what = f"{listed(addresses, _LISTED)} {'has' if len(addresses) == 1 else 'have'} no line"
        if not self.are_any:
            return f"{what}: `--hcl FOLDER` names the folder with the configuration"
        if find_spec(_PARSER) is None:
            return f"{what}: pip install 'nodepools[terraform]' adds the parser of `{self.root}`"
        failed = "; ".join(f"{file}: {reason}" for file, reason in self.failed.items())
        return f"{what}: no block in `{self.root}` has it{f' ({failed})' if failed else ''}"


def _named(folder: Path) -> list[Path]:
    return sorted(file for pattern in _PATTERNS for file in folder.glob(pattern))


def _trees(tree: "Tree[Token]", kind: str) -> "Iterator[Tree[Token]]":
    for child in tree.children:
        if not isinstance(child, str) and child.data == kind:
            yield child


def _words(tree: "Tree[Token]") -> str:
    return "".join(map(str, tree.scan_values(lambda _: True))).strip('"')


def _labels(block: "Tree[Token]") -> list[str]:
    """`resource`, its type and its name: quoted, or identifiers."""
    return [_words(child) for child in block.children if not isinstance(child, str) and child.data in ("identifier", "keyword", "string")]


def _body(block: "Tree[Token]") -> "Iterator[tuple[str, Tree[Token]]]":
    """The arguments and blocks in a block, by name; of a dynamic one, that of what it makes."""
    for body in _trees(block, "body"):
        for one in (*_trees(body, "attribute"), *_trees(body, "block")):
            name = _labels(one)
            yield name[1] if name[0] == "dynamic" and len(name) == _RESOURCE else name[0], one


def _nearest(block: "Tree[Token]", steps: Steps) -> "Tree[Token]":
    """The innermost argument or block of the steps."""
    for step in steps:
        inner = dict(_body(block)).get(step) if isinstance(step, str) else block
        if inner is None:
            break
        block = inner
    return block


def _source(block: "Tree[Token]") -> str | None:
    """The folder of a module; `None` if it is a package."""
    [*_, written] = dict(_body(block))["source"].children if "source" in dict(_body(block)) else [""]
    text = _words(written) if not isinstance(written, str) else ""
    return text if text.startswith(_LOCAL) else None


def _position(file: Path, at: "Tree[Token]") -> SourcePosition:
    return SourcePosition(str(file), at.meta.line, at.meta.column)
