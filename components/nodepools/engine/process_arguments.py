"""Shared definitions of the engine and the program's process. Imports nothing of pulumi, which only the latter has loaded."""

from typing import NamedTuple

FAILED = 32
"""Exit status of a failure that the last logged message explains. Pulumi's language host uses the same number."""

COMPLETE = "nodepools: the program is complete"
"""The debug message of a program that reached its end. A process can also end with exit status 0 before, by `os._exit(0)`."""


class Arguments(NamedTuple):
    """Command line arguments of the program's process."""

    address: str
    project: str
    stack: str
    organization: str
    parallel: str
    mode: str
    program: str
