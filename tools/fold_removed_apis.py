"""Writes the table of removed Kubernetes APIs in the package from the generated lifecycles of the Go module k8s.io/api.

`python tools/fold_removed_apis.py FOLDER ORIGIN TABLE`: FOLDER is the module (`go mod download k8s.io/api@v0.37.2` prints it as `Dir`), ORIGIN is its
version and the day of reading, such as `v0.37.2, 2026-11-22`. Only beta versions (clouds do not serve alpha ones), and kinds that people keep in
manifests. Kinds of other modules (CustomResourceDefinition, APIService) and removed Go packages are only in the table, and stay. Look at new kinds:
those that only components write belong to `WRITTEN_BY_COMPONENTS`. A kind that is not in a stable version yet is left out, and printed.
"""

import re
import sys
from pathlib import Path
from typing import NamedTuple

from table_file import replace_rows, rows_of

WRITTEN_BY_COMPONENTS = frozenset(
    {
        "APIGroupDiscovery",
        "AdmissionReview",
        "CSINode",
        "CertificateSigningRequest",
        "ClusterTrustBundle",
        "ControllerRevision",
        "DaemonEndpoint",
        "DeploymentRollback",
        "Event",
        "Eviction",
        "LeaseCandidate",
        "LocalSubjectAccessReview",
        "PodCertificateRequest",
        "ResourcePoolStatusRequest",
        "Scale",
        "SelfSubjectAccessReview",
        "SelfSubjectReview",
        "SelfSubjectRulesReview",
        "StorageVersion",
        "StorageVersionMigration",
        "SubjectAccessReview",
        "TokenReview",
        "VolumeAttachment",
    }
)
"""Kinds that nobody keeps in manifests."""
_REMOVED = re.compile(r"func \(in \*(\w+)\) APILifecycleRemoved\(\) \(major, minor int\) \{\s+return 1, ([0-9]+)")
_REPLACED = re.compile(
    r"func \(in \*(\w+)\) APILifecycleReplacement\(\) schema\.GroupVersionKind \{\s+"
    r'return schema\.GroupVersionKind\{Group: "([^"]*)", Version: "([^"]*)", Kind: "([^"]*)"'
)
_GROUP = re.compile(r"// \+groupName=(\S+)")
_NONE = "-"


class Api(NamedTuple):
    """One kind in one API version."""

    version: str
    kind: str


class Removal(NamedTuple):
    """What happens to it."""

    minor: int
    replacement: str


def read(folder: Path) -> dict[Api, Removal]:
    """The removals of beta versions, with the API version that replaces each permanently."""
    found: dict[Api, Removal] = {}
    for file in sorted(folder.glob("*/v*beta*/zz_generated.prerelease-lifecycle.go")):
        text, group = file.read_text(encoding="utf-8"), _group(file.parent)
        replaced = {kind: f"{other}/{version}" if other else version for kind, other, version, _ in _REPLACED.findall(text)}
        for kind, minor in _REMOVED.findall(text):
            if not kind.endswith("List") and kind not in WRITTEN_BY_COMPONENTS:
                stable = f"{group}/v1" if _has(file.parents[1] / "v1", kind) else _NONE
                found[Api(f"{group}/{file.parent.name}", kind)] = Removal(int(minor), replaced.get(kind, stable))
    return {api: Removal(removal.minor, _last(api.kind, removal.replacement, found)) for api, removal in found.items()}


def _has(package: Path, kind: str) -> bool:
    """The package of an API version contains the kind."""
    return any(f"\ntype {kind} struct" in file.read_text(encoding="utf-8") for file in package.glob("*.go"))


def _group(folder: Path) -> str:
    """The API group of a package, which is not the name of its folder."""
    match = _GROUP.search((folder / "doc.go").read_text(encoding="utf-8"))
    return match[1] if match is not None else folder.parent.name


def _last(kind: str, replacement: str, found: dict[Api, Removal]) -> str:
    """The replacement of a replacement that is removed itself."""
    following = found.get(Api(replacement, kind))
    return replacement if following is None or following.replacement == _NONE else _last(kind, following.replacement, found)


def main(folder: Path, origin: str, table: Path) -> None:
    """Reads both, writes the table: minor version, API version, kind, replacement."""
    new = read(folder)
    if not new:
        sys.exit(f"{folder}: has no generated lifecycles: use the folder of the module k8s.io/api")
    known = {Api(version, kind): Removal(int(minor), replacement) for minor, version, kind, replacement in rows_of(table)}
    unstable = [api for api, removal in new.items() if removal.replacement == _NONE and api not in known]
    rows = known | {api: removal for api, removal in new.items() if api not in unstable}
    ordered = sorted(rows.items(), key=lambda row: (row[1].minor, *row[0]))
    comments = (f"k8s.io/api {origin}: generated lifecycles; and the deprecated API migration guide", "minor version kind replacement; - if none")
    sys.stdout.writelines(f"left out, because no version replaces it yet: {api.version} {api.kind}\n" for api in unstable)
    replace_rows(table, comments, ((str(removal.minor), *api, removal.replacement) for api, removal in ordered))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
