"""Runs one command of nodepools on the texts of the page. It is what the command line runs, with files that exist only in the browser."""

import contextlib
import io
import json
import os
import sys
from pathlib import Path

sys.path.insert(0, "/site")
_INPUT = Path("/input")


def answer(asked: str, form: str) -> str:
    """Returns what a command prints, in the form `json` or `text`, for `{"files": {name: text}, "command": [word, …]}`."""
    request = json.loads(asked)
    _INPUT.mkdir(exist_ok=True)
    for old in _INPUT.iterdir():
        old.unlink()
    for name, text in request["files"].items():
        (_INPUT / name).write_text(text, encoding="utf-8")
    os.chdir(_INPUT)
    return _run([*request["command"], "--format", form])


def _run(words: list[str]) -> str:
    from nodepools.cli.program import app

    printed, errors = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(errors), contextlib.suppress(SystemExit):
        app(words, prog_name="nodepools")
    return _text(printed) or _text(errors)


def _text(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()
