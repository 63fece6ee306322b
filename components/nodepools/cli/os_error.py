"""The text of errors of the operating system, which the console script also needs when little can be imported."""

from pathlib import Path


def os_error_text(error: OSError) -> str:
    """`file: No such file or directory`; an error without a file name comes from writing to stdout."""
    if error.filename is None:
        return f"stdout: {error.strerror}"
    from nodepools.reading.bounded_input import os_reason  # imports the models

    return f"{error.filename}: {os_reason(Path(str(error.filename)), error)}"
