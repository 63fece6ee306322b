"""Compares the table of AKS retirements in the package with the notices in the documentation of AKS, and prints the differences.

`python tools/compare_aks_retirements.py FOLDER`: FOLDER is `articles/aks/includes` of the repository MicrosoftDocs/azure-aks-docs, whose
`*-retirement.md` are the notices. Exits with 1 if a date of the table is not in its notice, or a notice is new: edit
`components/nodepools/data/aks_retirements.txt`, with the day in its first line. Needs a human eye: what a date means (the end of support or the
deletion of images), and whether AKS rejects new pools after it (https://github.com/Azure/AKS/releases).
"""

import re
import sys
from datetime import date, datetime
from pathlib import Path

from nodepools.data.aks_images import BASIC_LOAD_BALANCER, KUBENET, NPM_ON_LINUX, NPM_ON_WINDOWS, RETIREMENTS, SKIP_GPU_DRIVER, Retirement

NOTICES: dict[str, Retirement] = {
    "azure-linux": RETIREMENTS["Azure Linux 2.0"],
    "azure-network-policy-manager-linux": NPM_ON_LINUX,
    "azure-network-policy-manager-windows": NPM_ON_WINDOWS,
    "basic-load-balancer": BASIC_LOAD_BALANCER,
    "flatcar-preview": RETIREMENTS["Flatcar Container Linux"],
    "kubenet": KUBENET,
    "skip-gpu-driver-install": SKIP_GPU_DRIVER,
    "ubuntu-20-04": RETIREMENTS["Ubuntu 20.04"],
    "ubuntu-22-04": RETIREMENTS["Ubuntu 22.04"],
    "windows-annual-channel": RETIREMENTS["Windows Server Annual Channel"],
    "windows-server-2019": RETIREMENTS["Windows Server 2019"],
    "windows-server-2022": RETIREMENTS["Windows Server 2022"],
}
"""The rows of the table, by their notices."""
NOT_DECLARED = {
    "21vianet": "a cloud of its own",
    "aks-gpu-image": "an image that declarations do not name",
    "availability-sets": "declarations have scale sets",
    "custom-ca-preview": "not modeled",
    "ingress-nginx": "an add-on that is not modeled",
    "kubelet-serving-cert": "automatic",
    "open-service-mesh": "an add-on that is not modeled",
    "os-guard-preview": "the end of a preview",
    "teleport": "not modeled",
    "vm-default-outbound-access": "about virtual networks",
}
"""Notices about what declarations do not contain."""
_SUFFIX = "-retirement.md"
_DAY = re.compile(r"(?:([A-Z][a-z]+) ([0-9]{1,2}), (20[0-9]{2}))|(?:([0-9]{1,2}) ([A-Z][a-z]+) (20[0-9]{2}))")


def days(text: str) -> set[date]:
    """The days that a notice names, in either order of day and month."""
    found: set[date] = set()
    for month, day, year, day_first, month_after, year_after in _DAY.findall(text):
        named = f"{month or month_after} {day or day_first} {year or year_after}"
        found.add(datetime.strptime(named, "%B %d %Y").date())  # noqa: DTZ007 (a day has no time zone)
    return found


def main(folder: Path) -> int:
    """Prints what differs, and returns the exit code."""
    notices = {file.name.removesuffix(_SUFFIX): file.read_text(encoding="utf-8") for file in sorted(folder.glob(f"*{_SUFFIX}"))}
    if not notices:
        sys.exit(f"{folder}: has no notices (`*{_SUFFIX}`)")
    lines: list[str] = []
    for name, text in notices.items():
        row = NOTICES.get(name)
        named = ", ".join(map(str, sorted(days(text)))) or "no day"
        if row is not None and not {row.ends, *([row.gone] if row.gone is not None else [])} <= days(text):
            lines.append(f"{row.name}: the table has {row.ends} and {row.gone}, the notice {named}")
        elif row is None and name not in NOT_DECLARED:
            lines.append(f"{name}: a new notice, with {named}")
    without = sorted(row.name for name, row in NOTICES.items() if name not in notices)
    lines += [f"without a notice: {', '.join(without)}"] if without else []
    sys.stdout.writelines(f"{line}\n" for line in (lines if lines else ["nothing differs"]))
    return bool(lines)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
