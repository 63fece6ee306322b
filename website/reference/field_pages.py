"""The reference of fields: every class of the declaration with its fields, defaults, and the effect of a change."""

import inspect
from collections.abc import Iterator
from typing import Final

from pydantic.fields import FieldInfo

from nodepools import Platform
from nodepools.model.base import Model
from nodepools.model.ref import StackOutput
from nodepools.model.schema import field_docs
from nodepools.rules.engine.field_annotations import reachable
from website.cited import linked
from website.reference.field_changes import declaring
from website.reference.field_effects import effects
from website.reference.field_values import anchor, typed

PAGES: Final = (
    ("platform", "Platforms", ("",)),
    ("aks-clusters", "AKS clusters", ("aks",)),
    ("aks-pools", "AKS agent pools", ("aks.agent_pool", "aks.pools", "aks.pool_settings", "aks.node_settings", "aks.sysctls")),
    ("aks-networks", "AKS networks", ("aks.network",)),
    ("aks-node-provisioning", "AKS node auto provisioning", ("aks.cluster.NodeProvisioning", "aks.cluster.AksNodePool", "aks.cluster.AksNodeClass")),
    ("eks-clusters", "EKS clusters", ("eks",)),
    ("eks-auto-mode", "EKS Auto Mode", ("eks.auto_mode", "eks.node_class")),
    ("eks-networks", "EKS networks", ("eks.cluster.EksNetworkArgs", "eks.cluster.ExistingEksNetwork")),
    ("karpenter", "NodePools of both clouds", ("karpenter", "maintenance.Budget", "maintenance.Disruption", "kubernetes")),
)
"""The address and the title of each page, and its modules and classes; a longer name wins."""
_PREFIX: Final = "nodepools.model."


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
        address = f"reference/fields/{name}"
        yield address, linked("\n".join([f"# {title}", "", *(line for model in held for line in _section(model))]), address)


def _page(model: type[Model]) -> str:
    name = f"{model.__module__}.{model.__name__}".removeprefix(_PREFIX)
    fitting = [(start, page) for page, _, starts in PAGES for start in starts if start in {"", name} or name.startswith(f"{start}.")]
    return max(fitting, key=lambda each: len(each[0]))[1]


def _section(model: type[Model]) -> Iterator[str]:
    yield from (f"({anchor(model.__name__)})=", f"## {model.__name__}", "", (inspect.getdoc(model) or "").partition("\nArgs:")[0].strip(), "")
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
    yield f"* Value: {typed(info)}"
    yield f"* Default: {_default(info)}"
    yield from (f"* {effect}" for effect in effects(model, name))
    yield ""


def _default(info: FieldInfo) -> str:
    if info.is_required():
        return "required"
    if isinstance(info.default, Model):
        return f"`{type(info.default).__name__}()`"
    if info.default is None or info.default == ():
        return "none"
    return f"`{info.default!r}`" if info.default_factory is None else "empty"
