"""Writes the table of evidence from real accounts into docs/evidence/README.md, made from the files next to it. `--check` only compares."""

import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[1]
FOLDER = PROJECT / "docs/evidence"
_TABLE = re.compile(r"(<!-- evidence: made by tools/evidence\.py -->\n).*?(<!-- end of evidence -->\n)", re.DOTALL)
_NONE = "There is none yet: no one has sent a file."
_HEAD = "| day | cloud | nodepools | came true | contradicted | not decided | ended |\n|---|---|---|---|---|---|---|\n"
_DAY, _CLOUD, _VERSION = (re.compile(pattern) for pattern in (r"\d{4}-\d{2}-\d{2}", "aks|eks", r"\d+(\.\w+)*"))
_COUNTED = {"came_true": "seen", "contradicted": "contradicted", "not_decided": "unknown"}
"""Each number of a file, with the verdict that it counts."""


class EvidenceError(ValueError):
    """A file is not what the kit writes; the text says why."""


def row(file: Path) -> str:
    """The line of a file: its numbers are counted again.

    Raises:
        EvidenceError: it is not what `examples/real-account/run.py` writes.
    """
    try:
        held: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        verdicts = [one["verdict"] for one in held["predictions"]]
        day, cloud, version = str(held["day"]), str(held["cloud"]), str(held["versions"]["nodepools"])
        stated, ended = {name: held[name] for name in _COUNTED}, (held["failed"], held["left"])
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise EvidenceError(f"{file.name}: is not a file of the kit ({type(error).__name__}: {error})") from None
    counted = {name: verdicts.count(verdict) for name, verdict in _COUNTED.items()}
    if held.get("format") != 1 or not (_DAY.fullmatch(day) and _CLOUD.fullmatch(cloud) and _VERSION.fullmatch(version)):
        raise EvidenceError(f"{file.name}: is of another format, or was edited")
    if stated != counted or sum(counted.values()) != len(verdicts):
        raise EvidenceError(f"{file.name}: has other numbers than predictions: {stated}, counted {counted}")
    if file.name != f"{day}-{cloud}.json":
        raise EvidenceError(f"{file.name}: must be named {day}-{cloud}.json")
    end = "destroyed" if ended == (None, 0) else "failed" if ended[1] == 0 else "failed, with resources left"
    return f"| [{day}]({file.name}) | {cloud.upper()} | {version} | {' | '.join(map(str, counted.values()))} | {end} |\n"


def table(folder: Path = FOLDER) -> str:
    """The newest file first; without a file, a sentence says so."""
    rows = [row(file) for file in sorted(folder.glob("*.json"), reverse=True)]
    return f"{_HEAD}{''.join(rows)}" if rows else f"{_NONE}\n"


def page(folder: Path = FOLDER) -> str:
    """The page with the table of today."""
    return _TABLE.sub(lambda found: f"{found[1]}{table(folder)}{found[2]}", (FOLDER / "README.md").read_text(encoding="utf-8"))


def main(arguments: list[str]) -> Iterator[str]:
    """Writes the page, or yields what differs."""
    readme = FOLDER / "README.md"
    if arguments == ["--check"]:
        yield from () if readme.read_text(encoding="utf-8") == page() else ("docs/evidence/README.md: run python tools/evidence.py",)
    else:
        readme.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    try:
        different = list(main(sys.argv[1:]))
    except EvidenceError as wrong:
        different = [str(wrong)]
    sys.stderr.writelines(f"{line}\n" for line in different)
    sys.exit(bool(different))
