"""The console script. It imports little: each command imports what it needs when it runs."""

import atexit
import gc
import os
import sys

_OBJECTS = 1_000_000
"""Allocations before the garbage collector runs: a check builds trees that live until it ends."""


def main() -> None:
    """Runs one command and exits: 0 no errors, 1 errors found, 2 invalid usage or incomplete, 130 interrupted."""
    gc.set_threshold(_OBJECTS)
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")  # they watch validations: each command would look for them in all packages
    atexit.register(gc.freeze)  # otherwise Python searches all objects for cycles several times as it ends, only to free memory
    try:
        _complete()
        if sys.stdout is None:  # `>&-`: no answer could be written, and a file that is opened would take its descriptor
            _end("stdout is closed", 2)
        _protect_streams()
        from nodepools.cli.program import app

        app(prog_name="nodepools")
    except ModuleNotFoundError as missing:
        if missing.name != "typer":  # a command reports others itself
            raise
        _end("this command requires the package `typer`: pip install 'nodepools[cli]'", 2)
    except KeyboardInterrupt:  # during imports, or while writing
        _end("interrupted", 130)
    except OSError as error:  # help on a full disk
        sys.stdout = None
        from nodepools.cli.problem import os_error_text

        _end(os_error_text(error), 2)


def _complete() -> None:
    """Prints completions, if a shell asks for them. No error is printed: it would appear in the line that the user types."""
    if "_NODEPOOLS_COMPLETE" not in os.environ:
        return
    sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115  # until the process ends, without pathlib
    try:
        from nodepools.cli.program import app

        app(prog_name="nodepools")
    except Exception:  # noqa: BLE001  # files that cannot be read, options that are not valid yet
        sys.exit(1)
    sys.exit(0)


def _end(message: str, status: int) -> None:
    if sys.stderr is not None:
        sys.stderr.write(f"error: {message}\n")
    sys.exit(status)


def _protect_streams() -> None:
    """Names of files and objects cannot write control characters, nor commands of a CI runner, and no letter is one that a terminal cannot show."""
    from nodepools.cli.output.safe_text import SafeStream

    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is not None:  # closed by the caller
            stream.reconfigure(errors="backslashreplace")
            setattr(sys, name, SafeStream(stream))


if __name__ == "__main__":
    main()
