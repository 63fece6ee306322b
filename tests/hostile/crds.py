"""CRDs that no API server accepts, and rules that do not end."""

import json
from typing import Any, Final

from tests.hostile.case import Case

_OBJECT: Final = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: one}\nspec: {}\n"


def _crd(kind: str, schema: object) -> dict[str, Any]:
    version = {"name": "v1", "served": True, "schema": {"openAPIV3Schema": schema}}
    spec = {"group": "example.com", "names": {"kind": kind}, "versions": [version]}
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": kind.lower()}, "spec": spec}


def _files(*crds: object, manifest: str = _OBJECT) -> dict[str, str]:
    return {"one.yaml": manifest, "crds.json": json.dumps({"kind": "List", "items": list(crds)})}


def _of(spec: object) -> dict[str, Any]:
    return {"type": "object", "properties": {"spec": spec}}


def _ruled(rule: str) -> dict[str, Any]:
    return _of({"type": "object", "x-kubernetes-validations": [{"rule": rule}]})


_TEXT: Final = f"apiVersion: example.com/v1\nkind: Widget\nmetadata: {{name: one}}\nspec: {'a' * 40}!\n"
_CHECK: Final = ("check", "one.yaml", "--crds", "crds.json")
_ENDLESS: Final = "lists.range(3000).all(a, lists.range(3000).all(b, lists.range(3000).all(c, a + b + c >= 0)))"

CRDS: Final = (
    Case(
        "a malformed CRD is a problem, and the other is used",
        _CHECK,
        1,
        "crds.json: CRD `widget`: `spec.versions` must be a list",
        _files({**_crd("Widget", {}), "spec": {"group": "a", "names": {"kind": "Widget"}, "versions": 3}}, _crd("Widget", _of({"type": "string"}))),
    ),
    Case(
        "an invalid pattern is named with its place",
        _CHECK,
        2,
        "properties.spec.pattern` `(` is not a regular expression of RE2",
        _files(_crd("Widget", _of({"type": "string", "pattern": "("}))),
    ),
    Case(
        "a pattern that backtracks takes linear time",
        _CHECK,
        1,
        "`spec` must match `^(a+)+$`",
        _files(_crd("Widget", _of({"type": "string", "pattern": "^(a+)+$"})), manifest=_TEXT),
    ),
    Case(
        "a rule that does not end is stopped by the cost limit of the API server",
        _CHECK,
        1,
        "it costs more than the 1,000,000 units that the API server allows",
        _files(_crd("Widget", _ruled(_ENDLESS))),
        seconds=15,
    ),
    Case(
        "a rule with a function that is unknown here is not checked",
        (*_CHECK, "--details"),
        0,
        "which calls the unknown function `authorizer.path`",
        _files(_crd("Widget", _ruled("authorizer.path('/x').check('get').allowed()"))),
    ),
    Case(
        "a rule that doubles a list is stopped before memory ends",
        (*_CHECK, "--details"),
        0,
        "which builds values with more than 5,000,000 characters or entries",
        _files(_crd("Widget", _ruled("[[0]]" + ".map(x, x + x)" * 30 + ".size() == 1"))),
    ),
)
