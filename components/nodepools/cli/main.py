"""The console script. It imports little: what a command needs is imported when that command runs."""

import gc
import sys

_OBJECTS = 100_000
"""So many are made before the collector looks for rings among them: a check makes trees that stay until it ends."""
_NEEDED = {"typer": "cli", "rich": "cli", "yaml": "cli", "grpc": "cli", "google": "cli", "pulumi": "cli", "jsonschema": "cli", "cel": "cli"}


def main() -> None:
    """Runs one command and ends the process with its exit status: 0 nothing wrong, 1 findings, 2 wrong usage or unreadable input, 130 interrupted."""
    gc.set_threshold(_OBJECTS)
    try:
        from nodepools.cli.app import app

        app(prog_name="nodepools")
    except ModuleNotFoundError as missing:
        package = (missing.name or "").split(".")[0]
        if package not in _NEEDED:
            raise
        sys.stderr.write(f"nodepools: this command needs {package}: pip install 'nodepools[{_NEEDED[package]}]'\n")
        sys.exit(2)
    except KeyboardInterrupt:  # while the above is imported: a command that runs tells it itself
        sys.stderr.write("nodepools: interrupted\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
