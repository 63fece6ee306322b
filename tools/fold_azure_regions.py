"""Refreshes the table of Azure regions in the package from what `az account list-locations --output json` prints.

`python tools/fold_azure_regions.py LOCATIONS.json DAY TABLE [CLOUD]`: DAY is the day of the export, CLOUD the name of the cloud (`az cloud show`),
`AzureCloud` by default. Regions that are only in the table stay, because an account does not see restricted ones. The tool prints them: remove those
that closed (https://learn.microsoft.com/azure/reliability/regions-list). A region that the export lists without `availabilityZoneMappings`, while it
lists them for others, is marked `:0`: it has no availability zones.
"""

import json
import re
import sys
from pathlib import Path

from table_file import replace_rows, rows_of

BEFORE = "; before: "
WITHOUT_ZONES = ":0"


def main(locations: Path, day: str, table: Path, cloud: str = "AzureCloud") -> None:
    """Reads both, writes the table: each cloud with its regions."""
    listed = json.loads(locations.read_text(encoding="utf-8"))
    physical = {one["name"]: bool(one.get("availabilityZoneMappings")) for one in listed if one.get("metadata", {}).get("regionType") == "Physical"}
    if not physical:
        sys.exit(f"{locations}: has no physical regions: use the output of `az account list-locations --output json`")
    rows = {first: others for first, *others in rows_of(table)}
    before = {marked.removesuffix(WITHOUT_ZONES): marked for marked in rows.get(cloud, [])}
    unseen, new = sorted(before.keys() - physical), sorted(physical.keys() - before)
    told = {name: name if has_zones else name + WITHOUT_ZONES for name, has_zones in physical.items()} if any(physical.values()) else {}
    rows[cloud] = sorted({**{name: name for name in new}, **before, **told}.values())
    source = table.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
    exported = re.compile(r"az account list-locations, [0-9-]+")
    source = exported.sub("", source).removeprefix(BEFORE)
    comments = (
        f"az account list-locations, {day}{BEFORE}{source}",
        "cloud regions, with `:0` for those without availability zones; `Automatic`: regions of AKS Automatic",
    )
    replace_rows(table, comments, ([first, *others] for first, others in rows.items()))
    sys.stdout.write(f"new: {', '.join(new) if new else 'none'}\nnot in the export, kept: {', '.join(unseen) if unseen else 'none'}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]), *sys.argv[4:])
