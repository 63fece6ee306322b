"""Arguments of Terraform's providers as another spelling of the rows: each has a place in the API of the cloud, or the reason why it has none."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple, cast

from nodepools.model.listing import grouped
from nodepools.model.steps import Steps, mapping, sequence
from nodepools.model.unknowns import UNKNOWN
from nodepools.model.values import dataclass, field
from nodepools.wire.rows import OPPOSITE, SAME, UNLESS_ZERO, Convert
from nodepools.wire.table import path, put_at


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else f"{value}"


TEXT: Final[Convert] = _text
NOT_ZERO: Final[Convert] = UNLESS_ZERO.read
"""A state has 0 where nothing is set."""
_PLAIN: Final = (str, int, float, list, Mapping)


def text_list(value: object) -> object:
    """A set, in one order; as it is if an element is not known."""
    held = sequence(value)
    return sorted(cast("Sequence[str]", held)) if all(isinstance(one, str) for one in held) else value


def listed_entries(names: Mapping[str, str]) -> Convert:
    """Blocks as entries of a list, with other names."""
    return lambda blocks: [{wire: mapping(block).get(name) for name, wire in names.items()} for block in sequence(blocks)]


def pairs(key: str, value: str) -> Convert:
    """A mapping as entries of a list."""
    return lambda held: [{key: name, value: one} for name, one in mapping(held).items()]


class Argument(NamedTuple):
    """The place of an argument in the API of the cloud."""

    wire: str
    write: Convert = SAME.write


@dataclass(frozen=True)
class Arguments:
    """The arguments of one type of resources."""

    type: str
    places: Mapping[str, Argument]
    """By their path, without the indices of blocks."""
    others: Mapping[str, str]
    """Arguments and attributes without a row, each with the reason."""
    switches: Mapping[str, str] = field(default_factory=dict[str, str])
    """Blocks that turn something on by being there."""

    @cached_property
    def blocks(self) -> frozenset[str]:
        """The paths that have arguments below them."""
        every = [name.split(".") for name in (*self.places, *self.others)]
        return frozenset(".".join(parts[:length]) for parts in every for length in range(1, len(parts))) | self.switches.keys()

    @cached_property
    def _by_wire(self) -> Mapping[Steps, Sequence[str]]:
        return grouped((_steps(argument.wire), name) for name, argument in self.places.items())

    def is_opposite(self, wire: Steps) -> bool:
        """The argument turns on what the one of the API turns off."""
        return any(self.places[name].write is OPPOSITE.write for name in self._by_wire.get(wire, ()))

    def argument(self, wire: Steps, written: Mapping[str, object]) -> Steps:
        """The path of the argument at a place of the API, as Terraform writes it; the place itself if no argument has it.

        `written` says which of several names the resource has.
        """
        for length in range(len(wire), 0, -1):
            names = self._by_wire.get(wire[:length], ())
            if names:
                name = next((one for one in names if _held(written, one) is not None), names[0])
                return (*_indexed(name), *wire[length:])
        inside = next((name for name, argument in self.places.items() if _steps(argument.wire)[: len(wire)] == wire), "").split(".")
        depth = len(inside) - len(_steps(self.places[".".join(inside)].wire)) + len(wire) if inside != [""] else 0
        return (*_indexed(".".join(inside[:depth])), 0) if depth > 0 else wire


def _steps(wire: str) -> Steps:
    return tuple(int(step) if step.isdecimal() else step for step in path(wire))


def _held(written: Mapping[str, object], name: str) -> object:
    held: object = written
    for step in name.split("."):
        held = mapping(block_of(held)).get(step)
    return held


def _indexed(name: str) -> Steps:
    """The steps of an argument, with the index 0 of blocks."""
    *above, last = name.split(".")
    made: list[str | int] = []
    for step in above:
        made += [step, 0]
    return (*made, last)


def block_of(value: object) -> object:
    """The only block of a list, which Terraform has for a block that can be there once."""
    held = sequence(value)
    return held[0] if len(held) == 1 else value


def _is_unset(value: object) -> bool:
    return value is None or value in ("", [], {}, ())


def written_by(arguments: Arguments, values: Mapping[str, object]) -> tuple[dict[str, object], list[tuple[Steps, object]]]:
    """What the provider sends, and the arguments that no row has and nothing explains."""
    made: dict[str, object] = {}
    left: list[tuple[Steps, object]] = []
    for wire, value in _written(arguments, values, "", left):
        put_at(made, path(wire), value)
    return made, left


def _written(arguments: Arguments, values: Mapping[str, object], above: str, left: list[tuple[Steps, object]]) -> Iterator[tuple[str, object]]:
    for name, value in values.items():
        place = f"{above}{name}"
        if place in arguments.places:
            wire, write = arguments.places[place]
            sent = None if _is_unset(value) else write(value) if isinstance(value, _PLAIN) else value
            if sent is not None:
                yield wire, sent
        elif place in arguments.others or _is_unset(value):
            continue
        elif place in arguments.blocks:
            yield from _of_block(arguments, block_of(value), place, left)
        elif value is not False:
            left.append((_indexed(place), value))


def _of_block(arguments: Arguments, block: object, place: str, left: list[tuple[Steps, object]]) -> Iterator[tuple[str, object]]:
    if place in arguments.switches:
        yield arguments.switches[place], True if isinstance(block, Mapping) else UNKNOWN
    if isinstance(block, Mapping):
        yield from _written(arguments, cast("Mapping[str, object]", block), f"{place}.", left)
    else:  # it is not known, or secret
        yield from ((argument.wire, UNKNOWN) for name, argument in arguments.places.items() if name.startswith(f"{place}."))
