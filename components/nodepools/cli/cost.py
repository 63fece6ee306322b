"""`nodepools cost`: what the pools come to in a month, at the least and at the most."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Never

import typer
from pydantic import ValidationError
from rich.console import Console
from rich.table import Table
from rich.text import Text

from nodepools.cli.exit_codes import end
from nodepools.cli.input_files import text
from nodepools.cli.output_formats import ReportFormat
from nodepools.cli.report import print_findings, print_json, summary
from nodepools.cost.amount import Amount, total
from nodepools.cost.platform_cost import UNCOUNTED, bills
from nodepools.cost.pool_cost import PoolCost
from nodepools.cost.prices import PriceList, Prices, ShippedPrices
from nodepools.loading import UnreadableError
from nodepools.manifests.platform_yaml import TextError, parse
from nodepools.model.platform import Platform
from nodepools.rules.finding import Finding
from nodepools.rules.schema_findings import shape_findings

_UNCUT = 500


@dataclass(frozen=True, slots=True)
class Month:
    """All pools of one platform."""

    name: str
    bills: Sequence[PoolCost]

    @property
    def floor(self) -> Amount:
        """Of all pools."""
        return total(bill.floor for bill in self.bills)

    @property
    def ceiling(self) -> Amount:
        """Of all pools."""
        return total(bill.ceiling for bill in self.bills)

    def to_json(self) -> dict[str, object]:
        """The platform as `--format json` has it."""
        pools = [bill.to_json() for bill in self.bills]
        return {"name": self.name, "pools": pools, "floor": self.floor.to_json(), "ceiling": self.ceiling.to_json()}


def price_list(path: Path | None) -> Prices:
    """The prices of a file, whose findings end the command; the shipped ones where none is named.

    Raises:
        UnreadableError: the file cannot be read, or holds no price list.
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
        _refuse(path, shape_findings(error, PriceList))


def _refuse(path: Path, findings: Sequence[Finding]) -> Never:
    print_findings(findings, err=True)
    typer.echo(f"{path}: {summary(findings)}", err=True)
    end(findings, strict=False)


def months(platforms: Iterable[Platform], prices: Prices) -> list[Month]:
    """What the pools of each platform come to."""
    return [Month(platform.name, bills(platform, prices)) for platform in platforms]


def show(found: Sequence[Month], prices: Prices, how: ReportFormat) -> None:
    """Prints the answer."""
    if how is ReportFormat.JSON:
        told = {"currency": prices.currency, "prices": prices.origin, "not_counted": UNCOUNTED}
        print_json({"platforms": [month.to_json() for month in found], **told})
    elif how is ReportFormat.MARKDOWN:
        typer.echo("\n".join(line for month in found for line in _markdown(month, prices)))
    else:
        for month in found:
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
    for bill in month.bills:
        table.add_row(*map(Text, (bill.pool, bill.what, str(bill.floor), str(bill.ceiling))))
    table.add_section()
    for name, floor, ceiling in _sums(month):
        table.add_row(*(Text(cell, style="bold") for cell in (name, "", floor, ceiling)))
    console.print(table)
    for line in ("", *_remarks(month), f"Prices: {prices.origin}.", UNCOUNTED):
        console.print(Text(line))
    console.print()


def _sums(month: Month) -> Iterator[tuple[str, str, str]]:
    groups = [(key, list(group)) for key, group in groupby(month.bills, key=lambda bill: bill.cluster)]
    for key, group in groups:
        if len(groups) > 1:
            yield key, _sum(bill.floor for bill in group), _sum(bill.ceiling for bill in group)
    yield "total", _sum(bill.floor for bill in month.bills), _sum(bill.ceiling for bill in month.bills)


def _sum(amounts: Iterable[Amount]) -> str:
    """What is known is told beside what is not."""
    amounts = list(amounts)
    whole = total(amounts)
    if whole.figure is not None or whole.unbounded:
        return str(whole)
    return f"{total(one for one in amounts if one.figure is not None)} + unknown"


def _remarks(month: Month) -> Iterator[str]:
    for bill in month.bills:
        reasons = dict.fromkeys(one.why for one in (bill.floor, bill.ceiling) if one.why)
        for remark in (*reasons, *bill.remarks):
            yield f"{bill.pool}: {remark}"


def _markdown(month: Month, prices: Prices) -> Iterator[str]:
    yield from (f"### {month.name}: {prices.currency} per month", "", "| pool | nodes | minimum | maximum |", "|---|---|---:|---:|")
    for bill in month.bills:
        yield f"| `{bill.pool}` | {bill.what} | {bill.floor} | {bill.ceiling} |"
    for name, floor, ceiling in _sums(month):
        yield f"| **{name}** | | **{floor}** | **{ceiling}** |"
    yield ""
    yield from (f"* `{line.partition(': ')[0]}`: {line.partition(': ')[2]}" for line in _remarks(month))
    yield from ("", f"Prices: {prices.origin}. {UNCOUNTED}", "")
