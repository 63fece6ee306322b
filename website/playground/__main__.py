"""Builds the playground: `python -m website.playground [FOLDER]`. It needs npm, and fetches what package-lock.json and wheels.txt name."""

import shutil
import subprocess
import sys
from pathlib import Path

from website.layout import PROJECT
from website.playground.page_parts import write_page
from website.playground.python_parts import HERE, collect


def main(out: Path, work: Path) -> None:
    """Writes the page to `out`, and whatever it needs meanwhile to `work`."""
    for folder in (out, work):
        shutil.rmtree(folder, ignore_errors=True)
    work.mkdir(parents=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copyfile(HERE / name, work / name)
    npm, node = (shutil.which(name) or sys.exit(f"the playground needs {name} on PATH to be built") for name in ("npm", "node"))
    subprocess.run([npm, "ci", "--silent", "--no-audit", "--no-fund"], cwd=work, check=True)  # noqa: S603
    collect(work / "python")
    write_page(work / "node_modules", out)
    subprocess.run([node, str(HERE / "compile.mjs"), str(work / "node_modules"), str(work / "python"), str(out / "python.bin")], check=True)  # noqa: S603
    size = sum(file.stat().st_size for file in out.rglob("*") if file.is_file())
    sys.stdout.write(f"{out}: {size / 1e6:.1f} MB\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else PROJECT / "build/site/html/playground", PROJECT / "build/playground")
