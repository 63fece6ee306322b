"""Workloads that must fit a platform, after a loss of capacity too."""

from collections.abc import Iterator, Sequence

from nodepools.clouds.registry import catalog
from nodepools.model.platform import Platform
from nodepools.placement.must_fit import invalid_entries, named_workloads
from nodepools.replicas.losses import EACH, Loss, read_losses, single_losses
from nodepools.replicas.must_fit import unplaced


def must_fit(platform: Platform, *, without: str | Sequence[str] = ()) -> None:
    """Every pod of the workloads in `must_fit` of the platform is certain to be scheduled in one of its clusters.

        testing.must_fit(platform, without="zone=1")
        testing.must_fit(platform, without="each")

    Args:
        platform: the declaration, with its `must_fit`.
        without: capacity that is lost together: `zone=1`, `spot`, `pool=web`, `size=Standard_D4s_v5`, as a list or with commas. `each` is
            each zone, spot capacity and each pool, each of them alone.

    Raises:
        AssertionError: some pods stay Pending, or may; it names all workloads with the reasons. Or the API server rejects
            an entry of `must_fit`, or none of them creates pods.
        UnknownLossError: no pool has what is lost.
    """
    if wrong := [f"must_fit[{index}] {problem}. {fix}" for index, problem, fix in invalid_entries(platform)]:
        raise AssertionError("\n".join(wrong))
    if not named_workloads(platform):
        raise AssertionError("`must_fit` of the platform has no workload: there is nothing to place")
    pools, written = catalog(platform), [without] if isinstance(without, str) else list(without)
    cases = [(loss,) for loss in single_losses(pools)] if written == [EACH] else [read_losses(written, pools)]
    found = [line for losses in cases for line in _lines(platform, losses)]
    if found:
        raise AssertionError("\n".join(found))


def _lines(platform: Platform, losses: Sequence[Loss]) -> Iterator[str]:
    after = f" without {' and '.join(loss.words for loss in losses)}" if losses else ""
    for found in unplaced(platform, losses):
        yield f"must_fit[{found.entry}] ({found.name}) {found.problem}{after}{f'. {found.fix}' if found.fix else ''}"
