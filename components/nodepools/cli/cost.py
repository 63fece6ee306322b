"""`nodepools cost`: minimum and maximum monthly cost of the pools."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from math import ceil, floor
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from nodepools.cli.capacity import with_limits, without_limits
from nodepools.cli.command_run import Result
from nodepools.cli.demands.demands import UNKNOWN, Demands, verdict
from nodepools.cli.inputs.input_files import text
from nodepools.cli.output.report import NOWHERE, Act, Report, Row, Section, Step, Tone, command, edit, lines_of
from nodepools.cli.problem import InvalidError
from nodepools.clouds.prices import Amount, PoolCost, PriceList, Prices, ShippedPrices, total
from nodepools.clouds.registry import pool_costs
from nodepools.loading import UnreadableError
from nodepools.model.listing import counted, listed
from nodepools.model.platform import Platform
from nodepools.model.values import dataclass, field
from nodepools.reading.yaml_documents import only_value
from nodepools.reading.yaml_scalars import PLATFORM
from nodepools.rules.engine.schema_findings import shape_findings

_NO_PRICES: Final = "is not a price list: it must have `azure:` or `aws:`, then regions, then machine types"
_UNCOUNTED: Final = (
    "Includes instances only (730 hours per month); excludes disks, traffic, the control plane, the EKS Auto Mode fee per instance, "
    "and extra nodes during upgrades and replacements."
)
EXAMPLE: Final = "azure: {westeurope: {Standard_D2ds_v5: {on_demand: 0.14, spot: 0.03}}}"
_NAMED: Final = 2
"""Pools that the answer names."""


@dataclass(frozen=True, slots=True)
class Month:
    """Monthly cost of all pools of one platform."""

    name: str
    pools: Sequence[PoolCost]
    owners: Mapping[str | None, Sequence[PoolCost]] = field(default_factory=dict[str | None, Sequence[PoolCost]])
    """The pools of each owner, those without one last; empty if nothing has an owner."""

    @property
    def min(self) -> Amount:
        """The minimum of all pools."""
        return total(pool.min for pool in self.pools)

    @property
    def max(self) -> Amount:
        """The maximum of all pools."""
        return total(pool.max for pool in self.pools)

    @classmethod
    def of(cls, platform: Platform, prices: Prices) -> "Month":
        """The cost of a platform, with that of its owners."""
        pools = pool_costs(platform, prices)
        return cls(platform.name, pools, platform.by_owner(pools if platform.has_owners else (), lambda pool: pool.pool))

    def to_json(self) -> dict[str, object]:
        """The platform in `--format json`."""
        owners = [{"owner": owner, "pools": [pool.pool for pool in own], **_bounds(own)} for owner, own in self.owners.items()]
        pools = [pool.to_json() for pool in self.pools]
        return {"name": self.name, "pools": pools, **_bounds(self.pools), **({"owners": owners} if owners else {})}


def _bounds(pools: Sequence[PoolCost]) -> dict[str, object]:
    return {"minimum": total(pool.min for pool in pools).to_json(), "maximum": total(pool.max for pool in pools).to_json()}


def price_list(path: Path | None) -> Prices:
    """Reads the prices of a file, or returns the built-in ones.

    Raises:
        UnreadableError: the file cannot be read, or is not a price list.
        InvalidError: the price list has errors.
    """
    if path is None:
        return ShippedPrices()
    value = only_value(text(path), str(path), PLATFORM)
    if not isinstance(value, dict):
        raise UnreadableError(f"{path}: {_NO_PRICES}")
    if not value.keys() & PriceList.model_fields.keys() and {"clusters", "kind"} & value.keys():
        what = f"a platform: `nodepools cost --file {path}`" if "clusters" in value else "a Kubernetes manifest"
        raise UnreadableError(f"{path}: is {what}, and {_NO_PRICES}")
    try:
        return PriceList.model_validate(value)
    except ValidationError as error:
        raise InvalidError(str(path), shape_findings(error, PriceList)) from None


def months(platforms: Iterable[Platform], prices: Prices) -> list[Month]:
    """Estimates the monthly cost of each platform."""
    return [Month.of(platform, prices) for platform in platforms]


def estimate(about: str, options: str, months: Sequence[Month], prices: Prices, wanted: Demands, *, places: Mapping[str, str] = NOWHERE) -> Result:
    """The estimate of all platforms. `options` are those that name them, for the next command; `places` say where pools are declared."""
    pools = [(month, pool) for month in months for pool in month.pools]
    whole = Month(about, [pool for _, pool in pools])
    named = [(f"{month.name}/{pool.pool}" if len(months) > 1 else pool.pool, pool) for month, pool in pools]
    sections = [_section(month, is_one=len(months) == 1) for month in months]
    basis = lines_of("Prices and what is counted", f"Prices: {prices.origin}", _UNCOUNTED.removesuffix("."), is_detail=True)
    built_in = without_limits([name for name, pool in named if pool.max.unbounded and pool.is_built_in])
    report = Report(about, _answer(whole, prices.currency, named), tuple(_next(named, options, places)), (*sections, built_in, basis))
    sums = {"minimum": whole.min.to_json(), "maximum": whole.max.to_json()}
    fields = {**sums, "currency": prices.currency, "prices": prices.origin, "not_counted": _UNCOUNTED}
    read = {month.name for month in months}
    unknown = [verdict(UNKNOWN, pool.pool, month.name) for month, pool in pools if pool.min.figure is None or pool.max.figure is None]
    decided = wanted.decided(unknown, lambda one: one.kind == "verdict" and one.within in ("", *read))
    return Result(lambda: {"platforms": [month.to_json() for month in months], **fields}, decided=decided, report=report)


def _answer(whole: Month, currency: str, named: Sequence[tuple[str, PoolCost]]) -> str:
    """Between both bounds if they are known; otherwise at least what is known, and why there is no maximum."""
    least, most, unit = whole.min, whole.max, f"{currency} per month for nodes"
    if least.figure is not None and most.figure is not None:
        return f"{least} {unit}" if least == most else f"{floor(least.figure):,} to {ceil(most.figure):,} {unit}"
    if most.unbounded:
        endless = [(name, pool.is_built_in) for name, pool in named if pool.max.unbounded]
        without = [name for name, _ in sorted(endless, key=lambda one: one[1])]  # only NodePools of your own have limits
    else:
        without = [name for name, pool in named if pool.min.figure is None or pool.max.figure is None]
    has_none = "has no maximum" if most.unbounded else "has an unknown price"
    have = has_none if len(without) == 1 else has_none.replace("has", "have", 1)
    known = f"at least {floor(least.known):,} {unit}" if least.known else "unknown"
    if most.figure is not None:
        known = f"{floor(least.known):,} to {ceil(most.figure):,} {unit}"
        have = have.replace("unknown price", "unknown minimum price")
    return f"{known}: {listed(without, _NAMED)} {have}"


def _next(named: Sequence[tuple[str, PoolCost]], options: str, places: Mapping[str, str]) -> Iterator[Step]:
    """Limits and prices that are missing."""
    yield from with_limits([name for name, pool in named if pool.max.unbounded and not pool.is_built_in], places)
    unknown = {name: pool for name, pool in named if any(bound.figure is None and not bound.unbounded for bound in (pool.min, pool.max))}
    replaced = [name for name, pool in unknown.items() if pool.is_overridden]
    if replaced:
        yield edit("Set the fields that `overrides` replaces: `overrides` are not read", listed(replaced, _NAMED))
    unpriced = [name for name in unknown if name not in replaced]
    if unpriced:
        file = f"FILE: all your prices, such as `{EXAMPLE}`, because it replaces the built-in list: that lacks {listed(unpriced, _NAMED)}"
        yield command(f"nodepools cost {options} --prices FILE", Act.NONE, file)


def _section(month: Month, *, is_one: bool) -> Section:
    """The pools, then the sums of the clusters and of the owners. Of several platforms, the pools are details."""
    rows = [_row(pool, is_detail=not is_one) for pool in month.pools]
    return Section("" if is_one else month.name, (*rows, *_sums(month)), ("pool", "minimum", "maximum", "nodes"), frozenset({1, 2}))


def _row(pool: PoolCost, *, is_detail: bool) -> Row:
    """A pool. Its description says already that it has no limits."""
    bounds = (pool.min, pool.max)
    unknown = dict.fromkeys(bound.message for bound in bounds if bound.message and not bound.unbounded)
    unbounded = dict.fromkeys(bound.message for bound in bounds if bound.unbounded and bound.message.replace("`", "") not in pool.description)
    return Row(
        (pool.pool, str(pool.min), str(pool.max), pool.description),
        Tone.CAUTION if pool.max.figure is None else Tone.PLAIN,
        tuple(unknown),
        (*unbounded, *pool.details),
        is_detail,
    )


def _sums(month: Month) -> Iterator[Row]:
    groups = [(key, list(group)) for key, group in groupby(month.pools, key=lambda pool: pool.cluster)]
    shown = [(f"all of {key}", group) for key, group in groups if len(groups) > 1]
    shown += [(f"owner {owner}" if owner is not None else "without owner", group) for owner, group in month.owners.items()]
    for name, group in shown:
        yield Row((name, str(total(pool.min for pool in group)), str(total(pool.max for pool in group)), _counted(group)))
    yield Row(("all", str(month.min), str(month.max), _counted(month.pools)))


def _counted(pools: Sequence[PoolCost]) -> str:
    return counted(len(pools), "pool")
