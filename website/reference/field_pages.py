"""The reference of fields: every class of the declaration with its fields, defaults, and the effect of a change."""

from collections.abc import Iterator, Sequence
from typing import Final, Literal, get_args, get_origin

from pydantic.fields import FieldInfo

from nodepools import Platform
from nodepools.model.base import Model
from nodepools.model.ref import StackOutput
from nodepools.model.schema import field_docs
from nodepools.rules.type_hints import bare, is_mapping, is_model, options, reachable
from nodepools.wire.effects import Effect
from website.reference.field_changes import declaring, sent

PAGES: Final = (
    ("platform", "Platforms", ("",)),
    ("aks-clusters", "AKS clusters", ("aks",)),
    ("aks-pools", "AKS agent pools", ("aks.agent_pool", "aks.pools", "aks.pool_settings", "aks.node_settings", "aks.sysctls")),
    ("aks-networks", "AKS networks", ("aks.network",)),
    ("aks-node-provisioning", "AKS node auto provisioning", ("aks.node_provisioning", "aks.node_class")),
    ("eks-clusters", "EKS clusters", ("eks",)),
    ("eks-auto-mode", "EKS Auto Mode", ("eks.auto_mode", "eks.node_class")),
    ("eks-networks", "EKS networks", ("eks.network",)),
    ("karpenter", "NodePools of both clouds", ("karpenter", "disruption", "kubernetes")),
)
"""The address and the title of each page, and what the modules of its classes are called; a longer name wins."""
_PREFIX: Final = "nodepools.model."
_TYPES: Final = {str: "text", int: "whole number", float: "number", bool: "`True` or `False`", object: "text or a Pulumi output"}
WORDS: Final = {
    Effect.NONE: "nothing is sent",
    Effect.IGNORED: "Pulumi or the cloud keeps the old value",
    Effect.CREATES: "creates a resource",
    Effect.IN_PLACE: "in place",
    Effect.IN_PLACE_LATER: "in place; nodes change at their next image upgrade",
    Effect.IN_PLACE_PODS: "in place; pods are evicted",
    Effect.REIMAGES: "in place; nodes are drained and reimaged in batches",
    Effect.ROTATES: "rotates: a pool under a new name is created, then the old one is deleted",
    Effect.ROLLS_SOME: "Karpenter replaces nodes that no longer match",
    Effect.ROLLS: "Karpenter replaces every node",
    Effect.DELETES: "deletes a resource",
    Effect.REMOVES_NODES: "removes nodes, and no budget limits how many at a time",
    Effect.REPLACES: "replaces the resource: deletes it first",
    Effect.REFUSED: "the cloud rejects the change",
    Effect.UNKNOWN: "unknown: no source documents it",
}
"""The effects in words."""


def field_pages() -> Iterator[tuple[str, str]]:
    """Yields the address and the text of each page, first of the one that lists them."""
    whole = reachable(Platform)
    models = dict.fromkeys([*(declaring(model, name) for model in whole for name in model.model_fields), *whole, StackOutput])
    lines = [
        "# Fields",
        "",
        "Every field of a declaration, with its default and what a change of it does to nodes.",
        "",
        "| page | classes |",
        "|---|---|",
    ]
    pages = [(name, title, [model for model in models if _page(model) == name]) for name, title, _ in PAGES]
    lines += [
        f"| [{title}](fields/{name}.md) | {', '.join(f'[{model.__name__}](#{anchor(model.__name__)})' for model in held)} |"
        for name, title, held in pages
    ]
    yield "reference/fields", "\n".join([*lines, "", "```{toctree}", ":hidden:", *(f"fields/{name}" for name, *_ in PAGES), "```", ""])
    for name, title, held in pages:
        yield f"reference/fields/{name}", "\n".join([f"# {title}", "", *(line for model in held for line in _section(model))])


def _page(model: type[Model]) -> str:
    module = model.__module__.removeprefix(_PREFIX)
    fitting = [(start, page) for page, _, starts in PAGES for start in starts if start in {"", module} or module.startswith(f"{start}.")]
    return max(fitting, key=lambda each: len(each[0]))[1]


def _section(model: type[Model]) -> Iterator[str]:
    yield from (f"({anchor(model.__name__)})=", f"## {model.__name__}", "", (model.__doc__ or "").partition("\nArgs:")[0].strip(), "")
    own = [name for name in model.model_fields if declaring(model, name) is model]
    if len(own) < len(model.model_fields):
        base = next(declaring(model, name) for name in model.model_fields if name not in own)
        yield from (f"It also has the fields of [{base.__name__}](#{anchor(base.__name__)}).", "")
    texts = {name: text for base in reversed(model.__mro__) if issubclass(base, Model) for name, text in field_docs(base).items()}
    for name in own:
        yield from _field(model, name, texts.get(name, "Which of the kinds this is. Python sets it; files must name it."))


def _field(model: type[Model], name: str, text: str) -> Iterator[str]:
    info = model.model_fields[name]
    yield from (f"({anchor(model.__name__)}-{name.replace('_', '-')})=", f"### `{name}`", "", text, "")
    yield f"* Value: {_typed(info.annotation)}"
    yield f"* Default: {_default(info)}"
    changes = sent().get((model, name), ())
    for argument, effect, source in [change for change in changes if change.argument] or changes[:1]:
        yield f"* {f'Sent as `{argument}`. ' if argument else ''}Effect of a change: {WORDS[effect]}. Source: {source}"
    yield ""


def _typed(annotation: object) -> str:
    """Returns the values that a field accepts, in words."""
    return " or ".join(dict.fromkeys(_one(option) for option in options(annotation))) or "nothing"


def _one(option: object) -> str:
    option = bare(option)
    arguments: Sequence[object] = get_args(option)
    if is_model(option):
        return f"[{option.__name__}](#{anchor(option.__name__)})"
    if get_origin(option) is Literal:
        return ", ".join(f"`{word!r}`" for word in arguments)
    if is_mapping(option):
        return f"mapping of names to {_typed(arguments[1])}"
    if arguments:
        return f"list of {_typed(arguments[0])}"
    return _TYPES.get(option, getattr(option, "__name__", str(option))) if isinstance(option, type) else str(option)


def _default(info: FieldInfo) -> str:
    if info.is_required():
        return "required"
    if isinstance(info.default, Model):
        return f"`{type(info.default).__name__}()`"
    if info.default is None or info.default == ():
        return "none"
    return f"`{info.default!r}`" if info.default_factory is None else "empty"


def anchor(name: str) -> str:
    """Returns the permanent anchor of a class."""
    return name.lower()
