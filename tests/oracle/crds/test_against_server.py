"""What a real API server takes and refuses, and what we say: the same, but for what is listed in known_differences.md."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nodepools.manifests.crds.schema import read_crds
from nodepools.manifests.crds.validation import validated
from nodepools.manifests.manifest_objects import ManifestObject, objects
from nodepools.manifests.object_checks import check_objects
from nodepools.reading.bounded_input import TextError
from nodepools.rules.engine.finding import Finding, Severity
from tests.oracle.crds.known import KNOWN, RUNTIME
from tests.oracle.crds.manifests import FIELDS, SOUND, changed, numbers, wrong_types

VINTAGES = {"eks pool": "eks-auto", "eks class": "eks-auto", "aks pool": "aks", "aks class": "aks", "ec2 pool": "karpenter", "ec2 class": "karpenter"}
LISTED = Path(__file__).parent.parent / "known_differences.md"
FEW = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])


def written(manifest: dict[str, Any]) -> ManifestObject:
    [one] = objects(json.dumps(manifest), "generated.json")
    return one


def errors(manifest: dict[str, Any]) -> list[Finding]:
    try:
        written(manifest)
    except TextError as error:  # it has no kind, and is no object
        return [Finding("", Severity.ERROR, "", None, str(error), None, "")]
    return [finding for finding in check_objects([written(manifest)]).findings if finding.severity is Severity.ERROR]


def difference(refusal: str | None, ours: list[Finding]) -> str | None:
    """What the two say differently; `None` where they agree."""
    at_admission = [finding for finding in ours if finding.code not in RUNTIME]
    if refusal is not None and not ours:
        return f"the server refuses, we do not: {refusal[:400]}"
    if refusal is None and at_admission:
        return f"we refuse, the server does not: {at_admission[0]}"
    return None


def asks(server: Any, kind: str, path: str, value: Any) -> None:
    manifest = changed(kind, path, value)
    said = difference(server(VINTAGES[kind]).refuses(manifest), errors(manifest))
    known = [row.name for row in KNOWN if row.covers(kind, manifest)]
    assert said is None or known, f"{kind}, {path} = {value!r}: {said}"


@pytest.mark.parametrize("kind", SOUND)
def test_sound_objects_are_taken_by_both(kind, server):
    assert server(VINTAGES[kind]).refuses(SOUND[kind]) is None
    assert errors(SOUND[kind]) == []


CASES = [
    pytest.param(kind, path, value, id=f"{kind} {path} {value!r:.50}") for kind, of in FIELDS.items() for path, all_ in of.items() for value in all_
]


@pytest.mark.parametrize(("kind", "path", "value"), CASES)
def test_one_field_said_otherwise(kind, path, value, server):
    asks(server, kind, path, value)


@pytest.mark.parametrize("kind", SOUND)
@given(data=st.data())
@FEW
def test_values_of_another_type(kind, data, server):
    asks(server, kind, *data.draw(wrong_types(kind)))


@pytest.mark.parametrize("kind", SOUND)
@given(data=st.data())
@FEW
def test_numbers_and_texts(kind, data, server):
    asks(server, kind, *data.draw(numbers(kind)))


@pytest.mark.parametrize("row", KNOWN, ids=lambda row: row.name)
def test_a_known_difference_is_still_one(row, server):
    manifest = changed(row.kind, row.path, row.value)
    assert difference(server(VINTAGES[row.kind]).refuses(manifest), errors(manifest)) is not None, (
        "it is none any more: remove it from known_differences.md"
    )


def test_every_known_difference_is_listed_with_field_date_and_fact():
    rows = [line for line in LISTED.read_text().splitlines() if line.startswith("| crd-")]
    assert [row.split("|")[1].strip() for row in rows] == [row.name for row in KNOWN]
    assert all(re.search(r"\| 20[0-9]{2}-[0-9]{2}-[0-9]{2} \|", row) for row in rows)
    assert all("§" in row for row in rows)
    assert len(KNOWN) <= 15


@pytest.mark.parametrize(("kind", "path", "value"), CASES)
def test_our_reading_of_the_schema_is_the_server_s(kind, path, value, server, crds):
    manifest = changed(kind, path, value)
    answer = validated([written(manifest)], served(crds, VINTAGES[kind]))
    told = answer.findings
    assert answer.problems == ()
    assert bool(told) is (server(VINTAGES[kind]).refuses(manifest) is not None), told


SERVED: dict[str, Any] = {}


def served(crds: Path, vintage: str) -> Any:
    if vintage not in SERVED:
        SERVED[vintage] = read_crds(sorted((crds / vintage).iterdir()), Path.read_text)
    return SERVED[vintage]


def vintage_of(manifest: dict[str, Any]) -> str:
    text = str(manifest)
    if "karpenter.azure.com" in text:
        return "aks"
    return "eks-auto" if "eks.amazonaws.com" in text and "EC2NodeClass" not in text else "karpenter"


def found(project: Path) -> Iterator[ManifestObject]:
    folder = project.parent / "shared" / "manifests"
    if not folder.is_dir():
        pytest.skip("the manifests of others are not at hand: they are not ours to ship")
    for file in sorted(folder.glob("*.yaml")):
        yield from objects(file.read_text(), file.name)


def test_what_the_server_takes_of_other_people_s_manifests_gets_no_error_but_of_the_controller(project, server):
    wrong = []
    taken = 0
    for one in found(project):
        if server(vintage_of(dict(one.raw))).refuses(dict(one.raw)) is None:
            taken += 1
            wrong += [str(finding) for finding in check_objects([one]).findings if finding.severity is Severity.ERROR and finding.code not in RUNTIME]
    assert wrong == []
    assert taken >= 80
