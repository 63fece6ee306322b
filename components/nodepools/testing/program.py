"""Programs that can run: a function, a platform, or a Pulumi program in a folder."""

import json
import os
import runpy
import sys
from collections.abc import Callable, Collection, Generator, Mapping
from contextlib import contextmanager
from importlib import invalidate_caches
from pathlib import Path
from types import ModuleType
from typing import TypeAlias

from nodepools.deployment import deploy
from nodepools.engine.property_values import JsonValue
from nodepools.model.platform import Platform
from nodepools.model.values import dataclass
from nodepools.public_names import MissingExtraError
from nodepools.reading.project_folder import project_file

Program: TypeAlias = Callable[[], object] | Platform | Path | str
"""A function that registers resources (`async` or not); a platform, which is deployed; a folder with a `__main__.py`, or a Python file."""

STACK = "dev"
PROJECT = "nodepools"
_NEVER_SHADOWED = frozenset({*sys.stdlib_module_names, "__main__", "conftest", "nodepools", "pulumi"})


@dataclass(frozen=True, slots=True)
class Prepared:
    """A program with its project, stack and configuration."""

    main: Callable[[], object]
    project: str
    stack: str
    config: Mapping[str, str]
    secret_keys: Collection[str] = ()
    directory: Path | None = None
    """Its working directory, from which it imports; `None` for functions and platforms."""


def prepared(
    program: Program, *, stack: str | None, project: str | None, config: Mapping[str, JsonValue] | None, secret_config: Mapping[str, JsonValue] | None
) -> Prepared:
    """Returns the program with its settings: those of the caller, otherwise those of its project. `config` overrides the configuration of the stack.

    Raises:
        FileNotFoundError: there is no such program.
        ProjectError: its `Pulumi.yaml` or `Pulumi.<stack>.yaml` cannot be read.
    """
    found = _found(program, stack, project)
    open_, hidden = ({_full(key, found.project): _text(value) for key, value in (values or {}).items()} for values in (config, secret_config))
    return Prepared(
        found.main,
        found.project,
        found.stack,
        {**found.config, **open_, **hidden},
        ({*found.secret_keys} - open_.keys()) | hidden.keys(),
        found.directory,
    )


def _found(program: Program, stack: str | None, project: str | None) -> Prepared:
    if isinstance(program, Platform):
        return Prepared(lambda: deploy(program), project if project is not None else PROJECT, stack if stack is not None else program.name, {})
    if isinstance(program, Path | str):
        return _in_folder(Path(program), stack if stack is not None else STACK, project)
    if not callable(program):
        raise TypeError(f"a program must be a function, a `Platform`, or the path of a folder with a `__main__.py`, not a `{type(program).__name__}`")
    return Prepared(program, project if project is not None else PROJECT, stack if stack is not None else STACK, {})


def _in_folder(path: Path, stack: str, project: str | None) -> Prepared:
    folder = (path if path.is_dir() else path.parent).resolve()
    if (settings := project_file(folder)) is not None:
        try:
            from nodepools.engine.project import read_project
        except ModuleNotFoundError as missing:
            raise MissingExtraError(f"reading {settings}", missing.name or "yaml") from None

        read = read_project(folder, stack)
        name, directory, config, secret_keys = read.name, read.directory.resolve(), read.config, read.secret_keys
    else:
        name, directory, config, secret_keys = PROJECT, folder, dict[str, str](), ()
    file = directory / "__main__.py" if path.is_dir() else path.resolve()
    if not file.is_file():
        raise FileNotFoundError(f"program not found: {file} does not exist")

    def main() -> object:
        return runpy.run_path(str(file), run_name="__main__")

    return Prepared(main, project if project is not None else name, stack, config, secret_keys, file.parent)


def _full(key: str, project: str) -> str:
    return key if ":" in key else f"{project}:{key}"


def _text(value: JsonValue) -> str:
    """Configuration values are strings; other values become JSON, as in the Pulumi CLI."""
    return value if isinstance(value, str) else json.dumps(value)


@contextmanager
def at_home(directory: Path | None) -> Generator[None]:
    """Works in `directory`, and imports from it. Afterwards, restores the state before, and removes the modules that were imported from it.

    Modules with the same names from other folders are hidden meanwhile. Modules that the test itself imported from here stay, so that
    test and program share their classes.
    """
    if directory is None:
        yield
        return
    before, path, arguments, place = dict(sys.modules), list(sys.path), list(sys.argv), Path.cwd()
    here = [name for name, module in before.items() if _is_named_as_one_of(directory, name, module)]
    for name in [name for name in here if not _is_of(directory, before[name])]:
        del sys.modules[name]
    invalidate_caches()  # its files can be newer than the cached folder
    os.chdir(directory)
    sys.path.insert(0, str(directory))
    sys.argv = [str(directory)]
    try:
        yield
    finally:
        for name, module in list(sys.modules.items()):
            if name not in before and _is_named_as_one_of(directory, name, module):
                del sys.modules[name]
        sys.modules.update({name: before[name] for name in here})
        sys.path[:], sys.argv = path, arguments
        os.chdir(place)


def _is_named_as_one_of(directory: Path, name: str, module: ModuleType | None) -> bool:
    """Whether an import of this name would find `directory` first. Python finds a folder without `__init__.py` last."""
    top = name.partition(".")[0]
    if top in _NEVER_SHADOWED:
        return False
    is_plain_folder = (directory / top).is_dir() and getattr(sys.modules.get(top, module), "__file__", None) is None
    return is_plain_folder or (directory / f"{top}.py").is_file() or (directory / top / "__init__.py").is_file()


def _is_of(directory: Path, module: ModuleType | None) -> bool:
    """Whether a module was read from `directory`."""
    places = [getattr(module, "__file__", None), *getattr(module, "__path__", ())]
    return any(isinstance(place, str) and Path(place).is_relative_to(directory) for place in places)
