"""The tool that writes what versions of Karpenter accept: what the CRDs of a release have, and those of the release before have not."""

import subprocess
import sys
from pathlib import Path

import yaml

from nodepools.data.karpenter_releases import karpenter_release, karpenter_releases


def crd(spec: dict[str, object], kind: str = "Own") -> str:
    version = {"name": "v1", "schema": {"openAPIV3Schema": {"properties": {"spec": {"properties": spec}}}}}
    return yaml.safe_dump({"spec": {"names": {"kind": kind}, "versions": [version]}})


def release(folder: Path, classes: dict[str, object], pools: dict[str, object], hash_version: str) -> Path:
    (folder / "crds").mkdir(parents=True)
    (folder / "v1").mkdir()
    (folder / "crds/karpenter.k8s.aws_ec2nodeclasses.yaml").write_text(crd(classes))
    (folder / "crds/karpenter.sh_nodepools.yaml").write_text(crd(pools))
    (folder / "v1/ec2nodeclass.go").write_text(f'const EC2NodeClassHashVersion = "{hash_version}"')
    return folder


def rule(message: str, text: str) -> dict[str, object]:
    return {"x-kubernetes-validations": [{"message": message, "rule": text}]}


OLD_CLASS = {"kubelet": {"properties": {"maxPods": {}}}, "alias": rule("family is not supported", "self in ['al2']")}
NEW_CLASS = {
    "kubelet": {"x-kubernetes-preserve-unknown-fields": True},
    "alias": rule("family is not supported", "self in ['al2','al3']"),
    "disks": {"items": {"properties": {"size": {}}}},
}
OLD_POOL = {"policy": {"enum": ["A"]}, "key": rule('label domain "karpenter.k8s.aws" is restricted', 'self in ["karpenter.k8s.aws/a"]')}
NEW_POOL = {
    "policy": {"enum": ["A", "B"]},
    "key": rule('label domain "karpenter.k8s.aws" is restricted', 'self in ["karpenter.k8s.aws/a", "karpenter.k8s.aws/b"]'),
}


def test_it_writes_what_is_new(project: Path, tmp_path: Path) -> None:
    old, new = release(tmp_path / "old", OLD_CLASS, OLD_POOL, "v1"), release(tmp_path / "new", NEW_CLASS, NEW_POOL, "v2")
    (new / "crds/other.yaml").write_text(crd({}, "Overlay"))
    arguments = ["2026-11-23", str(tmp_path / "t.txt"), f"1.0:2026-01-01={old}", f"1.1:2026-02-01={new}"]
    subprocess.run([sys.executable, project / "tools/fold_karpenter_releases.py", *arguments], check=True)
    head, _, *lines = (tmp_path / "t.txt").read_text().splitlines()
    assert head.endswith("1.0 to 1.1, 2026-11-23")
    assert sorted(lines) == sorted(
        [
            "release 1.0 2026-01-01 v1",
            "release 1.1 2026-02-01 v2",
            "other 1.1 EC2NodeClass kubelet maxPods",
            "field 1.1 EC2NodeClass disks",
            "value 1.1 NodePool policy B",
            "family 1.1 EC2NodeClass amiSelectorTerms[].alias al3",
            "label 1.1 karpenter.k8s.aws/b",
            "kind 1.1 Overlay",
        ]
    )


def test_the_table_ends_with_the_newest_release() -> None:
    assert karpenter_release("1.15") == karpenter_releases()[-1]
