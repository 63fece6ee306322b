"""What is known of the versions of EKS add-ons: those that Auto Mode requires, and how far kube-proxy may be behind. Facts: docs/facts/eks.md C41."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from nodepools.data.version_constraints import (
    ADD_ON_SOURCE,
    KUBE_PROXY,
    KUBE_PROXY_SKEW,
    SKEW_SOURCE,
    is_older_add_on,
    kube_proxy_minor,
    least_add_on,
)
from nodepools.data.version_support import minor
from nodepools.model.steps import Steps
from nodepools.rules.finding import Severity
from nodepools.rules.path import spelled
from nodepools.upgrades.blocker import Blocker, Kind

ADD_ONS: Final = "https://docs.aws.amazon.com/eks/latest/userguide/managing-add-ons.html"


@dataclass(frozen=True, slots=True)
class InstalledAddOn:
    """An add-on of a declared cluster."""

    cluster: str
    """The name of the cluster in AWS."""
    name: str
    version: str | None
    """`None` if it is not declared: EKS then chose it when the add-on was created, and does not update it."""
    steps: Steps
    """The field of its version."""

    def broken(self, new: str) -> Iterator[Blocker]:
        """The constraints that the declared version breaks when the control plane gets the version `new`."""
        if self.version is not None:
            yield from self._too_old_for_auto_mode(self.version, new)
            yield from self._too_far_behind(self.version, new)

    def unknown(self, new: str) -> Iterator[Blocker]:
        """What is not known about the add-on with the version `new` of Kubernetes."""
        if self.version is None:
            yield from self._undeclared(new)
        else:
            message = f"Whether version `{self.version}` of add-on `{self.name}` supports Kubernetes {new} cannot be determined offline"
            yield self._blocker(Severity.NOTE, message, self._listed(new), ADD_ONS)

    def _undeclared(self, new: str) -> Iterator[Blocker]:
        least = least_add_on(self.name, None)
        command = f"aws eks describe-addon --cluster-name {self.cluster} --addon-name {self.name}"
        if least is not None:
            needed = (
                f"is not declared, so it is unknown whether it is at least `{least}`, the minimum for turning Auto Mode on in an existing cluster"
            )
        elif self.name == KUBE_PROXY:
            needed = f"is not declared, so it is unknown whether it is at least 1.{minor(new) - KUBE_PROXY_SKEW}, which Kubernetes {new} requires"
        else:
            return
        yield self._blocker(Severity.NOTE, f"The version of add-on `{self.name}` {needed}", f"Compare it: `{command}`", ADD_ON_SOURCE)

    def _too_old_for_auto_mode(self, version: str, new: str) -> Iterator[Blocker]:
        least = least_add_on(self.name, version)
        if least is not None and is_older_add_on(version, least):
            message = (
                f"Version `{version}` of add-on `{self.name}` is older than `{least}`, the minimum for turning Auto Mode on in an existing cluster"
            )
            yield self._blocker(Severity.WARNING, message, self._listed(new), ADD_ON_SOURCE)

    def _too_far_behind(self, version: str, new: str) -> Iterator[Blocker]:
        own = kube_proxy_minor(version) if self.name == KUBE_PROXY else None
        if own is not None and minor(new) - own > KUBE_PROXY_SKEW:
            behind = f"{minor(new) - own} minor versions behind Kubernetes {new}, which supports {KUBE_PROXY_SKEW}"
            message = f"Version `{version}` of add-on `{self.name}` is {behind}: update it before the control plane"
            yield self._blocker(
                Severity.WARNING, message, f"Set a version for {own + KUBE_PROXY_SKEW} or newer, not newer than the cluster", SKEW_SOURCE
            )

    def _listed(self, new: str) -> str:
        command = f"aws eks describe-addon-versions --addon-name {self.name} --kubernetes-version {new}"
        return f"Set the version that `{command}` marks as default"

    def _blocker(self, severity: Severity, message: str, fix: str, source: str) -> Blocker:
        return Blocker(kind=Kind.ADD_ON, severity=severity, message=message, fix=fix, source=source, path=spelled(self.steps))
