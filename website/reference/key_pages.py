"""The reference of label keys: the name in Python, the label, its values and unit."""

import ast
import inspect
from collections.abc import Iterator
from itertools import pairwise
from types import ModuleType
from typing import Literal, get_args, get_origin, get_type_hints

from nodepools import keys
from nodepools.keys.kinds import Flag, Key, Memory, Number, Text

_KINDS = {Flag: "`true` or `false`", Memory: "a quantity; the label is in MiB", Number: "a whole number", Text: "text"}


def key_pages() -> Iterator[tuple[str, str]]:
    """Yields the address and the text of the page."""
    sections = [_section("AKS node auto provisioning: `keys.aks`", keys.aks), _section("EKS Auto Mode: `keys.eks`", keys.eks)]
    yield (
        "reference/keys",
        "\n".join(["# Label keys", "", "Requirements of NodePools name them: `keys.eks.instance_cpu.more_than(3)`.", "", *sections]),
    )


def _section(title: str, module: ModuleType) -> str:
    texts = _texts(module)
    hints = get_type_hints(module)
    found = {name: value for name, value in vars(module).items() if isinstance(value, Key)}
    rows = [f"| `{name}` | `{key.name}` | {_values(key, hints[name])} | {texts[name]} |" for name, key in found.items()]
    return "\n".join([f"## {title}", "", "| name | label | values | meaning |", "|---|---|---|---|", *rows, ""])


def _values(key: Key, hint: object) -> str:
    unit = f", in {key.unit}" if isinstance(key, Number) and key.unit else ""
    return next((text for kind, text in _KINDS.items() if isinstance(key, kind)), _known(hint)) + unit


def _known(hint: object) -> str:
    """Returns the values of `Choice[Literal[…]]`, which can be in `Final`."""
    if get_origin(hint) is Literal:
        return ", ".join(f"`{value}`" if value else "empty text" for value in get_args(hint))
    return "".join(_known(inner) for inner in get_args(hint))


def _texts(module: ModuleType) -> dict[str, str]:
    """Returns the docstring below each key."""
    texts: dict[str, str] = {}
    for key, text in pairwise(ast.parse(inspect.getsource(module)).body):
        match key, text:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(words))):
                texts[name] = " ".join(words.split())
            case _:
                pass
    return texts
