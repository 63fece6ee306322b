"""The declarations that the components of a program hand over: written by the program's process, and read by the command that runs it."""

import asyncio
import os
import pickle
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import NamedTuple, cast

import pulumi

from nodepools.component.handed_over import HANDED_OVER, Declared, Refused, declared_here
from nodepools.engine.program_errors import refused
from nodepools.model.ref import SecretValue, is_output
from nodepools.model.steps import scalars


class HandedOver(NamedTuple):
    """What a program declared, and the findings that ended it."""

    declared: tuple[Declared, ...] = ()
    refused: Refused | None = None


class UnknownOutput(pulumi.Output[str]):
    """An Output of the program whose value is known after `pulumi up`. Two are equal if they come from the same resources."""

    def __init__(self, sources: frozenset[str]) -> None:  # pyright: ignore[reportMissingSuperCall]  # it has no value to wait for
        self.sources = sources

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, UnknownOutput) and bool(self.sources) and self.sources == other.sources)

    def __hash__(self) -> int:
        return hash(self.sources)

    def __str__(self) -> str:
        return "(known after `pulumi up`)"

    __repr__ = __str__


class _Writer(pickle.Pickler):
    """Writes text instead of an Output whose value is known, and the sources of others."""

    def __init__(self, file: BytesIO, outputs: Mapping[int, str | frozenset[str]]) -> None:
        super().__init__(file)
        self._outputs = outputs

    def persistent_id(self, obj: object) -> str | frozenset[str] | None:
        """What stands for an Output."""
        return self._outputs.get(id(obj), frozenset()) if is_output(obj) else None


class _Reader(pickle.Unpickler):
    """Reads what `_Writer` wrote."""

    def persistent_load(self, pid: str | frozenset[str]) -> object:
        """The text of an Output, or an unknown one."""
        return pid if isinstance(pid, str) else UnknownOutput(pid)


async def write_declarations(failure: BaseException | None) -> None:
    """Writes what the program declared before its `failure`, with the values of Outputs that are known by now."""
    found = [value.reveal() if isinstance(value, SecretValue) else value for one in declared_here for _, value in scalars(one.args)]
    outputs = {id(output): await _content(cast("pulumi.Output[object]", output)) for output in found if is_output(output)}
    written = BytesIO()
    _Writer(written, outputs).dump(HandedOver(tuple(declared_here), refused(failure) if failure is not None else None))
    await asyncio.to_thread(Path(os.environ[HANDED_OVER]).write_bytes, written.getvalue())


async def _content(output: pulumi.Output[object]) -> str | frozenset[str]:
    """The text of an Output, if it is known and not secret; otherwise the resources that it comes from."""
    try:
        if await output.is_known() and not await output.is_secret():
            value = await output.future()
            if isinstance(value, str):
                return value
        return frozenset([str(await resource.urn.future()) for resource in await output.resources()])
    except Exception:  # noqa: BLE001  # the program failed before it had a value: its error is reported
        return frozenset()


def read_declarations(file: Path) -> HandedOver:
    """What a program declared; nothing if it ended before it could write."""
    if not file.exists():
        return HandedOver()
    with file.open("rb") as opened:
        return cast("HandedOver", _Reader(opened).load())
