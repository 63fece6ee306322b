"""`render -o` replaces files all at once, and removes only those that it wrote itself."""

from collections.abc import Callable
from pathlib import Path

import pytest

from nodepools.cli.render import LISTING, ClusterFiles, write
from nodepools.loading import UnreadableError


def cluster(name: str, *objects: str, platform: str = "dev", text: str = "new") -> ClusterFiles:
    return ClusterFiles(platform, name, {Path(name, f"{one}.yaml"): text for one in objects})


def held(folder: Path) -> dict[str, str]:
    """The files of a folder, without the list of rendered files."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != LISTING.name)
    return {path.relative_to(folder).as_posix(): path.read_text() for path in files}


RUNS = [
    pytest.param([([cluster("weu", "a", "b")], True), ([cluster("weu", "b")], True)], ["weu/b.yaml"], id="an object that is gone"),
    pytest.param([([cluster("weu", "a"), cluster("neu", "a")], True), ([cluster("neu", "a")], True)], ["neu/a.yaml"], id="a cluster that is gone"),
    pytest.param([([cluster("weu", "a")], True), ([cluster("weu")], True)], [], id="the last object of a cluster"),
    pytest.param(
        [([cluster("weu", "a"), cluster("neu", "a")], True), ([cluster("neu", "b")], False)],
        ["neu/b.yaml", "weu/a.yaml"],
        id="a run of one cluster keeps the others",
    ),
    pytest.param(
        [([cluster("weu", "a")], True), ([cluster("use1", "a", platform="prod")], True)],
        ["use1/a.yaml", "weu/a.yaml"],
        id="a run of another platform keeps the files of the first",
    ),
    pytest.param(
        [([cluster("weu", "a")], True), ([cluster("weu", "b", platform="prod")], True), ([cluster("weu", "b")], True)],
        ["weu/b.yaml"],
        id="two platforms with a cluster of the same name",
    ),
]


@pytest.mark.parametrize(("runs", "files"), RUNS)
def test_files_of_objects_that_are_gone_are_removed(tmp_path: Path, runs: list[tuple[list[ClusterFiles], bool]], files: list[str]) -> None:
    for rendered, is_whole in runs:
        write(rendered, tmp_path, is_whole=is_whole)
    assert sorted(held(tmp_path)) == files
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted({LISTING.name, *(file.partition("/")[0] for file in files)})


def test_files_of_others_are_kept(tmp_path: Path) -> None:
    write([cluster("weu", "a", "b")], tmp_path, is_whole=True)
    (tmp_path / "weu" / "kustomization.yaml").write_text("mine")
    (tmp_path / "mine.yaml").write_text("mine")
    (tmp_path / "weu" / "a.yaml").unlink()
    changes = write([], tmp_path, is_whole=True)
    assert changes.removed == ()
    changes = write([cluster("weu")], tmp_path, is_whole=True)
    assert changes.removed == (Path("weu/b.yaml"),)
    assert held(tmp_path) == {"weu/kustomization.yaml": "mine", "mine.yaml": "mine"}


def test_a_link_to_a_file_is_replaced_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("mine")
    (tmp_path / "out" / "weu").mkdir(parents=True)
    (tmp_path / "out" / "weu" / "a.yaml").symlink_to(tmp_path / "elsewhere")
    write([cluster("weu", "a")], tmp_path / "out", is_whole=True)
    assert held(tmp_path / "out") == {"weu/a.yaml": "new"}
    assert (tmp_path / "elsewhere").read_text() == "mine"


def test_a_folder_behind_a_link_is_the_folder(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "out").symlink_to("there")
    write([cluster("weu", "a")], tmp_path / "out", is_whole=True)
    assert held(tmp_path / "there") == {"weu/a.yaml": "new"}


def folder_for_a_file(folder: Path) -> None:
    (folder / "weu" / "c.yaml" / "inside").mkdir(parents=True)


def link_out(folder: Path) -> None:
    (folder.parent / "elsewhere").mkdir()
    (folder / "neu").symlink_to("../elsewhere")


def circle(folder: Path) -> None:
    (folder / "neu").symlink_to("neu")


def other_list(folder: Path) -> None:
    (folder / LISTING).write_text("[" * 100_000)


def list_with_root(folder: Path) -> None:
    (folder / LISTING).write_text('{"dev": {"weu": ["/etc/hostname"]}}')


OBSTACLES = [
    pytest.param(folder_for_a_file, "c.yaml: Is a directory", id="a folder in the place of a file"),
    pytest.param(link_out, "does not follow symbolic links", id="a cluster folder that is a link"),
    pytest.param(circle, "does not follow symbolic links", id="a link to itself"),
    pytest.param(other_list, "is not the list of files", id="another list"),
    pytest.param(list_with_root, "/etc/hostname: is outside of", id="a list with a path from the root"),
]


@pytest.mark.parametrize(("obstacle", "message"), OBSTACLES)
def test_a_run_that_fails_changes_nothing(tmp_path: Path, obstacle: Callable[[Path], None], message: str) -> None:
    out = tmp_path / "out"
    write([cluster("weu", "a", "b", "old", text="old")], out, is_whole=True)
    obstacle(out)
    before = held(tmp_path)
    with pytest.raises(UnreadableError, match=message):
        write([cluster("weu", "a", "b", "c"), cluster("neu", "a")], out, is_whole=True)
    assert held(tmp_path) == before


@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize("error", [OSError(28, "No space left on device", "x"), KeyboardInterrupt()], ids=["a full disk", "an interrupt"])
def test_the_steps_before_a_failure_are_undone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, error: BaseException) -> None:
    """Whichever move fails. A new cluster folder is removed again."""
    write([cluster("weu", "a", "b", "old", text="old")], tmp_path, is_whole=True)
    listed = (tmp_path / LISTING).read_text()
    moves = iter(range(100))
    replace = Path.replace

    def failing(self: Path, target: Path) -> Path:
        if next(moves) == number:
            raise error
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", failing)
    rendered = [cluster("weu", "a", "b", "c"), cluster("neu", "a")]
    if number > 4:  # there are five moves
        write(rendered, tmp_path, is_whole=True)
        assert held(tmp_path) == {"weu/a.yaml": "new", "weu/b.yaml": "new", "weu/c.yaml": "new", "neu/a.yaml": "new"}
        return
    with pytest.raises((UnreadableError, KeyboardInterrupt)):
        write(rendered, tmp_path, is_whole=True)
    assert held(tmp_path) == {"weu/a.yaml": "old", "weu/b.yaml": "old", "weu/old.yaml": "old"}
    assert (tmp_path / LISTING).read_text() == listed
    assert sorted(path.name for path in tmp_path.iterdir()) == [LISTING.name, "weu"]


def test_the_mode_of_a_file_stays(tmp_path: Path) -> None:
    write([cluster("weu", "a")], tmp_path, is_whole=True)
    (tmp_path / "weu/a.yaml").chmod(0o600)
    write([cluster("weu", "a", "b")], tmp_path, is_whole=True)
    assert (tmp_path / "weu/a.yaml").stat().st_mode & 0o777 == 0o600
