"""Names with a maximum length, and fingerprints that change when, and only when, a value changes."""

from hashlib import sha256
from json import dumps

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_HASH = 4


def fingerprint(content: object, length: int = _HASH) -> str:
    """Lowercase letters and digits that depend only on `content`, which is plain data."""
    number = int.from_bytes(sha256(dumps(content, sort_keys=True, default=str).encode()).digest())
    text = ""
    while len(text) < length:
        number, digit = divmod(number, len(_DIGITS))
        text += _DIGITS[digit]
    return text


def cut(name: str, longest: int) -> str:
    """`name`, or if it is too long, its beginning and a fingerprint of it."""
    return name if len(name) <= longest else f"{name[: longest - _HASH - 1]}-{fingerprint(name)}"


def azure_name(location: str) -> str:
    """`westeurope` for `West Europe`, which Azure accepts as a location, in any case, but not in a name."""
    return location.replace(" ", "").lower()
