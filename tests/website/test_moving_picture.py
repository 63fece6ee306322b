"""The moving picture of the start page: output of the tutorial, without anything from elsewhere."""

import html
import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree as ET

import pytest


@pytest.fixture(scope="module")
def tool(project: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("moving_picture", project / "tools/moving_picture.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def picture(project: Path) -> str:
    return (project / "docs/pictures/tour.svg").read_text(encoding="utf-8")


def test_the_picture_is_current(tool: ModuleType, picture: str):
    assert picture == tool.drawn(), "draw it: python tools/moving_picture.py"


def test_every_row_is_a_comment_or_in_the_tutorial(project: Path, picture: str):
    tutorial = "".join((project / "docs/start/tutorial.md").read_text(encoding="utf-8").split())
    rows = [html.unescape(re.sub(r"<[^>]+>", "", row)) for row in re.findall(r"<text [^>]*>(.*?)</text>", picture)]
    assert [row for row in rows if not row.startswith("# ") and "".join(row.split()) not in tutorial] == []
    assert len(rows) > 15


def test_it_is_small_well_formed_and_loads_nothing(picture: str):
    assert ET.fromstring(picture).tag.endswith("svg")  # noqa: S314  # our own file
    assert len(picture) < 10_000
    assert re.findall(r"https?://(?!www\.w3\.org/2000/svg)|@import|<script|<image", picture) == []


def test_it_moves_only_for_readers_who_have_nothing_against_motion(picture: str):
    style = picture.partition("<style>")[2].partition("</style>")[0]
    moving = re.search(r"@media \(prefers-reduced-motion: no-preference\) and screen \{(.*?)\n\}", style, re.DOTALL)
    assert moving is not None
    assert "animation:" not in style.replace(moving[0], "")


def test_it_is_in_the_tour_and_the_cards_are_on_the_start_page(tool: ModuleType, project: Path):
    assert "(../pictures/tour.svg)" in (project / "docs/start/tour.md").read_text(encoding="utf-8")
    start = (project / "docs/start/index.md").read_text(encoding="utf-8")
    assert [name for name in tool.CARDS if f"(../pictures/{name})" not in start] == []


def test_the_cards_are_current_and_of_the_tutorial(tool: ModuleType, project: Path):
    tutorial = "".join((project / "docs/start/tutorial.md").read_text(encoding="utf-8").split())
    for name, scene in tool.CARDS.items():
        picture = (project / "docs/pictures" / name).read_text(encoding="utf-8")
        assert picture == tool.card(scene), "draw it: python tools/moving_picture.py"
        rows = [html.unescape(re.sub(r"<[^>]+>", "", row)) for row in re.findall(r"<text [^>]*>(.*?)</text>", picture)]
        assert "".join("".join(rows).split()) in tutorial
        assert ET.fromstring(picture).tag.endswith("svg")  # noqa: S314  # our own file


@pytest.mark.program
def test_the_pictures_of_the_tour_are_current_and_in_it(project: Path):
    code = "import json, tour_pictures; print(json.dumps(tour_pictures.drawn()))"
    run = subprocess.run([sys.executable, "-c", code], cwd=project / "tools", capture_output=True, text=True, check=True)
    tour = (project / "docs/start/tour.md").read_text(encoding="utf-8")
    for name, drawn in json.loads(run.stdout).items():
        assert (project / "docs/pictures" / name).read_text(encoding="utf-8") == drawn, "draw it: python tools/tour_pictures.py"
        assert f"(../pictures/{name})" in tour
