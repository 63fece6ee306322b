"""Writes the table of what `overrides` can set: names and types of the arguments of providers, and of the fields of Kubernetes objects.

`python tools/fold_argument_types.py DAY CRDS WHEELS`: DAY is today; CRDS is a folder with the CustomResourceDefinitions of NodePools and node
classes, in any folders inside: the files of karpenter-provider-azure and karpenter, and the schemas that EKS serves. WHEELS is a folder with wheels
of azure-mgmt-containerservice, one for each version of the API that is newer than the one that azure-native has by default, and the newest preview:
`pip download --no-deps azure-mgmt-containerservice==41.8.0`, and so on from 41.0.0 without 41.4.0, a preview that was withdrawn (2025-10-01, of
40.2.0, has the same arguments as 2025-09-01). The arguments of providers are those of the installed SDKs. Run it to update the table. The installed
package does not need it.
"""

import inspect
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, Union, get_args, get_origin

import yaml
from pulumi import _types
from pulumi_aws import eks
from pulumi_azure_native import containerservice
from rest_models import Api
from table_file import replace_rows

from nodepools.wire.aks import node_class as aks
from nodepools.wire.eks import node_class as eks_classes
from nodepools.wire.karpenter import AKS_NODE_CLASS, node_pool_table
from nodepools.wire.rows import Always, Each, Part, Row
from nodepools.wire.table import Table, python_name

TABLE: Final = Path("components/nodepools/data/argument_types.txt")
ROWS: Final = "type: name:type of each argument; `!` if required, @ the first API version that has it, [] a list, {} a mapping, | fixed words"
ROOTS: Final = (containerservice.ManagedClusterArgs, containerservice.AgentPoolArgs, containerservice.MaintenanceConfigurationArgs)
OF_EKS: Final = (
    *(eks.ClusterArgs, eks.PodIdentityAssociationArgs, eks.AddonArgs, eks.AccessEntryArgs, eks.AccessPolicyAssociationArgs),
    eks.IdentityProviderConfigArgs,
)
SCALARS: Final = {str: "str", int: "int", float: "float", bool: "bool", Any: "any"}
WORDS: Final = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
OBJECTS: Final = {"NodePool": ("karpenter.sh", "v1"), "AKSNodeClass": ("karpenter.azure.com", "v1beta1"), "NodeClass": ("eks.amazonaws.com", "v1")}
TABLES: Final = {"NodePool": node_pool_table(AKS_NODE_CLASS), "AKSNodeClass": aks.NODE_CLASS, "NodeClass": eks_classes.NODE_CLASS}


class Sdk:
    """The arguments of resources of one SDK, and of all types in them."""

    def __init__(self, *resources: Any) -> None:  # noqa: ANN401  # classes of the SDK
        self.rows: dict[str, list[str]] = {}
        for resource in resources:
            self.read(resource)

    def read(self, kind: Any) -> str:  # noqa: ANN401  # a class of the SDK
        """The name of a class of arguments, which is then in `rows`."""
        name = kind.__name__.removesuffix("Args")
        if name not in self.rows:
            row = self.rows[name] = []
            names, types = _types.input_type_py_to_pulumi_names(kind), _types.input_type_types(kind)
            required = {one.name for one in inspect.signature(kind.__init__).parameters.values() if one.default is one.empty}
            for python, wire in sorted(names.items(), key=lambda pair: pair[1]):
                if python_name(wire).removesuffix("_") != python:
                    raise ValueError(f"{name}: {wire} is {python} in Python")
                row.append(f"{wire}{'!' * (python in required)}:{self.word(types[wire])}")
        return name

    def word(self, kind: Any) -> str:  # noqa: ANN401  # a type of the SDK
        """A type as a word of the table."""
        kind = _types.unwrap_type(kind)
        if kind in SCALARS:
            return SCALARS[kind]
        if _types.is_input_type(kind):
            return self.read(kind)
        if isinstance(kind, type) and issubclass(kind, Enum):
            return "|".join(str(one.value) for one in kind)
        origin, inside = get_origin(kind), get_args(kind)
        if origin is Union and all(one is str or one is type(None) or (isinstance(one, type) and issubclass(one, Enum)) for one in known(inside)):
            return "str"
        if origin is not None and issubclass(origin, Mapping):
            return f"{{{self.word(inside[1])}}}"
        if origin is not None and issubclass(origin, Sequence):
            return f"[{self.word(inside[0])}]"
        raise ValueError(f"the type {kind} has no word")


def known(kinds: Sequence[Any]) -> Iterator[Any]:
    """The types of a union without those of values that are known later."""
    return (kind for kind in kinds if "Awaitable" not in str(kind) and "Output" not in str(kind))


class Newer:
    """Adds the arguments of newer versions of an API, with the first version that has each."""

    def __init__(self, rows: dict[str, list[str]], api: Api) -> None:
        self.rows, self.api, self.since = rows, api, f"@{api.version}"
        self.seen: set[str] = set()

    def add(self, type_: str, mirror: str) -> None:
        """What the class `mirror` of the API has, and the type does not. A type that the table does not have is new as a whole."""
        if type_ in self.seen:
            return
        self.seen.add(type_)
        row = self.rows.setdefault(type_, [])
        known = {re.split("[!@:]", word)[0]: word.partition(":")[2] for word in row}
        for wire, one in self.api.properties(mirror).items():
            name = re.sub("-(.)", lambda found: found[1].upper(), wire)
            if name not in known and self.api.is_status(one.annotation):
                continue
            word = known.get(name, self.api.word(one.annotation))
            if name not in known:
                row.append(f"{name}{'!' * one.is_required}{self.since}:{word}")
            inner, held = word.strip("[]{}"), self.api.class_in(one.annotation)
            if held is not None and (inner in self.rows or name not in known):
                self.add(inner, held)
        self.rows[type_] = sorted(row)


def versions() -> tuple[str, list[str]]:
    """The version of the API that azure-native has by default, and the others that it can have, previews left out."""
    text = inspect.getsource(sys.modules[containerservice.ManagedCluster.__module__])
    [api] = set(re.findall(r"REST API version (\S+)\. ", text))
    [others] = set(re.findall(r"Other available API versions: (.*?)\. ", text))
    return api, [one for one in others.split(", ") if one > api and "preview" not in one]


class Objects:
    """The fields of `spec` of Kubernetes objects. If schemas differ about a type, any value is accepted."""

    def __init__(self) -> None:
        self.rows: dict[str, dict[str, str]] = {}

    def read(self, name: str, schema: Mapping[str, Any]) -> str:
        """The word of a schema; an object is `name`, whose fields are then in `rows`."""
        if "properties" in schema:
            row = self.rows.setdefault(name, {})
            for field, part in schema["properties"].items():
                word = self.read(f"{name}.{field}", part)
                row[field] = word if row.get(field, word) == word else "any"
            return name
        if "items" in schema:
            return f"[{self.read(name, schema['items'])}]"
        if isinstance(schema.get("additionalProperties"), dict):
            return f"{{{self.read(name, schema['additionalProperties'])}}}"
        return WORDS.get(schema.get("type", ""), "any")

    def add(self, name: str, table: Table) -> None:
        """Fields of the rows of `table` that the schema does not have, because they are newer."""
        for row in table.rows:
            if isinstance(row, Part | Each | Row | Always):
                *above, last = row.wire.split(".")
                owner = name
                for step in above:
                    self.rows.setdefault(owner, {}).setdefault(step, f"{owner}.{step}")
                    owner = f"{owner}.{step}"
                inside = f"{owner}.{last}"
                word = f"[{inside}]" if isinstance(row, Each) else inside if isinstance(row, Part) else "any"
                self.rows.setdefault(owner, {}).setdefault(last, word)
                if isinstance(row, Part | Each):
                    self.add(inside, row.rows)


def schemas(folder: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The schemas of `spec` in the files of a folder, each with its kind."""
    for path in sorted((*folder.rglob("*.yaml"), *folder.rglob("*.json"))):
        read = yaml.safe_load(path.read_text(encoding="utf-8"))
        for kind, (group, of) in OBJECTS.items():
            if "spec" in read and read["spec"]["names"]["kind"] == kind and read["spec"]["group"] == group:
                yield from ((kind, one["schema"]["openAPIV3Schema"]["properties"]["spec"]) for one in read["spec"]["versions"] if one["name"] == of)
            elif path.name == f"{group}_{kind.lower()}_{of}.json":
                yield kind, read["properties"]["spec"]


def main(day: str, crds: Path, wheels: Path) -> None:
    """Writes the table."""
    api, sendable = versions()
    objects = Objects()
    for kind, schema in schemas(crds):
        objects.read(kind, schema)
    for kind, table in TABLES.items():
        objects.add(kind, table)
    azure, aws = Sdk(*ROOTS).rows, Sdk(*OF_EKS).rows
    newer = sorted(map(Api, wheels.glob("azure_mgmt_containerservice-*.whl")), key=lambda one: ("preview" in one.version, one.version))
    for one in newer:
        for kind in ROOTS:
            name = kind.__name__.removesuffix("Args")
            Newer(azure, one).add(name, name)
    fields = {name: [f"{field}:{word}" for field, word in sorted(row.items())] for name, row in objects.rows.items()}
    if azure.keys() & aws.keys() or (azure.keys() | aws.keys()) & fields.keys():
        raise ValueError("two sources have a type of the same name")
    sources = [
        ["source", "AZURE", "pulumi-azure-native", version("pulumi-azure-native"), f"(API {api})"],
        ["source", "AWS", "pulumi-aws", version("pulumi-aws")],
        ["source", "OBJECTS", "CRDs", f"of {day}"],
        ["versions", api, *sorted({*sendable, *(one.version for one in newer if "preview" not in one.version)})],
        ["sendable", api, *sendable],
    ]
    origin = (
        f"Python SDKs of pulumi-azure-native, pulumi-aws and azure-mgmt-containerservice; CRDs of karpenter-provider-azure, karpenter and EKS, {day}"
    )
    rows = ([name, *row] for types in (azure, aws, fields) for name, row in sorted(types.items()))
    replace_rows(TABLE, [origin, ROWS], [*sources, *rows])


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
