"""`nodepools eject`: a plain Pulumi program that registers what the program of a stack registers."""

import re
from importlib.metadata import version
from pathlib import Path
from uuid import UUID

from nodepools.cli.command_run import CommandRun, Result
from nodepools.cli.inputs.programs import report_failure, stack_program
from nodepools.cli.inputs.sources import project_directory
from nodepools.cli.output.report import Act, Report, command, lines_of
from nodepools.cli.problem import InputError, Problem, usage_error
from nodepools.cli.written_file import write_folder
from nodepools.engine.ejection import ejected
from nodepools.engine.errors import EngineError, ProgramFailed
from nodepools.model.listing import counted


def eject(stack: str, folder: Path, deployer: str | None, run: CommandRun) -> Result:
    """Writes the plain program of one stack into a new folder, with the files that Pulumi needs.

    Raises:
        InputError: the folder exists, or the program of the stack registers what cannot be written.
    """
    program = stack_program(stack, project_directory(instead=""), run, decrypts=False)  # its values would be written
    try:
        made = ejected(program, _object_id(deployer) if deployer is not None else None)
    except ProgramFailed as failed:
        report_failure(failed, run)
        return Result()
    except EngineError as error:
        raise InputError(*map(Problem.of, str(error).splitlines())) from None
    files = {"__main__.py": made.text, "Pulumi.yaml": f"name: {program.project}\nruntime: python\n", "requirements.txt": _requirements(made.text)}
    write_folder(folder, [(Path(name), text) for name, text in files.items()])
    steps = [
        command(f"cp Pulumi.{stack}.yaml {folder}", Act.FILES, "the settings of the stack"),
        *(command(f"pulumi -C {folder} config set --secret {key} --stack {stack}", Act.FILES) for key in made.secrets),
        command(f"pulumi -C {folder} preview --diff --stack {stack}", Act.NONE, "no resource may change"),
    ]
    section = lines_of("Not in the program", *made.left)
    fields = {"folder": str(folder), "resources": made.resources, "secrets": list(made.secrets), "left": list(made.left)}
    return Result(lambda: fields, report=Report(stack, f"wrote {counted(made.resources, 'resource')} to {folder}", tuple(steps), (section,)))


def _object_id(text: str) -> str:
    try:
        return str(UUID(text))
    except ValueError:
        usage_error(f"`--deployer`: `{text}` is not an object id, which has the form of a UUID")


def _requirements(text: str) -> str:
    used = ["pulumi", *(name.replace("_", "-") for name in re.findall(r"^import (pulumi_\w+)", text, re.MULTILINE))]
    return "".join(f"{name}=={version(name)}\n" for name in used) + ("pyyaml\n" if "yaml." in text else "")
