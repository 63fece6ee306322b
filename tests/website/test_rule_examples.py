"""The examples on the pages of rules can be pasted: the tool reports what it is said to report, and not what it is said not to."""

import json
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from nodepools import Severity, check, load, load_file
from nodepools.manifests.manifest_objects import objects
from nodepools.manifests.object_checks import check_objects
from nodepools.manifests.object_samples import SAMPLES, findings_of
from nodepools.rules.engine.finding import Finding
from nodepools.rules.engine.registry import all_rules
from website.reference.chosen_fixes import CHOSEN, MENDED
from website.reference.rule_examples import DAY, Example, examples, text_examples
from website.reference.rule_pages import rule_pages


def every() -> dict[str, tuple[Example, ...]]:
    """The examples of each rule."""
    return {code: examples(code, rule) for code, rule in all_rules().items()}


def reported(example: Example, text: str, folder: Path, today: date) -> list[Finding]:
    """What the tool reports about the text of an example in its file."""
    file = folder / example.file
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")
    match example.title:
        case "Python":
            return list(check(load(file.stem, folder), today=today))
        case "YAML":
            return list(check(load_file(file), today=today))
        case _:
            return list(check_objects(list(objects(text, example.file)), today).findings)


@pytest.mark.sweep
@pytest.mark.parametrize("code", sorted(all_rules()))
def test_the_examples_of_a_rule_are_reported_and_mended(tmp_path: Path, code: str):
    rule = all_rules()[code]
    day = DAY if rule.holds_on(DAY) else rule.since or DAY
    for example in examples(code, rule):
        before = {finding.code for finding in reported(example, example.bad, tmp_path, day)}
        assert code in before, example.title
        if example.good is not None:
            after = reported(example, example.good, tmp_path, day)
            serious = {finding.code for finding in after if finding.code == code or finding.severity is not Severity.NOTE}
            assert code not in serious, example.title
            assert serious <= before, example.title


@pytest.mark.sweep
def test_type_checkers_accept_what_is_mended(tmp_path: Path):
    written = 0
    for code, shown in every().items():
        for example in shown:
            if example.title == "Python" and example.good is not None:
                (tmp_path / f"{code.lower()}.py").write_text(example.good, encoding="utf-8")
                written += 1
    (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}', encoding="utf-8")
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, "--project", str(tmp_path)]
    summary = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)["summary"]
    assert (summary["filesAnalyzed"], summary["errorCount"]) == (written, 0)


@pytest.mark.parametrize("code", sorted(SAMPLES))
def test_the_examples_of_a_code_without_a_rule(code: str):
    [example] = text_examples(code)
    assert findings_of(code, example.bad) != []
    assert (example.good is not None) == (code in MENDED)


def test_most_rules_with_a_fix_have_a_form_without_the_finding():
    shown = every()
    mended = [code for code, found in shown.items() if any(example.good is not None for example in found)]
    fixable = [code for code, rule in all_rules().items() if rule.severity is not Severity.NOTE]
    assert len(mended) > 0.97 * len(fixable)
    assert CHOSEN.keys() <= {*mended}, "an edit that is not accepted helps nobody"


def test_a_page_without_such_a_form_says_why():
    pages = dict(rule_pages())
    for code, shown in every().items():
        page = pages[f"reference/rules/{code.lower()}"]
        assert page.count("✘ ") == len(shown)
        assert page.count("✔ Not reported") + page.count("so there is no") == len(shown)
        assert ("There is no example" in page) == (shown == ()), code
