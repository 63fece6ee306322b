"""The console script. It imports little: each command imports what it needs when it runs."""

import gc
import sys

_OBJECTS = 100_000
"""Allocations before the garbage collector runs: a check builds trees that live until it ends."""
_NEEDED = {"typer": "cli", "rich": "cli", "yaml": "cli", "grpc": "cli", "google": "cli", "pulumi": "cli", "jsonschema": "cli", "re2": "cli"}


def main() -> None:
    """Runs one command and exits: 0 no errors, 1 errors found, 2 invalid usage or input, 130 interrupted."""
    gc.set_threshold(_OBJECTS)
    try:
        from nodepools.cli.app import app

        app(prog_name="nodepools")
    except ModuleNotFoundError as missing:
        package = (missing.name or "").split(".")[0]
        if package not in _NEEDED:
            raise
        sys.stderr.write(f"error: this command requires the package `{package}`: pip install 'nodepools[{_NEEDED[package]}]'\n")
        sys.exit(2)
    except KeyboardInterrupt:  # during imports: a running command reports it itself
        sys.stderr.write("error: interrupted\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
