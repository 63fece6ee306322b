"""The blocks of a configuration of Terraform: the file and the line of an address, or of the local value that an argument has.

A plan does not say where its blocks are, so the files of its configuration are parsed: decision 32.
"""

import os
import re
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from nodepools.model.listing import listed
from nodepools.model.steps import Steps
from nodepools.model.values import dataclass, field
from nodepools.reading.bounded_input import TextError, file_text
from nodepools.rules.engine.finding import SourcePosition

if TYPE_CHECKING:
    from lark import Token, Tree

    _Place = tuple[Path, Tree[Token]]
    """A block, an argument or an element of an object."""
    _Each = tuple[Tree[Token], str]
    """A block, and the key of one of its instances."""

_PARSER: Final = "hcl2"
KEY: Final = re.compile(r'\[(?:"(?:[^"\\]|\\.)*"|\d+)\]')
"""The key of an instance, which blocks do not have."""
_STEP: Final = re.compile(r"module\.[^.]+|[^.]+\.[^.]+")
_LOCAL: Final = ("./", "../")
"""Sources of modules that are folders; others are packages, which are not in the project."""
_MERGED: Final = "*override.t*"
"""Files whose blocks and local values are merged into those of others, which then have several places."""
_REFERENCE: Final = re.compile(r'(?:"\$\{ *)?(?:local\.(?P<local>[\w-]+)|each\.value)(?P<inside>(?:\.[A-Za-z_][\w-]*|\["[^"$%\\]*"\])*)(?: *\}")?')
"""An expression that is a local value, what `for_each` gives, or something in it."""
_INSIDE: Final = re.compile(r'(?<=\[")[^"]+|(?<=\.)[\w-]+')
_PLAIN: Final = re.compile(r'[\w-]+|"[^"$%]*"')
"""A key of an object that is not computed."""
_DEEPEST: Final = 50
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
        """The nearest block or argument of `steps` in the resource at an address, or where `locals` define its value, if that is certain.

        Of a module that is not local, it is its call in the nearest one that is.

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
            keys = (one[0] for one in KEY.finditer(address) if KEY.sub("", address[: one.start()]).endswith(resource))
            return _position(*self._nearest(*inner, steps, next(keys, "")))
        return _position(*found) if found is not None else None

    def _block(self, folder: Path, *labels: str) -> "_Place | None":
        return next(self._with(folder, *labels), None)

    def _with(self, folder: Path, *labels: str) -> "Iterator[_Place]":
        for file, text in self._read(folder).items():
            if all(label in text for label in labels):
                yield from ((file, block) for block in self._blocks(file, text) if _labels(block) == list(labels))

    def _nearest(self, file: Path, block: "Tree[Token]", steps: Steps, key: str) -> "_Place":
        """The innermost argument or block of the steps, or the definition of its value."""
        at = block
        is_merged = any(file.parent.glob(_MERGED)) or len([*self._with(file.parent, *_labels(block))]) > 1
        for number, step in enumerate(() if is_merged else steps):
            if not isinstance(step, str):
                continue
            inner = [one for name, one in _body(at) if name == step]
            if len(inner) != 1:  # a plan can have several blocks in another order
                break
            at = inner[0]
            if at.data == "attribute":
                names = tuple(takewhile(lambda one: isinstance(one, str), steps[number + 1 :]))
                every = (self._value((file, at), names[:length], (block, key)) for length in range(len(names), -1, -1))
                return next((one for one in every if one is not None), (file, at))
        return file, at

    def _value(self, at: "_Place", names: Steps, each: "_Each | None" = None, depth: int = 0) -> "_Place | None":
        """Where something in the value of an argument, a local value or an element is written; `None` if that is not certain."""
        file, node = at
        written = _text(cast("Tree[Token]", node.children[-1]))
        reference = _REFERENCE.fullmatch(written) if depth < _DEEPEST else None
        if reference is not None:
            of = self._local(file.parent, reference["local"]) if reference["local"] else self._element(file, each, depth)
            inside = (*_INSIDE.findall(reference["inside"]), *names)
            found = self._value(of, inside, None, depth + 1) if of is not None else None
            return found if found is not None or names else at
        if not names:
            return at
        elements = [(_text(cast("Tree[Token]", one.children[0])), one) for one in _elements(node)]
        found = [one for name, one in elements if name.strip('"') == names[0]]
        is_certain = len(found) == 1 and all(_PLAIN.fullmatch(name) for name, _ in elements)
        return self._value((file, found[0]), names[1:], None, depth + 1) if is_certain else None

    def _element(self, file: Path, each: "_Each | None", depth: int) -> "_Place | None":
        """The element of `for_each` that an instance has."""
        block, key = each if each is not None else (None, "")
        given = dict(_body(block)).get("for_each") if block is not None else None
        return self._value((file, given), (key[2:-2],), None, depth + 1) if given is not None and key.startswith('["') else None

    def _local(self, folder: Path, name: str) -> "_Place | None":
        """The only definition of a local value; `None` if another file can have one."""
        texts = self._read(folder)
        found = [(file, one) for file, block in self._with(folder, "locals") for key, one in _body(block) if key == name]
        is_unread = any(str(file) in self.failed and name in texts.get(file, name) for file in _named(folder))
        return found[0] if len(found) == 1 and not is_unread else None

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
    return sorted(file for pattern in ("*.tf", "*.tofu") for file in folder.glob(pattern))


def _trees(tree: "Tree[Token]", kind: str) -> "Iterator[Tree[Token]]":
    for child in tree.children:
        if not isinstance(child, str) and child.data == kind:
            yield child


def _words(tree: "Tree[Token]") -> str:
    return _text(tree).strip('"')


def _labels(block: "Tree[Token]") -> list[str]:
    """`resource`, its type and its name: quoted, or identifiers."""
    return [_words(child) for child in block.children if not isinstance(child, str) and child.data in ("identifier", "keyword", "string")]


def _body(block: "Tree[Token]") -> "Iterator[tuple[str, Tree[Token]]]":
    """The arguments and blocks in a block, by name; of a dynamic one, that of what it makes."""
    for body in _trees(block, "body"):
        for one in (*_trees(body, "attribute"), *_trees(body, "block")):
            name = _labels(one)
            yield name[1] if name[0] == "dynamic" and len(name) == _RESOURCE else name[0], one


def _text(tree: "Tree[Token]") -> str:
    return "".join(map(str, tree.scan_values(lambda _: True))).strip()


def _elements(node: "Tree[Token]") -> "Iterator[Tree[Token]]":
    """The elements of the object that is a value."""
    for value in _trees(node, "expr_term"):
        for held in _trees(value, "object"):
            yield from _trees(held, "object_elem")


def _source(block: "Tree[Token]") -> str | None:
    """The folder of a module; `None` if it is a package."""
    [*_, written] = dict(_body(block))["source"].children if "source" in dict(_body(block)) else [""]
    text = _words(written) if not isinstance(written, str) else ""
    return text if text.startswith(_LOCAL) else None


def _position(file: Path, at: "Tree[Token]") -> SourcePosition:
    return SourcePosition(str(file), at.meta.line, at.meta.column)
