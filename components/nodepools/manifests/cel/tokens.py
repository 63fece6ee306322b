"""Splits the text of an expression into tokens."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from nodepools.manifests.cel.errors import RuleSyntaxError
from nodepools.manifests.cel.values import LARGEST_INT, LARGEST_UINT, SMALLEST_INT, UInt

_TOKEN: Final = re.compile(
    r"""
    (?P<blank>(?:[ \t\n\r\f]|//[^\n]*)+)
  | (?P<raw>(?:[rR][bB]?|[bB][rR])(?:\"{3}.*?\"{3}|'{3}.*?'{3}|"[^"\n\r]*"|'[^'\n\r]*'))
  | (?P<text>[bB]?(?:\"{3}(?:\\.|[^\\])*?\"{3}|'{3}(?:\\.|[^\\])*?'{3}|"(?:\\.|[^"\\\n\r])*"|'(?:\\.|[^'\\\n\r])*'))
  | (?P<float>(?:[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?))
  | (?P<int>(?:0x[0-9a-fA-F]+|[0-9]+)[uU]?)
  | (?P<name>[_a-zA-Z][_a-zA-Z0-9]*)
  | (?P<escaped>`[a-zA-Z0-9_.\-/ ]+`)
  | (?P<symbol>&&|\|\||[<>=!]=|\.\?|\[\?|[-+*/%<>!?:.,()\[\]{}])
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPE: Final = re.compile(r"\\(?:([abfnrtv\\'\"`?])|[xX]([0-9a-fA-F]{2})|([0-3][0-7]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.?))", re.DOTALL)
_CONTROLS: Final = dict(zip("abfnrtv", "\a\b\f\n\r\t\v", strict=True))
_LAST_CHARACTER: Final = 0x10FFFF
_SURROGATES: Final = range(0xD800, 0xE000)


@dataclass(frozen=True, slots=True)
class Token:
    """A symbol or a name (in `text`), or a constant (in `value`)."""

    kind: str
    text: str
    position: int
    value: object = None


def tokens(text: str) -> Iterator[Token]:
    """Yields the tokens of an expression, and one that marks its end.

    Raises:
        RuleSyntaxError: the text is not made of tokens.
    """
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise RuleSyntaxError(f"`{text[at]}` at character {at + 1} is not valid here")
        if match.lastgroup != "blank":
            yield _token(str(match.lastgroup), match[0], at)
        at = match.end()
    yield Token("end", "", at)


def _token(kind: str, text: str, position: int) -> Token:
    if kind == "int":
        return Token("constant", text, position, _integer(text))
    if kind == "float":
        return Token("constant", text, position, float(text))
    if kind in {"text", "raw"}:
        return Token("constant", text, position, _string(text, is_raw=kind == "raw"))
    return Token("name", text[1:-1], position) if kind == "escaped" else Token(kind, text, position)


def _integer(text: str) -> int:
    number = int(text.rstrip("uU"), 16 if text.startswith("0x") else 10)
    is_unsigned = text[-1] in "uU"
    if number > (LARGEST_UINT if is_unsigned else -SMALLEST_INT):
        raise RuleSyntaxError(f"{text} is not a number of 64 bits")
    return UInt(number) if is_unsigned else number


def checked(number: int) -> int:
    """Returns a whole number as written, which has one sign at most: only a negative one can be -2^63.

    Raises:
        RuleSyntaxError: it is too large.
    """
    if not isinstance(number, UInt) and number > LARGEST_INT:
        raise RuleSyntaxError(f"{number} is not a number of 64 bits")
    return number


def _string(text: str, *, is_raw: bool) -> str | bytes:
    prefix = text[: min(text.find(quote) for quote in "'\"" if quote in text)]
    body = text[len(prefix) :]
    width = 3 if len(body) >= 6 and body[:3] in {'"""', "'''"} else 1  # noqa: PLR2004  # quotes at both ends
    body = body[width:-width].replace("\r\n", "\n")
    is_bytes = "b" in prefix.lower()
    if is_raw:
        return body.encode() if is_bytes else body
    return b"".join(_bytes(body)) if is_bytes else _ESCAPE.sub(_character, body)


def _character(match: re.Match[str]) -> str:
    plain, short, octal, four, eight, wrong = match.groups()
    if wrong is not None:
        raise RuleSyntaxError(f"`\\{wrong}` is not an escape sequence")
    if plain is not None:
        return _CONTROLS.get(plain, plain)
    code = int(octal, 8) if octal is not None else int(next(digits for digits in (short, four, eight) if digits is not None), 16)
    if code > _LAST_CHARACTER or code in _SURROGATES:
        raise RuleSyntaxError(f"`{match[0]}` is not a character")
    return chr(code)


def _bytes(body: str) -> Iterator[bytes]:
    """Yields the bytes of a literal, where hexadecimal and octal escapes are bytes and not characters."""
    at = 0
    for match in _ESCAPE.finditer(body):
        yield body[at : match.start()].encode()
        character = _character(match)
        is_byte = match[2] is not None or match[3] is not None
        yield bytes([ord(character)]) if is_byte else character.encode()
        at = match.end()
    yield body[at:].encode()
