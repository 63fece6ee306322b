"""Imports the modules of stacks: those of the right project, as they are on disk now, one import at a time."""

import importlib
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.machinery import ModuleSpec
from importlib.util import cache_from_source, module_from_spec
from pathlib import Path
from stat import S_ISREG
from types import ModuleType
from typing import Final

_STACKS: Final = "stacks"
_INSTALLED: Final = frozenset({"site-packages", "dist-packages"})
_LOCK: Final = threading.RLock()
"""`sys.modules` and `sys.path` are those of the process: two projects at once would get each other's modules."""


@dataclass(frozen=True, slots=True)
class _Source:
    """A module that a stack imported from its project, and its file at that time."""

    file: Path
    changed: tuple[int, int] | None


_imported: Final[dict[str, _Source]] = {}


def stack_module(stack: str, directory: Path) -> ModuleType:
    """The module `stacks.<stack>` of a project. Modules of the project are imported again if their files changed, or if they are those of another."""
    with _LOCK, _first_in_path(str(directory)), _recorded(directory):  # where a folder without `__init__.py` is depends on the path
        place = directory / _STACKS
        edited = [source for source in _imported.values() if source.changed != _state(source.file)]
        if edited or str(place) not in [str(Path(path).absolute()) for path in getattr(sys.modules.get(_STACKS), "__path__", [])]:
            _forget(edited)
            _select(directory)
        return importlib.import_module(f"{_STACKS}.{stack}")


@contextmanager
def _first_in_path(directory: str) -> Generator[None]:
    """In the block, modules of the project come first. Then the path is as before; functions of the project can still import from it, last."""
    before = list(sys.path)
    sys.path[:] = [directory, *(path for path in before if path != directory)]
    try:
        yield
    finally:
        sys.path[:] = before if directory in before else [*before, directory]


@contextmanager
def _recorded(directory: Path) -> Generator[None]:
    """Records the modules of the project that are imported in the block."""
    before = dict(sys.modules)
    try:
        yield
    finally:
        for name, module in [(name, module) for name, module in sys.modules.items() if before.get(name) is not module]:
            held = getattr(module, "__dict__", {})  # not its attributes, which a lazy module would import
            file = Path(held.get("__file__") or next(iter(held.get("__path__", ())), "/"))  # otherwise a folder without `__init__.py`
            if file.is_relative_to(directory) and _INSTALLED.isdisjoint(file.parts):
                _imported[name] = _Source(file, _state(file))


def _state(file: Path) -> tuple[int, int] | None:
    """Changes with the content of a file, but not of a folder; `None` if it is gone."""
    try:
        found = file.stat()
    except OSError:
        return None
    return (found.st_mtime_ns, found.st_size) if S_ISREG(found.st_mode) else (0, 0)


def _forget(edited: list[_Source]) -> None:
    """Python compares whole seconds: its compiled copy of a file that was edited at once would be taken for the new one."""
    for source in edited:
        with suppress(OSError, NotImplementedError):
            Path(cache_from_source(str(source.file))).unlink(missing_ok=True)
    for name in _imported:
        sys.modules.pop(name, None)
    _imported.clear()


def _select(directory: Path) -> None:
    """Makes `stacks` mean that of this project. Without its `__init__.py`, Python itself would prefer one with it, wherever that is on its path."""
    for name in [name for name in sys.modules if name == _STACKS or name.startswith(f"{_STACKS}.")]:
        del sys.modules[name]
    importlib.invalidate_caches()
    if not (directory / _STACKS / "__init__.py").exists():
        spec = ModuleSpec(_STACKS, None, is_package=True)
        spec.submodule_search_locations = [str(directory / _STACKS)]
        sys.modules[_STACKS] = module_from_spec(spec)
