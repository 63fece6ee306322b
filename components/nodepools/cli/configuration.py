"""`[tool.nodepools]` of pyproject.toml: selected findings, severities, excluded files, and rules of the user."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from nodepools.cli.inputs.input_files import Exclusion
from nodepools.cli.inputs.user_code import user_code
from nodepools.cli.problem import InputError, Problem, usage_error
from nodepools.model.severity import Severity
from nodepools.model.values import dataclass, field
from nodepools.reading.bounded_input import VARIABLE, TextError, is_allowed, opened
from nodepools.rules.engine.accepted_findings import Selection
from nodepools.rules.engine.own_rules import RuleError, load_file, load_installed
from nodepools.rules.engine.registry import all_codes, named, not_a_code

if TYPE_CHECKING:
    from nodepools.cli.settings import Settings

_FILE: Final = "pyproject.toml"
_MENTIONED: Final = re.compile(rb"tool\s*[\"']?\s*\.\s*[\"']?nodepools|\[\s*[\"']?tool[\"']?\s*\]")
"""Matches files that can have the table; other files are not parsed."""


@dataclass(frozen=True, slots=True)
class Table:
    """The valid settings of the table."""

    file: Path = Path(_FILE)
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    severity: tuple[tuple[str, Severity], ...] = ()
    exclude: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    contexts: tuple[tuple[str, str], ...] = ()
    default_stack: str | None = None
    problems: tuple[str, ...] = field(default=())
    """One line for each invalid setting."""


def configured(rules: Sequence[Path], notes: list[Problem]) -> Selection:
    """Loads the rules of the user, including `rules`, and returns the selection of findings. Rules that are not loaded on purpose are `notes`.

    Raises:
        InputError: a rule cannot be loaded, or a setting is not valid.
    """
    table = settings_table(Path.cwd())
    problems = [f"{_shown(table.file)}: {problem}" for problem in table.problems]
    files = [*(table.file.parent / file for file in table.rules), *rules]
    if not is_allowed():
        notes.extend(Problem(_shown(file), f"own rules are not loaded: the environment variable `{VARIABLE}` turns code off") for file in files)
        files = []
    with user_code():
        of_rules = list(_load(files))
    problems += of_rules
    # A code may be that of a rule which could not be loaded.
    selection, of_codes = _selection(table) if not of_rules else (Selection(), [])
    problems += [f"{_shown(table.file)}: {problem}" for problem in of_codes]
    if problems:
        raise InputError(*map(Problem.of, problems))
    return selection


def excluded(patterns: Sequence[str] | None) -> Exclusion:
    """The files that `--exclude` and `exclude` of pyproject.toml exclude."""
    table, here = settings_table(Path.cwd()), Path.cwd()
    return Exclusion((*((table.file.parent, pattern) for pattern in table.exclude), *((here, pattern) for pattern in patterns or ())))


@cache
def settings_table(here: Path) -> Table:
    """The table of the nearest pyproject.toml that has one, upwards to the root of the repository."""
    for folder in (here, *here.parents):
        data = _data(folder / _FILE)
        if _MENTIONED.search(data):
            table = _read(folder / _FILE, data)
            if table is not None:
                return table
        if (folder / ".git").exists():
            break
    return Table()


def _data(file: Path) -> bytes:
    try:
        if not file.is_file():
            return b""
        with opened(file) as source:
            return source.data()
    except OSError:
        return b""
    except TextError as error:
        usage_error(str(error))


def _read(file: Path, data: bytes) -> Table | None:
    import tomllib  # slower than searching for the table

    try:
        tool = tomllib.loads(data.decode()).get("tool")
    except (ValueError, RecursionError) as error:
        return Table(file, problems=(f"is not valid TOML: {error}",))
    table = cast("dict[str, object]", tool).get("nodepools") if isinstance(tool, dict) else None
    if table is None:
        return None
    from nodepools.cli.settings import read_settings  # only needed with a table

    settings, problems = read_settings(table)
    return _of(file, settings, problems)


def _of(file: Path, settings: "Settings", problems: Iterable[str]) -> Table:
    severity, contexts = tuple(settings.severity.items()), tuple(settings.contexts.items())
    return Table(
        file, settings.select, settings.ignore, severity, settings.exclude, settings.rules, contexts, settings.default_stack, tuple(problems)
    )


def _load(files: Iterable[Path]) -> Iterator[str]:
    """Loads rules of the user, and yields one line for each error."""
    try:
        load_installed()
    except RuleError as error:
        yield str(error)
    for file in files:
        try:
            load_file(file)
        except RuleError as error:
            yield str(error)


def _selection(table: Table) -> tuple[Selection, list[str]]:
    problems: list[str] = []

    def codes(key: str, text: str) -> frozenset[str]:
        found = _codes(text)
        if not found:
            problems.append(f"`tool.nodepools.{key}`: {not_a_code(text)}")
        return found

    select = frozenset(code for text in table.select for code in codes("select", text)) if table.select is not None else None
    ignore = frozenset(code for text in table.ignore for code in codes("ignore", text))
    severity = {code: severity for text, severity in table.severity for code in codes("severity", text)}
    return Selection(select, ignore, severity), problems


def _codes(text: str) -> frozenset[str]:
    """The code with this code or name, or all codes that start with these letters."""
    code = named(text)
    if code is not None:
        return frozenset({code.code})
    return frozenset(known.code for known in all_codes() if text and known.code.rstrip("0123456789") == text.upper())


def _shown(file: Path) -> str:
    return str(file.relative_to(Path.cwd())) if file.is_relative_to(Path.cwd()) else str(file)
