"""What the guide about own rules says is what happens."""

import re
import tomllib

import pytest

from nodepools.rules.engine.own_rules import RESERVED


@pytest.fixture(scope="module")
def guide(project):
    return (project / "docs" / "guides" / "own-rules.md").read_text(encoding="utf-8")


def blocks(guide, language):
    return re.findall(rf"(?s)```{language}\n(.*?)```", guide)


@pytest.fixture
def team(guide, copy):
    """A project with the rules of the guide."""
    (copy / "acme.py").write_text(blocks(guide, "python")[0])
    return copy


def test_the_output_is_what_the_command_of_the_guide_prints(guide, team, nodepools):
    command = blocks(guide, "sh")[0].split("#")[0].split()
    out = nodepools(*command[1:], cwd=team).out
    [printed] = blocks(guide, "text")
    assert out.startswith(printed)


def test_the_test_of_the_guide_passes(guide, team, monkeypatch):
    from nodepools.rules.engine.registry import RULES, all_rules

    before = dict(all_rules())
    monkeypatch.syspath_prepend(str(team))
    made = {}
    try:
        exec(blocks(guide, "python")[1], made)  # noqa: S102  # the page's own test
        made["test_a_pool_without_a_team_is_found"]()
    finally:
        RULES.clear()
        RULES.update(before)


def test_the_configuration_of_the_guide_is_one(guide, team, nodepools):
    (team / "pyproject.toml").write_text(blocks(guide, "toml")[1])
    answer = nodepools("check", "--format", "json", cwd=team)
    assert (answer.status, answer.err) == (0, "")
    found = {finding["code"]: finding["severity"] for finding in answer.json["findings"]}
    assert found["ACME001"] == "note"
    assert not found.keys() & {"PLT010", "AKS104"}


def test_the_entry_point_of_the_guide_is_one(guide):
    assert tomllib.loads(blocks(guide, "toml")[0]) == {"project": {"entry-points": {"nodepools.rules": {"acme": "acme_rules"}}}}


def test_the_comment_of_the_guide_accepts_the_finding(guide, team, nodepools):
    pool, comment = blocks(guide, "python")[2].strip().removeprefix("small = ").split("  #")
    stack = team / "stacks" / "dev.py"
    code = f"system_pool={pool},"
    line = f"{code}  #{comment}"
    assert code in stack.read_text()
    before = nodepools("check", "--format", "json", cwd=team).json["findings"]
    stack.write_text(stack.read_text().replace(code, line))
    after = nodepools("check", "--format", "json", cwd=team).json["findings"]
    left = [(finding["code"], finding["path"]) for finding in after]
    assert [(finding["code"], finding["path"]) for finding in before if (finding["code"], finding["path"]) not in left] == [
        ("AKS104", "clusters.neu.system_pool")
    ]


def test_the_sample_of_the_guide_is_shown(team, nodepools):
    assert "ACME001 warning at labels" in nodepools("rules", "--own-rules", "acme.py", "ACME001", cwd=team).out


def test_the_letters_of_the_library_are_those_that_are_taken(guide):
    [listed] = re.findall(r"and a number\. ([A-Z, ]+ and [A-Z]+) belong to this library", guide)
    assert tuple(re.findall(r"[A-Z]{3}", listed)) == RESERVED
