"""Lists the tables of the package that are older than 200 days, with the tool that refreshes each; exits with 1 if there is one.

`python tools/old_tables.py [DAY]`. A scheduled job runs it: tests never fail by the passing of time.
"""

import sys
from datetime import UTC, date, datetime

from nodepools.data.table_files import OLD, TABLES, TableDate


def line(table: TableDate, today: date) -> str:
    """`prices of Azure VM sizes (azure_prices.txt): 2026-06-18, 250 days old; source: …; refresh it with tools/fold_azure_prices.py`."""
    how = f"refresh it with tools/{table.tool}" if table.is_written else f"compare it with tools/{table.tool}, and edit it"
    return f"{table.name} ({table.file}): {table.day}, {table.age(today)} days old; source: {table.source}; {how}"


def main(today: date) -> int:
    """Prints the old tables, and returns the exit code."""
    old = [table for table in TABLES if table.is_old(today)]
    sys.stdout.writelines(f"{line(table, today)}\n" for table in old)
    sys.stdout.write(f"{len(old)} of {len(TABLES)} tables are older than {OLD.days} days\n")
    return bool(old)


if __name__ == "__main__":
    sys.exit(main(date.fromisoformat(sys.argv[1]) if sys.argv[1:] else datetime.now(UTC).date()))
