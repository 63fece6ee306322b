"""Functions of named formats: `format.dns1123Label().validate(self)`."""

import re
from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from nodepools.manifests.cel.errors import EvaluationError, NotCheckedError
from nodepools.manifests.cel.functions import Variant, function, member
from nodepools.manifests.cel.times import date
from nodepools.manifests.cel.urls import is_url
from nodepools.manifests.cel.values import NONE, Optional

_LABEL: Final = r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN: Final = rf"{_LABEL}(?:\.{_LABEL})*"
_NAME: Final = r"[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?"
_OF_LABEL, _OF_SUBDOMAIN = 63, 253


@dataclass(frozen=True, slots=True)
class Format:
    """A named format."""

    name: str


@dataclass(frozen=True, slots=True)
class Messages:
    """Why a text does not have a format. The API server has a list of texts; rules that read them are not checked."""

    text: str


def _text(expression: str, longest: int, *, is_prefix: bool = False) -> Callable[[str], bool]:
    """Returns whether a text matches and is not too long. A prefix of a name may end with `-`."""
    compiled = re.compile(expression)

    def has_format(value: str) -> bool:
        declaration = f"{value[:-2]}a" if is_prefix and value.endswith("-") and len(value) > 1 else value
        return len(value) <= longest and compiled.fullmatch(declaration) is not None

    return has_format


def _qualified(value: str) -> bool:
    prefix, slash, name = value.rpartition("/")
    return (not slash or FORMATS["dns1123Subdomain"](prefix)) and len(name) <= _OF_LABEL and re.fullmatch(_NAME, name) is not None


def _is_base64(value: str) -> bool:
    try:
        b64decode(value, validate=True)
    except (Base64Error, ValueError):
        return False
    return True


def _is_date(value: str) -> bool:
    try:
        date(value)
    except EvaluationError:
        return False
    return True


def _is_moment(_: str) -> bool:
    raise NotCheckedError("asks for the format `datetime`, which differs between releases of the API server")


FORMATS: Final[dict[str, Callable[[str], bool]]] = {
    "dns1123Label": _text(_LABEL, _OF_LABEL),
    "dns1123Subdomain": _text(_SUBDOMAIN, _OF_SUBDOMAIN),
    "dns1035Label": _text(r"[a-z](?:[-a-z0-9]*[a-z0-9])?", _OF_LABEL),
    "qualifiedName": _qualified,
    "dns1123LabelPrefix": _text(_LABEL, _OF_LABEL, is_prefix=True),
    "dns1123SubdomainPrefix": _text(_SUBDOMAIN, _OF_SUBDOMAIN, is_prefix=True),
    "dns1035LabelPrefix": _text(r"[a-z](?:[-a-z0-9]*[a-z0-9])?", _OF_LABEL, is_prefix=True),
    "labelValue": _text(rf"(?:{_NAME})?", _OF_LABEL),
    "uri": is_url,
    "uuid": _text(r"[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}", 100),
    "byte": _is_base64,
    "date": _is_date,
    "datetime": _is_moment,
}


def _validate(form: Format, value: str) -> Optional:
    return NONE if FORMATS[form.name](value) else Optional(Messages(f"does not have the format {form.name}"), is_there=True)


def _named(name: str) -> Optional:
    return Optional(Format(name), is_there=True) if name in FORMATS else NONE


NAMED_FORMATS: Final[tuple[Variant, ...]] = (
    *(function(f"format.{name}", (), lambda name=name: Format(name)) for name in FORMATS),
    function("format.named", (str,), _named),
    member("validate", (Format, str), _validate),
)
