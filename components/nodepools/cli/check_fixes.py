"""`nodepools check --fix` and `--diff`: applies fixes to files, or prints what they change."""

from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from difflib import unified_diff
from errno import EACCES
from pathlib import Path
from stat import S_IWGRP, S_IWOTH, S_IWUSR
from tempfile import NamedTemporaryFile
from typing import Final

import typer

from nodepools.cli.check import Fixing
from nodepools.cli.command_run import CommandRun
from nodepools.cli.exclusion import Inputs
from nodepools.cli.exit_codes import usage_error
from nodepools.cli.input_files import STDIN
from nodepools.cli.manifest_checks import manifest_texts
from nodepools.cli.os_error import os_error_text
from nodepools.cli.problem import Problem
from nodepools.cli.safe_text import safe
from nodepools.cli.sources import CheckedPlatform, Source, project_directory
from nodepools.cli.text_fixes import Fixed, ManifestView, PlatformView, View, fixed
from nodepools.loading import text_of
from nodepools.manifests.python_edit import python_edited
from nodepools.model.redaction import contents_of, scrubbed, secrets_in
from nodepools.reading.limits import TextError
from nodepools.reading.yaml_documents import documents
from nodepools.rules.finding import Severity
from nodepools.rules.selection import Selection

_WRITABLE: Final = S_IWUSR | S_IWGRP | S_IWOTH


def fix(fixing: Fixing, declared: Source | None, manifests: Inputs, selection: Selection, *, today: date | None, run: CommandRun) -> None:
    """Applies fixes to a platform file and to manifests, or prints what they change. What cannot be read is a problem of the check that follows.

    A file that cannot be written is a problem of `run`.

    Raises:
        UnreadableError: something cannot be read.
    """
    platform = declared.file if declared is not None else None
    for path in (*manifests.paths, *([platform] if platform is not None else ())):
        if str(path) == STDIN or (path.exists() and not (path.is_file() or path.is_dir())):
            usage_error(f"`--fix` and `--diff` need files: they cannot edit {'stdin' if str(path) == STDIN else f'`{path}`'}")
    if declared is not None and platform is not None:
        _apply(PlatformView.of(str(platform), text_of(platform), selection.of, declared.today), fixing, run)
    if manifests.paths:
        _apply(ManifestView.of(manifest_texts(manifests), selection.of, today), fixing, run)


def show_stack_edits(declarations: Sequence[CheckedPlatform], *, is_text: bool) -> None:
    """Prints edits of Python stacks, where literals hold the values. Python files are never written. In other formats, stdout is for the document."""
    for declaration in declarations:
        file = project_directory() / "stacks" / f"{declaration.name}.py"
        before = file.read_text(encoding="utf-8-sig")
        after, number = before, 0
        for finding in declaration.findings:
            edited = python_edited(after, finding.operations) if finding.is_fixable else None
            if edited is not None:
                after, number = edited, number + 1
        _print_diff({f"stacks/{file.name}": before}, {f"stacks/{file.name}": after}, err=not is_text)
        typer.echo(f"{declaration.name}: {_advice(number)}", err=True)


def _advice(number: int) -> str:
    if not number:
        return "no finding has a fix that can be shown as an edit of the Python file"
    return f"the diff above fixes {_counted(number)}; Python stacks are not edited: apply it with `patch -p1`"


def _apply(view: View, fixing: Fixing, run: CommandRun) -> None:
    if not view.texts:
        return  # none can be read
    result = fixed(view)
    changed = {name: text for name, text in result.texts.items() if text != view.texts[name]}
    if fixing.diff:
        _print_diff(view.texts, changed)
        written = set(changed)
    else:
        written = {name for name, text in changed.items() if _is_written(Path(name), text, run)}
    edits = sorted((edit for edit in result.edits if edit.file in written), key=lambda edit: (edit.file, edit.line))
    for edit in edits if not fixing.diff else ():
        typer.echo(safe(str(edit)), err=True)
    verb = "would be fixed" if fixing.diff else "fixed"
    typer.echo(
        f"{_counted(len({id(edit.finding) for edit in edits}))} {verb} in {len(written)} file{'s' * (len(written) != 1)}{_left(result)}", err=True
    )


def _left(result: Fixed) -> str:
    """How many findings have a fix that `--fix` does not write: the report that follows has them."""
    number = sum(finding.fix is not None and finding.severity is not Severity.NOTE for finding in result.left)
    return f"; {_counted(number)} left, whose fix you decide on" if number else ""


def _is_written(file: Path, text: str, run: CommandRun) -> bool:
    try:
        write_text(file, text)
    except OSError as error:
        run.problems.append(Problem.of(f"{os_error_text(error)}: not fixed"))
        return False
    return True


def _counted(number: int) -> str:
    return f"{number} finding{'s' * (number != 1)}"


def _print_diff(before: Mapping[str, str], after: Mapping[str, str], *, err: bool = False) -> None:
    for line in _diff(before, after):
        typer.echo(line, nl=not line.endswith("\n"), err=err)


def _diff(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    for name, text in after.items():
        secrets = _secrets(before[name], name)
        for line in unified_diff(before[name].splitlines(keepends=True), text.splitlines(keepends=True), f"a/{name}", f"b/{name}"):
            yield scrubbed(line, secrets)


def _secrets(text: str, name: str) -> tuple[str, ...]:
    """The texts of the secrets in a file of data. In a Python file, secrets are recognized by their form only."""
    try:
        return contents_of(secrets_in([document.value for document in documents(text, name)]))
    except TextError:
        return ()


def write_text(file: Path, text: str) -> None:
    """Replaces the content of the file atomically: an interrupted write leaves it unchanged. A link stays a link, and a byte order mark stays.

    Raises:
        OSError: the file is read-only, or cannot be written.
    """
    target = file.resolve()
    mode = target.stat().st_mode
    if not mode & _WRITABLE:
        raise PermissionError(EACCES, "is read-only", str(file))
    with target.open("rb") as before:
        mark = before.read(len(BOM_UTF8))
    with NamedTemporaryFile("w", dir=target.parent, prefix=f".{target.name}.", encoding="utf-8", newline="", delete=False) as draft:
        draft.write("\ufeff" + text if mark == BOM_UTF8 else text)
    Path(draft.name).chmod(mode)
    Path(draft.name).replace(target)
