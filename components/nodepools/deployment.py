"""Deploys a platform: checks it, registers its clusters, exports their outputs."""

from collections.abc import Mapping, Sequence
from inspect import get_annotations
from typing import TYPE_CHECKING, Final

import pulumi

import nodepools
from nodepools.component.errors import InvalidDeclarationError, WrongArgumentError, as_checked, was_checked_before
from nodepools.extras import MissingExtraError
from nodepools.model.per_cloud import AnyCluster, PerCloud
from nodepools.model.platform import Platform
from nodepools.model.ref import misplaced
from nodepools.rules.engine.finding import Severity
from nodepools.rules.engine.runner import check

if TYPE_CHECKING:
    from nodepools.aks.cluster import AksCluster
    from nodepools.eks.cluster import EksCluster


def deploy(platform: Platform) -> Mapping[str, "AksCluster | EksCluster"]:
    """Deploys every cluster of `platform`, and exports `clusters`: endpoint, OIDC issuer and pools of each, by key.

    AKS clusters also export their identities, outbound addresses and node resource group. The kubeconfig of the cluster `weu` is the output
    `kubeconfig-weu`, a secret: programs of the Automation API get a map with a secret in it as plain text, and not marked as one.

    Warnings are logged.

    Raises:
        InvalidDeclarationError: the declaration has errors. It lists all of them, and nothing is registered.
        WrongArgumentError: `platform` is not a Platform.
    """
    if not isinstance(platform, Platform):  # pyright: ignore[reportUnnecessaryIsInstance]  # programs are not always type-checked
        raise WrongArgumentError(misplaced("deploy()", "a Platform", platform))
    findings = () if was_checked_before(platform) else check(platform, own=False)
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    if errors:
        raise InvalidDeclarationError(errors)
    for finding in findings:
        if finding.severity is Severity.WARNING:
            pulumi.log.warn(str(finding))
    clusters = {key: platform.cluster(key) for key in platform.clusters}
    with as_checked(*clusters.values()):
        made = {key: _cluster(platform.stem(key), args) for key, args in clusters.items()}
    pulumi.export(
        "clusters", {key: {output: getattr(cluster, output) for output in _exported(clusters[key], cluster)} for key, cluster in made.items()}
    )
    for key, cluster in made.items():
        pulumi.export(f"kubeconfig-{key}", pulumi.Output.secret(cluster.kubeconfig))
    return made


_component: Final[PerCloud[[str], "AksCluster | EksCluster"]] = PerCloud(
    aks=lambda args, name: nodepools.AksCluster(name, args), eks=lambda args, name: nodepools.EksCluster(name, args)
)
"""The component that registers a cluster; its SDK is imported with it."""


_HELD_BACK: Final = frozenset({"name", "resource_group", "kubeconfig"})
"""Outputs of an AKS cluster that are not in the map: it has an output of its own for the secret, and programs know the names."""
_exported: Final[PerCloud[["AksCluster | EksCluster"], Sequence[str]]] = PerCloud(
    aks=lambda _, cluster: [output for output in get_annotations(type(cluster)) if output not in _HELD_BACK],
    eks=lambda _, __: ("endpoint", "oidc_issuer", "pools"),
)
"""The outputs of a cluster that `clusters` contains."""


def _cluster(name: str, args: AnyCluster) -> "AksCluster | EksCluster":
    """Imports the SDK of a cloud only if the platform has a cluster in it. The error for a missing SDK names the extra to install."""
    try:
        return _component(args, name)
    except MissingExtraError as missing:
        raise pulumi.RunError(str(missing)) from None
