"""Guides that show scripts: each runs in this project as it stands, and its assertions hold."""

from pathlib import Path

import pytest

from website.code_blocks import code_blocks


@pytest.mark.parametrize("page", ["docs/guides/capacity.md", "docs/guides/diff.md"])
def test_the_script_of_a_guide_runs(project: Path, monkeypatch: pytest.MonkeyPatch, page: str) -> None:
    monkeypatch.chdir(project)
    [script] = [block.text for block in code_blocks((project / page).read_text(encoding="utf-8")) if block.text.startswith("from nodepools import")]
    exec(compile(script, page, "exec"), {})  # noqa: S102  # of our own pages
