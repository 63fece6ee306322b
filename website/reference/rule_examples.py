"""The example of a rule as a platform file that can be pasted: `nodepools check --file` reports the rule in it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, cast

import yaml
from pydantic import BaseModel

from nodepools import AksClusterArgs, EksClusterArgs, GpuPool, Platform, SystemPool, UserPool, WindowsPool
from nodepools.model.aks.node_provisioning import AksNodeClass, AksNodePool
from nodepools.model.eks.auto_mode import EksNodePool
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.rules.engine.registry import Rule
from nodepools.rules.engine.samples import aks, aks_pool, auto_mode, eks_pool, provisioning

Wrapper = Callable[[object], Platform]


def _alone(cluster: object) -> Platform:
    name = "use1" if isinstance(cluster, EksClusterArgs) else "weu"
    return Platform(name="dev", clusters={name: cast("AksClusterArgs", cluster)})


_WRAPPERS: Final[Mapping[type[object], Wrapper]] = {
    Platform: lambda part: cast("Platform", part),
    AksClusterArgs: _alone,
    EksClusterArgs: _alone,
    SystemPool: lambda part: _alone(aks(system_pool=part)),
    **{kind: lambda part: _alone(aks(pools={"web": part})) for kind in (UserPool, GpuPool, WindowsPool)},
    EksNodePool: lambda part: _alone(auto_mode({"web": cast("EksNodePool", part)})),
    EksNodeClass: lambda part: _alone(auto_mode({"web": eks_pool(node_class="web")}, {"web": cast("EksNodeClass", part)})),
    AksNodePool: lambda part: _alone(provisioning({"web": cast("AksNodePool", part)})),
    AksNodeClass: lambda part: _alone(provisioning({"web": aks_pool(node_class="web")}, node_classes={"web": part})),
}
"""How a part becomes a platform; parts without an entry have an example of their own in Python."""


def platform_file(rule: Rule) -> str | None:
    """Returns the YAML of a platform that the rule reports, or `None` if its sample is a smaller part."""
    sample = rule.sample() if rule.sample is not None else None
    wrap = _WRAPPERS.get(type(sample))
    return None if wrap is None else yaml.safe_dump(_document(wrap(sample)), sort_keys=False, width=100)


def _document(value: object) -> object:
    """What a model was given, first the kind of each part, which a file needs."""
    match value:
        case BaseModel():
            return {name: _document(given) for name, given in _given(value)}
        case Mapping():
            return {key: _document(item) for key, item in cast("Mapping[str, object]", value).items()}
        case list() | tuple():
            return [_document(item) for item in cast("Sequence[object]", value)]
        case _:
            return value


def _given(part: BaseModel) -> Iterator[tuple[str, object]]:
    fields = type(part).model_fields
    plain = part.model_dump(mode="json", include=part.model_fields_set | ({"kind"} & fields.keys()))
    for name in sorted(plain, key=lambda name: name != "kind"):
        value = getattr(part, name)
        if value is not None or fields[name].default is not None:  # a list has all fields of its parts
            yield name, value if isinstance(value, BaseModel | Mapping | list | tuple) else plain[name]
