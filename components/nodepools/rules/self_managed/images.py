"""Images of an EC2NodeClass of self-managed Karpenter. Source: CRD of karpenter-provider-aws 1.15."""

import re
from collections.abc import Iterator
from typing import Final

from nodepools.model.eks.ec2_node_class import AMI_FAMILIES, AmiTerm, Ec2NodeClass
from nodepools.model.nearest import nearest
from nodepools.rules.engine.finding import PartFinding, Severity
from nodepools.rules.engine.finding_text import literal, ref
from nodepools.rules.engine.fix import Fix, FixLike, remove, set_to
from nodepools.rules.engine.registry import Sample, finding, rule
from nodepools.rules.engine.samples import ec2_class

_CRD: Final = "EC2NodeClass CRD of karpenter-provider-aws 1.15"
_PINNING: Final = "https://karpenter.sh/docs/tasks/managing-amis/"
_AL2: Final = "https://docs.aws.amazon.com/eks/latest/userguide/eks-ami-deprecation-faqs.html: no AMIs of Amazon Linux 2 since 2025-11-26"
_ALIAS: Final = re.compile(r"[a-zA-Z0-9]+@.+")
_SELECTING: Final = ("alias", "id", "name", "ssm_parameter", "tags")
_WITH_AN_ID: Final = ("name", "owner", "tags")
"""Fields that exclude an id and an alias. An SSM parameter next to one of them is accepted."""


@rule(
    "SMK001",
    Severity.ERROR,
    source=f"{_CRD}: amiFamily without an alias",
    sample=Sample("ami_family", lambda: ec2_class(ami_terms=[{"id": "ami-0a1"}])),
)
def missing_ami_family(node_class: Ec2NodeClass) -> Iterator[PartFinding]:
    """Images that are not selected by an alias need an AMI family, which decides their user data."""
    if node_class.ami_family is None and node_class.alias_family is None:
        fix = f"Set {ref('ami_family')} to {literal('AL2023')}, or to the family of the images"
        yield finding(node_class, f"{ref('ami_family')} is required, because no alias names the family of the images", path="ami_family", fix=fix)


@rule(
    "SMK002",
    Severity.ERROR,
    source=f"{_CRD}: amiFamily must be that of the alias, or Custom",
    sample=Sample("ami_family", lambda: ec2_class(ami_family="Bottlerocket")),
)
def ami_family_contradicts_alias(node_class: Ec2NodeClass) -> Iterator[PartFinding]:
    """With an alias, the AMI family is that of the alias or `Custom`."""
    family = AMI_FAMILIES.get(node_class.alias_family or "")
    if family is not None and node_class.ami_family not in (None, family, "Custom"):
        message = f"{ref('ami_family')} (`{node_class.ami_family}`) contradicts the alias, which selects images of `{family}`"
        yield finding(node_class, message, path="ami_family", fix=remove("ami_family"))


@rule(
    "SMK003",
    Severity.ERROR,
    source=f"{_CRD}: expected at least one",
    sample=Sample("ami_terms[0]", lambda: ec2_class(ami_family="AL2023", ami_terms=[{"owner": "self"}])),
)
def empty_ami_term(node_class: Ec2NodeClass) -> Iterator[PartFinding]:
    """A term selects images by alias, ID, name, SSM parameter or tags; the owner alone selects none."""
    for index, term in enumerate(node_class.ami_terms):
        if not any(getattr(term, field) for field in _SELECTING):
            fix = f"Set one of {', '.join(ref(('ami_terms', index, field)) for field in _SELECTING)}"
            yield finding(
                node_class, "This image term selects nothing: it has no alias, ID, name, SSM parameter or tags", path=("ami_terms", index), fix=fix
            )


@rule(
    "SMK004",
    Severity.ERROR,
    source=f"{_CRD}: id and alias are mutually exclusive with other fields",
    sample=Sample("ami_terms[0].id", lambda: ec2_class(ami_family="AL2023", ami_terms=[{"id": "ami-0a1", "owner": "self"}])),
)
def exclusive_ami_field(term: AmiTerm) -> Iterator[PartFinding]:
    """An ID or an alias selects an image alone: name, owner and tags cannot be added."""
    alone = "alias" if term.alias is not None else "id" if term.id is not None else None
    others = [field for field in (*_WITH_AN_ID, "id") if getattr(term, field) and field != alone]
    if alone is not None and others:
        message = f"{ref(alone)} cannot be combined with {ref(others[0])} in one image term"
        fix = Fix(f"Remove {' and '.join(map(ref, others))}", tuple(map(remove, others)))
        yield finding(term, message, path=alone, fix=fix)


@rule(
    "SMK005",
    Severity.ERROR,
    source=f"{_CRD}: alias cannot be combined with other terms",
    sample=Sample("ami_terms", lambda: ec2_class(ami_terms=[{"alias": "al2023@v20260801"}, {"id": "ami-0a1"}])),
)
def alias_beside_other_terms(node_class: Ec2NodeClass) -> Iterator[PartFinding]:
    """An alias is the only image term of a node class."""
    if node_class.alias_family is not None and len(node_class.ami_terms) > 1:
        message = f"An alias must be the only image term, and {len(node_class.ami_terms)} terms are set"
        yield finding(node_class, message, path="ami_terms", fix="Keep the alias alone, or select all images without an alias")


@rule(
    "SMK006",
    Severity.ERROR,
    source=f"{_CRD}: family@version",
    sample=Sample("ami_terms[0].alias", lambda: ec2_class(ami_terms=[{"alias": "al2023"}])),
)
def invalid_ami_alias(term: AmiTerm) -> Iterator[PartFinding]:
    """An alias is a family and a version, such as `al2023@v20260801`; Windows has the version `latest` only."""
    if term.alias is None:
        return
    family, _, version = term.alias.partition("@")
    if not _ALIAS.fullmatch(term.alias):
        fix: FixLike = set_to("alias", f"{family}@latest") if family in AMI_FAMILIES else "Use a family and a version, such as `al2023@v20260801`"
        yield finding(term, f"`{term.alias}` is not an alias: it needs the form `family@version`", path="alias", fix=fix)
    elif family not in AMI_FAMILIES:
        close = nearest(family.lower(), AMI_FAMILIES)
        fix = set_to("alias", f"{close}@{version}") if close is not None else f"Use one of {', '.join(AMI_FAMILIES)}"
        yield finding(term, f"`{family}` is not a family of image aliases", path="alias", fix=fix)
    elif family.startswith("windows") and version != "latest":
        message = f"Aliases of Windows have the version `latest` only, not `{version}`"
        yield finding(term, message, path="alias", fix=set_to("alias", f"{family}@latest"))


@rule(
    "SMK007",
    Severity.WARNING,
    source=f"{_PINNING}: pin the version of AMIs in production",
    sample=Sample("ami_terms[0].alias", lambda: ec2_class(ami_terms=[{"alias": "al2023@latest"}])),
)
def unpinned_ami_alias(term: AmiTerm) -> Iterator[PartFinding]:
    """With the version `latest`, all nodes drift as soon as AWS publishes another image."""
    if term.alias is not None and term.alias.endswith("@latest") and not term.alias.lower().startswith("windows"):
        family = term.alias.partition("@")[0]
        message = f"Every node is replaced as soon as AWS publishes an image, which no environment has tested: `{term.alias}` follows it"
        yield finding(
            term, message, path="alias", fix=f"Use a version, such as `{family}@v20260801`, and raise it in one environment after the other"
        )


@rule("SMK008", Severity.WARNING, source=_AL2, sample=Sample("ami_terms[0].alias", lambda: ec2_class(ami_terms=[{"alias": "al2@v20251108"}])))
def retired_amazon_linux_2(node_class: Ec2NodeClass) -> Iterator[PartFinding]:
    """AWS publishes no images of Amazon Linux 2 since 2025-11-26, and none for Kubernetes 1.33 or newer."""
    if node_class.alias_family == "al2" or node_class.ami_family == "AL2":
        path = "ami_family" if node_class.alias_family != "al2" else ("ami_terms", 0, "alias")
        message = "AWS publishes no images of Amazon Linux 2 since 2025-11-26: nodes get no more security updates"
        yield finding(node_class, message, path=path, fix="Use `al2023` or `bottlerocket`: user data of Amazon Linux 2 does not work there")
