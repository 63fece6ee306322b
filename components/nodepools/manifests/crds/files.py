"""Reads CRDs from files. One that cannot be used is a problem; the others are used."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final, cast

from nodepools.manifests.crds.schema import Problem, Schema, crd_problems, crd_release, problem_text
from nodepools.model.steps import Step
from nodepools.reading.limits import TextError
from nodepools.reading.yaml_documents import documents

_MOST_REPORTED: Final = 5
_GROUP_VERSION_KIND: Final = "x-kubernetes-group-version-kind"


@dataclass(frozen=True, slots=True)
class Served:
    """A kind in a version that a cluster serves. `origin` and `at` are the CRD and the place of the schema in it, for messages."""

    api_version: str
    kind: str
    schema: Schema
    origin: str = ""
    at: tuple[Step, ...] = ()

    def __str__(self) -> str:
        release = crd_release(self.kind, self.schema)
        return f"{self.api_version} {self.kind}" + (f": {release}" if release else "")

    @property
    def key(self) -> tuple[str, str]:
        """What the objects of the kind have in `apiVersion` and `kind`."""
        return self.api_version, self.kind

    def problem_lines(self, problems: Iterable[Problem]) -> Iterator[str]:
        """Yields a line for each problem of the schema."""
        return _lines(self.origin, problems)


@dataclass(frozen=True, slots=True)
class Crds:
    """The kinds that the CRDs of some files serve, and one line for each problem."""

    served: tuple[Served, ...]
    problems: tuple[str, ...]


def read_crds(files: Iterable[Path], read: Callable[[Path], str]) -> Crds:
    """Reads every CRD in `files`.

    Raises:
        TextError: there is no CRD.
    """
    names: list[str] = []
    served: list[Served] = []
    problems: list[str] = []
    for file in files:
        names.append(str(file))
        try:
            for document in documents(read(file), str(file)):
                _add(document.value, str(file), served, problems)
        except TextError as error:
            problems.append(str(error))
    if not served and not problems:
        raise TextError(f"{', '.join(names) or '--crds'}: holds no CustomResourceDefinition: write those of a cluster with `kubectl get crd -o yaml`")
    return Crds(tuple(served), tuple(problems))


def _add(document: object, file: str, served: list[Served], problems: list[str]) -> None:
    """Adds the kinds of a CRD, of a list of CRDs, or of a schema that names its kind."""
    if not isinstance(document, Mapping):
        return
    raw = cast("Mapping[str, object]", document)
    if str(raw.get("kind", "")).endswith("List"):
        items = raw.get("items")
        for item in cast("list[object]", items) if isinstance(items, list) else ():
            _add(item, file, served, problems)
    elif raw.get("kind") == "CustomResourceDefinition":
        origin = f"{file}: CRD `{_name(raw)}`"
        found = list(crd_problems(raw))
        problems.extend(_lines(origin, found))
        if not found:
            served.extend(_versions(cast("Schema", raw["spec"]), origin))
    elif _GROUP_VERSION_KIND in raw:
        served.extend(_of_schema(raw, file))


def _name(raw: Mapping[str, object]) -> str:
    metadata = raw.get("metadata")
    name = cast("Mapping[str, object]", metadata).get("name") if isinstance(metadata, Mapping) else None
    return name if isinstance(name, str) else "without a name"


def _lines(origin: str, problems: Iterable[Problem]) -> Iterator[str]:
    rest = iter(problems)
    yield from (f"{origin}: {problem_text(problem)}" for problem in islice(rest, _MOST_REPORTED))
    if more := sum(1 for _ in rest):
        yield f"{origin}: and {more} more problem{'s' * (more > 1)}"


def _versions(spec: Schema, origin: str) -> Iterator[Served]:
    kind = cast("Mapping[str, str]", spec["names"])["kind"]
    for index, version in enumerate(cast("Sequence[Schema]", spec["versions"])):
        if version.get("served"):
            at = ("spec", "versions", index, "schema", "openAPIV3Schema")
            schema = cast("Schema", cast("Schema", version["schema"])["openAPIV3Schema"])
            yield Served(f"{spec['group']}/{version['name']}", kind, schema, origin, at)


def _of_schema(raw: Schema, file: str) -> Iterator[Served]:
    kinds = raw[_GROUP_VERSION_KIND]
    for of in cast("list[object]", kinds) if isinstance(kinds, list) else ():
        if isinstance(of, Mapping):
            named = cast("Mapping[str, object]", of)
            yield Served(f"{named.get('group')}/{named.get('version')}", str(named.get("kind")), raw, f"{file}: schema of `{named.get('kind')}`")
