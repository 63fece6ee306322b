"""Rules of teams: how they are found, and what cannot be one."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from nodepools import AksClusterArgs, UserPool, check
from nodepools.model.severity import Severity
from nodepools.rules.engine import own_rules
from nodepools.rules.engine.codes import rule_page
from nodepools.rules.engine.own_rules import RuleError, load_file, load_installed
from nodepools.rules.engine.registry import RULES, all_rules
from nodepools.rules.engine.runner import RuleFailedError
from nodepools.rules.engine.samples import SIZE, aks
from tests.runner_caches import forget_rules

HEAD = "from nodepools import AksClusterArgs, Severity, UserPool; from nodepools.rules import AgentPool, finding, rule\n"
RULE = '''

@rule("ACME001", Severity.WARNING)
def pool_without_tier(pool: AgentPool):
    """Every agent pool has the label `tier`."""
    if "tier" not in pool.labels:
        yield finding(pool, "The pool has no label `tier`", path="labels", fix="Add the label")
'''


@pytest.fixture(autouse=True)
def registry(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Whatever a test registers is gone after it."""
    before = dict(all_rules())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(own_rules, "_LOADED", set[Path]())
    forget_rules()
    yield
    forget_rules()
    RULES.clear()
    RULES.update(before)


def loaded(text: str, name: str = "acme.py") -> None:
    Path(name).write_text(HEAD + text)
    load_file(Path(name))


def codes(part: UserPool | AksClusterArgs) -> list[str]:
    return [f"{one.code} {one.name} {one.severity} at {one.path}" for one in check(part) if one.code.startswith("ACME")]


def test_a_rule_of_a_file_is_asked_as_the_others_are() -> None:
    loaded(RULE)
    assert codes(UserPool(vm_size=SIZE)) == ["ACME001 pool-without-tier warning at labels"]
    assert codes(UserPool(vm_size=SIZE, labels={"tier": "web"})) == []
    assert RULES["ACME001"].place == "acme.py:4"


def test_it_has_no_page_on_the_site() -> None:
    loaded(RULE)
    assert rule_page("ACME001", "https://docs.example.com/") is None


def test_deployments_do_not_ask_it() -> None:
    loaded(RULE)
    assert [one.code for one in check(aks(), own=False) if one.code.startswith("ACME")] == []


def test_a_file_is_loaded_once() -> None:
    loaded(RULE)
    load_file(Path("../") / Path.cwd().name / "acme.py")
    assert codes(UserPool(vm_size=SIZE)) == ["ACME001 pool-without-tier warning at labels"]


def test_severity_can_be_a_word_and_the_name_can_be_given() -> None:
    loaded(RULE.replace("Severity.WARNING", "'error', name='no-tier'"))
    assert codes(UserPool(vm_size=SIZE)) == ["ACME001 no-tier error at labels"]


def test_type_hints_can_be_text_and_files_can_import_their_neighbors() -> None:
    Path("helper.py").write_text("LABEL = 'tier'\n")
    Path("acme.py").write_text("from __future__ import annotations\n" + HEAD + "from helper import LABEL\n" + RULE.replace('"tier"', "LABEL"))
    load_file(Path("acme.py"))
    assert codes(UserPool(vm_size=SIZE)) == ["ACME001 pool-without-tier warning at labels"]
    assert str(Path.cwd()) not in sys.path


def with_code(code: str) -> str:
    return RULE.replace("ACME001", code)


WRONG = [
    pytest.param(with_code("AKS900"), "acme.py:4: the code AKS900 starts like a code of nodepools: use other letters", id="AKS"),
    pytest.param(with_code("IGN001"), "acme.py:4: the code IGN001 starts like a code of nodepools", id="IGN"),
    pytest.param(with_code("acme1"), "acme.py:4: the code 'acme1' must be 2 to 12 capital letters and a number", id="small letters"),
    pytest.param(RULE + RULE, "acme.py:11: the code ACME001 is already used by ACME001 pool-without-tier (acme.py:4)", id="a code twice"),
    pytest.param(
        RULE + with_code("ACME002"),
        "acme.py:11: the name pool-without-tier is already used by ACME001 pool-without-tier (acme.py:4)",
        id="a name twice",
    ),
    pytest.param(
        RULE.replace("pool_without_tier", "hard_taint_on_system_pool"),
        "acme.py:4: the name hard-taint-on-system-pool is already used by AKS014 hard-taint-on-system-pool (a rule of nodepools)",
        id="a name of ours",
    ),
    pytest.param(RULE.replace("pool_without_tier", "tier"), "acme.py:4: the name 'tier' of ACME001 must be two or more", id="one word"),
    pytest.param(RULE.replace("Severity.WARNING", "'bad'"), "acme.py:4: the severity 'bad' must be one of error, warning, note", id="severity"),
    pytest.param(RULE.replace("pool: AgentPool", "pool"), "acme.py:4: pool_without_tier must have parameters with type hints", id="no type hint"),
    pytest.param(RULE.replace("pool: AgentPool", ""), "acme.py:4: pool_without_tier must have parameters with type hints", id="no parameter"),
    pytest.param(RULE.replace("pool: AgentPool", "pool: int"), "acme.py:4: pool_without_tier must have parameters with type hints", id="no part"),
    pytest.param(RULE.replace("AgentPool", "'Pool'"), "acme.py:4: the type hints of pool_without_tier cannot be read: name", id="unknown type"),
    pytest.param(
        RULE.replace('"""Every agent pool has the label `tier`."""', "pass"), "acme.py:4: pool_without_tier must have a docstring", id="no docstring"
    ),
    pytest.param("\nx = {}\nx['a']\n", "acme.py:4: KeyError: 'a'", id="an exception"),
    pytest.param("\nraise SystemExit(3)\n", "acme.py:3: SystemExit: 3", id="an exit"),
    pytest.param("\nraise KeyboardInterrupt\n", "acme.py:3: KeyboardInterrupt", id="an interrupt that nobody asked for"),
    pytest.param("\ndef f(:\n", "acme.py:3: invalid syntax", id="no Python"),
    pytest.param("\nimport json\njson.loads('{')\n", "acme.py:4: JSONDecodeError: Expecting property name", id="an exception in a library"),
    pytest.param("\nimport nothing_like_it\n", "acme.py:3: ModuleNotFoundError: No module named 'nothing_like_it'", id="a missing module"),
    pytest.param("", "acme.py: declares no rule", id="no rule"),
]


@pytest.mark.parametrize(("text", "told"), WRONG)
def test_what_cannot_be_a_rule_is_one_line_with_its_place(text: str, told: str) -> None:
    with pytest.raises(RuleError) as raised:
        loaded(text)
    assert str(raised.value).startswith(told)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("path", "told"),
    [
        pytest.param("missing.py", "missing.py: No such file or directory", id="a missing file"),
        pytest.param("rules.yaml", "rules.yaml: is not a Python file", id="another file"),
        pytest.param("folder.py", "folder.py: is not a Python file", id="a folder"),
        pytest.param("pipe.py", "pipe.py: is not a Python file", id="a pipe"),
    ],
)
def test_a_file_that_cannot_be_read(path: str, told: str) -> None:
    Path("rules.yaml").write_text("a: 1\n")
    Path("folder.py").mkdir()
    os.mkfifo("pipe.py")
    with pytest.raises(RuleError, match=told):
        load_file(Path(path))


FAILING = RULE.replace('"tier" not in pool.labels', 'pool.labels["tier"]')


def test_a_rule_that_raises_is_told_by_its_line_and_the_others_are_asked() -> None:
    loaded(FAILING)
    failed: list[RuleFailedError] = []
    pool = UserPool(vm_size=SIZE, labels={"kubernetes.azure.com/mode": "x"})
    found = check(pool, failed=failed.append)
    assert [one.code for one in found] == ["AKS021"]
    assert [str(one) for one in failed] == ["acme.py:7: the rule ACME001 pool-without-tier raised KeyError: 'tier'"]
    assert (failed[0].finding.code, failed[0].finding.severity) == ("ACME001", Severity.WARNING)


def test_a_rule_that_ends_the_process_does_not() -> None:
    loaded(RULE.replace('if "tier" not in pool.labels:', "raise SystemExit(0)\n    if True:"))
    failed: list[RuleFailedError] = []
    check(UserPool(vm_size=SIZE), failed=failed.append)
    assert [str(one) for one in failed] == ["acme.py:7: the rule ACME001 pool-without-tier raised SystemExit: 0"]


INTERRUPT = "import signal; signal.raise_signal(signal.SIGINT)\n"


@pytest.mark.usefixtures("interruptible")
def test_a_person_interrupts_a_rule() -> None:
    loaded(RULE.replace('if "tier" not in pool.labels:', f"{INTERRUPT}    if True:"))
    with pytest.raises(KeyboardInterrupt):
        check(UserPool(vm_size=SIZE), failed=lambda _: None)


@pytest.mark.usefixtures("interruptible")
def test_a_person_interrupts_the_import_of_a_rule() -> None:
    with pytest.raises(KeyboardInterrupt):
        loaded(INTERRUPT)


def test_a_rule_that_raises_raises_where_nobody_keeps_it() -> None:
    loaded(FAILING)
    with pytest.raises(RuleFailedError, match=r"acme\.py:7: the rule ACME001 pool-without-tier raised KeyError"):
        check(UserPool(vm_size=SIZE))


def test_a_rule_that_yields_no_findings_is_told_by_its_first_line() -> None:
    loaded(RULE.replace("yield finding(pool", "return (pool").replace(', path="labels", fix="Add the label")', ")"))
    with pytest.raises(RuleFailedError, match=r"acme\.py:4: the rule ACME001 pool-without-tier raised AttributeError"):
        check(UserPool(vm_size=SIZE))


def test_it_is_asked_of_what_is_well_formed_of_a_declaration_too() -> None:
    loaded(FAILING)
    failed: list[RuleFailedError] = []
    found = check(UserPool(vm_size=SIZE, count="many"), failed=failed.append)  # type: ignore[arg-type]  # what people write
    assert [one.code for one in found] == ["CFG004"]
    assert len(failed) == 1


def package(folder: Path, entry_points: str, module: str = HEAD + RULE) -> None:
    """An installed package with a module."""
    (folder / "acme_rules.py").write_text(module)
    info = folder / "acme-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme\nVersion: 1\n")
    (info / "entry_points.txt").write_text(entry_points)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that packages are installed in."""
    folder = tmp_path / "site"
    (folder / "broken-1.dist-info").mkdir(parents=True)
    monkeypatch.setattr(sys, "path", [str(folder), str(tmp_path / "missing"), *sys.path])
    yield folder
    sys.modules.pop("acme_rules", None)


def test_rules_of_installed_packages_are_found(installed: Path) -> None:
    package(installed, "[nodepools.rules]\nacme = acme_rules\n")
    load_installed()
    assert codes(UserPool(vm_size=SIZE)) == ["ACME001 pool-without-tier warning at labels"]


def test_where_there_are_none_metadata_is_not_read(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package(installed, "[console_scripts]\nacme = acme_rules:main\n")
    monkeypatch.delitem(sys.modules, "importlib.metadata", raising=False)
    load_installed()
    assert "importlib.metadata" not in sys.modules
    assert "ACME001" not in RULES


INSTALLED = [
    pytest.param(
        "acme_rules",
        "x = 1 / 0\n",
        "acme_rules.py:1: the entry point acme = acme_rules of nodepools.rules cannot be",
        id="raises",
    ),
    pytest.param("acme_rules", HEAD + with_code("EKS900"), "acme_rules.py:4: the code EKS900 starts like a code of nodepools", id="a code of ours"),
    pytest.param("nothing_here", "", "the entry point acme = nothing_here of nodepools.rules cannot be loaded: ModuleNotFoundError", id="missing"),
]


@pytest.mark.parametrize(("value", "module", "told"), INSTALLED)
def test_an_entry_point_that_cannot_be_loaded_is_one_line(installed: Path, value: str, module: str, told: str) -> None:
    package(installed, f"[nodepools.rules]\nacme = {value}\n", module)
    with pytest.raises(RuleError) as raised:
        load_installed()
    assert told in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.usefixtures("interruptible")
def test_a_person_interrupts_the_import_of_an_entry_point(installed: Path) -> None:
    package(installed, "[nodepools.rules]\nacme = acme_rules\n", INTERRUPT)
    with pytest.raises(KeyboardInterrupt):
        load_installed()


def test_the_working_directory_can_be_on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [""])
    load_installed()
    assert "ACME001" not in RULES
