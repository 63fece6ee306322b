"""What `overrides` can set: the arguments of the providers' resources, and the fields of Kubernetes objects, with their types.

The table is of one version of each source. Loaded only when a declaration has overrides.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from enum import Enum
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple, cast

from nodepools.data.table_files import day_of, rows_of
from nodepools.data.version_support import NEWER
from nodepools.model.base import Model
from nodepools.model.listing import nearest, respelled
from nodepools.model.ref import StackOutput
from nodepools.model.steps import Steps

_FILE: Final = "argument_types.txt"
_SOURCE: Final = "source"
"""The first word of the rows with sources."""
_VERSIONS, _SENDABLE = "versions", "sendable"
"""How the rows with GA versions of the API of AKS begin: all, and those that the azure-native of the table can send."""
_REQUIRED, _SINCE = "!", "@"
_ANY_VERSION: Final = r"\d{4}-\d\d-\d\d(?!-)"
_DEFAULT_VERSION: Final = re.compile(rf"REST API version ({_ANY_VERSION})")
_OTHER_VERSIONS: Final = re.compile(r"Other available API versions: (.*?)\. ")
_SCALAR: Final = "scalar"
"""Text that the provider does not check: numbers and booleans are accepted, too. Pulumi itself rejects a list."""
_EXPECTED: Final = {"str": "text", _SCALAR: "text", "int": "a whole number", "float": "a number", "bool": "true or false"}
_SWITCHES: Final = frozenset({"true", "false", "1", "0", "t", "f"})
"""Text that pulumi-aws converts to a boolean, in any case."""


class Argument(NamedTuple):
    """One argument of a type."""

    name: str
    """As the provider or the API spells it: `enableFIPS`."""
    type: str
    """`str`, `int`, `float`, `bool`, `any`, fixed words as `A|B`, a type of the table, or one of them as a list `[str]` or as a mapping `{str}`."""
    is_required: bool
    since: str
    """The first version of the API of AKS that has it, or a preview; empty if the version of the table has it."""


class Source(Enum):
    """Where types come from."""

    AZURE = "AZURE"
    AWS = "AWS"
    OBJECTS = "OBJECTS"

    @property
    def origin(self) -> str:
        """With its version: `pulumi-azure-native 3.29.0 (API 2025-09-01)`."""
        return " ".join(_sources()[self.value])

    @property
    def is_of_installed(self) -> bool:
        """The installed package has the version of the table, so it accepts nothing else. False of objects: their cluster decides."""
        package, of, *_ = _sources()[self.value]
        try:
            return version(package) == of
        except PackageNotFoundError:
            return False


def arguments(type_: str) -> Mapping[str, Argument] | None:
    """The arguments of a type by their names; `None` if it has none: it is a scalar, a list or a mapping."""
    return _types().get(type_)


@cache
def aks_versions() -> Sequence[str]:
    """The GA versions of the API of AKS since the one that azure-native has by default, which is the first."""
    return next(words for row, *words in rows_of(_FILE) if row == _VERSIONS)


@cache
def sendable_versions() -> Sequence[str]:
    """Those of them that the azure-native of the table can send."""
    return next(words for row, *words in rows_of(_FILE) if row == _SENDABLE)


def newer_version(version: str) -> str:
    """That a version of the API of AKS is newer than the table; empty if it is not a GA version, or not newer."""
    try:
        is_newer = date.fromisoformat(version).isoformat() == version > aks_versions()[-1]
    except ValueError:
        return ""
    return f"{NEWER} (table of {day_of(_FILE)}, up to {aks_versions()[-1]})" if is_newer else ""


def azure_native() -> str:
    """The azure-native that sends: the installed one, otherwise the one of the table."""
    package, of, *_ = _sources()[Source.AZURE.value]
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return f"{package} {of}"


@cache
def installed_versions() -> Sequence[str]:
    """The GA versions that the installed azure-native can send, which the documentation of its classes lists; without it, those of the table."""
    found = find_spec("pulumi_azure_native")
    if found is None or found.submodule_search_locations is None or Source.AZURE.is_of_installed:
        return sendable_versions()
    text = (Path(found.submodule_search_locations[0]) / "containerservice/managed_cluster.py").read_text(encoding="utf-8")
    default = max(_DEFAULT_VERSION.findall(text))
    others = re.findall(_ANY_VERSION, "".join(_OTHER_VERSIONS.findall(text)))
    return sorted({default, *(one for one in others if one > default)})


def lacks(since: str, version: str) -> str:
    """What a cluster lacks for an argument that the API has since a version. `version` is the one that is sent, empty for the default."""
    if since.endswith("preview"):
        return f"is a preview of Azure: version {since} of the AKS API has it, and no GA version"
    sent = f"the cluster is sent with {version if version else f'{aks_versions()[0]}, the default of {azure_native()}'}"
    return f"needs version {since} of the AKS API: {sent if since in installed_versions() else f'{azure_native()} cannot send it'}"


@cache
def _sources() -> Mapping[str, Sequence[str]]:
    return {name: words for row, name, *words in rows_of(_FILE) if row == _SOURCE}


@cache
def _types() -> Mapping[str, Mapping[str, Argument]]:
    others = {_SOURCE, _VERSIONS, _SENDABLE}
    return {type_: {one.name: one for one in map(_argument, words)} for type_, *words in rows_of(_FILE) if type_ not in others}


def _argument(word: str) -> Argument:
    name, _, type_ = word.partition(":")
    name, _, since = name.partition(_SINCE)
    return Argument(name.removesuffix(_REQUIRED), type_, name.endswith(_REQUIRED), since)


class Why(Enum):
    """What is wrong with an override."""

    NOTHING = "a value of the right type, or an argument that is removed"
    UNKNOWN = "no such argument"
    NEWER = "an argument of a newer version of the API"
    SPELLING = "the spelling of the API, which Pulumi passes on"
    TYPE = "a value of another type"
    REQUIRED = "a required argument is removed"


class Override(NamedTuple):
    """One value in overrides, or one name that is wrong."""

    at: Steps
    """In the overrides."""
    wire: Steps
    """The argument as the API spells it; of an unknown one, the argument that it is in."""
    why: Why
    near: str | None = None
    """The name that an unknown one is probably meant for."""
    is_certain: bool = True
    """A newer version of the table does not accept it either, or no newer one is in use."""
    expected: str = ""
    """What is accepted instead; the version that has a newer argument."""


class Overridden(NamedTuple):
    """The resource or object that overrides are merged into."""

    source: Source
    type: str
    spell: Callable[[str], str] = str
    """The name of an argument in overrides."""
    converts: bool = False
    """The provider converts numbers, switches and text into each other, and one value to a list."""
    version: str = ""
    """The version of the API of AKS; empty for the one of the table."""
    checks_text: bool = True
    """`False`: it is not known that the cloud rejects a boolean for text, or a number in a mapping of texts."""

    def overrides(self, given: Mapping[str, object]) -> Iterator[Override]:
        """Each value in `given`, with what is wrong with it."""
        yield from self._arguments(self.type, given, (), ())

    def _arguments(self, type_: str, given: Mapping[str, object], at: Steps, wire: Steps) -> Iterator[Override]:
        api = cast("Mapping[str, Argument]", arguments(type_))
        known = {self.spell(name): argument for name, argument in api.items()}
        for name, value in given.items():
            place, found = (*at, name), known.get(name)
            if found is None and at and name in api:
                found = api[name]
                yield Override(place, (*wire, name), Why.SPELLING, self.spell(name))
            if found is None:
                same = respelled(name, known)
                near = same if same is not None else nearest(name, known)
                yield Override(place, wire, Why.UNKNOWN, near, same is not None or (self.source.is_of_installed and not newer_version(self.version)))
            elif found.since > self.version:
                yield Override(
                    place, (*wire, found.name), Why.NEWER, is_certain=bool(self.version) or self.source.is_of_installed, expected=found.since
                )
            elif value is not None:
                yield from self._value(found.type, value, place, (*wire, found.name))
            else:
                yield Override(place, (*wire, found.name), Why.REQUIRED if found.is_required else Why.NOTHING)

    def _value(self, type_: str, value: object, at: Steps, wire: Steps) -> Iterator[Override]:
        has_arguments, inner = arguments(type_) is not None, type_[1:-1]
        if value == {} and (has_arguments or type_.startswith("{")):
            yield Override(at, wire, Why.NOTHING)
        elif isinstance(value, Mapping) and has_arguments:
            yield from self._arguments(type_, cast("Mapping[str, object]", value), at, wire)
        elif isinstance(value, Mapping) and type_.startswith("{"):
            inner = inner if self.checks_text or inner != "str" else _SCALAR
            for name, part in cast("Mapping[str, object]", value).items():
                yield from self._value(inner, part, (*at, name), (*wire, name))
        elif isinstance(value, list | tuple) and (type_.startswith("[") or (has_arguments and self.converts)):
            for index, part in enumerate(cast("Sequence[object]", value)):
                yield from self._value(type_ if has_arguments else inner, part, (*at, index), (*wire, index))
        elif self._fits(type_, cast("object", value)):
            yield Override(at, wire, Why.NOTHING)
        else:
            expected = "a list" if type_.startswith("[") else "a mapping" if has_arguments or type_.startswith("{") else _EXPECTED.get(type_, "")
            yield Override(at, wire, Why.TYPE, expected=expected if expected else f"one of {', '.join(type_.split('|'))}")

    def _fits(self, type_: str, value: object) -> bool:
        """A value without parts has the type, or is known later. Sets, bytes and parts of the model never have one."""
        if not isinstance(value, str | int | float | Mapping | list | tuple):
            return not isinstance(value, set | frozenset | bytes | Model) or isinstance(value, StackOutput)
        if type_ == "any":
            return True
        if isinstance(value, Mapping | list | tuple):
            return False
        if type_ == _SCALAR:
            return True
        if self.converts:
            return type_ == "str" or type_.startswith("[") or _is_converted(type_, value)
        return _has_type(type_, value) and (
            "|" not in type_ or not self.source.is_of_installed or str(value).casefold() in type_.casefold().split("|")
        )


def _has_type(type_: str, value: object) -> bool:
    if isinstance(value, bool):
        return type_ == "bool"
    if isinstance(value, int | float):
        return type_ == "float" or (type_ == "int" and float(value).is_integer())
    return type_ == "str" or "|" in type_


def _is_converted(type_: str, value: object) -> bool:
    """pulumi-aws converts it to a number or a switch."""
    if type_ == "bool":
        return not isinstance(value, str) or value.lower() in _SWITCHES
    if type_ not in {"int", "float"}:
        return False
    try:
        return type_ == "float" or float(cast("str", value)).is_integer()
    except ValueError:
        return False
