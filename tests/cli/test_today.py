"""What depends on the day: every command that judges takes it."""

import pytest

COMMANDS = {
    "check": ("check",),
    "preview": ("preview",),
    "render": ("render",),
    "doctor": ("doctor",),
    "explain": ("explain", "pod.yaml"),
}
STACK = """
from nodepools import AksClusterArgs, Platform, SystemPool, UserPool
PLATFORM = Platform(name="dev", clusters={"weu": AksClusterArgs(location="westeurope", kubernetes_version="1.37",
    system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=3), pools={"web": UserPool(vm_size="Standard_D4ds_v5")})})
"""
POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: i}]}\n"
BEFORE, SOON, AFTER = "2027-01-01", "2027-10-01", "2027-11-01"


@pytest.fixture
def folder(copy):
    (copy / "stacks" / "dev.py").write_text(STACK)
    (copy / "pod.yaml").write_text(POD)
    return copy


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_the_day_is_taken(nodepools, folder, command):
    told = nodepools(*command, "--today", AFTER, cwd=folder).err.splitlines()
    assert [line for line in told if "no cloud is queried" not in line] == []


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_a_day_that_is_none_is_wrong_usage(nodepools, folder, command):
    answer = nodepools(*command, "--today", "2027-13-01", cwd=folder)
    assert answer.status == 2
    assert "2027-13-01" in answer.err
    assert answer.out == ""


@pytest.mark.parametrize(
    ("command", "day", "code"), [("check", BEFORE, None), ("check", SOON, "AKS071"), ("check", AFTER, "AKS070"), ("preview", AFTER, "AKS070")]
)
def test_support_is_judged_for_that_day(nodepools, folder, command, day, code):
    answer = nodepools(command, "--today", day, "--format", "json", cwd=folder)
    assert [finding["code"] for finding in answer.json["findings"] if finding["path"].endswith("kubernetes_version")] == ([code] if code else [])


@pytest.mark.program
def test_a_preview_tells_of_one_day_only(nodepools, folder):
    """The program warns too, for the day on which it runs: that is not told beside it."""
    stack = folder / "stacks" / "dev.py"
    stack.write_text(STACK.replace("1.37", "1.32"))  # out of support on whatever day this runs
    answer = nodepools("preview", "--today", BEFORE, cwd=folder)
    assert answer.out.count("AKS070") == 1
    assert answer.out.count("ended on 2026-03-31") == 1
