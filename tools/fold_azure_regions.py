"""Refreshes the table of Azure regions in the package from what `az account list-locations --output json` prints.

`python tools/fold_azure_regions.py LOCATIONS.json DAY TABLE [CLOUD]`: DAY is the day of the export, CLOUD the name of the cloud (`az cloud show`),
`AzureCloud` by default. Regions that are only in the table stay, because an account does not see restricted ones. The tool prints them: remove those
that closed (https://learn.microsoft.com/azure/reliability/regions-list).
"""

import json
import re
import sys
from pathlib import Path

from table_file import replace_rows, rows_of

BEFORE = "; before: "


def main(locations: Path, day: str, table: Path, cloud: str = "AzureCloud") -> None:
    """Reads both, writes the table: each cloud with its regions."""
    listed = json.loads(locations.read_text(encoding="utf-8"))
    names = {one["name"] for one in listed if one.get("metadata", {}).get("regionType") == "Physical"}
    if not names:
        sys.exit(f"{locations}: has no physical regions: use the output of `az account list-locations --output json`")
    rows = {first: others for first, *others in rows_of(table)}
    unseen = sorted(set(rows.get(cloud, [])) - names)
    new = sorted(names - set(rows.get(cloud, [])))
    rows[cloud] = sorted({*rows.get(cloud, []), *names})
    source = table.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
    exported = re.compile(r"az account list-locations, [0-9-]+")
    source = exported.sub("", source).removeprefix(BEFORE)
    comments = (f"az account list-locations, {day}{BEFORE}{source}", "cloud regions")
    replace_rows(table, comments, ([first, *others] for first, others in rows.items()))
    sys.stdout.write(f"new: {', '.join(new) if new else 'none'}\nnot in the export, kept: {', '.join(unseen) if unseen else 'none'}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]), *sys.argv[4:])
