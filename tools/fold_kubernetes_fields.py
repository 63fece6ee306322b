"""Writes the table of fields of workloads in the package from the models of the Python client of Kubernetes, which are generated from its OpenAPI.

`python tools/fold_kubernetes_fields.py FOLDER ORIGIN TABLE`: FOLDER is `kubernetes/client/models` of the unzipped package (`pip download --no-deps
kubernetes`), ORIGIN is its version and the day of reading, such as `37.0.2, 2026-11-28`. Each row is a type and its fields, such as `name=text`;
`[Type]` is a list of another type, `{Type}` a map. The OpenAPI has no type for quantities: those are known by the names of their fields.
"""

import ast
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from table_file import replace_rows

KINDS = ("CronJob", "DaemonSet", "Deployment", "Job", "Pod", "ReplicaSet", "ReplicationController", "StatefulSet")
_QUANTITIES = frozenset({"allocatedResources", "capacity", "divisor", "limits", "overhead", "requests", "resources", "sizeLimit"})
_SCALARS = {"str": "text", "bool": "flag", "int": "number", "float": "number", "datetime": "time"}

Fields = Mapping[str, str]


def read(folder: Path) -> dict[str, Fields]:
    """The fields of each type that a workload contains, with their types; `status` is written by controllers alone."""
    models = {name: fields for file in sorted(folder.glob("*.py")) for name, fields in _models(file)}
    if lacking := [kind for kind in KINDS if kind not in models]:
        sys.exit(f"no models of {', '.join(lacking)}: the models of version 37 or newer are read")
    found: dict[str, Fields] = {}
    left = list(KINDS)
    while left:
        name = left.pop()
        if name not in found:
            found[name] = {field: "any" if name in KINDS and field == "status" else of for field, of in models[name].items()}
            left += [inner for of in found[name].values() if (inner := of.strip("[]{}")) in models]
    return found


def _models(file: Path) -> Iterator[tuple[str, Fields]]:
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef):
            tables = {_name(line): line.value for line in node.body if isinstance(line, ast.AnnAssign) and isinstance(line.value, ast.Dict)}
            if {"openapi_types", "attribute_map"} <= tables.keys():
                types, names = (ast.literal_eval(tables[table]) for table in ("openapi_types", "attribute_map"))
                yield _short(node.name), {names[key]: _type(names[key], of) for key, of in types.items()}


def _name(line: ast.AnnAssign) -> str:
    return line.target.id if isinstance(line.target, ast.Name) else ""


def _short(name: str) -> str:
    return name.removeprefix("V1")


def _type(field: str, of: str) -> str:
    """`List[V1Container]` is `[Container]`, `Dict[str, str]` is `{text}`, or `{quantity}` where the values are amounts."""
    container, _, inner = of.removesuffix("]").partition("[")
    if container == "List":
        return f"[{_type('', inner)}]"
    if container == "Dict":
        return f"{{{_type(field, inner.partition(', ')[2])}}}"
    return "quantity" if of == "str" and field in _QUANTITIES else _SCALARS.get(of, "any" if of == "object" else _short(of))


def main(folder: Path, origin: str, table: Path) -> None:
    """Writes a row for each type."""
    types = read(folder)
    comments = (f"Python client of Kubernetes, {origin}: fields of {', '.join(KINDS)}, by type", "type field=type ...; [ ] is a list, { } a map")
    replace_rows(table, comments, ([name, *(f"{field}={of}" for field, of in sorted(types[name].items()))] for name in sorted(types)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
