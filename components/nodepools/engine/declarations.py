"""The declarations that the components of a program hand over: written by the program's process, and read by the command that runs it.

Components are stand-ins there: they hand over their arguments, register no children, and load no SDK. Their outputs are unknown.
"""

import ast
import asyncio
import os
import pickle
import sys
from collections.abc import Callable, Iterator, Mapping
from inspect import currentframe, getclosurevars
from io import BytesIO
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Final, NamedTuple, cast, get_args

import pulumi

import nodepools
from nodepools.component.errors import reject_invalid
from nodepools.component.handed_over import HANDED_OVER, Declared, Refused, Skipped, declared_here, is_own, own_line
from nodepools.engine.errors import refused
from nodepools.model.base import Model
from nodepools.model.platform import AnyCluster
from nodepools.model.ref import SecretValue, is_output
from nodepools.model.steps import scalars
from nodepools.public_names import home_of

CLUSTER: Final = "nodepools:index:Cluster"
"""The type of the child of a stand-in from which its outputs come: the SDK records no dependency on a component without children."""


class HandedOver(NamedTuple):
    """What a program declared, and the findings that ended it."""

    declared: tuple[Declared, ...] = ()
    refused: Refused | None = None
    skipped: tuple[Skipped, ...] = ()


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
    skipped = (*_asked, *(one for one, ran in _applied if not ran))
    _Writer(written, outputs).dump(HandedOver(tuple(declared_here), refused(failure) if failure is not None else None, skipped))
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


_asked: Final[list[Skipped]] = []
_applied: Final[list[tuple[Skipped, list[bool]]]] = []
"""Functions that register resources, and whether they ran."""
_REGISTERING: Final = ("nodepools.", "pulumi_aws.eks", "pulumi_azure_native.containerservice", "pulumi_kubernetes.")
"""Modules of resources that are about clusters, their pools, or what is in them."""
_DEEPEST: Final = 3
"""Functions that call functions are searched to this depth."""


def declare_only() -> None:
    """From now on, components of this process only declare, and what the program decides by unknown values is recorded."""
    for kind in cast("tuple[type[Model], ...]", get_args(AnyCluster)):
        stand_in = _stand_in(kind)
        setattr(nodepools, stand_in.__name__, stand_in)
    apply = cast("Callable[[pulumi.Output[object], Callable[[object], object], bool], pulumi.Output[object]]", vars(pulumi.Output)["apply"])

    def watched(self: pulumi.Output[object], func: Callable[[object], object], run_with_unknowns: bool = False) -> pulumi.Output[object]:  # noqa: FBT001, FBT002  # as in the SDK
        names, ran = sorted(set(_registered(func, _DEEPEST))), list[bool]()
        if not names:
            return apply(self, func, run_with_unknowns)
        _applied.append((Skipped(*own_line(), f"`apply` of a value that is known after `pulumi up` creates {', '.join(names)}"), ran))

        def noted(value: object) -> object:
            ran.append(True)
            return func(value)

        return apply(self, noted, run_with_unknowns)

    setattr(pulumi.Output, "apply", watched)  # noqa: B010  # type checkers know the method by its own type
    setattr(pulumi.Output, "__bool__", _is_true)  # noqa: B010


def _is_true(_: object) -> bool:
    """An Output is always true. If the program asks, its other branch never runs."""
    here = currentframe()
    caller = here.f_back if here is not None else None
    if caller is not None and is_own(caller.f_code.co_filename):  # the SDK asks too
        _asked.append(Skipped(caller.f_code.co_filename, caller.f_lineno, "a condition is about an Output, which is true whatever its value is"))
    return True


def _registered(func: object, depth: int) -> Iterator[str]:
    """The resources about clusters that a function of the program can create, as far as its names tell."""
    if not isinstance(func, FunctionType) or not is_own(func.__code__.co_filename) or depth == 0:
        return
    names = list(_names(func.__code__))
    known: dict[str, object] = {**func.__globals__, **getclosurevars(func).nonlocals}
    for value in (known[name] for name in names if name in known):
        inside: list[object] = [cast("object", getattr(value, name, None)) for name in names] if isinstance(value, ModuleType) else [value]
        for one in inside:
            found = _resource(one)
            yield from [found] if found else _registered(one, depth - 1)


def _resource(found: object) -> str:
    """The name of the resource that a class or a function creates, if it can be about clusters."""
    if isinstance(found, type) and issubclass(found, pulumi.Resource):
        return found.__name__ if found.__module__.startswith(_REGISTERING) or is_own(_file(found)) else ""
    return "deploy" if isinstance(found, FunctionType) and found.__module__ == "nodepools.deployment" else ""


def _names(code: CodeType) -> Iterator[str]:
    yield from (*code.co_names, *code.co_freevars)
    for inside in code.co_consts:
        if isinstance(inside, CodeType):
            yield from _names(inside)


def _file(kind: type) -> str:
    return getattr(sys.modules.get(kind.__module__), "__file__", None) or "<unknown>"


class _Pool(pulumi.ComponentResource):
    """Stands for the resource of a pool: others can depend on it, and all its outputs are unknown."""

    def __getattr__(self, name: str) -> pulumi.Output[object]:
        if name.startswith("_"):
            raise AttributeError(name)
        return _later(self)


def _stand_in(args: type[Model]) -> type[pulumi.ComponentResource]:
    """The component of a cluster with the same name and the same outputs, which are unknown."""
    name = args.__name__.removesuffix("Args")
    written = next(node for node in ast.parse(home_of(name).read_text(encoding="utf-8")).body if isinstance(node, ast.ClassDef) and node.name == name)
    outputs = [one.target.id for one in written.body if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)]
    parts = [one.name for one in written.body if isinstance(one, ast.FunctionDef) and any(map(_is_property, one.decorator_list))]

    def start(self: pulumi.ComponentResource, name_: str, args_: Model, opts: pulumi.ResourceOptions | None = None) -> None:
        reject_invalid(args_, args, name, name_)
        pulumi.ComponentResource.__init__(self, f"nodepools:index:{name}", name_, {}, opts)
        cluster = pulumi.CustomResource(CLUSTER, name_, {}, pulumi.ResourceOptions(parent=self))  # what others get from outputs, they get from it
        for output in outputs:
            setattr(self, output, _later(cluster))
        for part in parts:
            keys = cast("Mapping[str, object]", getattr(args_, _DECLARED_AS.get(part, part)))
            inside = pulumi.ResourceOptions(parent=self)
            setattr(self, part, {key: _Pool(f"nodepools:index:{part}", f"{name_}-{key}", {}, inside) for key in keys})

    start.__qualname__ = f"{name}.__init__"
    body = {"__init__": start, "render": _later, "__annotations__": dict.fromkeys(outputs, pulumi.Output), "__module__": "nodepools.stand_in"}
    return type(name, (pulumi.ComponentResource,), body)


_DECLARED_AS: Final = {"agent_pools": "pools"}
"""Fields of the declaration with the keys of resources that a component has, where their names differ."""


def _is_property(decorator: ast.expr) -> bool:
    return isinstance(decorator, ast.Name) and decorator.id == "property"


def _later(resource: pulumi.Resource) -> pulumi.Output[object]:
    async def is_known() -> bool:  # the SDK awaits it
        return False

    async def value() -> None:
        return None

    return pulumi.Output({resource}, value(), is_known())
