"""Versions of add-ons and of Karpenter that are known not to go with the new version, and those that are not known."""

import pytest

from nodepools.eks import AddOn
from nodepools.upgrades.karpenter_versions import InstalledKarpenter, installed_before, karpenter_of
from tests.upgrades.declared import aks, eks, plan, step, told

PUBLIC = "public.ecr.aws/karpenter/controller"
ADD_ONS = {
    "new enough": ("vpc-cni", "v1.19.0-eksbuild.1", []),
    "a build too old": (
        "vpc-cni",
        "v1.19.0-eksbuild.0",
        ["older than `v1.19.0-eksbuild.1`, the minimum for turning Auto Mode on in an existing cluster"],
    ),
    "no version of EKS": ("snapshot-controller", "latest", []),
    "an add-on without a known minimum": ("metrics-server", "v0.1.0-eksbuild.1", []),
    "kube-proxy three versions behind": ("kube-proxy", "v1.33.0-eksbuild.1", []),
    "kube-proxy four versions behind": ("kube-proxy", "v1.32.0-eksbuild.1", ["4 minor versions behind Kubernetes 1.36, which supports 3"]),
    "kube-proxy too old for both": (
        "kube-proxy",
        "v1.31.2-eksbuild.1",
        ["older than `v1.31.2-eksbuild.3`", "5 minor versions behind Kubernetes 1.36"],
    ),
    "kube-proxy of an unknown version": ("kube-proxy", "latest", []),
    "a version that is not declared": ("vpc-cni", None, []),
}


@pytest.mark.parametrize(("name", "version", "words"), ADD_ONS.values(), ids=ADD_ONS)
def test_a_known_constraint_of_an_add_on_is_told_before_the_control_plane(name, version, words):
    found = step(plan(eks(add_ons={name: AddOn(version=version)}), "1.36"), "use1").blocked_by
    assert told(found) == ["warning add-on"] * len(words)
    assert [word in blocker.message for word, blocker in zip(words, found, strict=True)] == [True] * len(words)
    assert {blocker.path for blocker in found} <= {f"clusters.use1.add_ons.{name}.version"}


UNDECLARED = {
    "Auto Mode requires a version": ("vpc-cni", ["at least `v1.19.0-eksbuild.1`, the minimum for turning Auto Mode on in an existing cluster"]),
    "Kubernetes requires one of kube-proxy": ("kube-proxy", ["at least 1.33, which Kubernetes 1.36 requires"]),
    "nothing is known": ("metrics-server", []),
}


@pytest.mark.parametrize(("name", "words"), UNDECLARED.values(), ids=UNDECLARED)
def test_a_version_that_is_not_declared_is_unknown(name, words):
    found = step(plan(eks(add_ons={name: AddOn()}), "1.36"), name).blocked_by
    assert told(found) == ["note add-on"] * len(words)
    assert all("is not declared, so it is unknown" in blocker.message for blocker in found)
    assert [word in blocker.message for word, blocker in zip(words, found, strict=True)] == [True] * len(words)
    assert all(
        blocker.fix == f"Compare it: `aws eks describe-addon --cluster-name dev-use1 --region us-east-1 --addon-name {name}`" for blocker in found
    )


def test_an_add_on_is_updated_in_the_first_round_and_not_judged_again():
    found = plan(eks(kubernetes_version="1.34", add_ons={"kube-proxy": AddOn(version="v1.32.9-eksbuild.3")}), "1.36")
    assert [blocker.severity.value for blocker in found.blockers if blocker.kind == "add-on"] == ["note", "note"]
    found = plan(eks(kubernetes_version="1.34", add_ons={"kube-proxy": AddOn(version="v1.30.6-eksbuild.3")}), "1.36")
    assert [one.new for one in found.steps if any(blocker.severity == "warning" for blocker in one.blocked_by)] == ["1.35"]


IMAGES = {
    "the public image with a digest": (f"{PUBLIC}:1.9.0@sha256:abc", "1.9.0"),
    "an old tag": (f"{PUBLIC}:v0.37.8", "v0.37.8"),
    "a mirror": ("registry.example:5000/mirror/karpenter/controller:1.13.1", "1.13.1"),
    "without a registry": ("karpenter/controller", ""),
    "a digest only": (f"{PUBLIC}@sha256:abc", ""),
    "the one of Azure": ("mcr.microsoft.com/aks/karpenter/controller:1.6.2", None),
    "another image": ("nginx:1.29", None),
    "another controller": ("example.com/notkarpenter/controller:1", None),
}


@pytest.mark.parametrize(("image", "tag"), IMAGES.values(), ids=IMAGES)
def test_karpenter_is_recognized_by_its_image(image, tag):
    found = karpenter_of("karpenter/Deployment/karpenter", image)
    assert (None if found is None else found.tag) == tag


@pytest.mark.parametrize(
    ("image", "is_before"),
    [
        ("karpenter/controller:1.12.4", True),
        ("karpenter/controller:1.13.0", False),
        ("karpenter/controller:2.0.1", False),
        ("karpenter/controller", False),
        ("nginx:1.2", False),
    ],
)
def test_an_image_of_an_older_karpenter(image, is_before):
    assert installed_before(image, 13) is is_before


VERSIONS = {
    "a version that supports it": ("1.13.0", "1.36", []),
    "a release candidate of it": ("1.13.0-rc.0", "1.36", []),
    "a later version": ("2.0.1", "1.36", []),
    "a version that does not": ("1.12.4", "1.36", ["warning controller"]),
    "numbers are compared as numbers": ("1.9.0", "1.36", ["warning controller"]),
    "a version from before 1.0": ("v0.37.8", "1.36", ["warning controller"]),
    "1.37 requires 1.15": ("1.15.0", "1.37", []),
    "1.14 does not support 1.37": ("1.14.2", "1.37", ["warning controller"]),
    "no tag": ("", "1.36", ["note controller"]),
    "a tag without a version": ("latest", "1.36", ["note controller"]),
    "a tag with more numbers than a version": ("1.9.0.1", "1.36", ["note controller"]),
    "Kubernetes that is newer than the matrix": ("1.13.0", "1.99", ["note controller"]),
}


@pytest.mark.parametrize(("tag", "to", "expected"), VERSIONS.values(), ids=VERSIONS)
def test_a_karpenter_that_does_not_support_the_version_is_told(tag, to, expected):
    before = f"1.{int(to.partition('.')[2]) - 1}"
    installed = InstalledKarpenter("karpenter/Deployment/karpenter", tag)
    found = step(plan(eks(kubernetes_version=before), to, karpenter=[installed]), "use1").blocked_by
    assert told([blocker for blocker in found if blocker.kind == "controller"]) == expected


def test_the_message_names_the_deployment_and_the_version_that_is_needed():
    installed = InstalledKarpenter("karpenter/Deployment/karpenter", "1.12.4")
    [found] = step(plan(eks(), "1.36", karpenter=[installed]), "use1").blocked_by
    assert found.message == "karpenter/Deployment/karpenter: Karpenter 1.12.4 does not support Kubernetes 1.36, which requires 1.13 or newer"
    assert found.fix == "Upgrade Karpenter to 1.13 or newer before the control plane"


def test_a_cluster_of_aks_does_not_run_the_karpenter_of_aws():
    installed = InstalledKarpenter("karpenter/Deployment/karpenter", "0.1.0")
    assert [blocker for blocker in plan(aks(), "1.36", karpenter=[installed]).blockers if blocker.kind == "controller"] == []
