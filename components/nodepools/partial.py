"""Parts of a declaration with all fields optional: changes for `derive()` whose fields type checkers know.

`partial.UserPool(zones=[1, 2, 3])` is the dict `{"zones": [1, 2, 3]}`. Type checkers find an unknown field where it is written; of a dict
they only report that it does not match. `partial.PartialUserPool` is the type of what it returns. The stub, made from the models, has both for each.
"""

from functools import cache
from pathlib import Path

from nodepools.model.derive import derive

__all__ = ["derive"]


def __getattr__(name: str) -> type[dict[str, object]]:
    if name not in _names():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
    return dict


def __dir__() -> list[str]:
    return sorted(_names() | {"derive"})


@cache
def _names() -> frozenset[str]:
    lines = Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8").splitlines()
    return frozenset(line.split()[1].partition("(")[0] for line in lines if line.startswith(("class ", "def "))) - {"derive"}
