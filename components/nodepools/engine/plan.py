"""The registration plan: what a program registered, in a form that is equal for equal runs."""

from collections.abc import Mapping, Sequence
from typing import cast

from google.protobuf.struct_pb2 import Struct

from nodepools.engine.property_values import JsonValue
from nodepools.model.redaction import marked
from nodepools.model.values import dataclass, field


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A message that the program logged. `urn` is its resource, or empty."""

    severity: str
    message: str
    urn: str = ""


@dataclass(frozen=True, slots=True)
class PlannedResource:
    """A registered resource, after inheritance and transforms.

    `options` has the options that are set, in the spelling of the engine; its key `custom` tells custom resources from components.
    `outputs` has the registered outputs of a component; it is empty for custom resources.
    """

    urn: str
    type: str
    name: str
    parent: str | None
    inputs: Mapping[str, JsonValue]
    dependencies: tuple[str, ...] = ()
    property_dependencies: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    options: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    outputs: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    wire: tuple[Struct, Struct] = field(default_factory=lambda: (Struct(), Struct()), repr=False, compare=False)
    """Inputs and outputs as protobuf, with decrypted secrets: for policy packs, never printed."""
    calls: tuple[tuple[str, int], ...] = field(default=(), repr=False, compare=False)
    """Files, as URIs, and lines that were running when it was registered, the innermost first."""

    def to_json(self) -> dict[str, JsonValue]:
        """The resource as `preview --format json` prints it. Programs do not mark all of their secrets."""
        return {
            "urn": self.urn,
            "type": self.type,
            "name": self.name,
            "parent": self.parent,
            "inputs": cast("JsonValue", marked(self.inputs)),
            "dependencies": list(self.dependencies),
            "options": self.options,
        }


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that one run of a program registered. `resources` are sorted by URN and include the stack itself."""

    stack: str
    resources: tuple[PlannedResource, ...] = ()
    outputs: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    diagnostics: tuple[Diagnostic, ...] = ()
    assumed: tuple[str, ...] = ()
    """Functions of providers whose results are invented, by token."""
    secrets: tuple[str, ...] = field(default=(), repr=False)
    """The texts that the program marked as secret: messages do not contain them."""

    def to_json(self, findings: Sequence[Mapping[str, JsonValue]] = ()) -> dict[str, JsonValue]:
        """The plan as `preview --format json` prints it, with the findings of the rules."""
        return {
            "stack": self.stack,
            "resources": [resource.to_json() for resource in self.resources],
            "outputs": cast("JsonValue", marked(self.outputs)),
            "findings": list(findings),
        }
