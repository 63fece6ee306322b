"""The entries of import files are what the program registers: the declaration is run, and its plan compared."""

import json

import pytest

pytestmark = pytest.mark.program


@pytest.mark.parametrize("files", ["adopt", "adopt-eks"])
def test_the_entries_are_those_of_the_plan(nodepools, copy, project, files):
    written = nodepools("adopt", str(project / "examples" / files), "-o", "stacks/west.py", "--import", "i.json", cwd=copy)
    assert written.status == 0, written.err
    inside = copy / "i-objects.json"
    entries = [entry for file in (copy / "i.json", inside) if file.exists() for entry in json.loads(file.read_text())["resources"]]
    planned = nodepools("preview", "--stack", "west", "--format", "json", cwd=copy).json["resources"]
    assert sorted(map(_entry, entries)) == sorted(_planned(one) for one in planned if one["type"] != "pulumi:pulumi:Stack")


def _entry(entry):
    return entry["type"], entry.get("logicalName", entry["name"]), entry.get("parent", ""), entry.get("version", "")


def _planned(one):
    parent = one["parent"].rpartition("::")[2] if "pulumi:pulumi:Stack" not in one["parent"] else ""
    return one["type"], one["name"], parent, one["options"].get("version", "")
