"""Secrets in answers that programs read: values are hidden, and the names and words that readers look for are kept."""

import json

import pytest

from nodepools.cli.command_run import CommandRun, Result
from nodepools.cli.output.review_formats import command
from nodepools.model.ref import SecretValue

WORDS = ("changes", "complete", "problems", "verdict", "replaces", "nodepools", "file", "line", "title", "error")


@pytest.fixture
def written(capsys):
    def run(form, result):
        made = CommandRun("diff", form)
        made.hide([SecretValue(text) for text in (*WORDS, 'pass"word')])
        made.set_result(result)
        made.write()
        return capsys.readouterr().out

    return run


def test_json_keeps_its_names_and_words(written):
    change = {"effect": "replaces", "pool": "web", "before": 'a pass"word', "after": "replaces", "labels": {"kind": "error"}}
    found = json.loads(written("json", Result(fields=lambda: {"changes": [change], "summary": {"verdict": 1}})))
    assert found["changes"] == [{"effect": "replaces", "pool": "web", "before": "a [secret]", "after": "[secret]", "labels": {"kind": "[secret]"}}]
    assert (found["schema"], found["complete"], found["summary"]) == ("nodepools/2", True, {"verdict": 1})


def test_annotations_keep_their_names(written):
    place = {"file": "a.py", "line": "3", "title": 'pass"word, title'}
    own = [command("error", place, "the error: line::file=x"), command("notice", {}, 'pass"word')]
    first, second = written("github", Result(annotations=lambda: own)).splitlines()
    assert first == "::error file=a.py,line=3,title=[secret]%2C [secret]::the [secret]: [secret]::[secret]=x"
    assert second == "::notice ::[secret]"


@pytest.mark.parametrize("form", ["sarif", "gitlab", "github"])
def test_an_answer_without_a_value_stays_as_it_is(written, form):
    assert "[secret]" not in written(form, Result())
