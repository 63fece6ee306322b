"""Reads an AKSNodeClass of a running cluster."""

from nodepools.clouds.aks.locations import aks_choices_of
from nodepools.clouds.aks.node_classes import AKS_CLASS, observed_aks_class
from nodepools.clouds.live_node_class import ObservedClass, RawObject
from nodepools.model.kubernetes.raw_fields import mapping, number, text
from nodepools.placement.node_classes import OfClass


def observed_aks(name: str, raw: RawObject | None, regions: frozenset[str]) -> ObservedClass:
    """Returns the properties of the nodes of an AKSNodeClass."""
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
