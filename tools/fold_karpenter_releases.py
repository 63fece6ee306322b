"""Writes the table of what each version of Karpenter on AWS accepts, from its CRDs and its own code.

`python tools/fold_karpenter_releases.py DAY TABLE VERSION:DAY=FOLDER…`: FOLDER is the folder `pkg/apis` of a release of aws/karpenter-provider-aws,
such as `1.8:2025-10-08=v1.8.0/pkg/apis`; the releases are in order, the first one is what the others are compared with. DAY is today. Run it to
update the table. The installed package does not need it.
"""

import re
import sys
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml

CLASSES, POOLS = "karpenter.k8s.aws_ec2nodeclasses.yaml", "karpenter.sh_nodepools.yaml"
OPEN = "x-kubernetes-preserve-unknown-fields"


class Release:
    """What one release accepts: fields, values and families by path, fields inside of open objects, and labels."""

    def __init__(self, text: str) -> None:
        named, _, folder = text.partition("=")
        self.version, _, self.day = named.partition(":")
        code = Path(folder, "v1/ec2nodeclass.go").read_text(encoding="utf-8")
        self.hash_version = re.findall(r'EC2NodeClassHashVersion = "(v[0-9]+)"', code)[0]
        self.kinds = {yaml.safe_load(file.read_text(encoding="utf-8"))["spec"]["names"]["kind"] for file in Path(folder, "crds").glob("*.yaml")}
        self.fields: dict[tuple[str, str], Mapping[str, Any]] = {}
        for kind, file in (("EC2NodeClass", CLASSES), ("NodePool", POOLS)):
            crd = yaml.safe_load(Path(folder, "crds", file).read_text(encoding="utf-8"))
            [spec] = [one["schema"]["openAPIV3Schema"]["properties"]["spec"] for one in crd["spec"]["versions"] if one["name"] == "v1"]
            self.fields.update({(kind, path): schema for path, schema in inside(spec, "")})
        rules = [rule for _, schema in self.fields.items() for rule in schema.get("x-kubernetes-validations", [])]
        restricted = [rule["rule"] for rule in rules if 'domain "karpenter.k8s.aws"' in rule.get("message", "")]
        self.labels = set(re.findall(r'"(karpenter\.k8s\.aws/[a-z0-9-]+)"', " ".join(restricted)))
        families = [rule["rule"] for rule in rules if "family is not supported" in rule.get("message", "")]
        self.families = set(re.findall(r"'([a-z0-9]+)'", " ".join(families)))


def inside(schema: Mapping[str, Any], path: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """All fields of a schema; `[]` is each entry of a list."""
    for name, part in schema.get("properties", {}).items():
        own = f"{path}.{name}" if path else name
        yield own, part
        yield from inside(part, own)
        if "items" in part:
            yield f"{own}[]", part["items"]
            yield from inside(part["items"], f"{own}[]")


def news(old: Release, new: Release) -> Iterator[str]:
    """What the newer one accepts in addition."""
    version = new.version
    for (kind, path), schema in new.fields.items():
        before = old.fields.get((kind, path))
        if before is None:
            parent = re.sub(r"(\[\]|\.[^.]*)$", "", path) if re.search(r"\[\]$|\.", path) else ""
            if not path.endswith("[]") and (not parent or (kind, parent) in old.fields):
                yield f"field {version} {kind} {path}"
        elif schema.get(OPEN) and before.get("properties"):
            yield f"other {version} {kind} {path} {' '.join(sorted(before['properties']))}"
        elif more := [value for value in schema.get("enum", []) if value not in before.get("enum", [])]:
            yield f"value {version} {kind} {path} {' '.join(more)}"
    if more := sorted(new.families - old.families):
        yield f"family {version} EC2NodeClass amiSelectorTerms[].alias {' '.join(more)}"
    yield from (f"kind {version} {kind}" for kind in sorted(new.kinds - old.kinds))
    yield from (f"label {version} {key}" for key in sorted(new.labels - old.labels))


def main(day: str, table: Path, *releases: str) -> None:
    """Reads the releases, writes the table."""
    read = [Release(text) for text in releases]
    head = f"# aws/karpenter-provider-aws, CRDs and hash versions of {read[0].version} to {read[-1].version}, {day}"
    lines = [f"release {one.version} {one.day} {one.hash_version}" for one in read]
    lines += [line for old, new in pairwise(read) for line in news(old, new)]
    table.write_text(
        "\n".join([head, "# release: version, day, hash version; others: since which version, kind, path, words", *lines, ""]), encoding="utf-8"
    )


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), *sys.argv[3:])
