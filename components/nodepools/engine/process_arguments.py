"""What the engine and the program's process agree on. Imports nothing: both need it, and only one has pulumi loaded."""

from typing import NamedTuple

HOST = "nodepools.engine.host"
"""The module that the program's process runs."""

FAILED = 32
"""Exit status: why the program failed was told to the engine, as its last message. The number is that of Pulumi's language host."""


class Arguments(NamedTuple):
    """The command line of the program's process, word by word."""

    address: str
    project: str
    stack: str
    organization: str
    parallel: str
    mode: str
    program: str
