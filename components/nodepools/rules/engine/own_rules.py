"""Own rules of teams, loaded from files and from entry points of installed packages, and the exceptions that their code raises."""

import os
import re
import sys
import traceback
from collections.abc import Callable, Iterator
from datetime import date
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Final, TypeVar, get_type_hints

from nodepools.model.base import Model
from nodepools.model.severity import Severity
from nodepools.rules.engine.codes import RESERVED
from nodepools.rules.engine.registry import RULES, Kinds, Rule, RuleFunction, add_rule, all_codes, name_of, parameter_types


def is_interrupt(error: BaseException) -> bool:
    """Whether a person interrupts the process. A `raise` statement can raise `KeyboardInterrupt`, too, which is a failure like any other."""
    if not isinstance(error, KeyboardInterrupt):
        return False
    from opcode import opmap  # rarely needed

    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is None or trace.tb_frame.f_code.co_code[trace.tb_lasti] != opmap["RAISE_VARARGS"]


def error_text(error: BaseException) -> str:
    """The message of an exception as one line; its `__str__` can raise an exception, too."""
    try:
        return " ".join(str(error).split())
    except BaseException as failure:
        if is_interrupt(failure):
            raise
        return f"its message cannot be read ({type(failure).__name__})"


def described(error: BaseException) -> str:
    """The type and the message of an exception as one line."""
    text = error_text(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


GROUP: Final = "nodepools.rules"
"""The group of entry points."""

_CODE: Final = re.compile(r"[A-Z]{2,12}[0-9]{1,6}")
_NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)+")
_LOADED: Final[set[Path]] = set()

F = TypeVar("F", bound=RuleFunction)


class RuleError(Exception):
    """An own rule is invalid. The message is one line, with file and line."""


def rule(
    code: str,
    severity: Severity | str,
    *,
    source: str = "",
    name: str | None = None,
    sample: Callable[[], Model] | None = None,
    since: date | None = None,
    until: date | None = None,
) -> Callable[[F], F]:
    """Declares a rule: the function is called with every part of a declaration that has the type of its first parameter, and yields findings.

    Further parameters are parents of that part (`cluster: AksClusterArgs`, or `AksClusterArgs | None` if it is optional), or the day
    of the check (`today: date`). The docstring of the function says in one sentence what the rule requires.

    >>> @rule("ACME001", "warning", source="https://wiki.example.com/teams")
    ... def pool_without_team(pool: AgentPool):
    ...     "Every pool has a team."
    ...     if "team" not in pool.labels:
    ...         yield finding(pool, "The pool has no team", path="labels")
    >>> [str(found.path) for found in check(UserPool(vm_size="Standard_D4ds_v5"))]
    ['labels']

    Args:
        code: letters of your own and a number, `ACME001`; codes of the library begin with AKS, CFG, EKS, IGN, KAR, NAP, OBJ, PLT and SMK.
        severity: `Severity.ERROR`, `WARNING` or `NOTE`, or its name as text.
        source: where the rule comes from: a link.
        name: name of the rule in kebab-case; by default the name of the function.
        sample: makes a part of a declaration that breaks the rule; shown by `nodepools rules CODE`.
        since: the first day on which the rule applies.
        until: the first day on which it no longer applies.

    Raises:
        RuleError: the rule is invalid.
    """

    def register(function: F) -> F:
        place = f"{_shown(function.__code__.co_filename)}:{function.__code__.co_firstlineno}"
        title = name if name is not None else name_of(function)
        new = Rule(code, title, _severity(severity, place), source, function, (), sample, since, until, place=place)
        _check_spelling(new)
        _check_unique(new)
        add_rule(new._replace(parameter_types=_parameter_types(new)))
        return function

    return register


def load_file(path: Path) -> None:
    """Imports a file of rules, once.

    Raises:
        RuleError: the file cannot be imported, or declares no rule or an invalid one.
    """
    file = path.resolve()
    if file in _LOADED:
        return
    before = len(RULES)
    _imported(path, file)
    _LOADED.add(file)
    if len(RULES) == before:
        raise RuleError(f"{path}: declares no rule; a rule is a function with the decorator `nodepools.rules.rule`")


def load_installed() -> None:
    """Imports the entry points `nodepools.rules` of installed packages.

    Raises:
        RuleError: an entry point cannot be imported, or declares an invalid rule.
    """
    if not any(_has_rules(folder) for folder in sys.path):
        return
    from importlib.metadata import entry_points  # fifty times slower than the look above

    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        try:
            point.load()
        except RuleError:
            raise
        except BaseException as error:
            if is_interrupt(error):
                raise
            last = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{_shown(last.filename)}:{last.lineno}"
            raise RuleError(f"{place}: the entry point {point.name} = {point.value} of {GROUP} cannot be loaded: {described(error)}") from None


def _check_spelling(new: Rule) -> None:
    if not _CODE.fullmatch(new.code):
        raise RuleError(f"{new.place}: the code {new.code!r} must be 2 to 12 capital letters and a number, such as ACME001")
    if new.code.rstrip("0123456789") in RESERVED:
        raise RuleError(f"{new.place}: the code {new.code} starts like a code of nodepools: use other letters, such as ACME{new.code[3:]}")
    if not _NAME.fullmatch(new.name):
        raise RuleError(
            f"{new.place}: the name {new.name!r} of {new.code} must be two or more lower-case words with hyphens, such as pool-without-team"
        )
    if not new.summary:
        raise RuleError(f"{new.place}: {new.function.__name__} must have a docstring: one sentence that says what {new.code} requires")


def _check_unique(new: Rule) -> None:
    for known in all_codes():
        if known.code == new.code or known.name == new.name:
            what = f"code {new.code}" if known.code == new.code else f"name {new.name}"
            there = RULES[known.code].place if known.code in RULES else None
            raise RuleError(f"{new.place}: the {what} is already used by {known.title} ({there if there is not None else 'a rule of nodepools'})")


def _parameter_types(new: Rule) -> tuple[Kinds, ...]:
    try:
        types = parameter_types(get_type_hints(new.function))
    except (NameError, TypeError, AttributeError) as error:
        raise RuleError(f"{new.place}: the type hints of {new.function.__name__} cannot be read: {error}") from None
    parameters = new.function.__code__.co_argcount
    if not parameters or len(types) != parameters or not types[0] or not all(issubclass(kind, Model) for kind in types[0]):
        raise RuleError(
            f"{new.place}: {new.function.__name__} must have parameters with type hints; the first is a part of a declaration: `pool: UserPool`"
        )
    return types


def _severity(severity: Severity | str, place: str) -> Severity:
    try:
        return Severity(severity)
    except ValueError:
        raise RuleError(f"{place}: the severity {severity!r} must be one of error, warning, note") from None


def _imported(path: Path, file: Path) -> None:
    """Runs the file as a module, which can import other modules in its directory."""
    if file.exists() and not file.is_file():  # reading a pipe would never end
        raise RuleError(f"{path}: is not a Python file")
    name = f"nodepools_rules_{file.stem}_{len(_LOADED)}"
    spec = spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise RuleError(f"{path}: is not a Python file")
    module = module_from_spec(spec)
    sys.modules[name] = module  # type hints are resolved there
    sys.path.insert(0, str(file.parent))
    try:
        spec.loader.exec_module(module)
    except RuleError:
        raise
    except OSError as error:
        raise RuleError(f"{path}: {error.strerror}") from None
    except SyntaxError as error:
        raise RuleError(f"{_shown(error.filename)}:{error.lineno}: {error.msg}") from None
    except BaseException as error:
        if is_interrupt(error):
            raise
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(file)]
        raise RuleError(f"{':'.join(map(str, (path, *lines[-1:])))}: {described(error)}") from None
    finally:
        sys.path.remove(str(file.parent))


def _has_rules(folder: str) -> bool:
    """A package that is installed in `folder` seems to have an entry point of the group."""
    return any(GROUP.encode() in text for text in _entry_point_files(folder))


def _entry_point_files(folder: str) -> Iterator[bytes]:
    try:
        with os.scandir(folder if folder else ".") as entries:
            packages = [entry.path for entry in entries if entry.name.endswith((".dist-info", ".egg-info"))]
    except OSError:
        return  # an entry of sys.path can be a file, or missing
    for package in packages:
        try:
            yield Path(package, "entry_points.txt").read_bytes()
        except OSError:
            continue


def _shown(file: str | None) -> str:
    """The file, relative to the working directory if it is inside it."""
    path = Path(file if file is not None else "?")
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)
