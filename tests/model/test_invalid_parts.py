"""Parts that are written with findings: whoever uses one is told all its findings, in our words, and a larger part reports them with its own."""

from collections.abc import Callable

import pytest

from nodepools import AksClusterArgs, Autoscale, DeclarationError, EksClusterArgs, Platform, SpotPool, SystemPool, Taint, UserPool, check, derive
from nodepools.model.invalid_parts import declared_class, error_of, is_faulty

SIZE = "Standard_D2ds_v5"
FAULTY = UserPool(vm_size=SIZE, cuont=3, max_pods=5)  # type: ignore[call-arg]  # that is the point
TOLD = r"""^UserPool: 2 errors

CFG007 error at max_pods: 5
    .*
    fix: .*

CFG002 error at cuont: 3
    `cuont` is not a field of `UserPool`
    fix: Rename it to `count`$"""


@pytest.mark.parametrize(
    "use",
    [
        pytest.param(lambda pool: pool.vm_size, id="a field that is sound is read"),
        pytest.param(lambda pool: pool.count, id="a field that was left out is read"),
        pytest.param(lambda pool: pool.node_taints, id="what follows from fields is read"),
        pytest.param(lambda pool: pool.scheduling(), id="a method is called"),
        pytest.param(repr, id="the REPL prints it"),
        pytest.param(str, id="a program prints it"),
        pytest.param(lambda pool: f"{pool}", id="it is put into a text"),
        pytest.param(hash, id="it is put into a set"),
        pytest.param(lambda pool: pool == UserPool(vm_size=SIZE), id="it is compared with a sound one"),
        pytest.param(lambda pool: pool != UserPool(vm_size=SIZE), id="it is told from a sound one"),
        pytest.param(lambda pool: derive(pool, count=3).count, id="another is derived from it"),
        pytest.param(lambda pool: pool.model_dump(), id="it is written out"),
        pytest.param(lambda pool: pool._repr_html_(), id="a notebook asks how to show it"),
        pytest.param(lambda pool: list(pool.__rich_repr__()), id="a test runner asks how to show it"),
        pytest.param(dict, id="its fields are listed"),
    ],
)
def test_any_use_reports_all_findings(use: Callable[[UserPool], object]) -> None:
    with pytest.raises(DeclarationError, match=TOLD):
        use(FAULTY)


def test_it_is_still_of_its_class_and_itself() -> None:
    assert isinstance(FAULTY, UserPool)
    assert type(FAULTY).__name__ == "UserPool"
    assert declared_class(type(FAULTY)) is UserPool
    assert declared_class(Taint) is Taint
    assert FAULTY == FAULTY  # noqa: PLR0124  # that is the question
    assert is_faulty(FAULTY)
    assert not is_faulty(UserPool(vm_size=SIZE))


def test_a_sound_part_has_no_findings_to_report() -> None:
    with pytest.raises(LookupError, match="this UserPool has no findings"):
        error_of(UserPool(vm_size=SIZE))


def test_check_returns_them_as_findings() -> None:
    assert [(finding.code, finding.path) for finding in check(FAULTY, "pools.web")] == [
        ("CFG007", "pools.web.max_pods"),
        ("CFG002", "pools.web.cuont"),
    ]


def test_a_platform_reports_the_findings_of_all_its_parts() -> None:
    with pytest.raises(DeclarationError) as refused:
        Platform(
            name="dev",
            clusters={
                "weu": AksClusterArgs(  # type: ignore[call-arg]  # that is the point
                    location="x",
                    system_pool=SystemPool(vm_size=SIZE, taints=[Taint("a", effect="b")]),  # type: ignore[arg-type]  # that is the point
                    pools={"web": UserPool(vm_size=SIZE, scale=Autoscale(1, "x")), "spot": SpotPool(cuont=1)},  # type: ignore[arg-type]  # that is the point
                )
            },
        )
    assert refused.value.part is None
    assert [finding.path.rpartition(".")[2] for finding in refused.value.findings] == ["kubernetes_version", "effect", "max", "vm_size", "cuont"]
    assert str(refused.value).startswith("5 errors, nothing was deployed")


def test_what_is_derived_with_findings_is_faulty_too() -> None:
    pool = derive(UserPool(vm_size=SIZE), count="three")
    assert [(finding.path, finding.value) for finding in check(pool)] == [("count", "three")]
    with pytest.raises(DeclarationError, match="1 error, nothing was deployed"):
        derive(Platform(name="dev", clusters={"weu": EksClusterArgs(region="x", kubernetes_version="1.35")}), name=3)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        pytest.param(None, "None", id="nothing"),
        pytest.param({}, "a dict: pass its fields with two asterisks, as in Platform(**fields)", id="a dict"),
        pytest.param(UserPool, "the class UserPool: call it with its fields", id="a class"),
        pytest.param("dev", "a str", id="a name"),
        pytest.param(3, "an int", id="a number"),
    ],
)
def test_what_is_no_declaration_is_told_in_a_line(given: object, said: str) -> None:
    with pytest.raises(TypeError) as refused:
        check(given)  # type: ignore[arg-type]  # that is the point
    assert str(refused.value) == f"check() accepts a Platform, or a part of one, not {said}"
