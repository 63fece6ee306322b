"""`nodepools diagram`: clusters, pools, node classes and workloads as a picture."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import typer

from nodepools.cli.command_run import Result
from nodepools.cli.diagram_model import Diagram, diagram
from nodepools.cli.exit_codes import usage_error
from nodepools.cli.mermaid import mermaid
from nodepools.cli.os_error import os_error_text
from nodepools.cli.output_formats import PictureFormat
from nodepools.loading import UnreadableError
from nodepools.model.platform import Platform
from nodepools.placement.catalog import catalog
from nodepools.placement.must_fit import named_workloads
from nodepools.placement.workload import Workload
from nodepools.replicas.explained import explain_replicas

RENDERER = "mmdc"
_TIMEOUT = 120


def drawn(platform: Platform, workloads: Sequence[Workload]) -> Diagram:
    """The diagram of a platform with `workloads` and the workloads of its `must_fit`."""
    return diagram(platform, [one.answer for one in explain_replicas([*named_workloads(platform), *workloads], catalog(platform))])


def result(diagrams: Sequence[Diagram], form: PictureFormat, output: Path | None) -> Result:
    """The diagrams, or a single one drawn into a file.

    Raises:
        UnreadableError: mermaid-cli is missing or fails, or the file cannot be written.
    """
    if form in (PictureFormat.SVG, PictureFormat.PNG):
        if output is None:
            usage_error(f"`--format {form}` needs an output file: `-o diagram.{form}`")
        if len(diagrams) != 1:
            usage_error(f"`--format {form}` draws one stack: choose one of {', '.join(diagram.name for diagram in diagrams)} with `--stack`")
        _draw(mermaid(diagrams[0]), form, output)
        return Result()
    if output is not None:
        usage_error("`-o` needs `--format svg` or `--format png`")
    return Result(
        lambda: {"platforms": [diagram.to_json() for diagram in diagrams]},
        lambda: typer.echo("\n".join(mermaid(diagram) for diagram in diagrams), nl=False),
    )


def _draw(text: str, form: PictureFormat, output: Path) -> None:
    renderer = shutil.which(RENDERER)
    if renderer is None:
        raise UnreadableError(
            f"`{RENDERER}` not found on PATH: run `npm install -g @mermaid-js/mermaid-cli`, or paste the text output into a tool that renders Mermaid"
        )
    with TemporaryDirectory() as folder:
        source, picture = Path(folder) / "diagram.mmd", Path(folder) / f"diagram.{form}"
        source.write_text(text, encoding="utf-8")
        _run([renderer, "--quiet", "--input", str(source), "--output", str(picture)])
        try:
            shutil.copyfile(picture, output)
        except OSError as error:
            raise UnreadableError(os_error_text(error)) from None


def _run(command: Sequence[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_TIMEOUT)  # noqa: S603  # the renderer on PATH
    except OSError as error:
        raise UnreadableError(f"{command[0]}: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise UnreadableError(f"{command[0]}: timed out after {_TIMEOUT} seconds") from None
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise UnreadableError(f"{command[0]}: {next((line for line in lines if line.strip()), f'exit code {done.returncode}')}")
