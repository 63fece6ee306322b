"""Files, pipes and stdin end at a limit that the message names, and can be raised."""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from nodepools.reading.bounded_input import LIMITS, MIB, SECONDS, VALUES, Limit, TextError, file_text
from nodepools.reading.yaml_documents import documents
from nodepools.reading.yaml_scalars import KUBERNETES


def pipe(folder: Path) -> Path:
    os.mkfifo(folder / "pipe")
    return folder / "pipe"


def link_to_file(folder: Path) -> Path:
    (folder / "there").write_text("a: 1\n")
    (folder / "link").symlink_to("there")
    return folder / "link"


def sparse(folder: Path) -> Path:
    with (folder / "large").open("wb") as file:
        file.truncate(33 * 1024 * 1024)
    return folder / "large"


def zeros(_: Path) -> Path:
    return Path("/dev/zero")


def itself(folder: Path) -> Path:
    return folder


def nothing(folder: Path) -> Path:
    return folder / "none"


def null(folder: Path) -> Path:
    return folder / "a\0b"


def binary(folder: Path) -> Path:
    (folder / "binary").write_bytes(b"\xff\xfe\x00")
    return folder / "binary"


REJECTED = [
    pytest.param(zeros, "/dev/zero: is a device, not a file", id="a device"),
    pytest.param(itself, ": Is a directory", id="a folder"),
    pytest.param(nothing, ": No such file or directory", id="nothing"),
    pytest.param(null, "null", id="a name that no file has"),
    pytest.param(binary, ": is not UTF-8 text", id="bytes that are not text"),
    pytest.param(sparse, "is larger than 32 MiB; the environment variable `NODEPOOLS_MAX_MIB` raises the limit", id="a large file"),
    pytest.param(pipe, "cannot be read within 1 s; the environment variable `NODEPOOLS_MAX_SECONDS` raises the limit", id="a pipe without a writer"),
]


@pytest.mark.parametrize(("made", "message"), REJECTED)
def test_what_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made: Callable[[Path], Path], message: str) -> None:
    monkeypatch.setenv(SECONDS.variable, "1")
    with pytest.raises(TextError, match=re.escape(message)):
        file_text(made(tmp_path))


def test_a_link_to_a_file_is_read(tmp_path: Path) -> None:
    assert file_text(link_to_file(tmp_path)) == "a: 1\n"


def test_a_raised_limit_reads_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MIB.variable, "34")
    assert len(file_text(sparse(tmp_path))) == 33 * 1024 * 1024


def test_a_pipe_is_read_until_its_writer_closes_it(tmp_path: Path) -> None:
    path = pipe(tmp_path)
    text = "a: 1\n" * 100_000  # more than a pipe holds
    writer = threading.Thread(target=path.write_text, args=(text,))
    writer.start()
    assert file_text(path) == text
    writer.join()


def test_a_pipe_whose_writer_says_nothing_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SECONDS.variable, "1")
    path = pipe(tmp_path)
    silent = os.open(path, os.O_RDWR)
    try:
        with pytest.raises(TextError, match="cannot be read within 1 s"):
            file_text(path)
    finally:
        os.close(silent)


READER = "from nodepools.cli.inputs.input_files import text; from pathlib import Path; import sys; print(len(text(Path(sys.argv[1]))))"
SHELL = [
    pytest.param("yes | head -c 100000 | $READ -", "100000", id="stdin"),
    pytest.param("yes | head -c 100000 | $READ /dev/stdin", "100000", id="stdin by its path"),
    pytest.param("$READ <(yes | head -c 100000)", "100000", id="a process substitution"),
    pytest.param("$READ - < /dev/null", "0", id="no stdin"),
    pytest.param("$READ - < /dev/zero", "stdin: is larger than 32 MiB", id="stdin that never ends"),
    pytest.param("sleep 5 | $READ -", "stdin: cannot be read within 1 s", id="stdin that never begins"),
]


@pytest.mark.parametrize(("command", "answer"), SHELL)
def test_pipes_of_a_shell(tmp_path: Path, command: str, answer: str) -> None:
    read = f"'{sys.executable}' '{tmp_path / 'reader.py'}'"
    (tmp_path / "reader.py").write_text(READER)
    surroundings = {**os.environ, SECONDS.variable: "1" if "sleep" in command else "30"}
    done = subprocess.run(
        ["bash", "-c", command.replace("$READ", read)], env=surroundings, capture_output=True, text=True, check=False, timeout=60, cwd=tmp_path
    )
    assert answer in done.stdout + done.stderr


@pytest.mark.parametrize("limit", LIMITS, ids=lambda limit: limit.variable)
@pytest.mark.parametrize("written", ["", "0", "-1", "many", "9" * 5000, "٣"])
def test_a_limit_is_a_number_in_its_range(monkeypatch: pytest.MonkeyPatch, limit: Limit, written: str) -> None:
    assert limit.value() == limit.default
    monkeypatch.setenv(limit.variable, written)
    with pytest.raises(TextError, match=f"`{limit.variable}` must be a whole number from 1 to {limit.most}"):
        limit.value()
    monkeypatch.setenv(limit.variable, str(limit.most))
    assert limit.value() == limit.most


def test_every_limit_has_its_own_variable() -> None:
    assert len({limit.variable for limit in LIMITS}) == len(LIMITS)


def test_text_that_takes_too_long_to_parse_is_not_parsed_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    moments = iter(range(0, 10_000, 50))
    monkeypatch.setattr("nodepools.reading.bounded_input.monotonic", lambda: next(moments))
    with pytest.raises(TextError, match=r"x\.yaml:\d+:3: cannot be read within 120 s"):
        list(documents("- 1\n" * 100_000, "x.yaml", KUBERNETES))


def test_values_that_aliases_repeat_are_counted_where_they_are_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VALUES.variable, "1000")
    text = f"a: &a [{', '.join('x' * 100)}]\nb:\n" + "- {<<: [{a: *a}]}\n" * 1000
    with pytest.raises(TextError, match=r"^x\.yaml:\d+:13: has more than 1,000 values"):
        list(documents(text, "x.yaml", KUBERNETES))
