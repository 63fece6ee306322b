"""docs/guides/testing.md is what it says: its code runs, and its messages are the ones that are shown."""

import re
import shutil
import subprocess
import sys

import pytest

from nodepools import load, testing

pytestmark = pytest.mark.program


@pytest.fixture(scope="module")
def guide(project):
    return (project / "docs" / "guides" / "testing.md").read_text()


@pytest.fixture
def copied(project, tmp_path):
    """The project that the guide speaks of."""
    return shutil.copytree(project / "examples" / "user-project", tmp_path / "user-project", ignore=shutil.ignore_patterns(".venv", "__pycache__"))


@pytest.fixture(scope="module")
def graph(project):
    return testing.run(project / "examples" / "user-project", stack="dev", preview=True)


def blocks(guide, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", guide, re.MULTILINE | re.DOTALL)


def run(copied, *words):
    command = [sys.executable, "-m", "pytest", "-q", "-W", "error", *words]
    return subprocess.run(command, cwd=copied, capture_output=True, text=True, check=False)


def test_its_code_runs(guide, copied):
    [conftest, *parts] = blocks(guide, "python")
    assert conftest.startswith("# tests/conftest.py\n")
    for old in (copied / "tests").glob("*.py"):
        old.unlink()
    (copied / "tests" / "conftest.py").write_text(conftest)
    (copied / "tests" / "test_guide.py").write_text("\n".join(parts))
    told = run(copied)
    tests = sum(part.count("def test_") for part in parts) + 1  # one is asked of two stacks
    assert f"{tests} passed" in told.stdout, told.stdout
    assert tests > 15


def test_what_the_readme_asks_holds(project):
    [code] = [block for block in blocks((project / "README.md").read_text(), "python") if "testing.run" in block]
    platform = load("dev", project)
    exec(code, {"testing": testing, "PLATFORM": platform})  # noqa: S102  # our own page


def test_the_program_of_the_readme_waits_for_its_pools(project):
    [code] = [block for block in blocks((project / "README.md").read_text(), "python") if "Release(" in block]
    graph = testing.run(lambda: exec(code, {}))  # noqa: S102  # our own page
    for needed in ("AgentPool", "RoleAssignment/shop-admin-*", "Subnet"):
        assert graph.deletes("Release").before(needed)
    assert graph.outputs.secret("kubeconfig")


def rows(guide, heading):
    section = guide.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return [(asked.strip().strip("`"), said.strip()) for asked, said in re.findall(r"^\| (`.*?`) \| (.*?) \|$", section, re.MULTILINE)]


def test_every_question_of_it_can_be_asked(guide, graph):
    asked = rows(guide, "Query the graph")
    assert len(asked) > 10
    for question, _ in asked:
        assert eval(question, {"graph": graph}), question  # noqa: S307  # noqa: S102  # our own page


def test_its_messages_are_those_that_are_shown(guide, graph):
    messages = rows(guide, "Failure messages")
    assert len(messages) > 5
    for question, said in messages:
        try:
            told = repr(eval(question, {"graph": graph}))  # noqa: S307  # noqa: S102  # our own page
        except AssertionError as error:
            told = str(error)
        assert told.strip("`") == said.strip("` "), question


def test_the_difference_it_shows_is_the_one_that_is_shown(guide, copied):
    stack = copied / "stacks" / "dev.py"
    text = stack.read_text()
    edited = text.replace('"web": UserPool(vm_size="Standard_D2ds_v5"', '"web": UserPool(vm_size="Standard_D8ds_v5"').replace(
        "Autoscale(0, 4)", "Autoscale(0, 6)"
    )
    assert edited.count("D8ds") == edited.count("(0, 6)") == 1
    stack.write_text(edited)
    told = run(copied, "-k", "test_the_plan_is_the_stored_one and dev").stdout
    shown = [line.removeprefix("E").strip().removeprefix("AssertionError: ") for line in told.splitlines() if line.startswith("E ")]
    [difference] = blocks(guide, "text")
    shown = [re.sub(r"(AgentPool/dev-weu-web)\w+", r"\1…", line).replace(f"{copied}/", "") for line in shown]
    assert shown == [line.strip() for line in difference.splitlines()]
