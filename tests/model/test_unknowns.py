"""What is not known of a part cannot be read, compared or written out; all else can."""

from collections.abc import Callable

import pytest

from nodepools.model.aks.agent_pool import AgentPool, Spot, SystemPool, UserPool
from nodepools.model.kubernetes.label import Taint
from nodepools.model.unknowns import UNKNOWN, NotKnownError, partial, partial_below, unread, whole
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import SIZE, aks

POOL = partial(UserPool(vm_size=SIZE, count=3), {"spot"})
TAINT = partial(Taint("team", "ml"), {"value"})


@pytest.mark.parametrize(
    "asked",
    [
        pytest.param(lambda: POOL.spot, id="a field that is not known"),
        pytest.param(lambda: getattr(POOL, "spot", None), id="the same with a default"),
        pytest.param(lambda: POOL.own_taints, id="a property that reads it"),
        pytest.param(lambda: Taint("team", "ml") != TAINT, id="whether another differs from it"),
        pytest.param(lambda: Taint("team", "ml") == TAINT, id="whether it equals another"),
        pytest.param(lambda: {TAINT}, id="its place in a set"),
        pytest.param(lambda: str(TAINT), id="its text"),
    ],
)
def test_raises(asked: Callable[[], object]):
    with pytest.raises(NotKnownError):
        asked()


def test_a_part_that_is_made_of_what_is_not_known_is_not_known():
    with pytest.raises(NotKnownError):
        UserPool(vm_size=SIZE, scale=UNKNOWN)  # pyright: ignore[reportArgumentType]


def test_all_else_can_be_asked():
    assert isinstance(POOL, UserPool)
    assert (POOL.count, POOL.vm_size, type(POOL).__name__) == (3, SIZE, "UserPool")
    assert TAINT == TAINT  # noqa: PLR0124  # the very same
    assert TAINT != "team=ml:NoSchedule"
    assert repr(UNKNOWN) == "UNKNOWN"


def test_a_part_of_which_all_is_known_is_itself():
    pool = UserPool(vm_size=SIZE)
    assert partial(pool, ()) is pool
    assert unread(pool) == frozenset()


def test_unknown_fields_can_get_values():
    made = whole(POOL, {**vars(POOL), "spot": Spot()})
    assert (made, made.model_fields_set) == (UserPool(vm_size=SIZE, count=3, spot=Spot()), {"kind", "vm_size", "count", "spot"})
    assert whole(UserPool(vm_size=SIZE), vars(UserPool(vm_size=SIZE))) == UserPool(vm_size=SIZE)


def test_more_can_turn_out_to_be_unknown():
    less = partial(POOL, {"count"})
    assert unread(less) == {"spot", "count"}
    assert type(less) is type(POOL)


def test_fields_of_parts_can_be_unknown_too():
    cluster = aks(pools={"web": UserPool(vm_size=SIZE, taints=[Taint("a"), Taint("b")])})
    less = partial_below(cluster, [("location",), ("pools", "web", "taints", 1, "value"), ("pools", "web", "count")])
    assert unread(less) == {"location"}
    assert unread(less.pools["web"]) == {"count"}
    assert less.pools["web"].taints[0] == Taint("a")
    assert unread(less.pools["web"].taints[1]) == {"value"}
    assert less.system_pool is cluster.system_pool


ROWS: list[tuple[str, AgentPool, set[str], set[str]]] = [
    ("all is known", SystemPool(vm_size="Standard_B2s", count=0, taints=[Taint("a")]), set(), {"AKS012", "AKS014", "AKS018", "AKS047"}),
    ("the size is not", SystemPool(vm_size="Standard_B2s", count=0, taints=[Taint("a")]), {"vm_size"}, {"AKS012", "AKS014"}),
    ("the taints are not", SystemPool(vm_size="Standard_B2s", count=0, taints=[Taint("a")]), {"taints"}, {"AKS012", "AKS018", "AKS047"}),
    ("the spot is not, and a price below it is walked", UserPool(vm_size=SIZE, spot=Spot(max_price=0)), {"spot"}, {"AKS016"}),
]


@pytest.mark.parametrize(("row", "pool", "unknown", "codes"), ROWS, ids=[row[0] for row in ROWS])
def test_a_rule_that_reads_what_is_not_known_says_nothing(row: str, pool: AgentPool, unknown: set[str], codes: set[str]):
    assert {finding.code for finding in check(partial(pool, unknown))} == codes, row


def test_what_a_rule_has_said_before_it_read_on_is_kept():
    cluster = partial(aks(entra=None), {"admins"})
    assert [finding.path for finding in check(cluster) if finding.code == "AKS062"] == ["entra"]
