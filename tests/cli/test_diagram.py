"""`nodepools diagram`: Mermaid, JSON, and pictures by a renderer that is on PATH."""

import os

import pytest

DRAWS = """#!/bin/sh
# As mermaid-cli is called: --quiet --input FILE --output FILE
grep -q flowchart "$3" && echo drawn > "$5"
"""
FAILS = """#!/bin/sh
echo >&2
echo 'Could not find a browser' >&2
exit 3
"""


@pytest.fixture
def renderer(tmp_path):
    """Puts a program in the place of mermaid-cli, on PATH before all others."""

    def install(script):
        folder = tmp_path / "bin"
        folder.mkdir()
        (folder / "mmdc").write_text(script)
        (folder / "mmdc").chmod(0o755)
        return {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}

    return install


def test_text_is_mermaid(nodepools, project):
    said = nodepools("diagram", "--stack", "prod", "examples/workloads", cwd=project).out
    assert said.startswith("---\ntitle: prod\n---\nflowchart LR\n")
    assert "workload_Job_train --> pool_weu_train" in said


def test_json_has_the_same(nodepools, project):
    found = nodepools("diagram", "--stack", "prod", "examples/workloads", "--format", "json", cwd=project).json["platforms"][0]
    assert [one["cluster"] for one in found["clusters"]] == ["weu", "neu", "use1"]
    assert {"name": "train", "kind": "Job", "to": [{"pool": "weu/train", "verdict": "fits"}]} in found["workloads"]
    compute = next(pool for pool in found["clusters"][2]["pools"] if pool["pool"] == "use1/compute")
    assert compute["node_class"] == "private"


def test_every_platform_has_a_diagram(nodepools, project):
    said = nodepools("diagram", "--all", cwd=project).out
    assert [line for line in said.splitlines() if line.startswith("title: ")] == ["title: dev", "title: prod", "title: staging"]


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_a_picture_is_drawn_by_the_renderer(nodepools, project, tmp_path, renderer, kind):
    answer = nodepools("diagram", "--format", kind, "-o", str(tmp_path / "picture"), cwd=project, env=renderer(DRAWS))
    assert (answer.status, answer.all) == (0, "")
    assert (tmp_path / "picture").read_text() == "drawn\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        pytest.param(["--format", "svg"], "`--format svg` needs an output file: `-o diagram.svg`", id="a picture without a file"),
        pytest.param(["-o", "x.txt"], "`-o` needs `--format svg` or `--format png`", id="a file without a picture"),
        pytest.param(
            ["--all", "--format", "svg", "-o", "x.svg"],
            "`--format svg` draws one stack: choose one of dev, prod, staging with `--stack`",
            id="several in one",
        ),
    ],
)
def test_wrong_use_is_one_line(nodepools, project, arguments, told):
    answer = nodepools("diagram", *arguments, cwd=project)
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert told in answer.err


def test_a_diagram_without_a_workload_that_is_missing_is_incomplete(nodepools, project):
    answer = nodepools("diagram", "nothing.yaml", cwd=project)
    assert answer.status == 2
    assert answer.err.startswith("error: nothing.yaml: No such file or directory")
    assert answer.out.startswith("---")


def test_without_a_renderer_it_is_said_how_to_get_one(nodepools, project, tmp_path):
    answer = nodepools("diagram", "--format", "svg", "-o", str(tmp_path / "a.svg"), cwd=project, env={"PATH": str(tmp_path)})
    assert answer.status == 2
    assert "npm install -g @mermaid-js/mermaid-cli" in answer.err


def test_what_the_renderer_says_when_it_fails_is_told_and_nothing_is_written(nodepools, project, tmp_path, renderer):
    answer = nodepools("diagram", "--format", "png", "-o", str(tmp_path / "a.png"), cwd=project, env=renderer(FAILS))
    assert (answer.status, answer.err.count("\n")) == (2, 1)
    assert "Could not find a browser" in answer.err
    assert not (tmp_path / "a.png").exists()


def test_a_folder_that_is_not_there_is_told(nodepools, project, tmp_path, renderer):
    answer = nodepools("diagram", "--format", "png", "-o", str(tmp_path / "none" / "a.png"), cwd=project, env=renderer(DRAWS))
    assert (answer.status, answer.err.count("\n")) == (2, 1)
