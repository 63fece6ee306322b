"""Errors that a cluster accepts with a reason."""

import pytest

from nodepools import AksClusterArgs, EksClusterArgs, Platform, check
from nodepools.rules.engine.finding import DeclarationError, Finding, Severity
from nodepools.rules.engine.samples import aks, eks

OLD = {"kubernetes_version": "1.24"}


def platform(**clusters: AksClusterArgs | EksClusterArgs) -> Platform:
    return Platform(name="dev", clusters=clusters)


def about(findings: list[Finding], code: str) -> list[tuple[str, str, str]]:
    return [(one.severity.value, one.path, one.message) for one in findings if one.code == code]


def test_an_accepted_error_is_a_note_with_the_reason() -> None:
    findings = check(platform(one=aks(**OLD, accepted_errors={"AKS142": "it exists"}), two=aks(**OLD)))
    [(severity, path, message), (other, elsewhere, _)] = about(findings, "AKS142")
    assert (severity, path) == ("note", "clusters.one.kubernetes_version")
    assert message.endswith(" (accepted: it exists)")
    assert (other, elsewhere) == ("error", "clusters.two.kubernetes_version")
    assert about(findings, "IGN004") == []


def test_a_cluster_alone_accepts_too_and_tells_no_unused_acceptance() -> None:
    findings = check(aks(**OLD, accepted_errors={"AKS142": "it exists", "PLT051": "only a platform has it"}))
    assert [one.code for one in findings if one.severity is not Severity.NOTE] == []
    assert [severity for severity, _, _ in about(findings, "AKS142")] == ["note"]


def test_an_error_inside_the_cluster_is_accepted_and_has_no_fix_any_more() -> None:
    cluster = aks(system_pool={"vm_size": "Standard_D4ds_v5", "taints": ["a=b:NoSchedule"]}, accepted_errors={"AKS014": "seen to work"})
    [found] = [one for one in check(platform(one=cluster)) if one.code == "AKS014"]
    assert (found.severity, found.fix) == (Severity.NOTE, None)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        pytest.param("EKS001", "which is not an error of this cluster", id="no such error here"),
        pytest.param("EKS070", "which is a warning: a comment `# nodepools: ignore EKS070 reason`", id="not an error"),
        pytest.param("EKS9", "is not a code: use EKS009", id="no code"),
    ],
)
def test_what_accepts_nothing_is_told(code: str, message: str) -> None:
    [(severity, path, text)] = about(check(platform(one=eks(accepted_errors={code: "because"}))), "IGN004")
    assert (severity, path) == ("warning", f"clusters.one.accepted_errors.{code}")
    assert message in text


@pytest.mark.parametrize("wrong", [{"AKS142": ""}, {"AKS142": 3}, ["AKS142"]], ids=["no reason", "a number", "a list"])
def test_an_acceptance_needs_a_reason(wrong: object) -> None:
    with pytest.raises(DeclarationError) as error:
        platform(one=aks(**OLD, accepted_errors=wrong))
    assert "AKS142" in {finding.code for finding in error.value.findings if finding.severity is Severity.ERROR}
