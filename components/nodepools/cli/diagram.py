"""`nodepools diagram`: clusters, pools, node classes and workloads as a picture."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import typer

from nodepools.cli.diagram_model import Diagram, diagram
from nodepools.cli.exit_codes import usage_error
from nodepools.cli.mermaid import mermaid
from nodepools.cli.output_formats import PictureFormat
from nodepools.cli.report import print_json
from nodepools.loading import UnreadableError
from nodepools.model.platform import Platform
from nodepools.placement.catalog import catalog
from nodepools.placement.explain import explain
from nodepools.placement.must_fit import named_workloads
from nodepools.placement.workload import Workload

RENDERER = "mmdc"
_PATIENCE = 120


def drawn(platform: Platform, workloads: Sequence[Workload]) -> Diagram:
    """The boxes of a platform, with `workloads` and those that it names itself."""
    return diagram(platform, explain([*named_workloads(platform), *workloads], catalog(platform)))


def show(of: Sequence[Diagram], how: PictureFormat, output: Path | None) -> None:
    """Prints the diagrams, or has the one that there is drawn into a file.

    Raises:
        UnreadableError: no picture can be drawn here, or the file cannot be written.
    """
    if how in (PictureFormat.SVG, PictureFormat.PNG):
        if output is None:
            usage_error(f"`--format {how}` needs an output file: `-o diagram.{how}`")
        if len(of) != 1:
            usage_error(f"`--format {how}` draws one stack: choose one of {', '.join(one.name for one in of)} with `--stack`")
        _draw(mermaid(of[0]), how, output)
    elif output is not None:
        usage_error("`-o` needs `--format svg` or `--format png`")
    elif how is PictureFormat.JSON:
        print_json({"platforms": [one.to_json() for one in of]})
    else:
        typer.echo("\n".join(mermaid(one) for one in of), nl=False)


def _draw(text: str, how: PictureFormat, output: Path) -> None:
    renderer = shutil.which(RENDERER)
    if renderer is None:
        raise UnreadableError(
            f"`{RENDERER}` not found on PATH: run `npm install -g @mermaid-js/mermaid-cli`, or paste the text output into a tool that renders Mermaid"
        )
    with TemporaryDirectory() as folder:
        source, picture = Path(folder) / "diagram.mmd", Path(folder) / f"diagram.{how}"
        source.write_text(text, encoding="utf-8")
        _run([renderer, "--quiet", "--input", str(source), "--output", str(picture)])
        try:
            shutil.copyfile(picture, output)
        except OSError as error:
            raise UnreadableError(f"{error.filename}: {error.strerror}") from None


def _run(command: Sequence[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_PATIENCE)  # noqa: S603  # the renderer that is on PATH
    except OSError as error:
        raise UnreadableError(f"{command[0]}: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise UnreadableError(f"{command[0]}: timed out after {_PATIENCE} seconds") from None
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise UnreadableError(f"{command[0]}: {next((line for line in said if line.strip()), f'exit code {done.returncode}')}")
