"""`--fail-on`, `--strict`, `--accept`, `--baseline` and `--write-baseline`: one meaning on every command, and the exit codes that follow."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from typer.main import get_command

from nodepools.cli.demands.acceptances import acceptances
from nodepools.cli.demands.demands import WORDS
from nodepools.cli.examples import exit_codes
from nodepools.cli.program import app

from .conftest import Answer, Run
from .inputs import WITH_POOL

POOL = """apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: web}
spec:
  template:
    spec:
      nodeClassRef: {group: eks.amazonaws.com, kind: NodeClass, name: default}
      expireAfter: 1h
      requirements:
        - {key: kubernetes.io/arch, operator: In, values: [amd64]}
        - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}
"""
EXPIRES = "KAR076 pool.yaml#NodePool/web spec.template.spec.expireAfter"
WORKLOAD = """apiVersion: apps/v1
kind: Deployment
metadata: {{name: web, namespace: shop}}
spec:
  replicas: 2
  selector: {{matchLabels: {{app: web}}}}
  template:
    metadata: {{labels: {{app: web}}}}
    spec:
      nodeSelector: {{{selector}}}
      containers: [{{name: main, image: "a:1", resources: {{requests: {{cpu: 100m, memory: 100Mi}}}}}}]
"""
GUARD = """apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web, namespace: shop}
spec: {minAvailable: 2, selector: {matchLabels: {app: web}}}
"""
FILES = {
    "dev.yaml": WITH_POOL,
    "moved.yaml": WITH_POOL.replace("westeurope", "francecentral"),
    "wrong.yaml": WITH_POOL.replace("vm_size: Standard_D2ds_v5", "vm_siz: x"),
    "pool.yaml": POOL,
    "wrong-pool.yaml": POOL.replace("karpenter.sh/capacity-type", "karpenter.sh/capacity-typ"),
    "damaged.yaml": "a: [",
    "pending.yaml": WORKLOAD.format(selector="tier: wbe"),
    "fits.yaml": WORKLOAD.format(selector=""),
    "guarded.yaml": f"{WORKLOAD.format(selector='')}---\n{GUARD}",
}
DEV = ("--file", "dev.yaml")


@pytest.fixture
def run(nodepools: Run, tmp_path: Path) -> Callable[..., Answer]:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return lambda *arguments: nodepools(*arguments, cwd=tmp_path)


EXIT_CODES = {
    "check: no error": (("check", *DEV), 0),
    "check: nothing that it checks": (("check", "fits.yaml"), 0),
    "check: warnings": (("check", "pool.yaml"), 0),
    "check: warnings that are named": (("check", "pool.yaml", "--fail-on", "warning"), 1),
    "check: warnings, strictly": (("check", "pool.yaml", "--strict"), 1),
    "check: warnings that are accepted": (("check", "pool.yaml", "--strict", "--accept", f"{EXPIRES}: we know"), 0),
    "check: an error": (("check", "wrong-pool.yaml"), 1),
    "check: an error of a declaration": (("check", "--file", "wrong.yaml"), 1),
    "check: not read": (("check", "damaged.yaml"), 2),
    "check: an error, and not read": (("check", "wrong-pool.yaml", "damaged.yaml"), 1),
    "check: a warning, and not read": (("check", "pool.yaml", "damaged.yaml"), 2),
    "check: a named warning, and not read": (("check", "pool.yaml", "damaged.yaml", "--strict"), 1),
    "check: an error of a declaration, and a file that is not there": (("check", "--file", "wrong.yaml", "none.yaml"), 1),
    "check: an unknown word": (("check", "pool.yaml", "--fail-on", "pending"), 2),
    "explain: fits": (("explain", "fits.yaml", *DEV), 0),
    "explain: Pending": (("explain", "pending.yaml", *DEV), 1),
    "explain: warnings": (("explain", "guarded.yaml", *DEV), 0),
    "explain: warnings that are named": (("explain", "guarded.yaml", *DEV, "--fail-on", "warning"), 1),
    "explain: warnings, strictly": (("explain", "guarded.yaml", *DEV, "--strict"), 1),
    "explain: warnings that are accepted": (
        ("explain", "guarded.yaml", *DEV, "--strict", "--accept", "shop/Deployment/web warning: drained by hand"),
        0,
    ),
    "explain: no warnings, strictly": (("explain", "fits.yaml", *DEV, "--strict"), 0),
    "diff: no word": (("diff", "dev.yaml", "moved.yaml", "--fail-on", ""), 2),
    "explain: Pending, whatever else is named": (("explain", "pending.yaml", *DEV, "--fail-on", "warning"), 1),
    "explain: Pending, and accepted": (("explain", "pending.yaml", *DEV, "--accept", "shop/Deployment/web pending: later"), 0),
    "explain: Pending, and not read": (("explain", "pending.yaml", "damaged.yaml", *DEV), 1),
    "explain: fits, and not read": (("explain", "fits.yaml", "damaged.yaml", *DEV), 2),
    "diff: nothing": (("diff", "dev.yaml", "dev.yaml"), 0),
    "diff: a demanded effect": (("diff", "dev.yaml", "moved.yaml"), 1),
    "diff: another effect is named": (("diff", "dev.yaml", "moved.yaml", "--fail-on", "rolls"), 0),
    "diff: accepted": (("diff", "dev.yaml", "moved.yaml", "--accept", 'clusters.weu.location replaces "francecentral": we move'), 0),
    "diff: errors": (("diff", "dev.yaml", "wrong.yaml"), 1),
    "diff: not read": (("diff", "dev.yaml", "damaged.yaml"), 2),
    "upgrade: unknown": (("upgrade", *DEV, "--to", "1.36"), 0),
    "upgrade: unknown, which is named": (("upgrade", *DEV, "--to", "1.36", "--fail-on", "unknown"), 1),
    "upgrade: blocked": (("upgrade", *DEV, "--to", "1.34"), 1),
    "upgrade: errors": (("upgrade", "--file", "wrong.yaml", "--to", "1.36"), 1),
    "upgrade: unknown, and not read": (("upgrade", *DEV, "--to", "1.36", "--workloads", "damaged.yaml"), 2),
    "upgrade: the word of another command": (("upgrade", *DEV, "--fail-on", "pending"), 2),
    "capacity: unknown": (("capacity", *DEV), 0),
    "capacity: unknown, strictly": (("capacity", *DEV, "--strict"), 1),
    "capacity: errors": (("capacity", "--file", "wrong.yaml"), 1),
    "capacity: not read": (("capacity", *DEV, "--existing", "damaged.yaml"), 2),
    "cost: a maximum": (("cost", *DEV, "--fail-on", "unknown"), 0),
    "cost: no price": (("cost", "--file", "moved.yaml", "--fail-on", "unknown"), 1),
    "cost: errors": (("cost", "--file", "wrong.yaml"), 1),
    "cost: not read": (("cost", "--file", "damaged.yaml"), 2),
    "instances: errors": (("instances", "--file", "wrong.yaml"), 1),
    "convert: done": (("convert", "pool.yaml", "--to", "auto-mode"), 0),
    "convert: not read": (("convert", "damaged.yaml", "--to", "auto-mode"), 2),
    "adopt: not read": (("adopt", "damaged.yaml"), 2),
    "preview: not a project": (("preview",), 2),
    "calendar: nothing": (("calendar", "pool.yaml"), 0),
    "calendar: not read": (("calendar", "damaged.yaml"), 2),
}


@pytest.mark.parametrize(("arguments", "status"), EXIT_CODES.values(), ids=EXIT_CODES)
def test_exit_codes(run: Callable[..., Answer], arguments: tuple[str, ...], status: int):
    answer = run(*arguments)
    assert answer.status == status, answer.all
    assert f" {status} " in exit_codes(arguments[0]), "the help names the code"


@pytest.mark.parametrize(
    "arguments", [row for name, (row, _) in EXIT_CODES.items() if "not read" in name and row[0] not in {"diff", "cost", "adopt"}]
)
def test_what_could_not_be_read_is_said_whatever_the_exit_code_is(run: Callable[..., Answer], arguments: tuple[str, ...]):
    document = run(*arguments, "--format", "json").json
    assert document["complete"] is False
    assert document["problems"]


def test_every_command_with_findings_effects_or_verdicts_has_the_options():
    names = {"fail_on", "strict", "accept", "baseline", "write_baseline"}
    commands = vars(get_command(app))["commands"]
    having = {name for name, command in commands.items() if names <= {param.name for param in command.params}}
    assert having == set(WORDS)
    assert {name for name, command in commands.items() if names & {param.name for param in command.params}} == having


@pytest.mark.parametrize("command", WORDS)
def test_an_unknown_word_names_the_known_ones(run: Callable[..., Answer], command: str):
    given = {"diff": ("dev.yaml", "dev.yaml"), "explain": ("fits.yaml", *DEV), "convert": ("pool.yaml", "--to", "nap"), "adopt": ("pool.yaml",)}
    answer = run(command, *given.get(command, ()), *(DEV if command in {"upgrade", "capacity", "cost"} else ()), "--fail-on", "warnings")
    known = ", ".join(f"`{word}`" for word in WORDS[command].known)
    assert answer.status == 2
    assert f"`--fail-on` of `{command}` must be words separated by commas, not `warnings`: use {known}" in answer.err


def test_the_baseline_is_written_filled_in_and_kept(run: Callable[..., Answer], tmp_path: Path):
    file = tmp_path / "accepted.yaml"
    written = run("check", "pool.yaml", "wrong-pool.yaml", "--write-baseline", "accepted.yaml", "--today", "2026-11-28")
    assert "accepted.yaml: 3 new entries: write the reason of each; 1 error cannot be accepted, and is not in it" in written.err
    entries = yaml.safe_load(file.read_text())["accepted"]
    assert entries[0] == {"rule": "KAR076", "path": EXPIRES.partition(" ")[2], "reason": "", "expires": "2027-02-26"}
    unfinished = run("check", "pool.yaml", "--baseline", "accepted.yaml", "--today", "2026-11-28")
    assert unfinished.status == 1
    assert "IGN002" in unfinished.out
    file.write_text(file.read_text().replace("reason: ''", "reason: nodes are short-lived"))
    answer = run("check", "pool.yaml", "--strict", "--baseline", "accepted.yaml", "--today", "2026-11-28")
    assert (answer.status, answer.out.splitlines()[0]) == (0, "pool.yaml: 1 object: no findings; nothing to correct; 1 accepted by accepted.yaml")
    again = run("check", "pool.yaml", "wrong-pool.yaml", "--write-baseline", "accepted.yaml", "--today", "2026-11-28")
    assert "accepted.yaml: no new entry; 1 error cannot be accepted" in again.err
    run("diff", "dev.yaml", "moved.yaml", "--write-baseline", "accepted.yaml", "--today", "2026-11-28")
    assert yaml.safe_load(file.read_text())["accepted"][-1] == {
        "effect": "replaces",
        "path": "clusters.weu.location",
        "value": "francecentral",
        "in": "dev",
        "reason": "",
        "expires": "2027-02-26",
    }


def _baseline(folder: Path, *entries: str) -> str:
    (folder / "accepted.yaml").write_text("accepted:\n" + "".join(f"  - {{{entry}}}\n" for entry in entries))
    return "accepted.yaml"


PATH = "path: 'pool.yaml#NodePool/web spec.template.spec.expireAfter'"
ENTRIES = {
    "expired": (f"rule: KAR076, {PATH}, reason: a, expires: 2026-11-27", "IGN001", "This entry expired on 2026-11-27, so it accepts nothing"),
    "of another place": ("rule: KAR076, path: 'pool.yaml#NodePool/web spec.weight', reason: a", "IGN001", "nothing matches it"),
    "without a reason": (f"rule: KAR076, {PATH}", "IGN002", "gives no reason, so it accepts nothing"),
    "of another stack": (f"rule: KAR076, {PATH}, in: prod, reason: a", "IGN001", "nothing matches it"),
}


@pytest.mark.parametrize(("entry", "code", "message"), ENTRIES.values(), ids=ENTRIES)
def test_an_entry_that_accepts_nothing_is_a_finding(run: Callable[..., Answer], tmp_path: Path, entry: str, code: str, message: str):
    answer = run("check", "pool.yaml", "--strict", "--baseline", _baseline(tmp_path, entry), "--today", "2026-11-28", "--format", "json")
    assert answer.status == 1
    [wrong] = [finding for finding in answer.json["findings"] if finding["code"] == code]
    assert message in wrong["message"]
    assert wrong["line"] == 2
    assert "KAR076" in {finding["code"] for finding in answer.json["findings"]}


def test_an_expired_entry_is_valid_on_its_last_day_and_a_name_is_a_rule(run: Callable[..., Answer], tmp_path: Path):
    file = _baseline(tmp_path, f"rule: expiry-before-disruption-budgets, {PATH}, reason: a, expires: 2026-11-28")
    name = run("check", "pool.yaml", "--format", "json").json["findings"][0]["name"]
    (tmp_path / file).write_text((tmp_path / file).read_text().replace("expiry-before-disruption-budgets", name))
    assert run("check", "pool.yaml", "--strict", "--baseline", file, "--today", "2026-11-28").status == 0


def test_entries_about_what_a_run_does_not_read_are_not_reported(run: Callable[..., Answer], tmp_path: Path):
    others = (
        "rule: KAR076, path: 'other.yaml#NodePool/web spec', reason: a",
        "rule: AKS055, path: clusters.weu, in: prod, reason: a",
        "effect: replaces, path: clusters.weu.location, value: uksouth, reason: a",
        "verdict: pending, command: explain, path: shop/Deployment/web, reason: a",
    )
    file = _baseline(tmp_path, *others)
    assert "accepted.yaml" not in run("check", "pool.yaml", "--baseline", file).out
    explained = run("explain", "pending.yaml", *DEV, "--baseline", file)
    assert (explained.status, "1 accepted by accepted.yaml" in explained.out.replace("\n", " ")) == (0, True)


@pytest.mark.parametrize("value", [", value: uksouth", ""])
def test_an_entry_without_the_new_value_names_it(run: Callable[..., Answer], tmp_path: Path, value: str):
    file = _baseline(tmp_path, f"effect: replaces, path: clusters.weu.location{value}, reason: a")
    answer = run("diff", "dev.yaml", "moved.yaml", "--baseline", file)
    assert answer.status == 1
    assert 'This entry has no effect: the new value is `"francecentral"`' in answer.out
    assert 'fix: Set `value: "francecentral"`, or remove the entry' in answer.out


def test_an_error_of_the_library_is_never_accepted(run: Callable[..., Answer], tmp_path: Path):
    place = "wrong-pool.yaml#NodePool/web spec.template.spec.requirements[1].key"
    by_option = run("check", "wrong-pool.yaml", "--accept", f"KAR034 {place}: we know")
    assert by_option.status == 1
    assert "has no effect: KAR034 is an error here\n" in by_option.err, "an object of a file has no `accepted_errors`"
    by_file = run("check", "wrong-pool.yaml", "--baseline", _baseline(tmp_path, f"rule: KAR034, path: '{place}', reason: a"))
    assert by_file.status == 1
    assert "IGN003" in by_file.out


def test_an_acceptance_in_one_stack_is_none_in_another(run: Callable[..., Answer], tmp_path: Path):
    entry = "verdict: pending, command: explain, path: shop/Deployment/web, in: prod, reason: a"
    assert run("explain", "pending.yaml", *DEV, "--baseline", _baseline(tmp_path, entry)).status == 1


BAD_FILES = {
    "not there": (None, "accepted.yaml"),
    "empty": ("", "accepted.yaml: must be one YAML document with a list `accepted`, and is empty"),
    "damaged": ("accepted: [", "accepted.yaml:2:1: is not valid YAML"),
    "several documents": ("accepted: []\n---\naccepted: []\n", "must be one YAML document with a list `accepted`, not several"),
    "a list": ("- rule: KAR076\n", "accepted.yaml:1:1: must have one key, `accepted`, with a list of entries"),
    "an unknown key": ("accepted:\n  - {rule: KAR076, path: a, reasn: b}\n", "accepted.yaml:2:29: `reasn` is not a key of an entry: use `reason`"),
    "no kind": ("accepted:\n  - {path: a, reason: b}\n", "accepted.yaml:2:5: must have one of `rule`, `effect` and `verdict`, and has none"),
    "two kinds": ("accepted:\n  - {rule: KAR076, effect: rolls, path: a}\n", "and has `rule` and `effect`"),
    "no path": ("accepted:\n  - {rule: KAR076, reason: b}\n", "accepted.yaml:2:5: `path` is missing"),
    "an unknown effect": ("accepted:\n  - {effect: explodes, path: a}\n", "`effect` must be one of `none`"),
    "a verdict of no command": ("accepted:\n  - {verdict: pending, path: a}\n", "a verdict needs `command`, one of `check`"),
    "a verdict of another command": (
        "accepted:\n  - {verdict: pending, command: cost, path: a}\n",
        "`verdict` of `cost` must be one of `warning`, `unknown`, not `pending`",
    ),
    "a date": ("accepted:\n  - {rule: KAR076, path: a, expires: 2026-02-30}\n", "`expires` must be a date such as `2027-01-31`, not `2026-02-30`"),
    "a week": ("accepted:\n  - {rule: KAR076, path: a, expires: 2026-W05-1}\n", "`expires` must be a date such as `2027-01-31`, not `2026-W05-1`"),
    "a number": ("accepted:\n  - {rule: KAR076, path: 7}\n", "accepted.yaml:2:20: `path` must be a text"),
    "a key twice": ("accepted:\n  - {rule: KAR076, path: a, path: b}\n", "the key `path` is in this mapping twice; line 2 has it, too"),
    "an entry twice": (
        "accepted:\n  - {rule: KAR076, path: a}\n  - {rule: KAR076, path: a, reason: b}\n",
        "accepted.yaml:3:5: this entry is in the file twice: line 2 accepts the same",
    ),
    "an entry that is a text": ("accepted:\n  - KAR076\n", "accepted.yaml:2:5: must be a mapping"),
}


@pytest.mark.parametrize(("text", "message"), BAD_FILES.values(), ids=BAD_FILES)
def test_a_bad_baseline_has_one_message(run: Callable[..., Answer], tmp_path: Path, text: str | None, message: str):
    if text is not None:
        (tmp_path / "accepted.yaml").write_text(text)
    answer = run("check", "pool.yaml", "--baseline", "accepted.yaml")
    assert (answer.status, answer.out) == (2, "")
    assert message in answer.err
    assert len(answer.err.splitlines()) == 1


def test_a_file_of_another_form_is_left_as_it_is(run: Callable[..., Answer], tmp_path: Path):
    text = "accepted: [{rule: KAR076, path: a, reason: b}]\n"
    (tmp_path / "accepted.yaml").write_text(text)
    answer = run("check", "pool.yaml", "--write-baseline", "accepted.yaml")
    assert "entries cannot be added to it: write `accepted:` as the last key" in answer.err
    assert (answer.status, (tmp_path / "accepted.yaml").read_text()) == (2, text)


def test_nothing_is_written_if_something_cannot_be_read(run: Callable[..., Answer], tmp_path: Path):
    answer = run("check", "pool.yaml", "damaged.yaml", "--write-baseline", "accepted.yaml")
    assert "accepted.yaml: not written: correct the other errors first" in answer.err
    assert not (tmp_path / "accepted.yaml").exists()


GUIDE = (Path(__file__).parents[2] / "docs/guides/accept.md").read_text(encoding="utf-8")


def test_the_guide_has_the_words_of_every_command():
    told = {name: row for row in re.findall(r"^\| (`.*)$", GUIDE, re.MULTILINE) for name in re.findall(r"`([a-z]+)`", row.partition(" | ")[0])}
    for command, words in WORDS.items():
        _, always, named, default = (set(re.findall(r"`([a-z_]+)`", cell)) for cell in told[command].split(" |")[:4])
        assert (always - {"pulumi"} or set(words.always)) == set(words.always)
        assert named == (set(words.known) if command != "diff" else {"pending", "warning"})
        assert default == set(words.default)


def test_the_baseline_of_the_guide_is_valid(run: Callable[..., Answer], tmp_path: Path):
    [text] = re.findall(r"^```yaml\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
    (tmp_path / "accepted.yaml").write_text(text)
    today = ("--today", "2026-11-28")
    assert run("check", "pool.yaml", "--strict", "--baseline", "accepted.yaml", *today).status == 0
    assert run("explain", "pending.yaml", *DEV, "--baseline", "accepted.yaml", *today).status == 0
    commands = [shlex.split(line) for line in re.findall(r"^nodepools (.*)$", GUIDE, re.MULTILINE) if "--accept '" in line]
    for command in commands:
        [option] = [word for word in command if word.count(": ")]
        assert acceptances(command[0], [option])[0].reason


def test_an_acceptance_has_one_form():
    [finding, verdict] = acceptances("convert", ["KAR076 a.yaml#NodePool/web spec.x: y: z", "Deployment/web pending: moves"])
    assert (finding.word, finding.path, finding.reason) == ("KAR076", "a.yaml#NodePool/web spec.x", "y: z")
    assert (verdict.word, verdict.path, verdict.reason) == ("pending", "Deployment/web", "moves")


def test_what_is_accepted_is_not_edited(run: Callable[..., Answer], tmp_path: Path):
    zones = 'requirements: [{key: topology.kubernetes.io/zone, operator: In, values: ["1", westeurope-2]}]'
    nap = "    node_provisioning: {node_pools: {general: {" + zones + "}}}\n"
    text = WITH_POOL.partition("    pools:")[0] + nap
    (tmp_path / "nap.yaml").write_text(text)
    run(
        "check",
        "--file",
        "nap.yaml",
        "--fix",
        "--accept",
        "NAP018 clusters.weu.node_provisioning.node_pools.general.requirements[0].values[0]: a test",
    )
    assert (tmp_path / "nap.yaml").read_text() == text
    answer = run("check", "--file", "nap.yaml", "--fix")
    assert '"westeurope-1"' in (tmp_path / "nap.yaml").read_text(), answer.all
