"""The folder of a Pulumi project, its project file, and its stacks."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

DEFAULT_STACK: Final = "dev"

_STACK_ENDS: Final = (".py", ".yaml", ".yml")
"""Of modules, and of platform files."""
_PROJECT_FILES: Final = ("Pulumi.json", "Pulumi.yaml", "Pulumi.yml")
"""In the order in which the Pulumi CLI takes them. Source: `encoding.Exts` of github.com/pulumi/pulumi 3.274.1 (2026-11-27)."""

PLATFORM_PROGRAM: Final = Path(__file__).parents[1] / "cli" / "platform_program"
"""The folder of the program that deploys a platform file."""


def project_file(folder: Path) -> Path | None:
    """The project file in a folder; `None` if there is none."""
    return next((file for name in _PROJECT_FILES if (file := folder / name).is_file()), None)


def project_folder(start: Path) -> Path | None:
    """The nearest folder with a project file, from `start` upwards, as Pulumi searches it; `None` if there is none."""
    return next((folder for folder in (start, *start.parents) if project_file(folder) is not None), None)


def known_stacks(directory: Path) -> list[str]:
    """The names of the stacks of a project: its modules and platform files in `stacks`, without modules that stacks import."""
    found = [path for end in _STACK_ENDS for path in (directory / "stacks").glob(f"*{end}") if not path.stem.startswith("_") and path.is_file()]
    modules = {path.stem: _text(path) for path in found if path.suffix == ".py"}
    helpers = {name for name, text in modules.items() if "PLATFORM" not in text and _is_imported(name, modules.values())}
    return sorted({path.stem for path in found} - helpers)


def _text(module: Path) -> str:
    try:
        return module.read_bytes().decode(errors="replace")
    except OSError:  # its reader says why
        return "PLATFORM"


def _is_imported(name: str, modules: Iterable[str]) -> bool:
    """A module that declares no platform can also be a broken stack: only an import that takes no platform from it proves that it is none."""
    line = re.compile(rf"^\s*(?:from|import)\b[^\n#]*\b{re.escape(name)}\b", re.MULTILINE)
    used = re.compile(rf"\b{re.escape(name)}\b[^\n#]*\bPLATFORM\b")
    return any(line.search(text) for text in modules) and not any(used.search(text) for text in modules)


def is_known(stack: str, directory: Path) -> bool:
    """Whether a module or a platform file declares the stack. Asks for its files only: a project can have a thousand others."""
    if not stack or stack.startswith("_") or Path(stack).name != stack:
        return False
    try:
        return bool(stack_files(stack, directory))
    except OSError:  # no file can have this name
        return False


def stack_files(stack: str, directory: Path) -> list[Path]:
    """The files in `stacks` that declare a stack: one, unless two have its name."""
    return [file for end in _STACK_ENDS if (file := directory / "stacks" / f"{stack}{end}").is_file()]


def stack_file(stack: str, directory: Path) -> str:
    """The file that declares a stack, as messages name it."""
    found = stack_files(stack, directory)
    return f"stacks/{found[0].name if found else f'{stack}.py'}"


def runs_program(stack: str, directory: Path) -> bool:
    """Whether the program of a project declares the stack: no file in `stacks` does."""
    known = known_stacks(directory)
    file = project_file(directory)
    if stack in known or file is None or (known and stack not in configured_stacks(directory)):
        return False
    return (directory / "__main__.py").is_file() or any(directory.glob("*/__main__.py"))


def configured_stacks(directory: Path) -> list[str]:
    """The stacks with a configuration file, such as `Pulumi.dev.yaml`."""
    files = (file for end in (".json", ".yaml", ".yml") for file in directory.glob(f"Pulumi.*{end}"))
    return sorted({file.stem.removeprefix("Pulumi.") for file in files})
