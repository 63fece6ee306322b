"""Reads a state, and writes JSON."""

import json
from collections.abc import Iterable
from pathlib import Path

from nodepools.cli.inputs import input_files
from nodepools.cli.output.envelope import json_text
from nodepools.cli.problem import usage_error
from nodepools.cli.written_file import write_file
from nodepools.reading.bounded_input import TextError
from nodepools.state.deployment import NotStateError, State, state_of


def read_state(file: Path) -> State:
    """The state in a file or on stdin.

    Raises:
        InputError: it is not one.
    """
    name = input_files.shown(file)
    try:
        return state_of(json.loads(input_files.text(file)))
    except TextError as error:
        usage_error(str(error))
    except (ValueError, RecursionError) as error:
        usage_error(f"{name}: is not JSON: {error}: export a state with `pulumi stack export`")
    except NotStateError as error:
        usage_error(f"{name}: {error}")


def check_output(output: Path | None, form: str) -> None:
    """One result can be on stdout.

    Raises:
        InputError: the format is for stdout, too.
    """
    if output is not None and str(output) == input_files.STDIN and form == "json":
        usage_error("`--format json` prints the result to stdout: write the other output to a file instead of `-`")


def write_json(file: Path, value: object, read: Iterable[Path] = ()) -> str:
    """Writes a value as JSON. For `-`, returns the text instead, which the command prints to stdout.

    Raises:
        InputError: the file was `read`, or cannot be written.
    """
    text = json_text(value) + "\n"
    if str(file) == input_files.STDIN:
        return text
    write_file(file, text, read)
    return ""
