"""The Kubernetes objects of a file, each with its name and the positions of its fields."""

import json
import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias, cast

from nodepools.model.steps import Step, Steps
from nodepools.model.values import dataclass, field
from nodepools.reading.bounded_input import OtherTextError, TextError, json_error, not_an_object
from nodepools.reading.yaml_documents import Document, Doubt, Places, Position, documents, source_position
from nodepools.rules.engine.finding import SourcePosition

_KINDS: Final[Sequence[tuple[type, str]]] = ((list, "a list"), (Mapping, "a mapping"), (str, "text"), (bytes, "binary data"))
_ALONE: Mapping[str, object] = {}
Foreign: TypeAlias = Callable[[Document, str], bool]
"""Takes a document that is not a Kubernetes object; false if it is something else."""


@dataclass(frozen=True, slots=True)
class ManifestObject:
    """An object of a file."""

    file: str
    raw: Mapping[str, object]
    start: Position
    places: Places
    doubts: tuple[Doubt, ...] = ()
    """Places that readers of YAML understand in different ways."""
    spelled: Mapping[Steps, str] = field(default_factory=dict[Steps, str])
    """The text of numbers that JSON has in another form."""

    @property
    def group(self) -> str:
        """The group: `karpenter.sh` of `karpenter.sh/v1`; empty for the core group."""
        return _text(self.raw.get("apiVersion")).rpartition("/")[0]

    @property
    def version(self) -> str:
        """The version: `v1` of `karpenter.sh/v1`."""
        return _text(self.raw.get("apiVersion")).rpartition("/")[2]

    @property
    def kind(self) -> str:
        """The kind; empty if the object has none."""
        return _text(self.raw.get("kind"))

    @property
    def type(self) -> tuple[str, str]:
        """API version and kind."""
        return _text(self.raw.get("apiVersion")), self.kind

    @property
    def name(self) -> str:
        """The name; empty if the object has none."""
        metadata = self.raw.get("metadata")
        return _text(cast("Mapping[str, object]", metadata).get("name")) if isinstance(metadata, Mapping) else ""

    @property
    def label(self) -> str:
        """The label that findings show: `file#Kind/name`."""
        return f"{self.file}#{self.kind}/{self.name}"

    def position(self, steps: tuple[Step, ...]) -> SourcePosition:
        """Returns the position of the field at `steps`, or of its nearest parent in the file."""
        return source_position(self.file, self.start, self.places, steps)


POOLS_AND_CLASSES: Final = frozenset({"NodePool", "NodeClass", "AKSNodeClass", "EC2NodeClass"})
"""The kinds of Karpenter's groups that each command reads which is about them."""
ALPHA: Final = frozenset({"NodeOverlay", "CapacityBuffer"})
REPLACED: Final = {"Provisioner": "NodePool", "AWSNodeTemplate": "EC2NodeClass"}
"""Kinds of Karpenter's first versions, and what they became."""
CHECKED: Final = POOLS_AND_CLASSES | ALPHA | REPLACED.keys()
"""The kinds that `check` reads."""
_GROUPS: Final = frozenset({"karpenter.sh", "karpenter.k8s.aws", "karpenter.azure.com", "eks.amazonaws.com", "autoscaling.x-k8s.io"})
"""The groups of Karpenter's objects."""


def unread_kinds(found: Iterable[tuple[str, str]], read: Container[str] = POOLS_AND_CLASSES, groups: Container[str] = _GROUPS) -> list[str]:
    """Returns the kinds of these groups that are not in `read`, each with a count of the objects `found`: API versions with kinds."""
    counts = Counter((kind, version.rpartition("/")[0]) for version, kind in found)
    every = ((kind, group, count) for (kind, group), count in counts.items() if group in groups and kind not in read and not kind.endswith("List"))
    return [f"{kind} of {group} ({count:,} object{'s' * (count != 1)})" for kind, group, count in sorted(every)]


_RUN_PODS: Final = re.compile(r'"(containers?|image|imageName|instances|nodeSets|pipelineRef|replicas|taskRef|workflowTemplateRef)": ')


def can_run_pods(one: ManifestObject) -> bool:
    """Whether a controller of others can create pods for the object. Source: CRDs of Argo, Spark, Tekton, CNPG and Flux, 2026-12."""
    is_other = "." in one.group and one.group not in (*_GROUPS, "apiextensions.k8s.io", "cluster.x-k8s.io")
    return is_other and _RUN_PODS.search(json.dumps(one.raw.get("spec"), default=str)) is not None


def wrapped(found: Iterable[ManifestObject]) -> Iterator[tuple[str, str]]:
    """Yields API version and kind of objects inside of others, such as those that Crossplane applies, and in texts, such as of a ConfigMap."""
    outer = (one for one in found if ("." in one.group and one.group not in _GROUPS) or one.kind == "ConfigMap")
    return ((version, f"{kind} in {one.kind}") for one in outer for version, kind in _inside([*one.raw.values()]))


_WRITTEN: Final = re.compile(r"""^(?: *- )?apiVersion: *["']?([\w./]+)["']?\s+kind: *["']?(\w+)""", re.MULTILINE)
"""The first lines of an object in a text: a reference to an object is deeper."""


def _inside(value: object) -> Iterator[tuple[str, str]]:
    """The types of objects in a value. A reference to an object has no `spec`."""
    held: Mapping[object, object] = cast("Mapping[object, object]", value) if isinstance(value, Mapping) else {}
    if "spec" in held:
        yield _text(held.get("apiVersion")), _text(held.get("kind"))
    yield from ((version, kind) for version, kind in _WRITTEN.findall(value if isinstance(value, str) else ""))
    for inner in (*held.values(), *(cast("list[object]", value) if isinstance(value, list) else ())):
        yield from _inside(inner)


def unknown_document(_: Document, __: str) -> bool:
    """No document is known."""
    return False


def is_foreign(value: object) -> bool:
    """A document is not a Kubernetes object: it can be the output of another program."""
    return not isinstance(value, Mapping) or "apiVersion" not in value


def objects(text: str, file: str, foreign: Foreign = unknown_document) -> Iterator[ManifestObject]:
    """Yields every object in `text`, including the items of lists. `foreign` gets other documents.

    Raises:
        TextError: the text cannot be read, or contains something that is not an object.
    """
    for document in documents(text, file):
        if not (is_foreign(document.value) and foreign(document, file)):
            try:
                yield from objects_in(document, file)
            except TextError as error:
                invalid = json_error(text, file)
                raise (error if invalid is None else TextError(invalid)) from None


def objects_in(document: Document, file: str, listed: Mapping[str, object] = _ALONE) -> Iterator[ManifestObject]:
    """Yields the object of a document or, if it is a list, its items. An item without a type has that of `listed`.

    Raises:
        TextError: the document contains something that is not an object.
    """
    value, start = document.value, document.start
    where = f"{file}:{start.line + 1}:{start.column + 1}"
    if not isinstance(value, Mapping):
        raise OtherTextError(f"{where}: should be a Kubernetes object, not {_named(value)}")
    raw = cast("Mapping[str, object]", value)
    own = raw.get("kind", listed.get("kind"))
    if not (isinstance(own, str) and own):
        raise not_an_object(raw, file, where)
    if own.endswith("List") and "items" in raw:
        yield from _items(raw["items"], type_of_items({**raw, "kind": own}), document, file)
        return
    yield ManifestObject(file, raw if listed.keys() <= raw.keys() else {**listed, **raw}, start, document.places, document.doubts, document.spelled)


def type_of_items(listing: Mapping[object, object] | Mapping[str, object]) -> Mapping[str, object]:
    """Returns the type of the items of a `NodeList`; nothing for a `List`, whose items have different types."""
    kind = cast("Mapping[object, object]", listing).get("kind")
    named = kind.removesuffix("List") if isinstance(kind, str) and kind.endswith("List") else ""
    return {"apiVersion": cast("Mapping[object, object]", listing).get("apiVersion"), "kind": named} if named else _ALONE


def _items(items: object, listed: Mapping[str, object], document: Document, file: str) -> Iterator[ManifestObject]:
    at, inside = document.places["items"]
    if items is None:
        return
    if not isinstance(items, list):
        raise TextError(f"{file}:{at.line + 1}:{at.column + 1}: items should be a list, not {_named(items)}")
    for index, item in enumerate(cast("list[object]", items)):
        start, within = inside[index] if inside is not None else (at, None)
        doubts = tuple(doubt._replace(steps=doubt.steps[2:]) for doubt in document.doubts if doubt.steps[:2] == ("items", index))
        spelled = {steps[2:]: text for steps, text in document.spelled.items() if steps[:2] == ("items", index)}
        yield from objects_in(Document(item, start, within if within is not None else {}, doubts=doubts, spelled=spelled), file, listed)


def _named(value: object) -> str:
    """The kind of a value. Its text is not shown: it can be a file of another kind, with secrets."""
    shown = repr(value)
    return next((name for kind, name in _KINDS if isinstance(value, kind)), shown)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
