"""Refreshes the table of Azure VM sizes in the package from what `az vm list-skus --resource-type virtualMachines --output json` prints.

`python tools/fold_azure_vm_sizes.py SKUS.json DAY TABLE`: sizes in SKUS get their values from it; sizes that are only in TABLE stay as they are,
because an account sees the sizes of its own regions. The models of GPUs are not in SKUS: they come from TABLE, or from the name (`_A100_`).
"""

import json
import re
import sys
from pathlib import Path

PREFIX = "Standard_"
ARCHITECTURES = {"x64": "amd", "Arm64": "arm"}
OTHERS = "sizes that it did not list: "
MODEL = re.compile(r"_(A10|A100|H100|H200|T4|V100)_")


def row(name: str, capabilities: dict[str, str], known: list[str] | None) -> list[str]:
    """The columns of a size: vCPUs that it offers, memory, architecture; with GPUs, their number and model."""
    cpus = capabilities.get("vCPUsAvailable", capabilities.get("vCPUs", "-"))
    columns = [name, cpus, f"{float(capabilities['MemoryGB']):g}", ARCHITECTURES[capabilities.get("CpuArchitectureType", "x64")]]
    if capabilities.get("GPUs", "0") == "0":
        return columns
    found = MODEL.search(f"{PREFIX}{name}")
    model = known[5] if known is not None and len(known) > len(columns) else found[1] if found is not None else "-"
    return [*columns, capabilities["GPUs"], model]


def main(skus: Path, day: str, table: Path) -> None:
    """Reads both, writes the table."""
    lines = table.read_text(encoding="utf-8").splitlines()
    comments = [line for line in lines if line.startswith("#")]
    known = {columns[0]: columns for columns in (line.split() for line in lines if not line.startswith("#"))}
    for sku in json.loads(skus.read_text(encoding="utf-8")):
        name = str(sku["name"]).removeprefix(PREFIX)
        if sku["resourceType"] == "virtualMachines" and str(sku["name"]).startswith(PREFIX):
            known[name] = row(name, {one["name"]: one["value"] for one in sku["capabilities"]}, known.get(name))
    before = comments[0].removeprefix("# ").rpartition(OTHERS)[2]
    source = f"# az vm list-skus, {day}; {OTHERS}{before}"
    table.write_text("\n".join([source, *comments[1:], *(" ".join(columns) for _, columns in sorted(known.items())), ""]), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
