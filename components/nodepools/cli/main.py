"""The console script. It imports little: what a command needs is imported when that command runs."""

import sys

_NEEDED = {"typer": "cli", "rich": "cli", "yaml": "cli", "grpc": "cli", "google": "cli", "pulumi": "cli", "jsonschema": "cli", "cel": "cli"}


def main() -> None:
    """Runs one command and ends the process with its exit status: 0 nothing wrong, 1 faults, 2 wrong usage or unreadable input, 130 interrupted."""
    try:
        from nodepools.cli.app import app

        app(prog_name="nodepools")
    except ModuleNotFoundError as missing:
        package = (missing.name or "").split(".")[0]
        if package not in _NEEDED:
            raise
        sys.stderr.write(f"nodepools: this command needs {package}: pip install 'nodepools[{_NEEDED[package]}]'\n")
        sys.exit(2)


if __name__ == "__main__":
    main()
