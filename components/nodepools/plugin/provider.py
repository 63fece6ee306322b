"""Serves the components to the engine, which creates them for programs in other languages."""

import json
from collections.abc import Mapping, Sequence
from inspect import get_annotations
from typing import Final, TypeVar

import pulumi
from pulumi.errors import InputPropertiesError
from pulumi.provider import ConstructResult, Provider

from nodepools.clouds.registry import cloud_of
from nodepools.extras import MissingExtraError
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.base import Model
from nodepools.model.clusters import AnyCluster
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.plugin.argument_reader import in_their_words, read
from nodepools.plugin.wire_names import wire_name
from nodepools.rules.engine.finding import DeclarationError, Finding, Severity
from nodepools.rules.engine.runner import check

AKS, EKS = "nodepools:index:AksCluster", "nodepools:index:EksCluster"
M = TypeVar("M", bound=Model)
_MODELS: Final[Mapping[str, type[AnyCluster]]] = {AKS: AksClusterArgs, EKS: EksClusterArgs}
"""The declaration of a component, by the type of the component."""


class ClusterProvider(Provider):
    """Creates `AksCluster` and `EksCluster` for programs in any language."""

    def __init__(self, schema: str) -> None:
        super().__init__(str(json.loads(schema)["version"]), schema)

    def construct(self, name: str, resource_type: str, inputs: pulumi.Inputs, options: pulumi.ResourceOptions | None = None) -> ConstructResult:
        """Registers a cluster, and logs the warnings about it.

        Raises:
            InputPropertiesError: the declaration has errors. The message lists all findings; nothing is registered.
        """
        try:
            cluster, warnings = _made(name, resource_type, inputs, options)
        except (DeclarationError, pulumi.RunError, MissingExtraError) as error:
            # No paths: the engine prints the value at each path, secrets too.
            raise InputPropertiesError(str(error), []) from None
        for warning in warnings:
            pulumi.log.warn(str(warning), cluster)
        return ConstructResult(cluster.urn, {wire_name(output): getattr(cluster, output) for output in get_annotations(type(cluster))})


def _made(
    name: str, resource_type: str, inputs: Mapping[str, object], options: pulumi.ResourceOptions | None
) -> tuple[pulumi.ComponentResource, Sequence[Finding]]:
    if resource_type not in _MODELS:
        raise pulumi.RunError(f"there is no component {resource_type}: there are {' and '.join(_MODELS)}")
    args, warnings = _checked(_MODELS[resource_type], inputs)
    return cloud_of(args).component(name, options), warnings


def _checked(model: type[M], inputs: Mapping[str, object]) -> tuple[M, Sequence[Finding]]:
    """The declaration, with its warnings.

    Raises:
        DeclarationError: it has errors.
    """
    declared = read(model, inputs)
    findings = [in_their_words(finding, model) for finding in check(declared, own=False)]
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    if errors:
        raise DeclarationError(errors)
    return declared, [finding for finding in findings if finding.severity is Severity.WARNING]
