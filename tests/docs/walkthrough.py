"""A page that is followed from an empty folder: files are written, edits are made, commands are run, and their output is compared.

* A block after a paragraph that ends with "`FILE`:" is that file, which a command may have written; in the language `diff`, it is an edit of it.
* Every line of a `sh` block is run, and must succeed. In a `text` block, lines that begin with `$ ` are run, and the others are what they print.
  A line `...` stands for any number of lines.
* `<!-- not run: reason -->` before a block leaves it out.
"""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import cast

import typer

from nodepools.cli.program import Program, app
from website.code_blocks import CodeBlock, code_blocks

TODAY = "2026-11-22"
"""The day of all pages: findings about the support of versions depend on it."""
INSTALLS = "installs packages"
"""Why blocks are left out that a person runs who starts with nothing."""


def dated() -> list[str]:
    """The commands of one word that accept `--today`."""
    program = cast("Program", typer.main.get_command(app))
    return sorted(name for name, command in program.commands.items() if " " not in name and any("--today" in param.opts for param in command.params))


def profile(file: Path) -> Path:
    """What each shell reads first: the command `nodepools`, wherever it is installed, is run as of the day of all pages."""
    run = 'command nodepools "$@"'
    file.write_text(f'nodepools() {{ case "$1" in {"|".join(dated())}) {run} --today {TODAY};; *) {run};; esac; }}\n')
    return file


def _without(prefix: str, path: str) -> list[str]:
    """The folders of commands, without those of this environment."""
    return [folder for folder in path.split(os.pathsep) if not folder.startswith(prefix)]


def plain(printed: str) -> str:
    """Output without what differs from run to run: commits, versions, days of tables, durations."""
    printed = printed.replace(f" --today {TODAY}", "")  # of the command that the page does not have
    printed = re.sub(r"\((on )?[0-9a-f]{10}\)", r"(\g<1>1a2b3c4d5e)", printed)
    printed = re.sub(r"\bin \d+\.\d+s\b(?: \(\d+:\d\d:\d\d\))?", "in 1.00s", printed)  # pytest adds minutes from one on
    return "\n".join(line.rstrip() for line in printed.strip("\n").splitlines())


def matches(shown: str, printed: str) -> bool:
    """Whether `printed` is what a page shows, where a line `...` stands for any number of lines."""
    pattern = "".join(r"(?:.*\n)*" if line.strip() == "..." else re.escape(line) + r"\n" for line in plain(shown).splitlines())
    return re.fullmatch(pattern, plain(printed) + "\n") is not None


class Walkthrough:
    """A person who follows a page in a folder, with nodepools and its tests installed, or with nothing but Python: `installs`."""

    def __init__(self, folder: Path, *, installs: bool = False):
        self.installs = installs
        self.folder = folder / "work"
        self.folder.mkdir()
        self.place = folder / "pwd"
        """The folder in which a command ends is that of the next one, and so is what it finds commands by."""
        self.env = {
            **os.environ,
            "NO_COLOR": "1",
            "COLUMNS": "100",
            "BASH_ENV": str(profile(folder / "profile")),
            "PATH": os.pathsep.join(([] if installs else [str(Path(sys.executable).parent)]) + _without(sys.prefix, os.environ["PATH"])),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTEST_ADDOPTS": "-p no:cacheprovider",
            **{f"GIT_{who}_{what}": f"a@{who}.example" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
        }

    def follow(self, text: str) -> list[str]:
        """The differences between a page and what happened."""
        run = [block for block in code_blocks(text) if block.not_run is None or (self.installs and block.not_run == INSTALLS)]
        return [problem for block in run for problem in self._block(block)]

    def _block(self, block: CodeBlock) -> list[str]:
        if block.commands:
            return self._script(block) if block.language == "sh" else self._quoted(block)
        if block.file is None:
            return [f"line {block.line}: neither a file, nor a command, nor marked as not run"]
        return self._file(block, self.folder / block.file)

    def _file(self, block: CodeBlock, file: Path) -> list[str]:
        file.parent.mkdir(parents=True, exist_ok=True)
        if block.language != "diff":
            if file.exists() and file.read_text() != block.text:
                return [f"line {block.line}: {block.file} is\n{file.read_text()}"]
            file.write_text(block.text)
            return []
        old, new = ("\n".join(line[1:] for line in block.text.splitlines() if line[:1] in (" ", kind)) for kind in "-+")
        if (text := file.read_text()).count(old) != 1:
            return [f"line {block.line}: {block.file} has these lines {text.count(old)} times:\n{old}"]
        file.write_text(text.replace(old, new))
        later = file.stat().st_mtime + 2  # a program of the same size and second would be read from its compiled form
        os.utime(file, (later, later))
        return []

    def _script(self, block: CodeBlock) -> list[str]:
        status, printed = self._run("\n".join(block.commands))
        return [f"line {block.line}: exit code {status}\n{printed}"] if status else []

    def _quoted(self, block: CodeBlock) -> list[str]:
        parts = re.split(r"^\$ (.*)\n", block.text, flags=re.MULTILINE)
        problems = [f"line {block.line}: output without a command"] if parts[0].strip() else []
        for command, shown in zip(parts[1::2], parts[2::2], strict=True):
            _, printed = self._run(command)
            if not matches(shown, printed):
                problems.append(f"line {block.line}: {command}\n--- shown\n{plain(shown)}\n--- printed\n{plain(printed)}")
        return problems

    def _run(self, script: str) -> tuple[int, str]:
        done = subprocess.run(
            ["bash", "-ec", f"trap 'pwd > {self.place}; echo \"$PATH\" >> {self.place}' EXIT\n{script}"],
            cwd=self.folder,
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=1800 if self.installs else 300,
        )
        folder, self.env["PATH"] = self.place.read_text().splitlines()
        self.folder = Path(folder)
        return done.returncode, done.stdout
