"""A break of every constraint, and what lies just inside of it: made from the schema where it says enough, by hand for rules in CEL."""

import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from tests.oracle.crds.constraints import Constraint
from tests.oracle.crds.rules_broken import GONE, RULES, Steps
from tests.oracle.crds.texts import near, taken
from tests.oracle.crds.whole import OTHERWISE, WHOLE

OF_ANOTHER_TYPE: dict[str, tuple[Any, ...]] = {
    "string": (3, ["x"]),
    "integer": ("3", 1.5),
    "boolean": ("true", 1),
    "array": ("x", {"x": "y"}),
    "object": ("x", ["x"]),
    "integer or string": (1.5, True),
}
NO_TIMES = ("2026-11-21", "2026-13-21T04:40:00Z", "2026-11-21T24:40:00Z", "2026-11-21T04:40:00", "yesterday", "")
BITS = {"int32": 31, "int64": 63}
SAYS = {
    "type": r"must be of type|unmarshal|cannot|expected",
    "unknown": r"unknown field",
    "enum": r"Unsupported value",
    "pattern": r"should match",
    "format": r"must be of type (date-time|int64|integer with format)",
    "minimum": r"should be greater than or equal to",
    "maximum": r"should be less than or equal to",
    "minLength": r"should be at least \d+ chars",
    "maxLength": r"Too long",
    "minItems": r"should have at least \d+ items",
    "maxItems": r"Too many",
    "maxProperties": r"Too many",
    "required": r"Required value|does not match the expected API version|Object 'Kind' is missing",
    "x-kubernetes-list-type": r"Duplicate value",
}
"""How the server says it."""
MOST_OF_A_PATTERN_AGAIN = 3
"""A pattern that another field had is not tried with every text again."""


@dataclass(frozen=True)
class Case:
    """The whole object, with one field of it said otherwise."""

    of: Constraint
    at: Steps
    """The field that is wrong."""
    value: Any
    manifest: dict[str, Any]

    def is_told(self, refusal: str) -> bool:
        """The server refuses it for this very constraint, and names the field."""
        says = re.escape(self.of.of) if self.of.keyword == "rule" else SAYS[self.of.keyword]
        return re.search(says, refusal) is not None and (len(self.at) == 1 or written(self.at) in refusal)

    def __str__(self) -> str:
        value = "gone" if self.value is GONE else "changed" if callable(self.value) else f"{self.value!r:.80}"
        return f"{self.of}: {written(self.at)} = {value}"


def written(at: Steps) -> str:
    """`spec.taints[0].key`."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in at).lstrip(".")


def cases(kind: str, of: Constraint, *, broken: bool, again: bool) -> list[Case]:
    """Objects that break it, or that keep it if only just; fewer where another field has the same pattern."""
    if of.keyword == "rule":
        return list(_ruled(kind, of, broken=broken))
    whole = whole_of(kind, of.at)
    at = found(whole, of.at)
    said = list((_broken if broken else _kept)(of, at, _inside(whole, at)))
    if again:
        said = [*said[:MOST_OF_A_PATTERN_AGAIN], *said[-MOST_OF_A_PATTERN_AGAIN:]]
    return [Case(of, steps, value, _changed(whole, steps, value)) for steps, value in said]


def whole_of(kind: str, at: tuple[str, ...]) -> dict[str, Any]:
    """The object in which the field is said."""
    return WHOLE[kind] if _found(WHOLE[kind], at) is not None else OTHERWISE.get(kind, WHOLE[kind])


def found(whole: dict[str, Any], at: tuple[str, ...]) -> Steps:
    """Where the object has the field: in the first entry of a list that says it."""
    steps = _found(whole, at)
    assert steps is not None, f"no whole {whole['kind']} says {'.'.join(at)}: it cannot be broken"
    return steps


def _found(value: Any, at: tuple[str, ...]) -> Steps | None:
    if not at:
        return ()
    first, *rest = at
    steps: list[str | int] = list(range(len(value))) if first == "[]" else list(value) if first == "{}" else [first]
    if first not in ("[]", "{}") and first not in (*value, "replicas"):  # which nothing goes with, so that the whole object is without
        return None
    inside = ((step, _found(value[step] if isinstance(step, int) else value.get(step), tuple(rest))) for step in steps)
    return next(((step, *more) for step, more in inside if more is not None), None)


def _inside(value: Any, at: Steps) -> Any:
    for step in at:
        value = value[step] if isinstance(step, int) else value.get(step)
    return value


def _changed(whole: dict[str, Any], at: Steps, value: Any) -> dict[str, Any]:
    made = deepcopy(whole)
    holder = _inside(made, at[:-1])
    if callable(value):
        value(holder[at[-1]])
    elif value is GONE:
        holder.pop(at[-1], None)
    else:
        holder[at[-1]] = deepcopy(value)
    return made


def _ruled(kind: str, of: Constraint, *, broken: bool) -> Iterator[Case]:
    *_, name = (step for step in of.at if step not in ("[]", "{}"))
    rows = RULES.get((name, of.of))
    whole = whole_of(kind, of.at)
    at = found(whole, of.at)
    for way, value in (rows.broken if broken else rows.kept) if rows is not None else ():
        if of.at[-1] == "[]":  # a rule about entries is asked of one more, and the others stay as they are
            entries = _inside(whole, at[:-1])
            made = _changed(whole, at[:-1], [*entries, entries[0]])
            here = (*at[:-1], len(entries))
            value(_inside(made, here))
            yield Case(of, here, value, made)
        else:
            yield Case(of, at, value, _changed(whole, (*at, *way), value))


def _broken(of: Constraint, at: Steps, here: Any) -> Iterator[tuple[Steps, Any]]:
    match of.keyword:
        case "unknown":
            yield (*at, "unheardOf"), "x"
        case "required":
            yield (*at, of.of), GONE
        case "x-kubernetes-list-type":
            yield at, lambda entries: entries.append(deepcopy(entries[0]))
        case _:
            yield from ((at, value) for value in _wrong(of, here))


def _wrong(of: Constraint, here: Any) -> Iterator[Any]:
    """What stands there and must not."""
    match of.keyword:
        case "type":
            yield from OF_ANOTHER_TYPE[of.of]
        case "enum":
            words = ("unheard-of", of.of[0].swapcase(), of.of[-1].lower(), f"{of.of[0]} ")
            yield from (word for word in dict.fromkeys(words) if word not in of.of)
        case "pattern":
            yield from (text for text in near(of.of) if not taken(of.of, text) and _has_length(of, text))
        case "format":
            yield from (2 ** BITS[of.of], -(2 ** BITS[of.of]) - 1) if of.of in BITS else NO_TIMES
        case "minimum" | "maximum":
            yield of.of + (1 if of.keyword == "maximum" else -1)
        case "minLength" | "maxLength":
            yield "x" * (of.of + (1 if of.keyword == "maxLength" else -1))
        case "minItems":
            yield here[: of.of - 1]
        case _:
            yield _many(here, of.of + 1)


def _kept(of: Constraint, at: Steps, here: Any) -> Iterator[tuple[Steps, Any]]:
    match of.keyword:
        case "enum":
            yield from ((at, value) for value in of.of)
        case "pattern":
            yield from ((at, text) for text in near(of.of) if taken(of.of, text) and _has_length(of, text))
        case "format" if of.of in BITS:
            bounds = (2 ** BITS[of.of] - 1, -(2 ** BITS[of.of]))
            yield from ((at, value) for value in bounds if of.schema.get("minimum", value) <= value <= of.schema.get("maximum", value))
        case "format":
            yield from ((at, f"2026-11-21T04:40:00{rest}") for rest in ("Z", "z", "+01:00", "-12:30", ".5Z", ".123456789+00:00"))
        case "minimum" | "maximum":
            yield at, of.of
        case "minLength" | "maxLength":
            yield at, "x" * of.of
        case "minItems":
            yield at, here[: of.of]
        case "maxItems" | "maxProperties":
            yield at, _many(here, of.of)
        case _:
            return


def _has_length(of: Constraint, text: str) -> bool:
    """Its length is right, and only its form in question."""
    return of.schema.get("minLength", 0) <= len(text) <= of.schema.get("maxLength", len(text))


def _many(here: Any, count: int) -> Any:
    """So many entries, different where they have to be."""
    if isinstance(here, dict):
        return {f"k{number}": "v" for number in range(count)}
    return [*here, *(_another(here[0], number) for number in range(count - len(here)))]


def _another(entry: Any, number: int) -> Any:
    if not isinstance(entry, dict):
        return entry
    told = {"zone": f"z{number}.example.com"} if "zone" in entry else {"key": f"k{number}"} if "key" in entry else {}
    return {**deepcopy(entry), **told}
