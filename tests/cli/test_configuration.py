"""`[tool.nodepools]` of pyproject.toml."""

import pytest

ACME = '''from nodepools.rules import AgentPool, finding, rule


@rule("ACME001", "warning", source="https://wiki.example.com/tiers")
def pool_without_tier(pool: AgentPool):
    """Every agent pool has the label `tier`."""
    if "tier" not in pool.labels:
        yield finding(pool, "The pool has no label `tier`", path="labels", fix="Add the label")
'''
PLATFORM = """name: dev
clusters:
  weu:
    kind: AksCluster
    location: westeurope
    kubernetes_version: "1.35"
    network: {kind: AksNetwork, cidr: 10.10.0.0/16}
    system_pool: {vm_size: Standard_D4ds_v5, count: 2, zones: [1, 2]}
    pools:
      web: {kind: UserPool, vm_size: Standard_D2ds_v5, labels: {tier: web}}
  neu:
    kind: AksCluster
    location: northeurope
    kubernetes_version: "1.35"
    network: {kind: AksNetwork, cidr: 10.20.0.0/16}
    system_pool: {vm_size: Standard_D4ds_v5, count: 2, zones: [1, 2]}
    pools:
      web: {kind: UserPool, vm_size: Standard_D2ds_v5, labels: {tier: web}}
"""


@pytest.fixture
def check(nodepools, tmp_path):
    """`check` of a platform, with a table and rules of a team; further files by their names."""

    def run(table, *arguments, platform=PLATFORM, rules=ACME, **files):
        (tmp_path / "pyproject.toml").write_text(f"[tool.nodepools]\n{table}")
        (tmp_path / "dev.yaml").write_text(platform)
        (tmp_path / "acme.py").write_text(rules)
        for name, text in files.items():
            (tmp_path / f"{name}.yaml").write_text(text)
        (tmp_path / "below").mkdir(exist_ok=True)
        return nodepools("check", "--file", "../dev.yaml", *arguments, "--today", "2026-11-22", cwd=tmp_path / "below")

    return run


def told(answer):
    found = {f"{finding['code']} {finding['severity']}" for finding in answer.json["findings"]}
    return sorted(found - {"PLT010 note"})


TABLES = [
    pytest.param("", ["AKS104 note"], id="an empty one"),
    pytest.param('ignore = ["AKS104"]', [], id="ignored by its code"),
    pytest.param('ignore = ["two-system-nodes"]', [], id="ignored by its name"),
    pytest.param('ignore = ["AKS"]', [], id="ignored with its family"),
    pytest.param('select = ["PLT"]', [], id="another is selected"),
    pytest.param('severity = {two-system-nodes = "error"}', ["AKS104 error"], id="raised"),
    pytest.param('ignore = ["AKS104"]\nseverity = {AKS104 = "error"}', [], id="ignore comes before severity"),
    pytest.param('rules = ["acme.py"]', ["ACME001 warning", "AKS104 note"], id="rules of the team"),
    pytest.param('rules = ["acme.py"]\nseverity = {ACME001 = "note"}', ["ACME001 note", "AKS104 note"], id="one of theirs is lowered"),
    pytest.param('rules = ["acme.py"]\nselect = ["pool-without-tier"]', ["ACME001 warning"], id="one of theirs is selected"),
]


@pytest.mark.parametrize(("table", "codes"), TABLES)
def test_tables(check, table, codes):
    answer = check(table, "--format", "json")
    assert told(answer) == codes
    assert answer.status == int(any("error" in code for code in codes))


WRONG = [
    pytest.param('selct = ["AKS"]', ["`tool.nodepools.selct` is not a setting: use `select`"], id="a misspelt key"),
    pytest.param("x = 1", ["`tool.nodepools.x` is not a setting: use one of `select`, `ignore`, `severity`, `exclude`, `rules`"], id="another key"),
    pytest.param('ignore = "AKS104"', ["`tool.nodepools.ignore` must be a list of codes, names or families"], id="a text in place of a list"),
    pytest.param("ignore = [104]", ["`tool.nodepools.ignore` must be a list of codes, names or families"], id="a list of numbers"),
    pytest.param('severity = ["AKS104"]', ["`tool.nodepools.severity` must be a table that maps codes or names"], id="a list in place of a table"),
    pytest.param(
        'severity = {AKS104 = "bad"}', ["`tool.nodepools.severity.AKS104` must be one of `error`, `warning`, `note`, not `bad`"], id="no severity"
    ),
    pytest.param(
        "severity = {AKS104 = [1]}",
        ["`tool.nodepools.severity.AKS104` must be one of `error`, `warning`, `note`, not `[1]`"],
        id="a list as severity",
    ),
    pytest.param(
        'ignore = ["two-system-node"]',
        ["`tool.nodepools.ignore`: `two-system-node` is neither", "the nearest are AKS104 two-system-nodes"],
        id="a name",
    ),
    pytest.param('select = [""]', ["`tool.nodepools.select`: an empty text is neither the code nor the name of a rule"], id="an empty text"),
    pytest.param('rules = ["missing.py"]', ["missing.py: No such file or directory"], id="no such file of rules"),
    pytest.param("ignore = [", ["pyproject.toml: is not valid TOML: "], id="no TOML"),
    pytest.param(
        'severity = {AKS104 = "x", AKS9 = "note"}',
        ["severity.AKS104` must be one of `error`, `warning`, `note`, not `x`", "severity`: `AKS9` is not a code: use AKS009"],
        id="two wrong severities",
    ),
    pytest.param(
        'selct = []\nseverity = {AKS999 = "note"}\nignore = ["X1"]\nexclude = 3',
        ["selct` is not", "exclude` must be a list of file patterns", "severity`: `AKS999` is neither", "ignore`: `X1` is neither"],
        id="all at once",
    ),
]


@pytest.mark.parametrize(("table", "lines"), WRONG)
def test_what_is_wrong_with_it_is_a_usage_error(check, table, lines):
    answer = check(table)
    assert (answer.status, answer.out) == (2, "")
    assert all(line.startswith("error: ") for line in answer.err.splitlines())
    for line in lines:
        assert line in answer.err


RULES = [
    pytest.param("x = {}['a']\n", "acme.py:1: KeyError: 'a'", id="a file that raises"),
    pytest.param("def f(:\n", "acme.py:1: invalid syntax", id="a file that is no Python"),
    pytest.param(ACME.replace("ACME001", "AKS900"), "acme.py:4: the code AKS900 starts like a code of nodepools", id="a code of ours"),
    pytest.param(ACME + ACME[ACME.index("@rule") :], "the code ACME001 is already used by ACME001 pool-without-tier", id="a code twice"),
]


@pytest.mark.parametrize(("text", "line"), RULES)
def test_rules_that_cannot_be_taken_are_a_usage_error(check, text, line):
    answer = check('rules = ["acme.py"]\nignore = ["ACME001"]', rules=text)
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert line in answer.err


def test_a_rule_that_raises_is_a_problem_and_all_else_is_found(check):
    answer = check("", "--own-rules", "../acme.py", "--format", "json", rules=ACME.replace('"tier" not in pool.labels', 'pool.labels["tier"]'))
    assert answer.status == 2
    assert told(answer) == ["ACME001 warning", "AKS104 note"]
    [problem] = answer.json["problems"]
    assert problem["path"].endswith("acme.py:7")
    assert problem["message"] == "the rule ACME001 pool-without-tier raised KeyError: 'tier'"
    assert not answer.json["complete"]
    assert answer.err.count("\n") == 1


TAINTED = PLATFORM.replace("count: 2, zones", "taints: [dedicated=web:NoSchedule], count: 3, zones")
HIDING = [
    pytest.param('ignore = ["AKS014"]', "`ignore` has no effect on AKS014", id="ignored"),
    pytest.param('severity = {AKS014 = "note"}', '`severity = "note"` has no effect on AKS014', id="lowered"),
]


@pytest.mark.parametrize(("table", "line"), HIDING)
def test_an_error_that_the_cloud_rejects_stays_one(check, table, line):
    answer = check(table, platform=TAINTED)
    assert answer.status == 1
    assert "AKS014 error" in answer.out
    assert [line in told for told in answer.err.splitlines()] == [True]


COMMENTS = [
    pytest.param("system_pool: {", "system_pool: {  # nodepools: ignore AKS104 two are enough here\n      ", 1, id="on the line"),
    pytest.param("    system_pool", "    # nodepools: ignore AKS104 two are enough here\n    system_pool", 1, id="on the line above"),
    pytest.param("name: dev", "# nodepools: ignore two-system-nodes two are enough here\nname: dev", 0, id="at the top"),
]


@pytest.mark.parametrize(("before", "after", "left"), COMMENTS)
def test_comments_in_platform_files(check, before, after, left):
    answer = check("", "--format", "json", platform=PLATFORM.replace(before, after, 1))
    assert [finding["code"] for finding in answer.json["findings"]].count("AKS104") == left


def test_accepted_warnings_pass_a_strict_check_and_stale_ones_do_not(check):
    accepted = PLATFORM.replace("vm_size: Standard_D4ds_v5", "vm_size: Standard_D4ds_v5, pinned: no", 0)
    rules = 'rules = ["acme.py"]'
    assert check(rules, "--strict", platform=accepted).status == 1
    comment = "    system_pool:  # nodepools: ignore ACME001 system pools have no tier\n      {"
    accepted = PLATFORM.replace("    system_pool: {", comment)
    assert check(rules, "--strict", platform=accepted).status == 0
    stale = check(rules, "--strict", platform=accepted.replace("zones: [1, 2]", "zones: [1, 2], labels: {tier: system}"))
    assert stale.status == 1
    assert "IGN001 warning" in stale.out


POOL = """apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: web}
spec: {weight: 101}
"""
EXCLUDED = [
    pytest.param("", True, id="nothing"),
    pytest.param('exclude = ["below/old.yaml"]', True, id="another file"),
    pytest.param('exclude = ["pool.yaml"]', False, id="a name"),
    pytest.param('exclude = ["po*.yaml"]', False, id="a pattern"),
    pytest.param('exclude = ["k8s/"]', False, id="a folder"),
    pytest.param('exclude = ["k8s/*/pool.yaml"]', False, id="a path"),
    pytest.param('exclude = ["k8s/web"]', False, id="a path of a folder"),
]


@pytest.mark.parametrize(("table", "found"), EXCLUDED)
@pytest.mark.parametrize("named", ["k8s", "k8s/web/pool.yaml"])
def test_files_are_excluded_on_purpose(nodepools, tmp_path, table, found, named):
    (tmp_path / "pyproject.toml").write_text(f"[tool.nodepools]\n{table}")
    (tmp_path / "k8s" / "web").mkdir(parents=True)
    (tmp_path / "k8s" / "web" / "pool.yaml").write_text(POOL)
    answer = nodepools("check", named, cwd=tmp_path)
    if found:
        assert "KAR" in answer.out or "CFG" in answer.out
    else:
        assert (answer.status, answer.out) == (0, f"{named}: nothing was checked: no NodePool and no node class\n")
        assert "excluded by a pattern of `exclude`" in answer.err


def test_the_nearest_table_counts_up_to_the_root_of_the_repository(nodepools, tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.nodepools]\nx = 1\n")
    inner = tmp_path / "inner"
    (inner / ".git").mkdir(parents=True)
    (inner / "pyproject.toml").write_text("[tool]\nother = 1\n")
    assert nodepools("rules", "AKS014", cwd=inner).status == 0
    assert nodepools("rules", "AKS014", cwd=tmp_path).status == 2


def test_rules_of_the_team_are_explained(nodepools, tmp_path):
    (tmp_path / "acme.py").write_text(ACME)
    assert "ACME001  warning  Every agent pool has the label `tier`." in nodepools("rules", "--own-rules", "acme.py", cwd=tmp_path).out
    one = nodepools("rules", "--own-rules", "acme.py", "pool-without-tier", cwd=tmp_path).out
    assert one.splitlines() == [
        "ACME001 warning: Every agent pool has the label `tier`.",
        "",
        "  name         pool-without-tier",
        "  source       https://wiki.example.com/tiers",
        "  declared in  acme.py:4",
    ]


def test_sarif_has_rules_of_the_team(check):
    log = check('rules = ["acme.py"]', "--format", "sarif").json
    rules = {rule["id"]: rule["name"] for rule in log["runs"][0]["tool"]["driver"]["rules"]}
    assert rules["ACME001"] == "pool-without-tier"


def test_notes_are_a_number_and_equal_findings_of_clusters_one_block(check):
    short, long = check('ignore = ["PLT010"]').out, check('ignore = ["PLT010"]', "--details").out
    assert short == "../dev.yaml: no errors or warnings, 2 notes; nothing to correct\n\n--details shows 4 more lines\n"
    assert long.splitlines()[0] == "../dev.yaml: no errors or warnings, 2 notes; nothing to correct"
    assert long.count("AKS104 note at clusters.weu.system_pool") == 1
    assert "    also in neu\n" in long
    assert "clusters.neu" not in long


def test_findings_of_clusters_that_differ_are_told_each(check):
    different = PLATFORM.replace("count: 2, zones: [1, 2]", "count: 3, zones: [1, 2], taints: [a=b:NoSchedule]", 1)
    different = different.replace("count: 2, zones: [1, 2]", "count: 3, zones: [1, 2], taints: [a=c:NoSchedule]", 1)
    answer = check("", platform=different)
    assert answer.out.count("AKS014 error at clusters.") == 2
    assert answer.out.splitlines()[0].startswith("../dev.yaml: 2 errors, ")


def test_comments_about_rules_that_are_not_loaded_stop_no_other_command(check, nodepools, tmp_path):
    comment = "    system_pool:  # nodepools: ignore ACME001 system pools have no tier\n      {"
    answer = check("", platform=PLATFORM.replace("    system_pool: {", comment))
    assert "IGN002 error" in answer.out
    assert nodepools("cost", "--file", "dev.yaml", cwd=tmp_path).status == 0


def test_explain_leaves_them_out_too(nodepools, tmp_path):
    pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: NAME}\nspec: {containers: [{name: a, image: a}]}\n"
    (tmp_path / "pyproject.toml").write_text('[tool.nodepools]\nexclude = ["old.yaml"]\n')
    (tmp_path / "dev.yaml").write_text(PLATFORM)
    (tmp_path / "new.yaml").write_text(pod.replace("NAME", "new"))
    (tmp_path / "old.yaml").write_text(pod.replace("NAME", "old"))
    answer = nodepools("explain", "new.yaml", "old.yaml", "--file", "dev.yaml", cwd=tmp_path)
    assert answer.status == 0
    assert "new" in answer.out
    assert "old" not in answer.out


def test_preview_runs_nothing_where_a_rule_of_the_team_finds_an_error(nodepools, copy):
    (copy / "acme.py").write_text(ACME.replace('"warning"', '"error"').replace('"tier" not in pool.labels', 'not pool.labels["tier"] or True'))
    answer = nodepools("preview", "--own-rules", "acme.py", "--format", "json", cwd=copy)
    assert answer.status == 1
    assert (answer.json["resources"], answer.json["complete"]) == ([], False)
    assert [finding["path"] for finding in answer.json["findings"] if finding["code"] == "ACME001"] == ["clusters.weu.pools.web.labels"]
    assert [problem["path"] for problem in answer.json["problems"]] == ["acme.py:7"]
