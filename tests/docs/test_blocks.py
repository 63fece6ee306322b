"""Every code block of every page: code and data can be read, names and fields exist, commands have the options that pages give them.

Other tests run the blocks; `website/page_tests.py` says which.
"""

import ast
import builtins
import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from importlib import import_module
from typing import cast

import pytest
import typer
import yaml
from _pytest.mark import ParameterSet
from pydantic import BaseModel

from nodepools import public_names
from nodepools.cli.program import Command, Program, app
from website.code_blocks import CodeBlock, code_blocks
from website.layout import PROJECT
from website.page_tests import EXTERNAL, NOT_RUN, TESTS, sources

DOORS = {door: import_module(door) for door in ("nodepools.keys.presets", *public_names.DOORS, "nodepools.keys")}
EXPORTED = {name: door for door, module in DOORS.items() for name in dir(module) if not name.startswith("_")}
COMMANDS = cast("Program", typer.main.get_command(app)).commands
RUN = ("nodepools", "python", "make", "git", "mkdir", "cd", "cp", "mv", "sed", "test", "for", "done")
SHELL = ("sh", "bash", "shell")


def blocks() -> list[ParameterSet]:
    """Every block that is not marked as not run."""
    found = ((source, block) for source in sources() for block in code_blocks((PROJECT / source).read_text(encoding="utf-8")))
    return [pytest.param(block, id=f"{source}:{block.line} {block.language or 'text'}") for source, block in found if block.not_run is None]


def parsed(code: str) -> ast.Module:
    """The code, which can also be entries of a mapping."""
    try:
        return ast.parse(code)
    except SyntaxError:
        lines = code.splitlines()
        start = next(number for number, line in enumerate(lines) if line.startswith(("    ", '"')) and ":" in line)
        return ast.parse("\n".join([*lines[:start], "_ = {", *lines[start:], "}"]))


def words_of(text: str) -> list[str]:
    try:
        return shlex.split(text, comments=True)
    except ValueError:  # a quotation that another part ends
        return text.split()


def unknown_names(code: str) -> Iterator[str]:
    """Classes that are called and neither exported nor made in the code, and fields that classes do not have."""
    tree = parsed(code)
    made = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    made |= {alias.asname or alias.name for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom) for alias in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in DOORS:
            yield from (alias.name for alias in node.names if not hasattr(DOORS[node.module], alias.name))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            name = node.func.id
            if name[0].isupper() and name not in EXPORTED.keys() | made and not hasattr(builtins, name):
                yield name
            yield from (f"{name}.{field}" for field in unknown_fields(name, node))


def unknown_fields(name: str, call: ast.Call) -> Iterator[str]:
    declared = cast("object", getattr(DOORS[EXPORTED[name]], name)) if name in EXPORTED else None
    if isinstance(declared, type) and issubclass(declared, BaseModel):
        yield from (keyword.arg for keyword in call.keywords if keyword.arg is not None and keyword.arg not in declared.model_fields)


def unknown_parts(line: str) -> Iterator[str]:
    """Commands and options of `nodepools` that do not exist."""
    for part in re.split(r"[|;&]+|\$\(|<\(|\)", line.partition(" #")[0]):
        words = words_of(part.strip())
        if words[:1] != ["nodepools"] or len(words) == 1 or words[1].startswith("-"):
            continue
        two, one = (COMMANDS.get(" ".join(words[1:end])) for end in (3, 2))
        command = cast("Command | None", two if two is not None else one)
        if command is None:
            yield words[1]
            continue
        known = {option for param in command.params for option in param.opts} | {"--help"}
        yield from (word for word in words[2:] if word.startswith("-") and len(word) > 1 and word.partition("=")[0] not in known)


def faults(block: CodeBlock) -> list[str]:
    match block.language:
        case "python":
            return list(unknown_names(block.text))
        case "yaml":
            list(yaml.safe_load_all(block.text))
        case "json":
            json.loads(block.text)
        case "toml":
            tomllib.loads(block.text)
        case _:
            return [part for line in block.commands for part in unknown_parts(line)]
    return []


@pytest.mark.parametrize("block", blocks())
def test_a_block_can_be_read_and_names_what_exists(block: CodeBlock):
    assert faults(block) == []


def test_programs_of_shell_blocks_are_run_or_have_a_reason():
    """A program that tests do not run is in the table with its reason."""
    shells = [block for source in sources() for block in code_blocks((PROJECT / source).read_text(encoding="utf-8")) if block.language in SHELL]
    programs = {words[0].rpartition("/")[2] for block in shells if not block.not_run for line in block.commands if (words := words_of(line))}
    assert {name for name in programs if "=" not in name} - {*EXTERNAL, *RUN} == set()


def test_every_page_with_code_has_a_test_that_runs_it_or_a_reason():
    written = {source for source in sources() if code_blocks((PROJECT / source).read_text(encoding="utf-8"))}
    assert written - set(TESTS) - set(NOT_RUN) == set(), "add the page to website/page_tests.py"
    assert set(TESTS) & set(NOT_RUN) == set()
    assert set(TESTS) | set(NOT_RUN) <= set(sources())


@pytest.mark.parametrize(("source", "test"), [(source, test) for source, tests in TESTS.items() for test in tests])
def test_a_test_of_a_page_names_it(source: str, test: str):
    assert source.rpartition("/")[2] in (PROJECT / test).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("code", "unknown"),
    [
        pytest.param("UserPool(vm_size='a', cont=1)", ["UserPool.cont"], id="a field that does not exist"),
        pytest.param("UzerPool()", ["UzerPool"], id="a class that does not exist"),
        pytest.param("from nodepools import UzerPool", ["UzerPool"], id="an import that does not exist"),
        pytest.param("class Mine: ...\nMine()\nValueError()", [], id="own classes and built-in ones"),
    ],
)
def test_unknown_names_are_found(code: str, unknown: list[str]):
    assert list(unknown_names(code)) == unknown


@pytest.mark.parametrize(
    ("line", "unknown"),
    [
        pytest.param("nodepools check --all", [], id="an option"),
        pytest.param("nodepools chek", ["chek"], id="a command that does not exist"),
        pytest.param("nodepools check --alll # all", ["--alll"], id="an option that does not exist"),
        pytest.param("nodepools check --fix | patch -p1", [], id="options of other programs"),
        pytest.param("nodepools adopt pending state.json", [], id="a command of two words"),
    ],
)
def test_unknown_options_are_found(line: str, unknown: list[str]):
    assert list(unknown_parts(line)) == unknown
