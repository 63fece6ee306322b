"""The public names of a package, as its stub lists them. A module is imported when one of its names is first used.

So the models need only pydantic, and the components the SDK of their cloud.
"""

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import RLock
from typing import Final

EXTRAS = {"pulumi_azure_native": "aks", "pulumi_aws": "eks", "yaml": "cli"}
"""The extra that installs each package. Both `aks` and `eks` install all other Pulumi packages."""
_OF_PULUMI = ("pulumi", "grpc", "google")
"""Packages that Pulumi's SDK installs. On PyPI, `google` is another package."""


def is_of_an_extra(package: str) -> bool:
    """Whether an extra installs this top-level package."""
    return package in EXTRAS or package.startswith(_OF_PULUMI)


class MissingExtraError(ImportError):
    """A package of an extra is not installed."""

    def __init__(self, what: str, package: str, extra: str | None = None) -> None:
        """`extra` installs the package for `what`; `None`: the extra that has the package."""
        chosen = extra if extra is not None else EXTRAS.get(package, "aks,eks")
        super().__init__(f"{what} requires the package `{package}`: pip install 'nodepools[{chosen}]'", name=package)


_PACKAGE: Final = "nodepools"
DOORS: Final = (_PACKAGE, f"{_PACKAGE}.aks", f"{_PACKAGE}.eks", f"{_PACKAGE}.rules")
"""The packages with a stub. `keys`, `pack` and `testing` import their names themselves: these need what the packages need."""
LOCK: Final = RLock()
"""Held while modules of the SDKs are imported, or used for the first time, which imports them.

In Python before 3.11.9 and 3.12.3, another thread would see such a module without its names.
"""


def names_of(door: str) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """What a package has as `__getattr__`, `__dir__` and `__all__`."""

    def attribute(name: str) -> object:
        if name not in _homes(door):
            raise AttributeError(f"module {door!r} has no attribute {name!r}{_elsewhere(name)}", name=name)
        return _imported(door, name)

    names = sorted(_homes(door))
    return attribute, lambda: names, names


def public_path(name: str) -> str:
    """The name as users import it, such as `nodepools.aks.NetworkProfile`; that of a class that no door has, as if the package had it."""
    return next((f"{door}.{name}" for door in DOORS if name in _homes(door)), f"{_PACKAGE}.{name}")


def home_of(name: str) -> Path:
    """The file with a name of the package itself."""
    return Path(__file__).parent.joinpath(*_homes(_PACKAGE)[name].split(".")[1:]).with_suffix(".py")


@cache
def _homes(door: str) -> Mapping[str, str]:
    """The module of each name, from lines such as `from nodepools.loading import load as load`."""
    stub = Path(__file__).parent.joinpath(*door.split(".")[1:], "__init__.pyi")
    lines = (line.split() for line in stub.read_text(encoding="utf-8").splitlines())
    return {words[3]: words[1] for words in lines if words[:1] == ["from"]}


def _elsewhere(name: str) -> str:
    found = [f"{door}.{name}" for door in DOORS if name in _homes(door)]
    return f": it is {found[0]}" if found else ""


def _imported(door: str, name: str) -> object:
    """The value of a name."""
    home = _homes(door)[name]
    try:
        with LOCK:
            module = import_module(home)
            value = vars(module)[name] if name in vars(module) else import_module(f"{home}.{name}")
    except ModuleNotFoundError as missing:
        package = (missing.name or "").split(".")[0]
        if not is_of_an_extra(package):
            raise
        raise MissingExtraError(f"{door}.{name}", package) from None
    vars(import_module(door))[name] = value  # a second use needs no search
    return value
