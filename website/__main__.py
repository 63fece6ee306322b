"""Builds the site: `python -m website [FOLDER]`. A broken link, a missing anchor or a page outside of the navigation fails.

The variable SITE has the address at which it is published, for the page that servers show for unknown addresses, and REPOSITORY (`OWNER/NAME`) the
repository that the header links to.
"""

import os
import sys
from pathlib import Path

from sphinx.cmd.build import build_main

from website.built import link_from_everywhere, missing_pages
from website.layout import PROJECT
from website.reference.command_outputs import outputs
from website.staging import stage


def main(folder: Path) -> int:
    """Returns the exit code of the build."""
    stage(folder / "source", with_playground=(folder / "html/playground/index.html").is_file(), outputs=outputs())
    options = ["-c", str(PROJECT / "website"), "-d", str(folder / "parsed"), "-b", "html", "-j", "auto", "-q", "-n", "-W", "--keep-going"]
    status = build_main([*options, str(folder / "source"), str(folder / "html")])
    missing = list(missing_pages(folder / "html")) if status == 0 else []
    sys.stderr.writelines(f"findings link to {page}, which the site does not have\n" for page in missing)
    if status == 0 and os.environ.get("SITE"):
        link_from_everywhere(folder / "html/404.html", os.environ["SITE"])
    return status or bool(missing)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else PROJECT / "build" / "site"))
