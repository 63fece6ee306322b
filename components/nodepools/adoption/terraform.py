"""Resources that Terraform or another stack of Pulumi manages: as long as it does, its next destroy deletes what Pulumi has imported."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from nodepools.model.steps import mapping, sequence
from nodepools.model.values import dataclass

_KEY: Final = re.compile(r"\[[^\]]*\]")
"""The key of an instance, which `removed` blocks do not have."""
_AWS: Final = "aws_eks_"
_OBJECT: Final = "kubernetes"
_OBJECTS: Final = ("kubernetes_manifest", "kubectl_manifest")


@dataclass(frozen=True, slots=True)
class Managed:
    """A resource in a state."""

    address: str
    """Its address, `module.eks.aws_eks_cluster.this[0]`, or its URN."""
    type: str
    id: str

    @property
    def is_of_pulumi(self) -> bool:
        """Another stack of Pulumi manages it, not Terraform."""
        return self.address.startswith("urn:pulumi:")

    @property
    def block(self) -> str:
        """Its address in the configuration."""
        return _KEY.sub("", self.address)

    @property
    def module(self) -> str | None:
        """The module that declares it; `None` for the root module."""
        before, _, _ = self.block.rpartition(f"{self.type}.")
        return before.rstrip(".") if before else None


def managed_resources(value: object) -> list[Managed] | None:
    """The resources of a state or a plan of Terraform; `None` if the value is something else. Only names and ids are read: states have secrets."""
    state = mapping(value)
    if "deployment" in state:
        return list(_pulumi_resources(mapping(state["deployment"])))
    shown = mapping(state.get("prior_state")) or state  # a plan has the state that it changes
    return list(_resources(mapping(mapping(shown.get("values")).get("root_module")))) if "terraform_version" in state else None


def _pulumi_resources(deployment: Mapping[str, object]) -> list[Managed]:
    entries = [mapping(one) for one in sequence(deployment.get("resources"))]
    alive = [one for one in entries if isinstance(one.get("id"), str) and one.get("delete") is not True and one.get("external") is not True]
    return [Managed(str(one.get("urn")), str(one.get("type")), str(one["id"])) for one in alive]


def _resources(module: Mapping[str, object]) -> Iterator[Managed]:
    for one in map(mapping, sequence(module.get("resources"))):
        if one.get("mode") == "managed":
            of_type = str(one.get("type"))
            yield Managed(str(one.get("address")), of_type, _id(of_type, mapping(one.get("values"))))
    for child in map(mapping, sequence(module.get("child_modules"))):
        yield from _resources(child)


def _id(of_type: str, values: Mapping[str, object]) -> str:
    """The id as `pulumi import` has it; of an object inside a cluster, its name."""
    name = mapping(mapping(values.get("manifest")).get("metadata")).get("name") if of_type in _OBJECTS else None
    found = name if name is not None else values.get("name") if of_type in _OBJECTS else values.get("id")
    return str(found)


def still_managed(resources: Iterable[Managed], imports: Iterable[tuple[str, str]]) -> list[Managed]:
    """The resources that a state has, and an import would too; `imports` are types and ids of Pulumi.

    Ids of objects are names, which can be those of another cluster: a state of Pulumi has them if it has the cluster, or something of it.
    """
    wanted = {(_cloud(of_type), ident.lower()) for of_type, ident in imports}
    held = [one for one in resources if (_cloud(one.type), one.id.lower()) in wanted]
    has_clusters = any(_cloud(one.type) != _OBJECT for one in held)
    return [one for one in held if has_clusters or not one.is_of_pulumi]


def _cloud(of_type: str) -> str:
    """What an id is unique in: ids of EKS are names, as those of objects are."""
    if of_type.startswith((_AWS, "aws:eks/")):
        return "aws " + of_type.removeprefix(_AWS).rpartition(":")[2].replace("_", "").lower()
    return _OBJECT if of_type.startswith(("kubernetes:", *_OBJECTS)) else "azure"


def one_of_several(held: Sequence[Managed], managed: Iterable[Managed]) -> list[Managed]:
    """Those of `held` whose blocks have other instances that stay: a `removed` block has no key, and forgets every instance."""
    stay = {one.block for one in managed if one not in held}
    return [one for one in held if one.block in stay]


def removed_blocks(managed: Iterable[Managed]) -> str:
    """The blocks with which Terraform 1.7 and newer forgets every instance of resources without deleting them."""
    return "\n".join(_block(address, modules) for address, modules in {one.block: one.module for one in managed}.items())


def _block(address: str, module: str | None) -> str:
    return f"# Delete {_place(module)}.\nremoved {{\n  from = {address}\n\n  lifecycle {{\n    destroy = false\n  }}\n}}\n"


def _place(module: str | None) -> str:
    if module is None:
        return "its `resource` block"
    return f"its block in `{module}`, or if that is a module of others, use `terraform state rm` instead"
