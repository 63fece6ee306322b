"""The text of errors of the operating system, which the console script also needs when little can be imported."""


def os_error_text(error: OSError) -> str:
    """`file: No such file or directory`; an error without a file name comes from writing to stdout."""
    return f"{error.filename if error.filename is not None else 'stdout'}: {error.strerror}"
