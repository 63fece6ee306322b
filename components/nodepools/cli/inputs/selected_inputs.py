"""Files that `--exclude` and `exclude` in pyproject.toml exclude."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from nodepools.cli.problem import Problem


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Patterns of files, each with the folder that its path starts in."""

    patterns: tuple[tuple[Path, str], ...] = ()

    def covers(self, path: Path) -> bool:
        """Whether a pattern matches: the path below its folder, the path of a parent, or, without a slash, a name."""
        if not self.patterns:
            return False
        from fnmatch import fnmatchcase  # only needed with patterns

        absolute = path.absolute()
        for folder, pattern in self.patterns:
            below = absolute.relative_to(folder) if absolute.is_relative_to(folder) else absolute
            names = [head.as_posix() if "/" in pattern else head.name for head in (below, *below.parents)]
            if any(fnmatchcase(name, pattern.removeprefix("./").rstrip("/")) for name in names):
                return True
        return False


@dataclass(frozen=True, slots=True)
class InputFiles:
    """Files, folders and stdin (`-`), without what an exclusion covers."""

    paths: Sequence[Path] = ()
    exclusion: Exclusion = Exclusion()


def exclusion_note(path: Path) -> Problem:
    """The note on a file or a folder that a pattern matches."""
    return Problem(str(path), "excluded by a pattern of `exclude`")
