"""The syntax tree of an expression, and the parser that reads it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from nodepools.cel.meter import NotCheckedError, RuleSyntaxError
from nodepools.cel.values import LARGEST_INT, LARGEST_UINT, SMALLEST_INT, UInt


@dataclass(frozen=True, slots=True)
class Literal:
    """A constant."""

    value: object


@dataclass(frozen=True, slots=True)
class Name:
    """A variable, or the beginning of the name of a function: `self`, `strings` of `strings.quote`."""

    text: str


@dataclass(frozen=True, slots=True)
class Field:
    """A field: `of.name`, or `of.?name`."""

    of: "Node"
    name: str
    is_optional: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a list or a map: `of[key]`, or `of[?key]`."""

    of: "Node"
    key: "Node"
    is_optional: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """A function, a macro or an operator. Operators have their symbol as the name."""

    name: str
    target: "Node | None"
    arguments: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list; an element marked with `?` is omitted if it has no value."""

    elements: tuple[tuple["Node", bool], ...]


@dataclass(frozen=True, slots=True)
class MapOf:
    """A map; an entry marked with `?` is omitted if it has no value."""

    entries: tuple[tuple["Node", "Node", bool], ...]


Node: TypeAlias = Literal | Name | Field | Entry | Call | ListOf | MapOf


def inside(node: Node) -> Iterator[Node]:
    """Yields the parts of a node."""
    match node:
        case Literal() | Name():
            return
        case Field():
            yield node.of
        case Entry():
            yield from (node.of, node.key)
        case Call():
            yield from (node.target, *node.arguments) if node.target is not None else node.arguments
        case ListOf():
            yield from (element for element, _ in node.elements)
        case MapOf():
            yield from (part for key, value, _ in node.entries for part in (key, value))


def names(node: Node) -> Iterator[str]:
    """Yields every name in an expression, such as `self` and `oldSelf`."""
    if isinstance(node, Name):
        yield node.text
    for part in inside(node):
        yield from names(part)


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


_LONGEST: Final = 100_000
_LEVELS: Final = (("||",), ("&&",), ("<", "<=", ">", ">=", "==", "!=", "in"), ("+", "-"), ("*", "/", "%"))
"""Binary operators, weakest first."""
_CONSTANTS: Final = {"true": True, "false": False, "null": None}
_RESERVED: Final = frozenset(
    (
        *("as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop", "package", "namespace"),
        *("return", "var", "void", "while", "in"),
    )
)


def parse(text: str) -> Node:
    """Reads an expression.

    Raises:
        RuleSyntaxError: the text is not an expression.
        NotCheckedError: it is too long or too deeply nested, or creates a message.
    """
    if len(text) > _LONGEST:
        raise NotCheckedError(f"has more than {_LONGEST:,} characters")
    try:
        return _Parser(text).whole()
    except RecursionError:
        raise NotCheckedError("is nested too deeply") from None


class _Parser:
    def __init__(self, text: str) -> None:
        self._tokens = list(tokens(text))
        self._at = 0

    def whole(self) -> Node:
        node = self._expression()
        if self._next.kind != "end":
            raise self._unexpected()
        return node

    @property
    def _next(self) -> Token:
        return self._tokens[self._at]

    def _unexpected(self) -> RuleSyntaxError:
        token = self._next
        return RuleSyntaxError("it ends too early" if token.kind == "end" else f"`{token.text}` at character {token.position + 1} is not valid here")

    def _takes(self, *symbols: str) -> str | None:
        """Consumes one of these symbols, if it is next."""
        token = self._next
        if token.kind in {"symbol", "name"} and token.text in symbols:
            self._at += 1
            return token.text
        return None

    def _needs(self, symbol: str) -> None:
        if self._takes(symbol) is None:
            raise self._unexpected()

    def _expression(self) -> Node:
        node = self._binary(0)
        if self._takes("?"):
            then = self._binary(0)
            self._needs(":")
            node = Call("?:", None, (node, then, self._expression()))
        return node

    def _binary(self, level: int) -> Node:
        if level == len(_LEVELS):
            return self._unary()
        left = self._binary(level + 1)
        parts = [left]
        while (symbol := self._takes(*_LEVELS[level])) is not None:
            right = self._binary(level + 1)
            if symbol in {"&&", "||"}:
                parts.append(right)
            else:
                left = Call(symbol, None, (left, right))
        return Call(_LEVELS[level][0], None, tuple(parts)) if len(parts) > 1 else left

    def _unary(self) -> Node:
        signs = 0
        if self._next.text == "!" and self._next.kind == "symbol":
            while self._takes("!"):
                signs += 1
            node = self._member()
            return Call("!", None, (node,)) if signs % 2 else Call("!", None, (Call("!", None, (node,)),))
        while self._takes("-"):
            signs += 1
        token = self._next
        if signs and token.kind == "constant" and type(token.value) in {int, float}:
            self._at += 1
            number = token.value
            signs -= 1
            assert isinstance(number, int | float)  # noqa: S101  # the line above asks it
            return self._negated(self._after(Literal(-number)), signs)
        return self._negated(self._member(), signs)

    @staticmethod
    def _negated(node: Node, signs: int) -> Node:
        for _ in range(min(signs, 2 - signs % 2)):
            node = Call("negate", None, (node,))
        return node

    def _member(self) -> Node:
        return self._after(self._primary())

    def _after(self, node: Node) -> Node:
        """Reads the fields, entries and calls that follow a value."""
        while (symbol := self._takes(".", ".?", "[", "[?")) is not None:
            if symbol.startswith("."):
                name = self._identifier()
                is_call = symbol == "." and self._takes("(") is not None
                node = Call(name, node, self._arguments(")")) if is_call else Field(node, name, symbol == ".?")
            else:
                key = self._expression()
                self._needs("]")
                node = Entry(node, key, symbol == "[?")
        return node

    def _identifier(self) -> str:
        token = self._next
        if token.kind not in {"name", "escaped"}:
            raise self._unexpected()
        self._at += 1
        return token.text

    def _primary(self) -> Node:
        token = self._next
        if token.kind == "constant":
            self._at += 1
            value = token.value
            return Literal(checked(value) if isinstance(value, int) else value)
        if self._takes("("):
            node = self._expression()
            self._needs(")")
            return node
        if self._takes("["):
            return self._list()
        if self._takes("{"):
            return self._map()
        self._takes(".")
        return self._named()

    def _named(self) -> Node:
        token = self._next
        if token.kind == "name" and token.text in _CONSTANTS:
            self._at += 1
            return Literal(_CONSTANTS[token.text])
        if token.kind != "name" or token.text in _RESERVED:
            raise self._unexpected()
        self._at += 1
        if self._takes("("):
            return Call(token.text, None, self._arguments(")"))
        if self._next.text == "{" and self._next.kind == "symbol":
            raise NotCheckedError(f"creates a message of type `{token.text}`")
        return Name(token.text)

    def _arguments(self, end: str) -> tuple[Node, ...]:
        found: list[Node] = []
        while not self._takes(end):
            if found:
                self._needs(",")
            found.append(self._expression())
        return tuple(found)

    def _list(self) -> Node:
        found: list[tuple[Node, bool]] = []
        while not self._takes("]"):
            if found:
                self._needs(",")
                if self._takes("]"):
                    break
            is_optional = self._takes("?") is not None
            found.append((self._expression(), is_optional))
        return ListOf(tuple(found))

    def _map(self) -> Node:
        found: list[tuple[Node, Node, bool]] = []
        while not self._takes("}"):
            if found:
                self._needs(",")
                if self._takes("}"):
                    break
            is_optional = self._takes("?") is not None
            key = self._expression()
            self._needs(":")
            found.append((key, self._expression(), is_optional))
        return MapOf(tuple(found))
