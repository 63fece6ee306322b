"""An AKSNodeClass as a cluster holds it."""

from nodepools.manifests.observed_class import ObservedClass, RawObject
from nodepools.model.kubernetes.written import mapping, number, text
from nodepools.placement.aks_classes import AKS_CLASS, observed_aks_class
from nodepools.placement.aks_places import aks_choices_of
from nodepools.placement.classes import OfClass


def observed_aks(name: str, raw: RawObject | None, regions: frozenset[str]) -> ObservedClass:
    """What it says of its nodes."""
    choices = aks_choices_of(regions)
    if raw is None:
        return OfClass({AKS_CLASS: name}), choices
    spec = mapping(raw, "spec")
    of = observed_aks_class(
        name,
        image_family=text(spec.get("imageFamily"), "imageFamily"),
        disk_gib=number(spec["osDiskSizeGB"], "osDiskSizeGB") if "osDiskSizeGB" in spec else None,
        fips=spec.get("fipsMode") == "FIPS",
        streams=mapping(spec, "artifactStreaming").get("enabled") is True,
        local_dns=text(mapping(spec, "localDNS").get("mode"), "mode"),
    )
    return of, choices
