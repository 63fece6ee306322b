"""The pools of workloads before and after a conversion. A loss is one only if there was a pool before."""

from typing import Any

import pytest
import yaml

from nodepools.cli.convert.command import Moved, moved
from nodepools.conversion.converted import convert
from nodepools.conversion.unconverted import ConversionOptions, Target
from nodepools.manifests.existing.existing_pools import pools_of
from nodepools.manifests.manifest_objects import objects
from nodepools.placement.node_pools import ClusterPools
from nodepools.reading.bounded_input import TextError

POOLS = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: general}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements: [{key: kubernetes.io/arch, operator: In, values: [amd64]}]
---
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec:
  role: nodes
  amiSelectorTerms: [{alias: al2023@latest}]
  subnetSelectorTerms: [{tags: {tier: private}}]
  securityGroupSelectorTerms: [{tags: {tier: private}}]
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: gp3}
provisioner: ebs.csi.aws.com
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec: {storageClassName: gp3, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
"""
VOLUMES = [{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}]


def failed(error: TextError) -> None:
    raise AssertionError(str(error))


def one(selector: dict[str, str], *, volumes: list[Any], pools: str = POOLS, target: Target = Target.AUTO_MODE) -> Moved:
    """The Deployment `web` with these pods, converted."""
    pod = {"nodeSelector": selector, "containers": [{"name": "web", "image": "nginx"}], "volumes": volumes}
    template = {"metadata": {"labels": {"app": "web"}}, "spec": pod}
    spec = {"replicas": 2, "selector": {"matchLabels": {"app": "web"}}, "template": template}
    workload = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": spec}
    found = list(objects(f"{pools}---\n{yaml.safe_dump(workload)}", "k8s.yaml"))
    [answer] = moved(
        found,
        convert([each.raw for each in found], ConversionOptions(target, target.suffix, "nodes", {})),
        target,
        ClusterPools(None),
        failed,
    )
    return answer


OLD, GENERAL, BLUE = {"tier": "old"}, {"karpenter.sh/nodepool": "general"}, {"eks.amazonaws.com/nodegroup": "blue"}
NONE = "no pool, its pods stay Pending"
NOT_READ = "no pool of the input"


@pytest.mark.parametrize(
    ("selector", "volumes", "loses", "had_none", "after"),
    [
        pytest.param(GENERAL, [], False, False, "general-auto", id="it keeps its pool"),
        pytest.param(
            GENERAL, VOLUMES, True, False, "general-auto (unknown), which cannot mount its volumes", id="the new nodes cannot mount its volumes"
        ),
        pytest.param(OLD, [], False, True, NOT_READ, id="it had no pool, and has none"),
        pytest.param(OLD, VOLUMES, False, True, NOT_READ, id="it had no pool, and its volumes are of another driver"),
        pytest.param(BLUE, [], True, False, "no NodePool for node group blue", id="its node group has no NodePool"),
    ],
)
def test_losses(selector: dict[str, str], volumes: list[Any], loses: bool, had_none: bool, after: str) -> None:  # noqa: FBT001  # a row
    answer = one(selector, volumes=volumes)
    assert (answer.loses, answer.had_none, answer.after) == (loses, had_none, after)


def test_a_machine_of_another_cloud_is_a_loss() -> None:
    """No version of the tables will have it."""
    answer = one({"node.kubernetes.io/instance-type": "m5.large"}, volumes=[], target=Target.NAP)
    assert (answer.loses, answer.after, answer.replicas) == (True, NONE, "")


@pytest.mark.parametrize("default", ["old", ""])
def test_claims_without_a_class_have_that_of_the_old_default(default: str) -> None:
    """Both classes are the default after the conversion: the old one made the volumes that exist."""
    is_default = "\n  annotations: {storageclass.kubernetes.io/is-default-class: 'true'}" if default else ""
    pools = POOLS.replace("metadata: {name: gp3}", f"metadata:\n  name: gp3{is_default}").replace("storageClassName: gp3, ", "")
    answer = one(GENERAL, volumes=VOLUMES, pools=pools)
    assert (answer.loses, answer.cannot_mount) == (bool(default), bool(default))


def test_workloads_of_one_name_are_told_apart() -> None:
    """One acceptance is not for both."""
    both = [
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "namespace": space}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
        for name, space in (("api", "pay"), ("api", "search"), ("web", "pay"))
    ]
    found = list(objects(f"{POOLS}---\n{yaml.safe_dump_all(both)}", "k8s.yaml"))
    changed = convert([each.raw for each in found], ConversionOptions(Target.AUTO_MODE, "-auto", "nodes", {}))
    assert [each.key for each in moved(found, changed, Target.AUTO_MODE, ClusterPools(None), failed)] == ["Pod/pay/api", "Pod/search/api", "Pod/web"]


def test_a_pool_without_a_node_class_runs_nothing_for_certain() -> None:
    answer = one(GENERAL, volumes=[], pools=POOLS.partition("---")[0])
    assert (answer.loses, answer.new.pools, answer.new.possible) == (False, (), ("general-auto",))


@pytest.mark.parametrize(
    ("name", "fits", "unseen"),
    [
        pytest.param("nope", (), ("nope",), id="nobody has seen the NodePool"),
        pytest.param("general-purpose", ("general-purpose",), (), id="a NodePool that EKS creates"),
        pytest.param("running", ("running",), (), id="a NodePool in exports"),
    ],
)
def test_the_nodepool_of_a_group_is_known_or_the_answer_is_open(name: str, fits: tuple[str, ...], unseen: tuple[str, ...]) -> None:
    """Without a NodePool in the input, too."""
    wanted = ConversionOptions(Target.AUTO_MODE, "-auto", "nodes", {"blue": name})
    spec = {"nodeSelector": BLUE, "containers": [{"name": "web", "image": "nginx"}]}
    written = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}, "spec": spec}
    pool = POOLS.partition("---")[0].replace("karpenter.k8s.aws, kind: EC2", "eks.amazonaws.com, kind: ").replace("general", "running")
    exported = pools_of(objects(pool, "live.yaml")) if name == "running" else ClusterPools(None)
    found = list(objects(yaml.safe_dump(written), "k8s.yaml"))
    [answer] = moved(found, convert([each.raw for each in found], wanted), wanted.target, exported, failed)
    assert (answer.new.pools, answer.unseen, answer.loses, answer.had_none) == (fits, unseen, False, False)
