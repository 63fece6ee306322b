"""The name that was probably meant."""

import pytest

from nodepools.model.listing import nearest, respelled, unknown

NEAREST = [
    pytest.param("mni", ["min", "max"], "min", id="letters that change places"),
    pytest.param("vmsize", ["vm_size", "vm_sizes"], "vm_size", id="another separator"),
    pytest.param("D4sd_v5", ["D4s_v5", "D4ds_v5", "D4d_v5"], "D4ds_v5", id="the same letters go first"),
    pytest.param("weigth", ["weight", "height"], "weight", id="nearer than another"),
    pytest.param("D5ds_v5", ["D2ds_v5", "D4ds_v5", "D8ds_v5"], None, id="several are equally near"),
    pytest.param("abdc", ["abcd", "adbc"], None, id="several with the same letters"),
    pytest.param("vnet_subnet_id", ["api_server_subnet_id", "network"], None, id="a word in common is not near"),
    pytest.param("images", ["tags"], None, id="a name of another thing"),
    pytest.param("example.com/tier", ["example.com/team"], None, id="a common domain makes no label alike"),
    pytest.param("kubernetes.io/aarch", ["kubernetes.io/arch"], "kubernetes.io/arch", id="a label"),
    pytest.param("x", [], None, id="nothing is known"),
    pytest.param("abcdefghi", ["abcdxyzhi"], "abcdxyzhi", id="three edits of nine letters"),
    pytest.param("abcdefgh", ["zyxwvuts"], None, id="nothing alike"),
]


@pytest.mark.parametrize(("name", "known", "expected"), NEAREST)
def test_the_nearest_name(name: str, known: list[str], expected: str | None) -> None:
    assert nearest(name, known) == expected


def test_a_respelled_name_is_the_only_one_with_its_letters() -> None:
    assert respelled("On_Demand", ["on-demand", "spot"]) == "on-demand"
    assert respelled("on demand", ["on-demand", "on_demand"]) is None
    assert respelled("spott", ["spot"]) is None


def test_what_is_unknown_names_the_near_one() -> None:
    assert unknown("spott", ["spot", "on-demand"], "is no capacity type") == "`spott` is no capacity type: use `spot`"
    assert unknown("gpu", ["spot", "on-demand"], "is no capacity type") == "`gpu` is no capacity type"
