"""CRDs as people have them: malformed ones are problems with a place, the others are used, and rules that cannot be checked say so."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nodepools.cel import meter
from nodepools.manifests.crds.schema import Crds, Served, read_crds
from nodepools.manifests.crds.validation import Validation, decided, validated
from nodepools.manifests.manifest_objects import objects
from nodepools.rules.engine.api_findings import object_finding
from nodepools.rules.engine.finding import Finding, Severity

AT = "spec.versions[0].schema.openAPIV3Schema"


def crd(schema: object, kind: str = "Widget") -> dict[str, Any]:
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    spec = {"group": "example.com", "scope": "Cluster", "names": {"kind": kind, "plural": f"{kind.lower()}s"}, "versions": [version]}
    name = f"{kind.lower()}s.example.com"
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": name}, "spec": spec}


def of(spec: object) -> dict[str, Any]:
    return {"type": "object", "properties": {"spec": spec}}


def ruled(rule: str, **more: object) -> dict[str, Any]:
    return of({"type": "object", "x-kubernetes-preserve-unknown-fields": True, "x-kubernetes-validations": [{"rule": rule, **more}]})


def read(*crds: object) -> Crds:
    return read_crds([Path("crds.json")], lambda _: json.dumps({"kind": "List", "items": list(crds)}))


def checked(spec: object, *crds: object, kind: str = "Widget") -> Validation:
    text = json.dumps({"apiVersion": "example.com/v1", "kind": kind, "metadata": {"name": "one"}, "spec": spec})
    return validated(list(objects(text, "one.json")), read(*crds))


def told(found: Validation) -> list[str]:
    return [f"{finding.code} {finding.path}: {finding.message}" for finding in found.findings]


@pytest.mark.parametrize("is_listed", [True, False])
def test_a_kind_that_is_served_in_another_version_only(is_listed):
    other = crd(of({}))
    [version] = other["spec"]["versions"]
    other["spec"]["versions"] = [{**version, "name": "v1beta1"}, *([{**version, "served": False}] if is_listed else [])]
    [finding] = checked({}, other).findings
    assert (finding.code, finding.value, str(finding.position)) == ("OBJ007", "example.com/v1", "one.json:1:2")
    assert finding.fix is not None
    assert finding.fix.text == "Use `example.com/v1beta1`, or upgrade the CRDs of the cluster"
    assert told(checked({}, other, crd(of({"type": "object"})))) == [], "another cluster serves it"
    assert told(checked({}, other, kind="Gadget")) == [], "the CRDs do not tell"


@pytest.mark.parametrize("schema", [{}, {"schema": {"openAPIV3Schema": of({})}}])
def test_a_kind_that_is_served_in_no_version(schema: dict[str, Any]):
    unserved = crd({})
    unserved["spec"]["versions"] = [{"name": "v1", "served": False, "storage": True, **schema}]
    [finding] = checked({}, unserved).findings
    assert (finding.code, finding.message) == ("OBJ007", "The CRD of `Widget` does not serve `example.com/v1`")
    assert finding.fix is not None
    assert finding.fix.text == "Upgrade the CRDs of the cluster"
    assert told(checked({}, unserved, crd(of({"type": "object", "x-kubernetes-preserve-unknown-fields": True})))) == [], "another cluster serves it"


NEWER = of(
    {
        "type": "object",
        "properties": {
            "weight": {"type": "integer", "maximum": 1000},
            "policy": {"type": "string", "enum": ["Old", "New"]},
            "text": {"type": "string"},
            "reasons": {"type": "array", "items": {"type": "string", "enum": ["New"]}},
            "rows": {"type": "array", "items": {"type": "object", "properties": {"size": {"type": "string"}}}},
        },
    }
)
ADMITTED = [
    pytest.param("CFG002", ("weight",), 1, True, id="a field"),
    pytest.param("CFG002", ("rows", 0, "size"), "x", True, id="a field inside of a list"),
    pytest.param("CFG002", ("rows", 0, "other"), "x", False, id="a field that it lacks"),
    pytest.param("CFG002", ("rows", 0, "size", "other"), "x", False, id="a field of text"),
    pytest.param("CFG005", ("policy",), "New", True, id="a word"),
    pytest.param("CFG005", ("policy",), "Newer", False, id="a word that it lacks"),
    pytest.param("CFG005", ("reasons", 0), "New", True, id="a word in a list"),
    pytest.param("CFG005", ("text",), "New", False, id="text without words does not tell"),
    pytest.param("CFG007", ("weight",), 101, True, id="a number"),
    pytest.param("CFG007", ("weight",), 1001, False, id="a number that is too large"),
    pytest.param("CFG006", ("text",), "New", False, id="what a CRD does not decide"),
]


@pytest.mark.parametrize(("code", "steps", "value", "is_admitted"), ADMITTED)
def test_what_a_newer_crd_has(code: str, steps: tuple[str | int, ...], value: object, *, is_admitted: bool):
    """The tables are older than the CRDs of the cluster, which decide."""
    found = Finding(code, Severity.ERROR, "spec", value, "", None, "x", object="pools#1.yaml#Widget/one", steps=("spec", *steps))
    assert list(decided([found], [Served("example.com/v1", "Widget", NEWER)])) == ([] if is_admitted else [found])
    assert list(decided([found], [Served("example.com/v1", "Gadget", NEWER)])) == [found], "the CRD of another kind"


def test_a_former_version_that_the_crds_serve():
    of_object = [
        object_finding(code, ("apiVersion",), "", fix="Convert it", value="karpenter.sh/v1beta1", source="x") for code in ("OBJ001", "OBJ004")
    ]
    served = [Served("karpenter.sh/v1beta1", "NodePool", {})]
    assert [(one.code, one.severity, one.fix) for one in decided(of_object, served)] == [
        ("OBJ002", Severity.WARNING, of_object[0].fix),
        ("OBJ004", Severity.ERROR, of_object[1].fix),
    ]
    assert list(decided(of_object, [Served("karpenter.sh/v1", "NodePool", {})])) == of_object


STRING = {"type": "string"}
PROBLEMS = [
    pytest.param(of({"type": "text"}), f"`{AT}.properties.spec.type` must be one of `object`, `array`", id="a type that does not exist"),
    pytest.param(of({"properties": {}}), f"`{AT}.properties.spec.type` is required", id="no type"),
    pytest.param(of([]), f"`{AT}.properties.spec` must be a schema", id="a list in place of a schema"),
    pytest.param({"type": "object", "properties": []}, f"`{AT}.properties` must be an object", id="a list of properties"),
    pytest.param({"type": "string"}, f"`{AT}.type` must be `object`", id="an object that is a string"),
    pytest.param(of({"type": "array"}), f"`{AT}.properties.spec.items` is required for an array", id="an array of nothing"),
    pytest.param(of({"type": "array", "items": [STRING]}), f"`{AT}.properties.spec.items` must be an object", id="several items"),
    pytest.param(of({**STRING, "maxLength": "9"}), f"`{AT}.properties.spec.maxLength` must be an integer", id="a length as text"),
    pytest.param(of({**STRING, "enum": "a"}), f"`{AT}.properties.spec.enum` must be a list", id="an enumeration as text"),
    pytest.param(of({"type": "object", "required": "a"}), f"`{AT}.properties.spec.required` must be a list of strings", id="required as text"),
    pytest.param(of({**STRING, "pattern": "("}), f"`{AT}.properties.spec.pattern` `(` is not a regular expression of RE2: missing )", id="a pattern"),
    pytest.param(of({**STRING, "pattern": "(?=a)"}), "is not a regular expression of RE2: invalid perl operator: (?=", id="a pattern of Perl"),
    pytest.param(of({**STRING, "$ref": "#/x"}), f'`{AT}.properties.spec["$ref"]` is not allowed in a CRD', id="a reference"),
    pytest.param(of({"type": "integer", "multipleOf": 0}), "must be a number greater than 0", id="a multiple of nothing"),
    pytest.param(of({"type": "object", "additionalProperties": 3}), "must be a schema, `true` or `false`", id="other properties as a number"),
    pytest.param(of({**STRING, "allOf": [3]}), f"`{AT}.properties.spec.allOf[0]` must be a schema", id="a number among alternatives"),
    pytest.param(ruled("self.a =="), "`self.a ==` is not an expression of CEL: it ends too early", id="a rule that ends too early"),
    pytest.param(ruled("self.a # b"), "`#` at character 8 is not valid here", id="a rule with a strange character"),
    pytest.param(of({**STRING, "x-kubernetes-validations": ["self != ''"]}), "x-kubernetes-validations[0]` must be an object", id="a rule as text"),
    pytest.param(of({**STRING, "x-kubernetes-validations": [{}]}), "x-kubernetes-validations[0].rule` is required", id="a rule without one"),
]


@pytest.mark.parametrize(("schema", "problem"), PROBLEMS)
def test_a_malformed_schema_is_a_problem_and_other_crds_are_used(schema, problem):
    found = checked(3, crd(schema), crd(of(STRING), "Other"))
    [line] = found.problems
    assert line.startswith("crds.json: CRD `widgets.example.com`: ")
    assert problem in line
    assert found.findings == ()
    other = checked(3, crd(schema), crd(of(STRING), "Other"), kind="Other")
    assert told(other) == ["OBJ007 spec: `spec` must have the type `string`"]
    assert other.problems == (), "only the kinds of the objects are compiled"


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        pytest.param(("apiVersion",), "apiextensions.k8s.io/v1beta1", "`apiVersion` must be `apiextensions.k8s.io/v1`", id="an old version"),
        pytest.param(("spec",), None, "`spec` is required", id="no spec"),
        pytest.param(("spec", "names"), [], "`spec.names` must be an object", id="names as a list"),
        pytest.param(("spec", "names", "kind"), "", "`spec.names.kind` must be a string that is not empty", id="an empty kind"),
        pytest.param(("spec", "group"), 3, "`spec.group` must be a string", id="a number as the group"),
        pytest.param(("spec", "versions"), [], "`spec.versions` must not be empty", id="no versions"),
        pytest.param(("spec", "versions"), [None], "`spec.versions[0]` must be an object", id="a version that is null"),
        pytest.param(("spec", "versions", 0, "served"), "yes", "`spec.versions[0].served` must be `true` or `false`", id="served as text"),
        pytest.param(("spec", "versions", 0, "schema"), None, "`spec.versions[0].schema` is required", id="no schema"),
        pytest.param(("spec", "versions", 0, "schema", "openAPIV3Schema"), 3, "openAPIV3Schema` must be an object", id="a number as the schema"),
    ],
)
def test_a_crd_that_serves_nothing_is_a_problem(path, value, problem):
    broken = crd(of(STRING))
    put(broken, path, value)
    found = checked(3, broken)
    assert [problem in line for line in found.problems] == [True]
    assert found.findings == ()


def put(of_: Any, path: tuple[Any, ...], value: object) -> None:
    for step in path[:-1]:
        of_ = of_[step]
    of_[path[-1]] = value


def places(value: object, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in entries:
        yield (*at, step)
        yield from places(inner, (*at, step))


RICH = crd(
    of(
        {
            "type": "object",
            "required": ["a"],
            "x-kubernetes-validations": [{"rule": "has(self.a)", "message": "no", "messageExpression": "'x'"}],
            "properties": {
                "a": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], "items": of(STRING)},
                "b": {"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}, {"type": "string"}], "default": 3},
                "c": {"type": "object", "additionalProperties": {"type": "number", "minimum": 1, "exclusiveMinimum": True}},
                "d": {"type": "string", "enum": ["x"], "pattern": "^x$", "nullable": True, "maxLength": 3, "not": {"enum": ["y"]}},
            },
        }
    )
)
SPEC = {"a": [{"k": 1}, 3], "c": {"x": 0, "y": None}, "d": "z"}


def test_no_value_anywhere_in_a_crd_ends_the_check():
    for path in places(RICH):
        for value in (None, 3, -1.5, "", "(", True, [], {}, [3], ["a"], {"a": 3}, {"a": {"type": "string"}}, [[]]):
            broken = copy.deepcopy(RICH)
            put(broken, path, value)
            if path != ("kind",):
                checked(SPEC, broken, crd(of(STRING), "Other"))


def test_many_problems_are_counted_and_a_file_that_cannot_be_read_does_not_stop_the_others():
    found = checked(3, crd(of({"type": "object", "properties": {name: {} for name in "abcdefg"}})))
    assert found.problems[-1] == "crds.json: CRD `widgets.example.com`: and 2 more problems"
    texts = {"a.yaml": "a: [", "b.json": json.dumps(crd(of(STRING)))}
    mixed = read_crds([Path(name) for name in texts], lambda file: texts[str(file)])
    assert [str(one) for one in mixed.served] == ["example.com/v1 Widget"]
    assert len(mixed.problems) == 1


VALUES = [
    pytest.param({**STRING, "pattern": r"^\p{L}+$"}, "é", [], id="a pattern with classes of Unicode"),
    pytest.param({**STRING, "pattern": "^a$"}, "a\n", ["`spec` must match `^a$`"], id="the end of a text is its end"),
    pytest.param(
        {**STRING, "oneOf": [{"enum": ["a"]}, {"enum": ["b"]}]},
        "c",
        ["The CRD rejects `spec`: its value does not meet the keyword `oneOf` of the schema"],
        id="no alternative",
    ),
    pytest.param({"type": "number", "minimum": 1, "exclusiveMinimum": True}, 1, ["`spec` must be greater than 1"], id="an exclusive limit"),
    pytest.param(
        {
            "type": "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["k"],
            "items": {"type": "object", "properties": {"k": STRING}},
        },
        [{"k": "a"}, {"k": "a"}],
        ["`spec` must not have two entries with the same `k`"],
        id="an entry twice in a list with keys",
    ),
    pytest.param({"type": "object", "x-kubernetes-embedded-resource": True, "properties": {}}, {"kind": "x", "metadata": {}}, [], id="embedded"),
]


@pytest.mark.parametrize(("schema", "value", "messages"), VALUES)
def test_a_value(schema, value, messages):
    assert [finding.message for finding in checked(value, crd(of(schema))).findings] == messages


_NOT_CHECKED = "OBJ015 spec: Only the API server can check this rule of the CRD, which"

RULES = [
    pytest.param(ruled("false", message="no"), "OBJ007 spec: The CRD rejects `spec`: no", id="a rule that does not hold"),
    pytest.param(ruled("1 / 0 == 1"), "OBJ007 spec: The CRD rejects `spec`: a rule fails with `division by zero`", id="a rule that fails"),
    pytest.param(ruled("false", message="no", messageExpression="'so ' + 'not'"), "OBJ007 spec: The CRD rejects `spec`: so not", id="a message"),
    pytest.param(
        ruled("authorizer.path('/x').check('get').allowed()"),
        f"{_NOT_CHECKED} calls the unknown function `authorizer.path`: `authorizer.path('/x').",
        id="a rule about permissions",
    ),
    pytest.param(
        ruled("math.abs(-1) == 1"),
        f"{_NOT_CHECKED} calls the unknown function `math.abs`: `math.abs(-1) == 1`",
        id="a function of a library that Kubernetes does not have yet",
    ),
    pytest.param(
        ruled("jsonpatch.escapeKey('a/b') == 'a~1b'"),
        f"{_NOT_CHECKED} calls the unknown function `jsonpatch.escapeKey`: `jsonpatch.escapeKey('a/b') == 'a~1b'`",
        id="a function for policies",
    ),
    pytest.param(
        ruled("self.declared"),
        f"{_NOT_CHECKED} uses the field `declared`",
        id="an undeclared field",
    ),
    pytest.param(
        ruled("1"),
        f"{_NOT_CHECKED} does not return a boolean: `1`",
        id="a rule without an answer",
    ),
    pytest.param(
        ruled("(" * 400 + "true" + ")" * 400),
        f"{_NOT_CHECKED} is nested too deeply",
        id="nested deeply",
    ),
    pytest.param(
        ruled(" + ".join(["1"] * 3000) + " == 3000"),
        f"{_NOT_CHECKED} is nested too",
        id="a long sum",
    ),
    pytest.param(
        ruled("lists.range(100000000).size() > 0"),
        f"{_NOT_CHECKED} builds values with more than 5,000,000 characters or entries",
        id="a list that does not fit",
    ),
    pytest.param(
        ruled("lists.range(2000).all(a, lists.range(2000).all(b, a + b >= 0))"),
        "OBJ007 spec: The CRD rejects `spec`: a rule fails with `it costs more than the 1,000,000 units that the API server allows`",
        id="a rule that costs too much",
    ),
    pytest.param(ruled("oldSelf == self"), None, id="a rule about a change"),
    pytest.param(ruled("!oldSelf.hasValue()", optionalOldSelf=True), None, id="a rule about a change that also holds for new objects"),
]


@pytest.mark.parametrize(("schema", "expected"), RULES)
def test_a_rule(schema, expected):
    lines = told(checked({}, crd(schema)))
    assert len(lines) == (expected is not None)
    assert all(line.startswith(expected) for line in lines)


def test_a_rule_that_is_not_checked_is_told_once_for_all_objects():
    text = json.dumps([{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": name}, "spec": {}} for name in "ab"])
    found = [one for item in json.loads(text) for one in objects(json.dumps(item), "x.json")]
    answer = validated(found, read(crd(ruled("math.abs(-1) == 1"))))
    assert [finding.object for finding in answer.findings] == ["x.json#Widget/a"]


def test_a_run_ends_checking_when_all_rules_together_cost_too_much(monkeypatch):
    monkeypatch.setattr(meter, "MOST_OF_A_RUN", 100_000)
    busy = crd(ruled("lists.range(100).all(a, lists.range(100).all(b, a + b >= 0))"))
    text = json.dumps({"apiVersion": "example.com/v1", "kind": "Widget", "spec": {}})
    lines = told(validated([one for number in range(5) for one in objects(text, f"{number}.json")], read(busy)))
    assert len(lines) == 1
    assert "is one of the rules that together cost more than the 100,000 units that a check allows" in lines[0]
