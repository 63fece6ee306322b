"""The commands that export an EKS cluster."""

from collections.abc import Iterator, Sequence
from shlex import quote
from typing import Final

from nodepools.cli.existing.export_place import Place, kubectl, words
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.wire.eks.cluster import log_group_name

_LISTS: Final[Sequence[tuple[str, str, str, Sequence[str]]]] = (
    ("list-access-entries", "accessEntries[]", "--principal-arn", ("describe-access-entry", "list-associated-access-policies")),
    ("list-addons", "addons[]", "--addon-name", ("describe-addon",)),
    ("list-pod-identity-associations", "associations[].associationId", "--association-id", ("describe-pod-identity-association",)),
)
"""Commands that list, with what they list, and the option and the commands for each of it."""


def eks_commands(cluster: EksClusterArgs, place: Place) -> Iterator[str]:
    """The cluster, its access, its add-ons, its log group and its objects. What is listed by name is described in a loop."""
    name = cluster.cluster_name(place.stem)
    profile = ["--profile", cluster.account.profile] if cluster.account is not None and cluster.account.profile is not None else []
    rest = words(["--output", "json", "--region", cluster.region, *profile])
    of_cluster = f"--cluster-name {quote(name)}"
    yield f"aws eks describe-cluster --name {quote(name)} {rest} > {place.folder}/describe-cluster.json"
    for kind, listed, option, of_each in _LISTS:
        file = f"{place.folder}/{kind}.json"
        yield f"aws eks {kind} {of_cluster} {rest} > {file}"
        names = f"aws eks {kind} {of_cluster} {words(['--region', cluster.region, *profile])} --output text --query '{listed}'"
        each = " ".join(f'aws eks {one} {of_cluster} {option} "$one" {rest} > {place.folder}/{one}-$n.json;' for one in of_each)
        yield f"n=0; for one in $({names}); do {each} n=$((n+1)); done"
    group = quote(log_group_name(name))
    yield f"aws logs describe-log-groups --log-group-name-prefix {group} {rest} > {place.folder}/describe-log-groups.json"
    yield kubectl("nodepools,nodeclasses,nodes", name, place)
