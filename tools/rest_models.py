"""The models of a wheel of azure-mgmt-containerservice, which mirror the REST API of one version: names on the wire, with their types.

Only names and types are read, from the source, which is not imported.
"""

import ast
import re
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

_FOLDER: Final = "azure/mgmt/containerservice"
_SCALARS: Final = {"int": "int", "float": "float", "bool": "bool", "Any": "any"}
"""Others are text on the wire."""
_API: Final = re.compile(r'kwargs\.pop\("api_version", "(\d{4}-\d\d-\d\d(?:-preview)?)"\)')


class Property(NamedTuple):
    """One property that a request can have."""

    wire: str
    annotation: str
    is_required: bool


class Api:
    """One version of the API."""

    def __init__(self, wheel: Path) -> None:
        with zipfile.ZipFile(wheel) as files:
            self.version = _API.findall(files.read(f"{_FOLDER}/_configuration.py").decode())[0]
            tree = ast.parse(files.read(f"{_FOLDER}/models/_models.py").decode())
        self._classes = {one.name: one for one in tree.body if isinstance(one, ast.ClassDef)}

    def properties(self, name: str) -> Mapping[str, Property]:
        """The properties of a class that a request can have, with those of `properties`, in which Azure nests them."""
        found = {one.wire: one for one in self._all(name)}
        nested = found.pop("properties", None)
        return {**found, **self.properties(str(self.class_in(nested.annotation)))} if nested is not None else found

    def _all(self, name: str) -> Iterator[Property]:
        node = self._classes[name]
        for base in node.bases:
            if isinstance(base, ast.Name) and base.id in self._classes:
                yield from self._all(base.id)
        for line in node.body:
            match line:
                case ast.AnnAssign(target=ast.Name(id=attribute), annotation=kind, value=ast.Call(func=ast.Name(id="rest_field"), keywords=keywords)):
                    options = {one.arg: ast.literal_eval(one.value) for one in keywords if one.arg in {"name", "visibility"}}
                    if options.get("visibility") != ["read"]:
                        text = ast.unparse(kind)
                        yield Property(options.get("name", attribute), text, not text.startswith("Optional["))
                case _:
                    pass

    def class_in(self, annotation: str) -> str | None:
        """The class that an annotation has."""
        return next((name for name in re.findall(r"_models\.(\w+)", annotation) if name in self._classes), None)

    def is_status(self, annotation: str) -> bool:
        """A request cannot have anything in it: only the cloud sets it."""
        held = self.class_in(annotation)
        return held is not None and not self.properties(held)

    def word(self, annotation: str) -> str:
        """A type as a word of the table."""
        text = annotation.removeprefix("Optional[").removesuffix("]") if annotation.startswith("Optional[") else annotation
        held = self.class_in(text)
        if text.startswith("dict[str, "):
            return f"{{{self.word(text.removeprefix('dict[str, ').removesuffix(']'))}}}"
        if text.startswith("list["):
            return f"[{self.word(text.removeprefix('list[').removesuffix(']'))}]"
        return held if held is not None else _SCALARS.get(text, "str")
