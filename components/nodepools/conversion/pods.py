"""Converts the pods of workloads: what they select, and what they tolerate."""

from typing import Final

from nodepools.conversion.label_table import GROUP_LABELS, group_title
from nodepools.conversion.labels import Labels
from nodepools.conversion.raw_parts import Object, as_list, as_mapping, part, text
from nodepools.conversion.targets import Target
from nodepools.conversion.terms import convert_expressions, convert_selector
from nodepools.conversion.unconverted import Log
from nodepools.model.steps import Steps

_PLACES: Final = {"Pod": (), "CronJob": ("spec", "jobTemplate", "spec", "template")}
_TEMPLATED: Final = ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ReplicationController", "Job")
_REQUIRED, _PREFERRED = "requiredDuringSchedulingIgnoredDuringExecution", "preferredDuringSchedulingIgnoredDuringExecution"
_KEPT: Final = "karpenter.sh/do-not-disrupt"
_FORMER: Final = ("karpenter.sh/do-not-evict", "karpenter.sh/do-not-consolidate")
"""The annotation of pods before Karpenter 0.32 (https://karpenter.sh/docs/upgrading/upgrade-guide, read 2026-11-23)."""
_TAINTS: Final = {"karpenter.sh/disruption": "karpenter.sh/disrupted"}
"""Taints that v1 renamed (https://karpenter.sh/docs/upgrading/v1-migration)."""
_GRACE: Final = "a drain by Auto Mode ends after terminationGracePeriod, 24h by default: then the pod is deleted all the same"


def template_at(kind: str) -> Steps | None:
    """The path of the pod, or of its template, in an object, by its kind; `None` for a kind without pods."""
    return _PLACES.get(kind, ("spec", "template") if kind in _TEMPLATED else None)


def convert_pods(made: Object, at: Steps, labels: Labels, log: Log) -> None:
    """Converts the pod at a path of an object in place."""
    template = part(made, *map(str, at))
    _annotations(part(template, "metadata", "annotations"), (*at, "metadata", "annotations"), labels.wanted.target, log)
    spec, inside = part(template, "spec"), (*at, "spec")
    convert_selector(part(spec, "nodeSelector"), (*inside, "nodeSelector"), labels, log)
    affinity = part(spec, "affinity", "nodeAffinity")
    here = (*inside, "affinity", "nodeAffinity")
    for index, term in enumerate(as_list(part(affinity, _REQUIRED).get("nodeSelectorTerms"))):
        expressions = as_list(as_mapping(term).get("matchExpressions"))
        convert_expressions(expressions, (*here, _REQUIRED, "nodeSelectorTerms", index, "matchExpressions"), labels, log, is_required=True)
    for index, preferred in enumerate(as_list(affinity.get(_PREFERRED))):
        expressions = as_list(part(preferred, "preference").get("matchExpressions"))
        convert_expressions(expressions, (*here, _PREFERRED, index, "preference", "matchExpressions"), labels, log, is_required=False)
    _topology(spec, inside, labels, log)
    for toleration in as_list(spec.get("tolerations")):
        key = text(as_mapping(toleration).get("key"))
        if key in _TAINTS:
            as_mapping(toleration)["key"] = _TAINTS[key]
            if as_mapping(toleration).get("value") == "disrupting":  # the new taint has no value
                del as_mapping(toleration)["value"]


def _annotations(annotations: Object, at: Steps, target: Target, log: Log) -> None:
    for former in _FORMER:
        if former in annotations:
            annotations.setdefault(_KEPT, annotations.pop(former))
    if target is Target.AUTO_MODE and annotations.get(_KEPT) not in (None, "false"):
        log.kept((*at, _KEPT), annotations[_KEPT], _GRACE, "Raise `terminationGracePeriod` of the NodePool, or let the pod resume")


def _topology(spec: Object, at: Steps, labels: Labels, log: Log) -> None:
    """Converts the labels that domains of spreading and of pod affinity are made of."""
    for index, constraint in enumerate(as_list(spec.get("topologySpreadConstraints"))):
        _topology_key(as_mapping(constraint), (*at, "topologySpreadConstraints", index), labels, log)
    for kind in ("podAffinity", "podAntiAffinity"):
        terms = part(spec, "affinity", kind)
        for index, term in enumerate(as_list(terms.get(_REQUIRED))):
            _topology_key(as_mapping(term), (*at, "affinity", kind, _REQUIRED, index), labels, log)
        for index, term in enumerate(as_list(terms.get(_PREFERRED))):
            _topology_key(part(term, "podAffinityTerm"), (*at, "affinity", kind, _PREFERRED, index, "podAffinityTerm"), labels, log)


def _topology_key(holder: Object, at: Steps, labels: Labels, log: Log) -> None:
    key = text(holder.get("topologyKey"))
    term = labels.term(key, ())
    if term.key is None:
        log.kept((*at, "topologyKey"), key, term.reason, "Use `topology.kubernetes.io/zone` or `kubernetes.io/hostname`")
    elif term.key != key:
        holder["topologyKey"] = term.key


def selected_groups(raw: object) -> tuple[str, ...]:
    """The node groups and agent pools that the pods of an object require, such as `node group web`: they run there now."""
    at = template_at(text(as_mapping(raw).get("kind")))
    spec = part(raw, *map(str, at), "spec") if at is not None else {}
    selector = part(spec, "nodeSelector")
    found = [(key, selector[key]) for key in GROUP_LABELS if key in selector]
    for term in as_list(part(spec, "affinity", "nodeAffinity", _REQUIRED).get("nodeSelectorTerms")):
        for expression in map(as_mapping, as_list(as_mapping(term).get("matchExpressions"))):
            if text(expression.get("key")) in GROUP_LABELS and expression.get("operator") == "In":
                found.extend((text(expression["key"]), value) for value in as_list(expression.get("values")))
    return tuple(dict.fromkeys(f"{group_title(key)} {text(name)}" for key, name in found if text(name)))
