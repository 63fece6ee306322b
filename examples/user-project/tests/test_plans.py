"""Golden plans: they show how a change of this repository, or of a package, changes the clusters."""

from nodepools.testing import Golden, Graph


def test_the_plan_is_the_stored_one(graph: Graph, golden: Golden) -> None:
    golden(graph)
