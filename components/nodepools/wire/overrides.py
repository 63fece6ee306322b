"""Arguments without a field: each is the same in every request, or is set only by `overrides`, which are merged into requests."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, cast

from nodepools.model.base import Model
from nodepools.model.ref import StackOutput
from nodepools.model.steps import Steps, rewritten
from nodepools.model.unknowns import UNKNOWN
from nodepools.wire.reading import Reading, Resolve, Writing, is_known
from nodepools.wire.table import Change, Effect, FieldPath, Pattern, Written, path, put_at, python_name

_OVERRIDDEN = Change(Effect.UNKNOWN, "the effect of the argument that it replaces")


class Argument(NamedTuple):
    """One argument without a field."""

    wire: str
    change: Change | None = None
    value: object = None
    """The value in every request; `None` sends nothing."""
    default: object = None
    """The cloud default, which a request without the argument is read as. `None` if it is not certain."""
    provider_place: str = ""
    """The place in the provider's spelling, if it differs from the place in the table."""

    def differs(self, written: object) -> bool:
        """It has another effect than the value that our requests send."""
        found, ours = (self.default if value is None else value for value in (written, self.value))
        return found is not None and found != ours

    @property
    def override(self) -> tuple[str, ...]:
        """Its path in `overrides`: the same place in the provider's Python spelling."""
        return tuple(map(python_name, path(self.provider_place if self.provider_place else self.wire)))


class Overrides(NamedTuple):
    """The field `overrides`, with the arguments that are read into it."""

    arguments: tuple[Argument, ...] = ()

    def write(self, part: Model, out: Writing) -> None:
        """Writes the arguments with their fixed values, or with those in `overrides`. Other overrides replace what is written later."""
        overrides = out.value(part, "overrides")
        for argument in self.arguments:
            out.put(argument.wire, _overridden(overrides if overrides is not None else {}, argument.override, argument.value))

    def read(self, written: Written, reading: Reading, place: Steps) -> Written:
        """The arguments that differ from our requests, including unknown ones."""
        del place
        values = ((argument, value if is_known(value := reading.at(written, argument.wire)) else UNKNOWN) for argument in self.arguments)
        overridden = [(argument.override, value if value is not None else argument.default) for argument, value in values if argument.differs(value)]
        made: dict[str, object] = {}
        for steps, value in overridden:
            put_at(made, steps, value)
        return {"overrides": made} if made else {}

    def field_paths(self) -> Iterator[FieldPath]:
        """The field, and the place of each argument."""
        yield FieldPath(("overrides",), (), _OVERRIDDEN, self)
        for argument in self.arguments:
            yield FieldPath(("overrides", *argument.override), path(argument.wire), argument.change, self, alike=True, default=argument.default)

    def read_paths(self) -> Iterator[Pattern]:
        """The place of each argument."""
        for argument in self.arguments:
            yield path(argument.wire)


def merge_overrides(made: Mapping[str, object], overrides: Mapping[str, object], resolve: Resolve | None = None) -> dict[str, object]:
    """Merges `overrides` into `made`: mappings field by field. `None` removes a field, any other value replaces it, as lists and dicts.

    Args:
        made: what fields send.
        overrides: what replaces it.
        resolve: the value of an output of another stack; `None` leaves it as it is.
    """
    both = dict(made)
    for name, over in overrides.items():
        under = both.get(name)
        if over is None:
            both.pop(name, None)
        elif isinstance(over, Mapping) and isinstance(under, Mapping):
            both[name] = merge_overrides(cast("Mapping[str, object]", under), cast("Mapping[str, object]", over), resolve)
        else:
            both[name] = rewritten(
                cast("object", over), lambda _, value: resolve(value) if resolve is not None and isinstance(value, StackOutput) else value
            )
    return both


def without_unknown(overrides: Written) -> dict[str, object]:
    """`overrides` without unknown values, which then count as the fixed values of our requests."""
    inner = {name: without_unknown(cast("Written", value)) if isinstance(value, dict) else value for name, value in overrides.items()}
    return {name: value for name, value in inner.items() if value is not UNKNOWN and value != {}}


def _overridden(held: object, steps: Sequence[str], value: object) -> object:
    """The value of `overrides` at `steps`, or `value` if it is not set there. A `None` on the path removes the argument."""
    for step in steps:
        if not isinstance(held, Mapping) or step not in held:
            return value if held is not None else None
        held = cast("Written", held)[step]
    return held
