"""The Pulumi program of a platform file, for `nodepools preview --file`."""

import os

from nodepools import deploy, load_file

deploy(load_file(os.environ["NODEPOOLS_PLATFORM_FILE"]))
