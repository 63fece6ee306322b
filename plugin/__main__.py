"""The component plugin. Pulumi starts it for programs in any language."""

import sys
from pathlib import Path

from pulumi.provider import main

from nodepools.plugin.provider import ClusterProvider

if __name__ == "__main__":
    main(ClusterProvider((Path(__file__).parent / "schema.json").read_text(encoding="utf-8")), sys.argv[1:])
