"""Reads the workloads of `explain` and `diagram`."""

from pathlib import Path

from nodepools.cli.command_run import CommandRun
from nodepools.cli.exclusion import Inputs
from nodepools.cli.file_search import files
from nodepools.cli.input_files import text
from nodepools.cli.problem import Problem
from nodepools.cli.unrendered import text_problem, unrendered
from nodepools.manifests.workloads import workloads
from nodepools.placement.workload import Workload
from nodepools.placement.workload_reader import KINDS
from nodepools.reading.limits import TextError


def read_workloads(inputs: Inputs, run: CommandRun) -> list[Workload]:
    """The workloads in files, in all YAML and JSON files of directories, and in standard input (`-`).

    What cannot be read is a problem of `run`, and so is a path without a workload. Single files of a directory may contain none.
    """
    return [workload for path in inputs.paths for workload in _in_path(Inputs([path], inputs.exclusion), run)]


def _in_path(inputs: Inputs, run: CommandRun) -> list[Workload]:
    before = len(run.problems), len(run.notes)
    found = [workload for file in files(inputs, run) for workload in _in_file(file, run)]
    if not found and (len(run.problems), len(run.notes)) == before:
        run.problems.append(Problem(str(inputs.paths[0]), f"contains no pod or workload ({', '.join(KINDS)})"))
    return found


def _in_file(file: Path, run: CommandRun) -> list[Workload]:
    written = ""
    try:
        written = text(file)
        message = unrendered(file, written, run.command)
        if message is None:
            return workloads(written, str(file))
        run.problems.append(Problem(str(file), message))
    except TextError as error:
        run.problems.append(text_problem(error, str(file), written, run.command))
    return []
