"""Generates the schema of the package from the models and the components. Pulumi generates SDKs for other languages from it.

`python tools/plugin_schema.py` writes it to `plugin/schema.json`, which is reviewed, and served unchanged.
"""

from collections.abc import Mapping
from inspect import get_annotations, getdoc
from typing import get_args, get_origin

import pulumi

import nodepools
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.base import Model
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.schema import field_docs
from nodepools.plugin.schema_descriptions import wire_text
from nodepools.plugin.schema_types import Spec, Types
from nodepools.plugin.wire_names import wire_name
from nodepools.rules.type_hints import options

PACKAGE = "nodepools"
LANGUAGES: Mapping[str, Spec] = {
    "nodejs": {},
    "python": {},
    "csharp": {},
    "java": {},
    "go": {"generateExtraInputTypes": True},  # without it, entries of plain lists and maps have no types in Go
}
SECRET = frozenset({"kubeconfig"})


def package_schema(version: str) -> Spec:
    """Returns the schema of the package."""
    types = Types(PACKAGE)
    components: dict[type[pulumi.ComponentResource], type[Model]] = {nodepools.AksCluster: AksClusterArgs, nodepools.EksCluster: EksClusterArgs}
    resources = {f"{PACKAGE}:index:{component.__name__}": _resource(component, model, types) for component, model in components.items()}
    return {
        "name": PACKAGE,
        "displayName": PACKAGE,
        "version": version,
        "description": "AKS and EKS clusters with all their node pools, checked before any resource is registered.",
        "keywords": ["pulumi", "category/cloud", "kind/component", "kubernetes", "aks", "eks", "karpenter"],
        "license": "Apache-2.0",
        "language": {language: {"respectSchemaVersion": True, **more} for language, more in LANGUAGES.items()},
        "types": types.finished(),
        "resources": resources,
    }


def _resource(component: type[pulumi.ComponentResource], model: type[Model], types: Types) -> Spec:
    inputs, required_inputs = types.properties(model)
    outputs, required = _outputs(component)
    return {
        "isComponent": True,
        "description": wire_text(getdoc(component) or ""),
        "inputProperties": inputs,
        "requiredInputs": required_inputs,
        "properties": outputs,
        "required": required,
    }


def _outputs(component: type[pulumi.ComponentResource]) -> tuple[dict[str, Spec], list[str]]:
    """Returns the outputs of a component, and the names of those that always have a value: the annotations of its class."""
    texts = field_docs(component)
    held = {name: get_args(annotation)[0] for name, annotation in get_annotations(component).items()}
    specs = {wire_name(name): _output(name, held[name], texts[name]) for name in held}
    return specs, [wire_name(name) for name, annotation in held.items() if type(None) not in get_args(annotation)]


def _output(name: str, annotation: object, text: str) -> Spec:
    """Returns the schema of an output: text, or a mapping or a list of texts."""
    item: Spec = {"type": "string"}
    typed: Spec = item
    if str not in options(annotation):
        typed = {"type": "array", "items": item} if get_origin(annotation) is list else {"type": "object", "additionalProperties": item}
    return typed | ({"secret": True} if name in SECRET else {}) | {"description": wire_text(" ".join(text.split()))}
