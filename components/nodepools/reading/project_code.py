"""Whether commands run code of the project: stacks, programs and own rules. Untrusted projects are data only."""

import os
from typing import Final

VARIABLE: Final = "NODEPOOLS_NO_CODE"
"""The environment variable that turns code off."""
_ON: Final = ("", "0")


def is_allowed() -> bool:
    """Whether code of the project can run."""
    return os.environ.get(VARIABLE, "") in _ON


def turned_off(what: str) -> str:
    """Why `what` does not run, and what to do."""
    return f"{what} is code, which the environment variable `{VARIABLE}` turns off: check manifests, or a platform file with `--file`"
