"""The guide about conversions shows what a clone of a public repository gives. `BLUEPRINTS` names its folder, which is not part of this project."""

import os
import re
import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import started


def test_the_public_blueprint_of_the_guide(project: Path, tmp_path: Path) -> None:
    clone = os.environ.get("BLUEPRINTS", "")
    if not clone:
        pytest.skip("set BLUEPRINTS to a clone of aws-samples/karpenter-blueprints at 529b88c: it is not ours to ship")
    (tmp_path / "blueprints").symlink_to(Path(clone) / "blueprints")
    section = (project / "docs/guides/enable-auto-mode.md").read_text(encoding="utf-8").partition("### A public blueprint")[2].partition("\n## ")[0]
    commands = re.findall(r"^nodepools (.*)$", section, re.MULTILINE)
    shown = re.findall(r"^```text\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
    assert (len(commands), len(shown)) == (3, 3)
    for command, block in zip(commands, shown, strict=True):
        answer = started(*shlex.split(command), cwd=tmp_path)
        assert answer.status == 0, answer.all
        assert [line for line in block.splitlines() if line not in (*answer.out.splitlines(), "...")] == []
