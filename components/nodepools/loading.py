"""Reads a declaration: a stack module of the project, or a YAML or JSON file. Reports all schema errors together.

Modules of stacks are those of the right project, as they are on disk now, one import at a time.
"""

import importlib
import re
import sys
import threading
import traceback
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from importlib.machinery import ModuleSpec
from importlib.util import cache_from_source, module_from_spec
from pathlib import Path
from stat import S_ISREG
from types import ModuleType, TracebackType
from typing import TYPE_CHECKING, Final, cast

from pydantic import ValidationError

from nodepools.model.base import Model
from nodepools.model.listing import nearest
from nodepools.model.platform import Platform
from nodepools.model.values import dataclass
from nodepools.reading.bounded_input import TextError, UnreadableError, file_text, is_allowed, linked_away, not_a_platform, turned_off
from nodepools.reading.project_folder import is_known, project_folder, stack_files
from nodepools.rules.engine.finding import DeclarationError
from nodepools.rules.engine.own_rules import described, is_interrupt

if TYPE_CHECKING:
    from nodepools.manifests.platform_yaml import Document


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


_READING: ContextVar[Path | None] = ContextVar("_READING", default=None)
"""The project whose stack is being read."""


_MODULES: Final = ("nodepools", "pulumi", "pulumi_aws", "pulumi_azure_native", "pulumi_kubernetes", "stacks")
"""Modules that stacks import."""


class OtherFileError(UnreadableError):
    """The file is certain to be something other than a platform."""


def load(stack: str, directory: Path | str | None = None, *, registry: Callable[[str], Platform] | None = None) -> Platform:
    """Returns `PLATFORM` of `stacks/<stack>.py`, or the platform in `stacks/<stack>.yaml`.

    `directory` is the project (default: the working directory). With a `registry`, the platform is what it returns for the name of the stack; for a
    name that it does not know, it raises `LookupError`.

    For a stack that was renamed, the setting `nodepools:stack` in its configuration file names the file in `stacks`.

    In a Pulumi program both errors are also a `pulumi.RunError`, which Pulumi shows as a message, without a traceback.

    >>> load("dev").name
    'dev'
    >>> load("drift", registry=lambda name: load_file(f"examples/{name}/platform.yaml")).name
    'shop'

    Raises:
        UnreadableError: there is no such stack, its module raises an exception, or it does not define a platform of that name.
        DeclarationError: the declaration has schema errors.
    """
    try:
        if registry is not None:
            return _registered(stack, registry)
        return read_stack(stack, Path(directory) if directory is not None else Path.cwd())
    except (UnreadableError, DeclarationError) as error:
        if "pulumi" in sys.modules:
            from nodepools.component.errors import for_pulumi  # needs pulumi, which only a program imports

            raise for_pulumi(error) from None
        raise


def _registered(stack: str, registry: Callable[[str], Platform]) -> Platform:
    """Any other exception is an error in the registry, with its traceback."""
    try:
        return registry(stack)
    except LookupError as error:
        raise UnreadableError(f"stack `{stack}` is not in the registry: {error}") from None


def load_file(path: Path | str) -> Platform:
    """Reads the platform in a YAML or JSON file.

    >>> list(load_file("examples/drift/platform.yaml").clusters)
    ['weu', 'use1']

    Raises:
        UnreadableError: the file cannot be opened, or is not supported YAML.
        DeclarationError: the declaration has schema errors.
    """
    return load_text(text_of(Path(path)), str(path))


def load_text(text: str, name: str) -> Platform:
    """Reads the platform in YAML or JSON text. `name` is the file name in messages.

    Raises:
        UnreadableError: the text is not supported YAML.
        DeclarationError: the declaration has schema errors.
    """
    from nodepools.manifests.platform_yaml import parse  # needs PyYAML, which the models do not

    try:
        document = parse(text, name)
    except TextError as error:
        raise UnreadableError(str(error)) from None
    value: object = document.value
    if not isinstance(value, dict):
        raise UnreadableError(f"{name}: is not a platform: a mapping with `name:` and `clusters:` is required")
    other = not_a_platform(cast("dict[str, object]", value), name)
    if other is not None:
        raise OtherFileError(f"{name}: {other}")
    return _validated(document)


def load_manifests(*paths: Path | str) -> tuple[Mapping[str, object], ...]:
    """Reads the Kubernetes objects in YAML and JSON files, and in all such files of folders, for `Platform(must_fit=…)`.

    A relative path starts at the folder of `Pulumi.yaml`, or at the working directory without one.

    >>> [found["kind"] for found in load_manifests("examples/aks-nap/pods/plain.yaml")]
    ['Pod']

    Raises:
        UnreadableError: a file cannot be opened, or contains something other than Kubernetes objects. The message is one line, with the position.
    """
    from nodepools.manifests.manifest_objects import objects  # needs PyYAML, which the models do not

    try:
        return tuple(found.raw for path in paths for file in _manifests(_project() / path) for found in objects(file_text(file), str(file)))
    except TextError as error:
        raise UnreadableError(str(error)) from None


def _project() -> Path:
    reading = _READING.get()
    if reading is not None:
        return reading
    here = Path.cwd()
    found = project_folder(here)
    return found if found is not None else here


def _manifests(path: Path) -> Sequence[Path]:
    if not path.is_dir():
        return [path]
    found = sorted(path.rglob("*"))
    for folder in filter(Path.is_dir, found):
        away = linked_away(folder, [path])
        if away is not None:
            raise UnreadableError(f"{folder}: {away}")
    return [file for file in found if file.suffix in (".yaml", ".yml", ".json") and file.is_file()]


def text_of(path: Path) -> str:
    """Reads a file or a pipe.

    Raises:
        UnreadableError: it cannot be read, exceeds a limit of `nodepools.reading.bounded_input`, or is not UTF-8 text.
    """
    try:
        return file_text(path)
    except TextError as error:
        raise UnreadableError(str(error)) from None


def read_stack(stack: str, directory: Path) -> Platform:
    """As `load`, without the conversion of errors for Pulumi.

    Raises:
        UnreadableError: there is no such stack, its module raises an exception, it does not define a platform of that name, or code is turned off.
        DeclarationError: the declaration has schema errors.
    """
    if not is_known(stack, directory):
        from nodepools.engine.project import ProjectError, before_renaming  # needs PyYAML, which other stacks do not

        try:
            stack = before_renaming(stack, directory)
        except ProjectError as error:
            raise UnreadableError(str(error)) from None
    file, *others = stack_files(stack, directory)
    shown = f"stacks/{file.name}"
    if others:
        raise UnreadableError(f"{shown}: stacks/{others[0].name} also declares the stack `{stack}`: remove or rename one of them")
    is_module = file.suffix == ".py"
    declared = _declared(stack, directory) if is_module else load_text(text_of(file), shown)
    if declared.name != stack:
        from nodepools.engine.project import renamed

        fits = re.fullmatch(r"[a-z][a-z0-9-]{0,29}", stack) is not None
        name = f'name="{stack}"' if is_module else f"name: {stack}"
        advice = f"set `{name}` in a new stack, otherwise rename" if fits else "rename"
        raise UnreadableError(
            f"{shown}: the name of the platform is `{declared.name}`, from which resources are named: {advice} the file to"
            f" `{declared.name}{file.suffix}`. {renamed(declared.name)}"
        )
    return declared


def _declared(stack: str, directory: Path) -> Platform:
    """`PLATFORM` of a module."""
    if not is_allowed():
        raise UnreadableError(turned_off(f"the stack `{stack}`"))
    declared = vars(_module(stack, directory)).get("PLATFORM")
    if not isinstance(declared, Platform):
        problem = "is not defined" if declared is None else f"is of type `{type(declared).__name__}`"
        raise UnreadableError(f"stacks/{stack}.py: `PLATFORM` {problem}: define `PLATFORM = Platform(…)`")
    return declared


def _module(stack: str, directory: Path) -> ModuleType:
    """Imports the module."""
    directory = directory.absolute()
    place = directory / "stacks"
    before = _READING.set(directory)
    try:
        return stack_module(stack, directory)
    except UnreadableError as error:
        raise UnreadableError(f"{_where(error.__traceback__, place)}: {error}") from None
    except DeclarationError as error:
        if error.part is None:
            raise
        raise UnreadableError(f"{_where(error.__traceback__, place)}: {_in_a_line(error)}") from None
    except SyntaxError as error:
        raise UnreadableError(f"stacks/{Path(error.filename or stack).name}:{error.lineno}: {error.msg}") from None
    except BaseException as error:  # a module of the user can raise anything
        if is_interrupt(error):
            raise
        raise UnreadableError(f"{_where(error.__traceback__, place)}: {_described(error)}") from None
    finally:
        _READING.reset(before)


def _described(error: BaseException) -> str:
    """The exception in one line. For missing configuration, other advice than that of Pulumi, because a stack is also read without it."""
    if isinstance(error, getattr(sys.modules.get("pulumi"), "ConfigMissingError", ())):
        key = getattr(error, "key", "")
        return f"reads the Pulumi configuration `{key}`, which a stack file cannot: write the value here, or call `derive()` in `__main__.py`"
    if isinstance(error, ModuleNotFoundError):
        near = nearest(error.name if error.name is not None else "", _MODULES)
        return f"{described(error)}: {f'use `{near}`' if near is not None else 'install its package next to nodepools, or correct its name'}"
    return described(error)


def _validated(document: "Document") -> Platform:
    """An empty field is an error: pydantic would often treat it as not set."""
    try:
        platform = Platform.model_validate(document.value)
    except ValidationError as error:
        raise _invalid(document, error) from None
    if document.empty or document.doubts:
        raise _invalid(document)
    return platform


def _invalid(document: "Document", error: ValidationError | None = None) -> DeclarationError:
    from nodepools.rules.engine.partial_validation import without
    from nodepools.rules.engine.runner import declaration_error  # only needed for errors
    from nodepools.rules.engine.schema_findings import document_findings

    shape = document_findings(document.empty, document.doubts, error, Platform, document.value)
    return declaration_error(shape, Platform, without(cast("Mapping[str, object]", document.value), document.empty))


def refusal(error: ValidationError, model: type[Model], written: Mapping[str, object]) -> DeclarationError:
    """Returns the error that a program raises instead of pydantic's: it lists all findings of a `model`, as a `pulumi.RunError` under Pulumi.

    For a single part, only schema errors: rules run where the part is used.
    """
    from nodepools.rules.engine.runner import declaration_error
    from nodepools.rules.engine.schema_findings import shape_findings

    shape = shape_findings(error, model, written)
    report = declaration_error(shape, model, written) if model.whole else DeclarationError(shape, model.__name__)
    if "pulumi" not in sys.modules:
        return report
    from nodepools.component.errors import InvalidDeclarationError  # needs pulumi

    return InvalidDeclarationError(report.findings, report.part, report.rest)


def _where(trace: TracebackType | None, place: Path) -> str:
    """The last line of the stack files in the traceback."""
    own = [frame for frame in traceback.extract_tb(trace) if Path(frame.filename).is_relative_to(place)]
    return f"stacks/{Path(own[-1].filename).name}:{own[-1].lineno}" if own else "stacks"


def _in_a_line(error: DeclarationError) -> str:
    """All findings of an invalid part in one line."""
    return "; ".join(
        f"{error.part}.{finding.path} {finding.message}{f' ({finding.fix.text})' if finding.fix is not None else ''}" for finding in error.findings
    )
