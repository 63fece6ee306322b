"""Files of users are written as a whole or not at all, and never over an input."""

import os
import stat
from pathlib import Path

import pytest

from nodepools.cli.problem import InputError
from nodepools.cli.written_file import replace_content, rewrite, write_file


def left(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def test_a_new_file_has_the_usual_mode_and_nothing_else_is_left(tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    replace_content(tmp_path / "a.yaml", "a: 1\n")
    assert (tmp_path / "a.yaml").read_bytes() == b"a: 1\n"
    assert (tmp_path / "a.yaml").stat().st_mode == (tmp_path / "usual").stat().st_mode
    assert left(tmp_path) == ["a.yaml", "usual"]


def test_mode_links_and_byte_order_marks_stay(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    file, link = tmp_path / "real/a.yaml", tmp_path / "a.yaml"
    file.write_bytes(b"\xef\xbb\xbfa: 1\r\n")
    file.chmod(0o640)
    link.symlink_to("real/a.yaml")
    rewrite(link, "a: 2\r\n")
    assert link.is_symlink()
    assert file.read_bytes() == b"\xef\xbb\xbfa: 2\r\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert left(tmp_path / "real") == ["a.yaml"]


def test_a_full_disk_leaves_the_file_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    file = tmp_path / "a.yaml"
    file.write_text("before")
    with pytest.raises(InputError, match=r"a\.yaml: No space left on device"):
        write_file(file, "after")
    assert file.read_text() == "before"
    assert left(tmp_path) == ["a.yaml"]


def test_what_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "read-only").touch()
    (tmp_path / "read-only").chmod(0o444)
    for name, why in {"loop": "symbolic links", "read-only": "is read-only", "none/a": "No such file", "": "Is a directory"}.items():
        with pytest.raises(InputError, match=why):
            write_file(tmp_path / name, "x")
    assert left(tmp_path) == ["loop", "read-only"]


def test_a_device_is_written_to() -> None:
    write_file(Path("/dev/null"), "x")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    if Path("/dev/full").exists():
        with pytest.raises(InputError, match="/dev/full: No space left on device"):
            write_file(Path("/dev/full"), "x")


def test_an_input_is_not_an_output(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("before")
    (tmp_path / "link.json").symlink_to("a.json")
    with pytest.raises(InputError, match="is an input of this command"):
        write_file(tmp_path / "link.json", "after", [Path("-"), tmp_path / "a.json"])
    assert (tmp_path / "a.json").read_text() == "before"
