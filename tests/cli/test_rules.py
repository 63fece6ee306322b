"""`nodepools rules`: the list, and one in full."""

import pytest

from nodepools.rules.engine.registry import all_codes


def test_it_lists_every_code(nodepools, tmp_path):
    answer = nodepools("rules", "--details", cwd=tmp_path)
    assert answer.status == 0
    assert answer.out.startswith(f"{len(list(all_codes()))} rules: ")
    found = {tuple(line.split()[:2]) for line in answer.out.splitlines() if line.startswith("  ")}
    assert {(code.code, code.severity.value) for code in all_codes()} <= found


def test_without_details_it_counts_them_by_family(nodepools, tmp_path):
    lines = nodepools("rules", cwd=tmp_path).out.splitlines()
    assert len(lines) < 20
    [line] = [line for line in lines if line.endswith("Node auto provisioning of AKS")]
    family, *counts = line.split()[:4]
    assert (family, sum(map(int, counts))) == ("NAP", sum(code.code.startswith("NAP") for code in all_codes()))


@pytest.mark.parametrize(
    ("arguments", "codes"),
    [
        pytest.param(["single-system"], {"AKS013"}, id="a part of a name"),
        pytest.param(["--search", "SystemPoolHas"], set(), id="a source is not searched"),
        pytest.param(["ign", "--severity", "error"], {"IGN002"}, id="a family, and a severity"),
        pytest.param(["--severity", "error", "--search", "IGN"], {"IGN002"}, id="the same by options"),
    ],
)
def test_a_word_is_a_search(nodepools, tmp_path, arguments, codes):
    answer = nodepools("rules", *arguments, "--format", "json", cwd=tmp_path)
    assert (answer.status, {rule["code"] for rule in answer.json["rules"]}) == (0, codes)


def test_the_list_as_json_has_what_is_known_of_each(nodepools, tmp_path):
    rules = nodepools("rules", "--format", "json", cwd=tmp_path).json["rules"]
    assert [rule["code"] for rule in rules] == sorted(code.code for code in all_codes())
    assert set(rules[0]) == {"code", "name", "severity", "summary", "source", "since", "until", "url"}


@pytest.mark.parametrize("code", ["AKS014", "aks014", "aks14", "hard-taint-on-system-pool", "Hard-Taint-On-System-Pool"])
def test_one_is_explained_with_its_source_and_an_example(nodepools, tmp_path, code):
    answer = nodepools("rules", code, cwd=tmp_path)
    assert answer.status == 0
    assert answer.out.startswith("AKS014 error: AKS rejects NoSchedule and NoExecute taints on system pools")
    assert "name    hard-taint-on-system-pool" in answer.out
    assert "source  AKS API error SystemPoolHasRestrictedTaint" in answer.out
    assert "AKS014 error at taints[0]" in answer.out


def test_one_as_json_has_its_example_as_a_finding(nodepools, tmp_path):
    told = nodepools("rules", "NAP012", "--format", "json", cwd=tmp_path).json
    assert (told["code"], told["name"], told["severity"]) == ("NAP012", "no-node-image-window", "warning")
    assert [(finding["path"], finding["name"]) for finding in told["example"]] == [("maintenance", "no-node-image-window")]


MISSPELT = [
    pytest.param("AKS999", "`AKS999` is neither the code nor the name of a rule: the nearest are AKS099 ", id="a code that is not there"),
    pytest.param("hard-taints-on-system-pool", ": the nearest are AKS014 hard-taint-on-system-pool, ", id="a misspelt name"),
    pytest.param("?", "`?` is neither the code nor the name of a rule: `nodepools rules --search WORD` finds", id="nothing near"),
]


@pytest.mark.parametrize(("text", "told"), MISSPELT)
def test_an_unknown_code_is_one_line_with_the_nearest(nodepools, tmp_path, text, told):
    answer = nodepools("rules", text, cwd=tmp_path)
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert told in answer.err


def test_versions_are_judged_for_the_day_that_is_given(nodepools, project):
    found = {day: nodepools("check", "--today", day, "--format", "json", cwd=project).json for day in ("2026-12-01", "2027-04-01")}
    codes = {day: {finding["code"] for finding in told["findings"]} & {"AKS070", "EKS070"} for day, told in found.items()}
    assert codes == {"2026-12-01": set(), "2027-04-01": {"AKS070", "EKS070"}}
