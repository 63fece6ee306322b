"""The examples of a rule, that can be pasted: what `nodepools check` reports, next to a form without the finding, in Python, YAML and as objects."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from itertools import product
from typing import Final, TypeAlias, cast

import yaml
from pydantic import BaseModel, ValidationError

from nodepools import AksClusterArgs, EksClusterArgs, GpuPool, Platform, SystemPool, UserPool, WindowsPool
from nodepools.adoption.import_file import python_text
from nodepools.clouds.karpenter_objects import node_pool
from nodepools.clouds.registry import cloud_of
from nodepools.loading import DeclarationError, UnreadableError, load_text
from nodepools.manifests.manifest_objects import objects
from nodepools.manifests.object_checks import check_objects
from nodepools.manifests.object_samples import SAMPLES, findings_of
from nodepools.model.aks.agent_pool import HostPorts, Spot, UpgradeSettings
from nodepools.model.aks.cluster import AksNodeClass, AksNodePool, AutoscalerProfile
from nodepools.model.aks.maintenance import Dates, MaintenanceConfigurations, MaintenanceWindow, WeeklySchedule
from nodepools.model.aks.network import LoadBalancer, NetworkProfile
from nodepools.model.aks.node_settings import KubeletConfig, LocalDns, LocalDnsOverride, WindowsProfile
from nodepools.model.base import Model
from nodepools.model.eks.access import AccessEntry, AccessPolicy, IdentityProvider, PodIdentity
from nodepools.model.eks.ec2_node_class import Ec2NodeClass, SelfManagedKarpenter
from nodepools.model.eks.node_class import (
    AdvancedNetworking,
    CertificateBundle,
    EksNodeClass,
    EksNodePool,
    NetworkInterface,
    PlacementGroup,
    SelectorTerm,
)
from nodepools.model.maintenance import Disruption
from nodepools.model.path import Operation, child, children
from nodepools.model.ref import Ref, SecretValue, StackOutput
from nodepools.model.severity import Severity
from nodepools.model.steps import Steps
from nodepools.rules.engine.finding import Finding, applied, remove, set_to
from nodepools.rules.engine.registry import Rule
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import SIZE, aks, aks_pool, auto_mode, eks, eks_pool, provisioning
from nodepools.wire.eks.ec2_node_class import NODE_CLASS
from nodepools.wire.karpenter import EC2_NODE_CLASS
from nodepools.wire.reading import write
from website.reference.chosen_fixes import CHOSEN, HERE, MENDED, REMOVED, Renamed

DAY: Final = date(2026, 11, 21)
"""The examples are checked as of this day, or as of the first one on which the rule applies."""
Declared: TypeAlias = Platform | SelfManagedKarpenter


@dataclass(frozen=True, slots=True)
class Example:
    """One example in one language."""

    title: str
    """Title of its tab."""
    file: str
    language: str
    bad: str
    good: str | None
    """The same without the finding; `None` if no edit of the declaration alone is right."""

    @property
    def command(self) -> str:
        """What reports it."""
        return {"Python": "nodepools check", "YAML": f"nodepools check --file {self.file}"}.get(self.title, f"nodepools check {self.file}")


_PASSWORD: Final = StackOutput("acme/secrets/dev", "password")
"""Stands for every secret: they are not written to files."""
_ABOUT_SECRETS: Final = frozenset({"AKS095", "AKS096", "PLT021", "SMK053"})
"""Rules about the text of a secret, which no file has."""


def _alone(cluster: object) -> Platform:
    name = "use1" if isinstance(cluster, EksClusterArgs) else "weu"
    return Platform(name="dev", clusters={name: cast("AksClusterArgs", cluster)})


def _windows(pool: object) -> Platform:
    pools = {"web": UserPool(vm_size=SIZE), "win": pool}
    return _alone(aks(pools=pools, windows_profile={}, network_profile=NetworkProfile(dataplane="azure")))


def _user_pool(**fields: object) -> Platform:
    return _alone(aks(pools={"web": UserPool.model_validate({"vm_size": SIZE, **fields})}))


def _class(**fields: object) -> Platform:
    return _alone(auto_mode({"web": eks_pool(node_class="web")}, {"web": EksNodeClass.model_validate(fields)}))


def _entry(policy: object) -> Platform:
    entry = {"principal": "arn:aws:iam::111122223333:role/team", "policies": [policy]}
    return _alone(eks(access_entries={"team": AccessEntry.model_validate(entry)}))


def _not_on(dates: object) -> Platform:
    window = MaintenanceWindow(schedule=WeeklySchedule("Sunday"), not_allowed=[cast("Dates", dates)])
    return _alone(aks(maintenance_configurations=MaintenanceConfigurations(node_images=window)))


def _own_class(part: object) -> SelfManagedKarpenter:
    return SelfManagedKarpenter(node_classes={"web": cast("Ec2NodeClass", part)})


_WRAPPERS: Final[Mapping[type[object], Callable[[object], Declared]]] = {
    Platform: lambda part: cast("Platform", part),
    SelfManagedKarpenter: lambda part: cast("SelfManagedKarpenter", part),
    Ec2NodeClass: _own_class,
    AksClusterArgs: _alone,
    EksClusterArgs: _alone,
    SystemPool: lambda part: _alone(aks(system_pool=part)),
    UserPool: lambda part: _alone(aks(pools={"web": part})),
    GpuPool: lambda part: _alone(aks(pools={"web": UserPool(vm_size=SIZE), "gpu": part})),
    WindowsPool: _windows,
    UpgradeSettings: lambda part: _user_pool(upgrade=part),
    Spot: lambda part: _user_pool(spot=part),
    KubeletConfig: lambda part: _user_pool(kubelet=part),
    HostPorts: lambda part: _user_pool(allowed_host_ports=[part]),
    LocalDnsOverride: lambda part: _user_pool(local_dns=LocalDns(vnet_dns=[cast("LocalDnsOverride", part)])),
    NetworkProfile: lambda part: _alone(aks(network_profile=part)),
    LoadBalancer: lambda part: _alone(aks(network_profile=NetworkProfile(load_balancer=cast("LoadBalancer", part)))),
    AutoscalerProfile: lambda part: _alone(aks(autoscaler=part)),
    Dates: _not_on,
    WindowsProfile: lambda part: _alone(aks(windows_profile=part)),
    EksNodePool: lambda part: _alone(auto_mode({"web": cast("EksNodePool", part)})),
    Disruption: lambda part: _alone(auto_mode({"web": eks_pool(disruption=part)})),
    EksNodeClass: lambda part: _alone(auto_mode({"web": eks_pool(node_class="web")}, {"web": cast("EksNodeClass", part)})),
    SelectorTerm: lambda part: _class(subnets=[part]),
    CertificateBundle: lambda part: _class(certificate_bundles=[part]),
    AdvancedNetworking: lambda part: _class(advanced_networking=part),
    NetworkInterface: lambda part: _class(advanced_networking=AdvancedNetworking(network_interfaces=[cast("NetworkInterface", part)])),
    PlacementGroup: lambda part: _class(placement_group=part),
    AccessEntry: lambda part: _alone(eks(access_entries={"team": part})),
    AccessPolicy: _entry,
    PodIdentity: lambda part: _alone(eks(pod_identities={"web": part})),
    IdentityProvider: lambda part: _alone(eks(identity_provider=part)),
    AksNodePool: lambda part: _alone(provisioning({"web": cast("AksNodePool", part)})),
    AksNodeClass: lambda part: _alone(provisioning({"web": aks_pool(node_class="web")}, node_classes={"web": part})),
}
"""How a part becomes something whole that can be pasted."""


def text_examples(code: str) -> tuple[Example, ...]:
    """Returns the example of a code without a rule: a text."""
    if code not in SAMPLES:
        return ()
    mend, is_platform = MENDED.get(code), bool(findings_of(code)) and (code.startswith("CFG") or code == "IGN004")
    title, file = ("YAML", "platform.yaml") if is_platform else ("Manifest", "pools.yaml")
    good = mend(SAMPLES[code]) if mend is not None else None
    return (Example(title, file, "yaml", SAMPLES[code], None if good is None or findings_of(code, good) else good),)


@cache
def examples(code: str, rule: Rule) -> tuple[Example, ...]:
    """Returns the examples of a rule of the library that `check` reports and, where they have a form without the finding, no longer reports."""
    wrap = _WRAPPERS.get(type(rule.sample())) if rule.sample is not None else None
    if wrap is None or rule.sample is None or code in _ABOUT_SECRETS:
        return ()
    day = DAY if rule.holds_on(DAY) else rule.since or DAY
    try:
        bad = _validated(wrap(rule.sample()))
        return tuple(_written(code, day, bad, next(_mended(code, bad, day), None)))
    except DeclarationError:  # the part that contains it is not valid either
        return ()


def _written(code: str, day: date, bad: Declared, good: Declared | None) -> Iterator[Example]:
    """The languages that can spell the declaration. Objects are shown if the rule reports them: tests read all texts again."""
    stack = f"stacks/{bad.name}.py" if isinstance(bad, Platform) else ""
    for title, file, language, text_of in _FORMS:
        wrong, right = text_of(bad), text_of(good) if good is not None else None
        if wrong is None or "Owners(" in wrong:  # a class that Python spells as a mapping
            continue
        if text_of is object_file and code not in _codes(findings_of_objects(wrong, day)):
            continue
        is_mended = right is not None and right != wrong
        if is_mended and text_of is object_file and code in _codes(findings_of_objects(right or "", day)):
            is_mended = False
        yield Example(title, file or stack, language, wrong, right if is_mended else None)


def platform_file(platform: Declared) -> str | None:
    """Returns the YAML of a platform."""
    return _yaml(_document(platform)) if isinstance(platform, Platform) else None


def _yaml(document: object) -> str:
    return yaml.dump(document, Dumper=yaml.CSafeDumper, sort_keys=False, width=100)


def stack_file(platform: Declared) -> str | None:
    """Returns the Python of a stack."""
    if not isinstance(platform, Platform):
        return None
    operations = [set_to(steps, _PASSWORD) for steps in _secrets(platform)]
    return python_text(applied(platform, operations), "").partition("\n\n")[2]


def _secrets(value: object, steps: Steps = ()) -> Iterator[Steps]:
    if isinstance(value, SecretValue):
        yield steps
    for step, inner in children(value):
        yield from _secrets(inner, (*steps, step))


def object_file(declared: Declared) -> str | None:
    """Returns the NodePools and node classes as YAML; `None` if it has none."""
    made = list(_objects(declared))
    for item in made:
        del cast("dict[str, object]", item["metadata"])["annotations"]
    return "---\n".join(map(_yaml, made)) if made else None


def _objects(declared: Declared) -> Iterator[Mapping[str, object]]:
    if isinstance(declared, Platform):
        for key in declared.clusters:
            for item in cloud_of(declared.cluster(key)).objects(declared.stem(key), _resolved):
                if item["kind"] in {"NodePool", "NodeClass", "AKSNodeClass"}:
                    yield item
        return
    for name, one in declared.node_classes.items():
        metadata: Mapping[str, object] = {"name": name, "annotations": None}
        yield {"apiVersion": EC2_NODE_CLASS.api_version, "kind": EC2_NODE_CLASS.kind, "metadata": metadata, "spec": write(NODE_CLASS, one)}
    for name, pool in declared.node_pools.items():
        yield node_pool(name, pool, EC2_NODE_CLASS)


def _resolved(ref: Ref) -> str:
    return ref if isinstance(ref, str) else "unknown"


def findings_of_objects(text: str, day: date) -> Sequence[Finding]:
    """The findings of a file of objects."""
    return check_objects(list(objects(text, "pools.yaml")), day).findings


_FORMS: Final = (
    ("Python", "", "python", stack_file),
    ("YAML", "platform.yaml", "yaml", platform_file),
    ("Manifest", "pools.yaml", "yaml", object_file),
)


def _codes(findings: Sequence[Finding]) -> set[str]:
    return {finding.code for finding in findings}


def _mended(code: str, bad: Declared, day: date) -> Iterator[Declared]:
    """The declaration after each alternative of the fix that is valid, clears the finding, and causes no error or warning of another rule."""
    before = check(bad, today=day)
    found = next((finding for finding in before if finding.code == code), None)
    if found is None:
        return
    for operations in _alternatives(found, bad):
        try:
            after = _validated(applied(bad, operations))
        except (LookupError, ValidationError, DeclarationError, UnreadableError, TypeError, AttributeError, ValueError):
            continue
        serious = {finding.code for finding in check(after, today=day) if finding.code == code or finding.severity is not Severity.NOTE}
        if code not in serious and serious <= _codes(before):
            yield after


def _validated(edited: Declared) -> Declared:
    """The declaration, read again: an edit is not validated."""
    if isinstance(edited, Platform):
        return load_text(platform_file(edited) or "", "platform.yaml")
    return type(edited).model_validate(_document(edited))


_CLAUSE: Final = re.compile(r"(?:,|;)? or (?!later\b|more\b|fewer\b|larger\b)|; ")
_SET: Final = re.compile(r"(?:[Ss]et|and|or) `([^`]+)` to (?:`([^`]+)`|(\d[\w.]*))")
_REMOVE: Final = re.compile(r"[Rr]emove `([^`]+)`")
_SUCH: Final = re.compile(r"(?:such as|[Uu]se|to) `([^`]+)`")


def _alternatives(found: Finding, declared: Declared) -> Iterator[Sequence[Operation]]:
    """The operations of the fix, or those that its text names: each clause as a whole, then each of its edits alone."""
    if found.code in CHOSEN:
        yield list(_chosen(CHOSEN[found.code], found, declared))
        return
    if found.fix is None:
        return
    if found.fix.operations:
        yield found.fix.operations
    for clause in _CLAUSE.split(found.fix.text):
        edits = [*_removals(clause, found, declared), *_settings(clause, found, declared)]
        if len(edits) > 1:
            yield from (combined for combined in product(*edits))
        yield from ([operation] for edit in edits for operation in edit)
        yield from ([set_to(found.steps, value)] for text in _SUCH.findall(clause) for value in _values(text))


def _chosen(edits: Mapping[str, object], found: Finding, declared: Declared) -> Iterator[Operation]:
    for name, value in edits.items():
        steps = found.steps if name == HERE else _place(name, found, declared) or ()
        match value:
            case Renamed():
                yield Operation("rename", steps, value.name)
            case _ if value is REMOVED:
                yield remove(steps)
            case _:
                yield set_to(steps, value)


def _removals(clause: str, found: Finding, declared: Declared) -> Iterator[list[Operation]]:
    yield from ([remove(steps)] for name in _REMOVE.findall(clause) if (steps := _place(name, found, declared)) is not None)


def _settings(clause: str, found: Finding, declared: Declared) -> Iterator[list[Operation]]:
    for name, quoted, number in _SET.findall(clause):
        steps = _place(name, found, declared)
        if steps is not None:
            yield [set_to(steps, value) for value in _values(quoted or number)]


def _values(text: str) -> list[object]:
    """What a text in backticks can stand for: a value of Python or YAML, or the text itself."""
    spelled = {"True": True, "False": False, "None": None}
    return [spelled[text]] if text in spelled else [yaml.safe_load(text), text] if _is_plain(text) else [text]


def _is_plain(text: str) -> bool:
    try:
        yaml.safe_load(text)
    except yaml.YAMLError:
        return False
    return True


def _place(name: str, found: Finding, declared: Declared) -> Steps | None:
    """Where a field is that a fix names: relative to the part of the finding, or to one that contains it."""
    steps = tuple(int(step) if step.isdigit() else step for step in re.findall(r'[^.\[\]"]+', name))
    for end in range(len(found.steps), -1, -1):
        try:
            around = _at(declared, found.steps[:end])
        except (LookupError, TypeError, AttributeError):
            continue
        if isinstance(around, Model) and steps[0] in type(around).model_fields:
            return (*found.steps[:end], *steps)
        if isinstance(around, Mapping) and steps[0] in around:
            return (*found.steps[:end], *steps)
    return None


def _at(declared: Declared, steps: Steps) -> object:
    value: object = declared
    for step in steps:
        value = child(value, step)
    return value


def _document(value: object) -> object:
    """What a model was given, first the kind of each part, which a file needs."""
    match value:
        case SecretValue():
            return _document(_PASSWORD)
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
    plain = part.model_dump(mode="json", include=part.model_fields_set | ({"kind"} & fields.keys()), warnings=False)
    for name in sorted(plain, key=lambda name: name != "kind"):
        value = getattr(part, name)
        if value is not None or fields[name].default is not None:  # a list has all fields of its parts
            yield name, value if isinstance(value, BaseModel | Mapping | list | tuple | SecretValue) else plain[name]
