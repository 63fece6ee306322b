"""The upgrade of an EKS cluster: control plane, add-ons, then nodes by drift, or the node groups of one that others manage.

Facts: docs/facts/eks.md § 1.1, § 12.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import ceil, floor
from types import MappingProxyType
from typing import ClassVar, Final

from nodepools.clouds.amounts import NOTHING, Amount
from nodepools.clouds.eks.node_groups import NodeGroup
from nodepools.clouds.fleet import VersionsNow
from nodepools.clouds.karpenter_steps import LAUNCHES, followed, node_pool_upgrades
from nodepools.clouds.step import ON_COMMAND, Blocker, CloudUpgrades, Drain, Kind, Need, Round, ServerChecks, Step, WindowUse, batches, version_edit
from nodepools.data.version_support import (
    ADD_ON_SOURCE,
    EKS_SUPPORT,
    EXTENDED_USD,
    KUBE_PROXY,
    KUBE_PROXY_SKEW,
    SKEW_SOURCE,
    STANDARD_USD,
    is_older_add_on,
    kube_proxy_minor,
    least_add_on,
    minor,
    patch,
    short,
)
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.path import Operation, path_text
from nodepools.model.severity import Severity
from nodepools.model.steps import Steps
from nodepools.model.values import dataclass
from nodepools.placement.cloud_labels import POOL
from nodepools.placement.node_pools import ClusterPools


@dataclass(frozen=True, slots=True)
class EksOperations:
    """The operations of one EKS cluster, by its name and region in AWS."""

    name: str
    region: str

    @property
    def show(self) -> str:
        """The command that prints the cluster."""
        return f"aws eks describe-cluster --name {self.name} --region {self.region}"

    def watch(self, _: Step, /) -> str:
        """The command that shows the state."""
        return f"{self.show} --query cluster.status"

    def stop(self, _: Step, /) -> str:
        """How to stop it."""
        return "EKS cannot stop an update of a control plane; nodes follow after it, and their drift can be paused"

    @property
    def insights(self) -> str:
        """A check that only AWS can do."""
        return f"upgrade insights (`aws eks list-insights --cluster-name {self.name} --region {self.region}`)"

    def version_command(self, version: str) -> str:
        """The command that gives the control plane a version, the one before too."""
        return f"aws eks update-cluster-version --name {self.name} --region {self.region} --kubernetes-version {version}"

    def way_back(self, old: str, new: str, *, passed: bool) -> str:
        """What can be undone."""
        got = "got" if passed else "gets"
        return (
            f"The last point of return is 7 days after the control plane {got} {new}. Until then, `{self.version_command(old)}` rolls the cluster "
            "back, nodes first. The contents of etcd, workloads and add-ons are not rolled back"
        )


ADD_ONS: Final = "https://docs.aws.amazon.com/eks/latest/userguide/managing-add-ons.html"


@dataclass(frozen=True, slots=True)
class InstalledAddOn:
    """An add-on of a declared cluster."""

    cluster: str
    """The name of the cluster in AWS, and its region."""
    region: str
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
        command = f"aws eks describe-addon --cluster-name {self.cluster} --region {self.region} --addon-name {self.name}"
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
        return Blocker(kind=Kind.ADD_ON, severity=severity, message=message, fix=fix, source=source, path=path_text(self.steps))


UPDATE: Final = "https://docs.aws.amazon.com/eks/latest/userguide/update-cluster.html"
_ROLLBACK: Final = "https://docs.aws.amazon.com/eks/latest/userguide/rollback-cluster.html"
_NONE: Final = WindowUse(window=None, applies=False, note="EKS has no maintenance windows: the step starts when you run its command")
_ADDRESSES: Final = 5
"""Addresses that an update of the control plane takes in its subnets, at most."""
_MISSED: Final = (
    "EKS upgrades the control plane automatically when standard support ends (`upgrade_policy` is `STANDARD`)",
    f"EKS charges {EXTENDED_USD:.2f} instead of {STANDARD_USD:.2f} USD per hour in extended support, then upgrades the control plane",
    "EKS rejects new clusters of this version, and upgrades the control plane automatically",
)
_OF_EKS: Final = CloudUpgrades(EKS_SUPPORT, ServerChecks(), {}, _MISSED, round(EXTENDED_USD - STANDARD_USD, 2), runs_karpenter_of_aws=True)
"""EKS shows insights and rejects no upgrade because of them. Karpenter launches nodes later, also one that people install next to Auto Mode."""


@dataclass(frozen=True, slots=True)
class EksSteps:
    """An EKS cluster during an upgrade."""

    cluster: EksClusterArgs
    key: str
    stem: str
    pools: ClusterPools
    of_cloud: ClassVar = _OF_EKS
    cloud_pools = MappingProxyType[str, str]({})
    """None: nodes follow the control plane."""

    @property
    def extends(self) -> bool:
        """Its upgrade policy keeps the version in extended support, which is the cloud default."""
        return self.cluster.upgrade_policy != "STANDARD"

    @property
    def manual_checks(self) -> tuple[str, ...]:
        """What only AWS knows."""
        return (
            self.operations.insights,
            "service control policies and permissions of the role that runs `pulumi up`",
            "versions of controllers that you install yourself (Karpenter is compared if its Deployment is among the workloads)",
            LAUNCHES,
        )

    @property
    def cloud_name(self) -> str:
        """Its name in AWS."""
        return self.cluster.cluster_name(self.stem)

    @property
    def pool_labels(self) -> Mapping[str, Mapping[str, str]]:
        """Karpenter labels nodes with the name of their NodePool."""
        return {pool.name: {POOL: pool.name} for pool in self.pools.provisioned}

    def is_of_others(self, name: str, labels: Mapping[str, str], /) -> bool:
        """EKS has no agent pools."""
        del name, labels
        return False

    @property
    def operations(self) -> EksOperations:
        """Those of EKS."""
        return EksOperations(self.cloud_name, self.cluster.region)

    def rounds(self, to: str, now: VersionsNow | None = None) -> Iterator[Round]:
        """One minor version after the other. EKS accepts nodes that are three minor versions behind."""
        first = minor(self.cluster.kubernetes_version) if now is None else now.control_plane
        followers = {pool.name: first if now is None else now.pools.get(pool.name, first) for pool in self.pools.provisioned}
        for target in range(min([*followers.values(), first]) + 1, minor(to) + 1):
            old, new = f"1.{target - 1}", f"1.{target}"
            broken = [found for add_on in self._installed() for found in add_on.broken(new)] if target == first + 1 else []
            steps = [self._control_plane(old, new, broken), *self._add_ons(new)] if target > first else []
            steps += [
                each.step(left, new)
                for each in node_pool_upgrades(self.cluster, self.pools.provisioned)
                if (left := followed(followers[each.name], first, target))
            ]
            if steps:
                yield Round(new, tuple(steps))

    def refused(self, to: str, control_plane: int) -> Blocker | None:
        """EKS can go back one minor version for a week, and chooses the patch version itself."""
        if patch(to) is not None:
            return no_patch_version(to)
        if minor(to) >= control_plane:
            return None
        one = minor(self.cluster.kubernetes_version) - minor(to) == 1
        limits = "EKS rolls back by one minor version, within 7 days after the upgrade: first the nodes, by drift, then the control plane"
        command = self.operations.version_command(short(to))
        if one:
            message = f"Kubernetes {short(to)} is lower than {self.cluster.kubernetes_version}. {limits}"
            fix = f"Within these 7 days, run `{command}`; what `pulumi up` does with a lower version is not known"
        else:
            message = f"EKS rejects Kubernetes {short(to)} for a cluster with {self.cluster.kubernetes_version}. {limits}"
            fix = "Create a new cluster with the lower version"
        severity = Severity.WARNING if one else Severity.ERROR
        return Blocker(kind=Kind.DOWNGRADE, severity=severity, message=message, fix=fix, source=_ROLLBACK)

    def _control_plane(self, old: str, new: str, broken: Iterable[Blocker]) -> Step:
        return Step(
            what="control_plane",
            name=self.key,
            old=old,
            new=new,
            edits=version_edit(("clusters", self.key), self.cluster.kubernetes_version, new),
            unbounded=("control_plane",),
            window=_NONE,
            needs=(Need(what="addresses", name="subnets of the control plane", amount=Amount(0, _ADDRESSES)),),
            blocked_by=tuple(broken),
            note="EKS can roll back by one minor version within 7 days, not etcd contents, workloads and add-ons",
            source=UPDATE,
        )

    def _installed(self) -> Iterator[InstalledAddOn]:
        for name, add_on in self.cluster.add_ons.items():
            yield InstalledAddOn(self.cloud_name, self.cluster.region, name, add_on.version, ("clusters", self.key, "add_ons", name, "version"))

    def _add_ons(self, new: str) -> Iterator[Step]:
        """EKS does not update add-ons with the cluster."""
        for add_on in self._installed():
            yield Step(
                what="add_on",
                name=add_on.name,
                old=add_on.version if add_on.version is not None else "unknown",
                new=f"a version for {new}",
                how=f"aws eks describe-addon-versions --addon-name {add_on.name} --kubernetes-version {new}",
                edits=(Operation("set", add_on.steps, f"a version for {new}"),) if add_on.version is not None else (),
                window=_NONE,
                blocked_by=tuple(add_on.unknown(new)),
                note="EKS does not update add-ons with the cluster: the command lists the versions for the new one",
                source=ADD_ONS,
            )


def no_patch_version(to: str) -> Blocker:
    """EKS accepts minor versions alone."""
    message = f"EKS has no version {to}: its versions are minor versions, and it upgrades their patch versions automatically"
    return Blocker(kind=Kind.SUPPORT, severity=Severity.ERROR, message=message, fix=f"Use `--to {short(to)}`", source=UPDATE)


LAST_AL2: Final = 32
"""The last minor version of Kubernetes for which EKS published images of Amazon Linux 2."""
AL2: Final = "https://docs.aws.amazon.com/eks/latest/userguide/eks-ami-deprecation-faqs.html"
_BEHAVIOR: Final = "https://docs.aws.amazon.com/eks/latest/userguide/managed-node-update-behavior.html"
_EVICTION_MINUTES: Final = 15
_MOST_AT_ONCE: Final = 100
Size = Callable[[int], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExistingEksSteps:
    """An EKS cluster as exports show it."""

    name: str
    region: str = "REGION"
    groups: Sequence[NodeGroup] = ()
    extends: bool = False
    """It stays on a version after standard support."""
    of_cloud: ClassVar = _OF_EKS
    window: ClassVar = None
    has_patch_versions: ClassVar = False
    is_counted: ClassVar = True
    """EKS counts nothing before an upgrade starts."""
    blocked_by: ClassVar[tuple[Blocker, ...]] = ()
    source: ClassVar = UPDATE

    @property
    def not_checked(self) -> tuple[str, ...]:
        """What only AWS knows."""
        others = "self-managed nodes and Fargate, which are not in the files"
        return (EksOperations(self.name, self.region).insights, "versions of add-ons, which EKS does not update with the cluster", others)

    @property
    def versions(self) -> Mapping[str, str]:
        """Versions of its node groups by their names; empty: not known."""
        return {group.name: group.version for group in self.groups}

    def control_plane_command(self, version: str) -> str:
        """The command that upgrades the control plane."""
        return EksOperations(self.name, self.region).version_command(version)

    def behind(self, now: int, *, is_patch: bool) -> Iterator[Step]:
        """Node groups that are behind come first: EKS updates the control plane only when they have its version."""
        del is_patch
        return groups_behind(self.groups, now)

    def pools(self, old: str, new: str) -> Iterator[Step]:
        """The steps of all node groups after that of the control plane."""
        return (node_group_step(group, old, new) for group in self.groups)


def groups_behind(groups: Iterable[NodeGroup], now: int) -> Iterator[Step]:
    """The steps of node groups to the minor version of the control plane."""
    return (node_group_step(group, short(group.version), f"1.{now}") for group in groups if group.version and minor(group.version) < now)


def node_group_step(group: NodeGroup, old: str, new: str) -> Step:
    """All nodes of a managed node group get the version.

    EKS launches new nodes, drains the old ones in batches, and fails if a pod does not leave its node within 15 minutes, unless the update is forced.
    """
    nodes = Amount(group.least, group.most)
    done = batches(nodes, list(_sizes(group.unavailable)))
    bound = None if done.maximum is None else done.maximum * _EVICTION_MINUTES
    extra = NOTHING if group.has_minimal_update else Amount(1, max(2 * len(set(group.subnets)), _most_at_once(group), 1))
    return Step(
        what="pool",
        name=group.name,
        old=old,
        new=new,
        how=_command(group, new),
        nodes=nodes,
        extra_nodes=extra,
        batches=done,
        bounded_minutes=bound,
        unbounded=("launch", "capacity"),
        window=ON_COMMAND,
        drain=Drain(
            address=group.name,
            timeout=_EVICTION_MINUTES * 60,
            deletes_at_timeout=False,
            outcome=f"EKS waits {_EVICTION_MINUTES} minutes, and the update of the node group fails; with `--force`, it deletes the pods then",
            refusal="PodEvictionFailure",
            adds_nodes=not group.has_minimal_update,
            batch=Amount(1, _most_at_once(group)),
            source=_BEHAVIOR,
        ),
        blocked_by=tuple(_blockers(group, new)),
        note="EKS ends nodes before it launches new ones (`updateStrategy` is `MINIMAL`)" if group.has_minimal_update else "",
        source=_BEHAVIOR,
    )


def _command(group: NodeGroup, new: str) -> str:
    command = f"aws eks update-nodegroup-version --cluster-name {group.cluster} --region {group.region} --nodegroup-name {group.name}"
    if group.family == "custom":
        return f"{command} --launch-template name={group.template},version=VERSION"
    return f"{command} --kubernetes-version {new}"


def _blockers(group: NodeGroup, new: str) -> Iterator[Blocker]:
    if group.family == "custom":
        message = f"The launch template of node group `{group.name}` determines its image: the nodes get {new} only with an image for it"
        fix = "Create a version of the launch template with an image for it first, and name that version in the command"
        yield Blocker(kind=Kind.NODE_IMAGE, severity=Severity.WARNING, message=message, fix=fix, source=_BEHAVIOR)
    if group.family == "al2" and minor(new) > LAST_AL2:
        message = f"EKS publishes no images of Amazon Linux 2 for Kubernetes {new}: node group `{group.name}` cannot get it"
        fix = "Create a node group with `AL2023_x86_64_STANDARD` or Bottlerocket, and delete this one"
        yield Blocker(kind=Kind.NODE_IMAGE, severity=Severity.ERROR, message=message, fix=fix, source=AL2)


def _sizes(unavailable: str) -> Iterator[Size]:
    """The possible sizes of a batch by the number of nodes: how EKS rounds percentages is not documented."""
    if not unavailable.endswith("%"):
        yield lambda _: min(int(unavailable), _MOST_AT_ONCE)
        return
    part = int(unavailable[:-1]) / 100
    yield lambda nodes: min(max(floor(nodes * part), 1), _MOST_AT_ONCE)
    yield lambda nodes: min(max(ceil(nodes * part), 1), _MOST_AT_ONCE)


def _most_at_once(group: NodeGroup) -> int:
    return max(size(group.most) for size in _sizes(group.unavailable))
