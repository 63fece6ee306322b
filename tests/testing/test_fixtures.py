"""The fixtures of pytest, as a project sees them: in a pytest of its own."""

import os
import subprocess
import sys
import textwrap

import pytest

pytestmark = pytest.mark.program

FILES = {
    "Pulumi.yaml": "name: shop\nruntime: python\n",
    "Pulumi.dev.yaml": "config:\n  size: 3\n",
    "__main__.py": """
        import pulumi

        class Thing(pulumi.CustomResource):
            def __init__(self, name, **inputs):
                super().__init__("cloud:index/thing:Thing", name, inputs)

        Thing("a", size=pulumi.Config().get_int("size"), token=pulumi.Output.secret("hush"))
        """,
    "tests/conftest.py": 'pytest_plugins = ["nodepools.testing.fixtures"]',
    "tests/test_plan.py": """
        def test_plan(stack_graph, golden):
            golden(stack_graph("dev"))
        """,
    "pytest.ini": "[pytest]\n",
}


@pytest.fixture
def project(tmp_path):
    """Runs pytest in a project of these files; what it said."""

    def run(*words, rc, **files):
        for path, text in {**FILES, **files}.items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(textwrap.dedent(text))
        environment = {**os.environ, "CI": "true", "PY_COLORS": "0", "COLUMNS": "200"}
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words]
        told = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, env=environment)
        assert told.returncode == rc, told.stdout + told.stderr
        return told.stdout

    run.folder = tmp_path
    run.stored = tmp_path / "tests" / "golden" / "dev.json"
    return run


def test_a_missing_plan_fails_and_is_not_written(project):
    told = project(rc=1)
    assert f"AssertionError: golden plan {project.stored} not found: run `pytest --rewrite-golden` to store this plan, and review it" in told
    assert not project.stored.exists()


def test_it_is_written_where_that_is_said_and_then_holds(project):
    told = project("--rewrite-golden", rc=0)
    assert f"golden plan written: {project.stored} (review its diff as a change of contract)" in told
    assert "hush" not in project.stored.read_text()
    assert "golden plan written" not in project(rc=0)
    assert "golden plan written" not in project("--rewrite-golden", rc=0), "nothing changed"


def test_another_plan_fails_with_what_changed_and_is_not_written(project):
    project("--rewrite-golden", rc=0)
    before = project.stored.read_text()
    told = project(rc=1, **{"Pulumi.dev.yaml": "config:\n  size: 4\n"})
    assert "~ Thing/a  cloud:index/thing:Thing" in told
    assert "inputs.size: 3 → 4" in told
    assert "(0 added" not in told
    assert "hush" not in told
    assert project.stored.read_text() == before


def test_a_plan_has_a_name_of_its_own_if_one_is_given(project):
    test = """
        def test_plan(stack_graph, golden):
            golden(stack_graph("dev"), "small")
            golden(stack_graph("dev", preview=False).to_json(), "large-1.x")
        """
    project("--rewrite-golden", rc=0, **{"tests/test_plan.py": test})
    assert sorted(path.name for path in project.stored.parent.iterdir()) == ["large-1.x.json", "small.json"]


@pytest.mark.parametrize("name", ["", "../dev", "a/b", ".hidden", "a b"])
def test_a_name_that_is_no_file_name_is_refused(project, name):
    told = project("--rewrite-golden", rc=1, **{"tests/test_plan.py": f"def test(golden): golden({{'stack': 's', 'resources': []}}, {name!r})"})
    assert f"ValueError: a golden plan cannot be named {name!r}: use letters, digits, '.', '-' and '_'" in told


def test_a_stack_is_run_once(project):
    main = textwrap.dedent(FILES["__main__.py"]) + "open('runs', 'a').write('x')\n"
    test = """
        def test_one(stack_graph): assert stack_graph("dev").one("Thing/a")
        def test_two(stack_graph): assert stack_graph("dev") is stack_graph("dev")
        def test_update(stack_graph): assert stack_graph("dev", preview=False) is not stack_graph("dev")
        """
    project(rc=0, **{"__main__.py": main, "tests/test_plan.py": test})
    assert (project.folder / "runs").read_text() == "xx"


def test_a_failing_question_shows_why(project):
    test = """
        def test_it(stack_graph):
            graph = stack_graph("dev")
            assert graph.creates("Thing/a").after("Thing/a")
        def test_secret(stack_graph):
            assert stack_graph("dev").one("Thing/a").inputs["token"] == "open"
        """
    told = project(rc=1, **{"tests/test_plan.py": test})
    assert "assert <no: Thing/a does not need Thing/a; it needs ['Stack/shop-dev']>" in told
    assert "assert <secret> == 'open'" in told
    assert "hush" not in told.replace('pulumi.Output.secret("hush")', "")


def test_a_name_that_is_none_is_shown_without_lines_of_ours(project):
    test = """
        def test_one(stack_graph):
            stack_graph("dev").creates("Thing/b").before("Thing/a")
        def test_two(stack_graph):
            stack_graph("dev").one("Thing/a").inputs.text("siz")
        """
    told = project(rc=1, **{"tests/test_plan.py": test})
    assert "NoSuchResourceError: `Thing/b` not found among 1 resource; closest: Thing/a" in told
    assert "NoSuchPropertyError: no property `siz`; closest: `size`" in told
    assert "naming.py" not in told
    assert "properties.py" not in told


def test_what_the_program_raises_is_shown_without_lines_of_ours(project):
    told = project(rc=1, **{"__main__.py": "def fail():\n    raise ValueError('boom')\nfail()\n"})
    assert "ValueError: boom" in told
    assert "__main__.py:2: ValueError" in told
    for file in ("runner.py", "asyncio", "stack.py"):
        assert file not in told


def test_a_failure_that_is_expected_leaves_nothing_that_warns(project):
    test = """
        import gc, pulumi, pytest
        from nodepools import testing

        def fails_at_once():
            pulumi.export("told", pulumi.Output.from_input("x").apply(lambda x: x))
            raise ValueError("boom")

        def fails_in_an_apply():
            pulumi.export("told", pulumi.Output.all(pulumi.Output.from_input("x").apply(lambda _: 1 / 0), "y"))

        def fails_for_want_of_an_answer():
            pulumi.export("told", pulumi.StackReference("acme/net/dev").require_output("subnet").apply(lambda x: x))

        @pytest.mark.parametrize("program", [fails_at_once, fails_in_an_apply, fails_for_want_of_an_answer])
        def test_it(program):
            with pytest.raises((ValueError, ZeroDivisionError, testing.UnknownCallError)):
                testing.run(program)
            gc.collect()
        """
    told = project("-W", "error", rc=0, **{"tests/test_plan.py": test})
    assert "3 passed" in told


def test_where_no_program_is_above_the_test_it_is_said(project):
    project(rc=1)
    (project.folder / "Pulumi.yaml").unlink()
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]
    told = subprocess.run(command, cwd=project.folder, capture_output=True, text=True, check=False)
    assert f"FileNotFoundError: no folder above {project.folder / 'tests' / 'test_plan.py'} contains a Pulumi.yaml" in told.stdout


def test_who_does_not_ask_for_it_gets_no_option_and_no_fixture(project):
    told = project(rc=1, **{"tests/conftest.py": ""})
    assert "fixture 'stack_graph' not found" in told
    project("--rewrite-golden", rc=4, **{"tests/conftest.py": ""})


def test_nothing_of_ours_is_imported_by_a_pytest_that_does_not_ask(project):
    test = """
        import sys
        def test_it():
            assert not [name for name in sys.modules if name.partition(".")[0] in ("nodepools", "pulumi", "grpc")]
        """
    project(rc=0, **{"tests/conftest.py": "", "tests/test_plan.py": test})
