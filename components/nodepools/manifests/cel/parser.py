"""Reads the text of an expression into its syntax tree."""

from typing import Final

from nodepools.manifests.cel.errors import NotCheckedError, RuleSyntaxError
from nodepools.manifests.cel.syntax import Call, Entry, Field, ListOf, Literal, MapOf, Name, Node
from nodepools.manifests.cel.tokens import Token, checked, tokens

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
