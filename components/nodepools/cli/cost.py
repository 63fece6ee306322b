"""`nodepools cost`: minimum and maximum monthly cost of the pools."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import typer
from pydantic import ValidationError
from rich.console import Console
from rich.table import Table
from rich.text import Text

from nodepools.cli.command_run import Result
from nodepools.cli.exit_codes import InvalidError
from nodepools.cli.inputs.input_files import text
from nodepools.cli.output.output_formats import ReportFormat
from nodepools.costs.amount import Amount, total
from nodepools.costs.platform_cost import UNCOUNTED, pool_costs
from nodepools.costs.pool_cost import PoolCost
from nodepools.costs.prices import PriceList, Prices, ShippedPrices
from nodepools.loading import UnreadableError
from nodepools.manifests.platform_yaml import parse
from nodepools.model.platform import Platform
from nodepools.reading.limits import TextError
from nodepools.rules.engine.schema_findings import shape_findings

_UNCUT = 500


@dataclass(frozen=True, slots=True)
class Month:
    """Monthly cost of all pools of one platform."""

    name: str
    pools: Sequence[PoolCost]

    @property
    def min(self) -> Amount:
        """The minimum of all pools."""
        return total(pool.min for pool in self.pools)

    @property
    def max(self) -> Amount:
        """The maximum of all pools."""
        return total(pool.max for pool in self.pools)

    def to_json(self) -> dict[str, object]:
        """The platform in `--format json`."""
        pools = [pool.to_json() for pool in self.pools]
        return {"name": self.name, "pools": pools, "minimum": self.min.to_json(), "maximum": self.max.to_json()}


def price_list(path: Path | None) -> Prices:
    """Reads the prices of a file, or returns the built-in ones.

    Raises:
        UnreadableError: the file cannot be read, or is not a price list.
        InvalidError: the price list has errors.
    """
    if path is None:
        return ShippedPrices()
    try:
        value = parse(text(path), str(path)).value
    except TextError as error:
        raise UnreadableError(str(error)) from None
    if not isinstance(value, dict):
        raise UnreadableError(f"{path}: is not a price list: it must have `azure:` or `aws:`, then regions, then machine types")
    try:
        return PriceList.model_validate(value)
    except ValidationError as error:
        raise InvalidError(str(path), shape_findings(error, PriceList)) from None


def months(platforms: Iterable[Platform], prices: Prices) -> list[Month]:
    """Estimates the monthly cost of each platform."""
    return [Month(platform.name, pool_costs(platform, prices)) for platform in platforms]


def estimate(months: Sequence[Month], prices: Prices, form: ReportFormat) -> Result:
    """The estimate of all platforms."""
    basis = {"currency": prices.currency, "prices": prices.origin, "not_counted": UNCOUNTED}
    return Result(lambda: {"platforms": [month.to_json() for month in months], **basis}, lambda: _show(months, prices, form))


def _show(months: Sequence[Month], prices: Prices, form: ReportFormat) -> None:
    if form is ReportFormat.MARKDOWN:
        typer.echo("\n".join(line for month in months for line in _markdown(month, prices)))
    else:
        for month in months:
            _print(month, prices)


def _print(month: Month, prices: Prices) -> None:
    console = Console(highlight=False, soft_wrap=False)
    if not console.is_terminal:
        console.width = _UNCUT
    console.print(Text(f"{month.name}: {prices.currency} per month", style="bold"))
    table = Table(box=None, pad_edge=False)
    table.add_column("pool", no_wrap=True)
    table.add_column("nodes", overflow="fold")
    table.add_column("minimum", justify="right", no_wrap=True)
    table.add_column("maximum", justify="right", no_wrap=True)
    for pool in month.pools:
        table.add_row(*map(Text, (pool.pool, pool.description, str(pool.min), str(pool.max))))
    table.add_section()
    for name, minimum, maximum in _sums(month):
        table.add_row(*(Text(cell, style="bold") for cell in (name, "", minimum, maximum)))
    console.print(table)
    for line in ("", *_notes(month), f"Prices: {prices.origin}.", UNCOUNTED):
        console.print(Text(line))
    console.print()


def _sums(month: Month) -> Iterator[tuple[str, str, str]]:
    groups = [(key, list(group)) for key, group in groupby(month.pools, key=lambda pool: pool.cluster)]
    for key, group in groups:
        if len(groups) > 1:
            yield key, str(total(pool.min for pool in group)), str(total(pool.max for pool in group))
    yield "total", str(month.min), str(month.max)


def _notes(month: Month) -> Iterator[str]:
    for pool in month.pools:
        reasons = dict.fromkeys(amount.reason for amount in (pool.min, pool.max) if amount.reason)
        for note in (*reasons, *pool.notes):
            yield f"{pool.pool}: {note}"


def _markdown(month: Month, prices: Prices) -> Iterator[str]:
    yield from (f"### {month.name}: {prices.currency} per month", "", "| pool | nodes | minimum | maximum |", "|---|---|---:|---:|")
    for pool in month.pools:
        yield f"| `{pool.pool}` | {pool.description} | {pool.min} | {pool.max} |"
    for name, minimum, maximum in _sums(month):
        yield f"| **{name}** | | **{minimum}** | **{maximum}** |"
    yield ""
    yield from (f"* `{line.partition(': ')[0]}`: {line.partition(': ')[2]}" for line in _notes(month))
    yield from ("", f"Prices: {prices.origin}. {UNCOUNTED}", "")
