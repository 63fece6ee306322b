"""The metadata of an object, which no CRD has a schema for: the API server checks it for every kind alike."""

from collections.abc import Iterator, Mapping
from typing import Final, cast

from nodepools.manifests.reading_findings import NOT_A_MAPPING, Misread
from nodepools.model.kubernetes.label import is_key, is_value
from nodepools.model.steps import Steps

_TOP: Final = ("apiVersion", "kind", "metadata", "spec", "status")
_TEXTS: Final = ("name", "generateName", "namespace", "selfLink", "uid", "resourceVersion", "creationTimestamp", "deletionTimestamp")
_NUMBERS: Final = ("generation", "deletionGracePeriodSeconds")
_MAPPINGS: Final = ("labels", "annotations")
_LISTS: Final = ("ownerReferences", "finalizers", "managedFields")
_FIELDS: Final = (*_TEXTS, *_NUMBERS, *_MAPPINGS, *_LISTS)
_MOST_ANNOTATED: Final = 256 * 1024
_LABEL_VALUE: Final = "Use at most 63 letters, digits, `-`, `_` and `.`, with a letter or digit at both ends"


def read_metadata(misread: Misread, manifest: Mapping[str, object]) -> None:
    """Adds what the API server rejects outside the `spec`: unknown fields, invalid labels and annotations."""
    misread.only(manifest, _TOP, ())
    metadata = manifest.get("metadata")
    if not isinstance(metadata, Mapping):
        if metadata is not None:
            misread.finding("CFG004", ("metadata",), metadata, *NOT_A_MAPPING)
        return
    written = cast("Mapping[str, object]", metadata)
    misread.only(written, _FIELDS, ("metadata",))
    for name in _MAPPINGS:
        held = written.get(name)
        if isinstance(held, Mapping):
            _check_entries(misread, name, cast("Mapping[str, object]", held))
    for name, valid in _of_another_type(written):
        misread.finding("CFG004", ("metadata", name), written[name], f"{{field}} must be {valid}", f"Write {valid}")


def _of_another_type(written: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Fields of the wrong type, and the right one. The name is checked elsewhere."""
    kinds = (
        (_TEXTS[1:], str, "text"),
        (_NUMBERS, int, "a whole number"),
        (_MAPPINGS, Mapping, "a mapping of names to values"),
        (_LISTS, list, "a list"),
    )
    for names, kind, valid in kinds:
        for name in names:
            value = written.get(name)
            if value is not None and (not isinstance(value, kind) or isinstance(value, bool)):
                yield name, valid


def _check_entries(misread: Misread, name: str, held: Mapping[str, object]) -> None:
    at: Steps = ("metadata", name)
    thing = name.removesuffix("s")
    for key, value in held.items():
        if not is_key(key.lower() if name == "annotations" else key):
            misread.finding("CFG006", (*at, key), key, f"`{key}` is not a valid {thing} key", "Use a key such as `team` or `example.com/team`")
        elif value is not None and not isinstance(value, str):
            misread.finding("CFG004", (*at, key), value, "{field} must be text", "Write it in quotes")
        elif name == "labels" and isinstance(value, str) and not is_value(value):
            misread.finding("CFG006", (*at, key), value, f"`{value}` is not a valid label value", _LABEL_VALUE)
    size = sum(len(key.encode()) + len(value.encode()) for key, value in held.items() if isinstance(value, str))
    if name == "annotations" and size > _MOST_ANNOTATED:
        misread.finding(
            "CFG008", at, None, f"The annotations have {size:,} bytes in total: the API server accepts {_MOST_ANNOTATED:,}", "Shorten them"
        )
