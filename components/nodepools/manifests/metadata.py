"""The metadata of an object, which no CRD has a schema for: the API server judges it for every kind alike."""

from collections.abc import Iterator, Mapping
from typing import Final, cast

from nodepools.manifests.reading_findings import Misread
from nodepools.model.kubernetes.label import is_key, is_value
from nodepools.model.steps import Steps

_TOP: Final = ("apiVersion", "kind", "metadata", "spec", "status")
_TEXTS: Final = ("name", "generateName", "namespace", "selfLink", "uid", "resourceVersion", "creationTimestamp", "deletionTimestamp")
_NUMBERS: Final = ("generation", "deletionGracePeriodSeconds")
_MAPPINGS: Final = ("labels", "annotations")
_LISTS: Final = ("ownerReferences", "finalizers", "managedFields")
_FIELDS: Final = (*_TEXTS, *_NUMBERS, *_MAPPINGS, *_LISTS)
_MOST_ANNOTATED: Final = 256 * 1024


def read_metadata(misread: Misread, manifest: Mapping[str, object]) -> None:
    """Tells what is refused of an object beside its `spec`: fields that no object has, labels and annotations that none can carry."""
    misread.only(manifest, _TOP, ())
    metadata = manifest.get("metadata")
    if not isinstance(metadata, Mapping):
        if metadata is not None:
            misread.finding("CFG004", ("metadata",), metadata, "should be a mapping of names to values", "write names with their values")
        return
    written = cast("Mapping[str, object]", metadata)
    misread.only(written, _FIELDS, ("metadata",))
    for name in _MAPPINGS:
        held = written.get(name)
        if isinstance(held, Mapping):
            _carried(misread, name, cast("Mapping[str, object]", held))
    for name, wrong in _of_another_type(written):
        misread.finding("CFG004", ("metadata", name), written[name], f"should be {wrong}", f"write {wrong}")


def _of_another_type(written: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Fields and what they should be; of the name it is told elsewhere."""
    kinds = (
        (_TEXTS[1:], str, "text"),
        (_NUMBERS, int, "a whole number"),
        (_MAPPINGS, Mapping, "a mapping of names to values"),
        (_LISTS, list, "a list"),
    )
    for names, kind, wanted in kinds:
        for name in names:
            value = written.get(name)
            if value is not None and (not isinstance(value, kind) or isinstance(value, bool)):
                yield name, wanted


def _carried(misread: Misread, name: str, held: Mapping[str, object]) -> None:
    at: Steps = ("metadata", name)
    thing = name.removesuffix("s")
    for key, value in held.items():
        if not is_key(key.lower() if name == "annotations" else key):
            misread.finding("CFG006", (*at, key), key, f"is not the key of {_a(thing)}", "write team, or example.com/team")
        elif value is not None and not isinstance(value, str):
            misread.finding("CFG004", (*at, key), value, "should be text", "write it in quotes")
        elif name == "labels" and isinstance(value, str) and not is_value(value):
            misread.finding("CFG006", (*at, key), value, "is not the value of a label", "use letters, digits, -, _ and ., 63 at most")
    size = sum(len(key.encode()) + len(value.encode()) for key, value in held.items() if isinstance(value, str))
    if name == "annotations" and size > _MOST_ANNOTATED:
        misread.finding("CFG008", at, None, f"have {size} bytes together: the API server takes {_MOST_ANNOTATED}", "shorten them")


def _a(thing: str) -> str:
    return f"an {thing}" if thing[0] in "aeiou" else f"a {thing}"
