"""Links in a checkout whose code does not run: they can lead to files of the checkout, and to no others."""

from collections.abc import Callable
from pathlib import Path

import pytest

from nodepools.reading.bounded_input import VARIABLE, TextError, file_text

TEXT = "a: 1\n"


def target(place: Path) -> Path:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(TEXT)
    return place


def linked(place: Path, to: Path) -> Path:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(to)
    return place


def to_a_file_outside(folder: Path) -> Path:
    return linked(folder / "checkout/a.yaml", target(folder / "secret"))


def to_a_folder_outside(folder: Path) -> Path:
    target(folder / "other/a.yaml")
    return linked(folder / "checkout/k8s", Path("../other")) / "a.yaml"


def to_a_link_outside(folder: Path) -> Path:
    return linked(folder / "checkout/a.yaml", linked(folder / "checkout/b.yaml", target(folder / "secret")))


def to_the_data_of_git(folder: Path) -> Path:
    return linked(folder / "checkout/a.yaml", target(folder / "checkout/.git/config"))


def to_another_checkout(folder: Path) -> Path:
    target(folder / "other/.git/config")
    return to_a_folder_outside(folder)


def above_a_link(folder: Path) -> Path:
    target(folder / "other/a.yaml")
    linked(folder / "checkout/k8s", target(folder / "other/k8s/b.yaml").parent)
    return folder / "checkout/k8s/../a.yaml"


def to_no_file(folder: Path) -> Path:
    return linked(folder / "checkout/a.yaml", folder / "missing")


def to_a_file_of_the_checkout(folder: Path) -> Path:
    return linked(folder / "checkout/project/a.yaml", target(folder / "checkout/shared/a.yaml"))


def in_a_submodule(folder: Path) -> Path:
    target(folder / "checkout/sub/.git")
    return linked(folder / "checkout/sub/a.yaml", target(folder / "checkout/sub/b.yaml"))


def no_link(folder: Path) -> Path:
    return target(folder / "checkout/a.yaml")


def a_file_elsewhere(folder: Path) -> Path:
    return target(folder / "rendered/a.yaml")


def a_link_elsewhere(folder: Path) -> Path:
    return linked(folder / "rendered/a.yaml", target(folder / "secret"))


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a checkout in which the test runs."""
    (tmp_path / "checkout/.git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "checkout")
    return tmp_path


OUT = [to_a_file_outside, to_a_folder_outside, to_a_link_outside, to_another_checkout, above_a_link, to_the_data_of_git]
READ = [to_a_file_of_the_checkout, in_a_submodule, no_link, a_file_elsewhere, a_link_elsewhere]


@pytest.mark.parametrize("make", [*OUT, to_no_file])
def test_a_link_that_leads_out_is_rejected(checkout: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[Path], Path]) -> None:
    monkeypatch.setenv(VARIABLE, "1")
    path = make(checkout)
    with pytest.raises(TextError, match="leads out of the project") as rejected:
        file_text(path)
    assert str(rejected.value).startswith(f"{path}: ")


@pytest.mark.parametrize("make", READ)
def test_other_files_are_read(checkout: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[Path], Path]) -> None:
    monkeypatch.setenv(VARIABLE, "1")
    assert file_text(make(checkout)) == TEXT


@pytest.mark.parametrize("make", OUT)
def test_a_project_that_runs_its_code_can_link_anywhere(checkout: Path, make: Callable[[Path], Path]) -> None:
    assert file_text(make(checkout)) == TEXT


def test_without_git_the_working_directory_is_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "1")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    linked(tmp_path / "here/a.yaml", target(tmp_path / "secret"))
    with pytest.raises(TextError, match="leads out of the project"):
        file_text(Path("a.yaml"))


def test_a_working_directory_without_git_has_no_links_to_checkouts_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "1")
    (tmp_path / "checkout").mkdir()
    monkeypatch.chdir(tmp_path / "checkout")
    path = to_another_checkout(tmp_path)
    with pytest.raises(TextError, match="leads out of the project"):
        file_text(path)
