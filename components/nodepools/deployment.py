"""Deploys a platform: checks it, registers its clusters, exports their outputs."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import pulumi

from nodepools.clouds.registry import cloud_of
from nodepools.component.errors import InvalidDeclarationError, WrongArgumentError, as_checked, was_checked_before
from nodepools.component.handed_over import hand_over, is_handed_over
from nodepools.model.platform import AnyCluster, Platform
from nodepools.model.ref import misplaced
from nodepools.model.severity import Severity
from nodepools.public_names import MissingExtraError

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
    if is_handed_over():
        hand_over("", platform)
    elif not was_checked_before(platform):
        _reject_invalid(platform)
    clusters = {key: platform.cluster(key) for key in platform.clusters}
    with as_checked(*clusters.values()):
        made = {key: _cluster(platform.stem(key), args) for key, args in clusters.items()}
    exported = {key: cloud_of(clusters[key]).exported_outputs(cluster) for key, cluster in made.items()}
    pulumi.export("clusters", {key: {output: getattr(cluster, output) for output in exported[key]} for key, cluster in made.items()})
    for key, cluster in made.items():
        pulumi.export(f"kubeconfig-{key}", pulumi.Output.secret(cluster.kubeconfig))
    return made


def _reject_invalid(platform: Platform) -> None:
    from nodepools.rules.engine.runner import check  # a program whose declaration was checked before does not need the rules

    findings = check(platform, own=False)
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    if errors:
        raise InvalidDeclarationError(errors)
    for finding in findings:
        if finding.severity is Severity.WARNING:
            pulumi.log.warn(str(finding))


def _cluster(name: str, args: AnyCluster) -> "AksCluster | EksCluster":
    """Imports the SDK of a cloud only if the platform has a cluster in it. The error for a missing SDK names the extra to install."""
    try:
        return cloud_of(args).component(name)
    except MissingExtraError as missing:
        raise pulumi.RunError(str(missing)) from None
