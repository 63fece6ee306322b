"""The two sides of a comparison: stacks of a commit, a folder or the working tree; a platform file, manifests, a plan, or a state."""

import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from nodepools.cli.check.templates_not_rendered import unrendered
from nodepools.cli.command_run import CommandRun
from nodepools.cli.diff.files import Part, Place, Places, Side, declared, existing_side, file_side, in_platform, in_stack, manifests_side, nowhere
from nodepools.cli.existing.cloud_exports import ClusterFiles
from nodepools.cli.inputs.file_search import DECLARED, files
from nodepools.cli.inputs.git_worktree import SHORT, Commit, checked_out, commit, merge_base
from nodepools.cli.inputs.input_files import STDIN, InputFiles, export_text, shown
from nodepools.cli.inputs.sources import Source, every_outcome, other_file, platform_files, project_directory, same_name
from nodepools.cli.inputs.user_code import user_code
from nodepools.cli.problem import InputError, InvalidError, Problem, usage_error
from nodepools.loading import OtherFileError, UnreadableError, load_text, read_stack, text_of
from nodepools.model.listing import joined
from nodepools.model.platform import Platform
from nodepools.reading.bounded_input import LISTED_MIB, TextError, leads_out
from nodepools.reading.project_folder import DEFAULT_STACK, configured_stacks, known_stacks, project_folder, runs_program, stack_file
from nodepools.reading.yaml_documents import Document, documents
from nodepools.resources.plan_requests import plan_requests
from nodepools.rules.engine.finding import DeclarationError, SourcePosition

if TYPE_CHECKING:
    from nodepools.cli.inputs.programs import ProgramClusters
    from nodepools.manifests.manifest_objects import ManifestObject

WORKING_TREE: Final = "working tree"
_GIT: Final = "git:"


def working_tree(selected: Source, run: CommandRun) -> Side:
    """The stacks of the project, or a platform file.

    Raises:
        UnreadableError: a declaration cannot be read.
        InvalidError: a declaration has schema errors.
    """
    if selected.files:
        return _files_side(selected, Path(), selected.about, run)
    return _stacks(project_directory(), WORKING_TREE, selected, run)


def _files_side(selected: Source, root: Path, title: str, run: CommandRun) -> Side:
    """The platform files of `--file` below `root`: one file in any form that can be compared, or several platforms."""
    files = selected.files
    if len(files) == 1 and not (root / files[0]).is_dir():
        return replace(file_side(root / files[0], run), title=title)
    parts: dict[str, Part] = {}
    for file in platform_files([root / file for file in files if not root.parts or (root / file).exists()], run):
        shown = str(file.relative_to(root))
        try:
            text = text_of(file)
            part = declared(shown, lambda text=text, shown=shown: load_text(text, shown), run, in_platform(text, shown))
        except OtherFileError:
            run.notes.append(other_file(shown))
            continue
        if part.name in parts:
            raise UnreadableError(str(same_name(Path(shown), part.name)))
        parts[part.name] = part
    return Side(title, "declaration", parts)


def based(side: Side) -> Side:
    """The working tree with the commit that it is based on."""
    at = commit("HEAD")
    return replace(side, title=f"{side.title} (on {at.sha[:SHORT]})", commit=at.sha)


def read_side(argument: str, selected: Source, run: CommandRun, inputs: Callable[[Path], InputFiles], *, before_tree: bool = False) -> Side:
    """The side that an argument names: an existing path, otherwise a commit of git. With `before_tree`, the program of the tree runs next to it.

    Raises:
        UnreadableError: it cannot be read.
        InputError: there is no such path and no such commit.
    """
    path = named_path(argument)
    if path is None:
        return _commit_side(named_commit(argument), selected, run, before_tree=before_tree)
    return _folder_side(path, selected, run, inputs) if path.is_dir() else file_side(path, run)


def new_side(argument: str, selected: Source, run: CommandRun, inputs: Callable[[Path], InputFiles]) -> Side:
    """As `read_side`, but a commit is compared as it is, and not where its branch began."""
    if named_path(argument) is None:
        return _commit_side(commit(argument.removeprefix(_GIT)), selected, run)
    return read_side(argument, selected, run, inputs)


def named_path(argument: str) -> Path | None:
    """The existing path that an argument names, or stdin; `None` if it names a commit."""
    path = Path(argument)
    if argument == STDIN:
        return path
    try:
        return path if argument and not argument.startswith(_GIT) and path.exists() else None
    except (OSError, ValueError):
        return None


def named_commit(argument: str) -> Commit:
    """The commit that the working tree is compared with: where it left the branch.

    Raises:
        InputError: there is no such commit, or git cannot be run.
    """
    return merge_base(argument.removeprefix(_GIT))


def _commit_side(at: Commit, selected: Source, run: CommandRun, *, before_tree: bool = False) -> Side:
    if selected.files:
        with checked_out(at) as folder, _named(at, run):
            inside = replace(selected, files=tuple(_inside(file, folder) for file in selected.files))
            if not any((folder / file).exists() for file in inside.files):
                about, missing = selected.about, not any(file.exists() for file in selected.files)
                usage_error(f"{about}: {'no such file' if missing else f'is not in {at}'}: name a file that both sides have")
            return replace(_files_side(inside, folder, str(at), run), commit=at.sha)
    with checked_out(at) as folder, _named(at, run):
        run.notes.extend(_other_packages(project_of(folder), str(at), selected))
        with _tree_ahead(selected, run) if before_tree else nullcontext():
            return replace(_stacks(project_of(folder), str(at), selected, run), commit=at.sha)


def _tree_ahead(selected: Source, run: CommandRun) -> AbstractContextManager[None]:
    here = project_directory()
    if selected.every or not runs_program(selected.stack, here):
        return nullcontext()
    from nodepools.cli.inputs.programs import read_ahead  # imports pulumi

    return read_ahead(selected.stack, here, run)


_LOCKS: Final = ("Pipfile.lock", "pdm.lock", "poetry.lock", "pylock.toml", "requirements.lock", "requirements.txt", "uv.lock")


def _other_packages(project: Path, title: str, selected: Source) -> Iterator[Problem]:
    """The program of a commit runs with the packages that are installed now: says if it has others."""
    here = project_folder(Path.cwd())
    if here is None or known_stacks(project) or not runs_program(selected.stack, project):
        return
    from nodepools.engine.project import ProjectError, project_runtime  # reads YAML

    differ = [name for name in _LOCKS if _content(project / name) != _content(here / name)]
    with suppress(ProjectError):  # reported where the project is read
        differ += ["`runtime` of Pulumi.yaml"] if project_runtime(project) != project_runtime(here) else []
    if differ:
        verb = "differs" if len(differ) == 1 else "differ"
        yield Problem(
            title, f"its program runs with the packages that are installed now, and {joined(differ)} {verb}: changes of packages are not seen"
        )


def _content(file: Path) -> bytes | None:
    return file.read_bytes() if file.is_file() else None


def _inside(file: Path, folder: Path) -> Path:
    """The file as a path below a folder of a commit. Another one would be that of the working tree."""
    here = Path.cwd()
    path = file.relative_to(here) if file.is_absolute() and file.is_relative_to(here) else file
    if path.is_absolute() or leads_out(folder / path):
        usage_error(f"{file}: is not below {here}: a commit is compared with files of its repository")
    return path


@contextmanager
def _named(at: Commit, run: CommandRun) -> Generator[None]:
    """Errors in the `with` block name the commit: the file of the working tree can be another one."""
    before = len(run.problems)
    try:
        yield
    except UnreadableError as error:
        raise UnreadableError(f"{at}: {error}") from None
    except InputError:
        run.problems[before:] = [replace(problem, where=f"{at}: {problem.where}") for problem in run.problems[before:]]
        raise
    except InvalidError as error:
        raise InvalidError(f"{at}: {error.name}", [replace(finding, object=str(at)) for finding in error.findings]) from None


def project_of(folder: Path) -> Path:
    """The project around a folder of a commit."""
    return project_folder(folder) or folder


def _folder_side(folder: Path, selected: Source, run: CommandRun, inputs: Callable[[Path], InputFiles]) -> Side:
    if (folder / "stacks").is_dir():
        return _stacks(folder.absolute(), str(folder), selected, run, folder)
    before, told = len(run.problems), len(run.notes)
    read = list(_read(inputs(folder), run))
    files = ClusterFiles.of((name, [document.value for document in found]) for name, found in read)
    if files.has_clusters:
        return existing_side(str(folder), files, run)
    for note in [note for note in run.notes[told:] if note.message == DECLARED]:  # next to exports, it is what `adopt` wrote
        run.notes.remove(note)
        run.problems.append(Problem(note.where, f"{DECLARED}: compare it as a file"))
    side = manifests_side(str(folder), [one for name, found in read for one in _objects(name, found, run)])
    is_empty = all(problem.where == str(folder) for problem in run.problems[before:])  # what cannot be read can have anything
    if is_empty and not any(part.requests.all for part in side.parts.values()):
        usage_error(f"{folder}: contains neither stacks, nor a NodePool or node class, nor exports of clusters")
    return side


def _read(found: InputFiles, run: CommandRun) -> Iterator[tuple[str, Sequence[Document]]]:
    """The name and the documents of each file. One that cannot be read is a problem of `run`."""
    for file in files(found, run):
        try:
            written = export_text(file, run, LISTED_MIB)
            template = unrendered(file, written, run.command)
            if template is None:
                yield str(file), list(documents(written, shown(file)))
            else:
                run.problems.append(Problem(str(file), template))
        except TextError as error:
            run.problems.append(Problem.of(str(error), shown(file)))


def _objects(name: str, found: Sequence[Document], run: CommandRun) -> "list[ManifestObject]":
    from nodepools.manifests.manifest_objects import objects_in

    try:
        return [one for document in found for one in objects_in(document, name)]
    except TextError as error:
        run.problems.append(Problem.of(str(error), name))
        return []


def _stacks(project: Path, title: str, selected: Source, run: CommandRun, shown: Path = Path()) -> Side:
    names = known_stacks(project) if selected.every else [selected.stack]
    if not names and runs_program(DEFAULT_STACK, project):
        names = configured_stacks(project) or [DEFAULT_STACK]
    if names and runs_program(names[0], project):
        from nodepools.cli.inputs.programs import read_program  # imports pulumi

        return Side(title, "declaration", {name: _of_program(read_program(name, project, run), run, shown) for name in names})
    with _own_modules(project), user_code():
        read = every_outcome([(name, partial(_platform, name, project)) for name in names], run, selected.jobs)
        parts = {name: declared(name, partial(_given, one), run, stack_places(project, name, shown)) for name, one in zip(names, read, strict=True)}
        return Side(title, "declaration", parts)


def _platform(stack: str, project: Path) -> Platform | DeclarationError | UnreadableError:
    """The declaration of a stack, or why there is none: processes can hand both over."""
    try:
        return read_stack(stack, project)
    except (DeclarationError, UnreadableError) as error:
        return error


def _given(found: Platform | DeclarationError | UnreadableError) -> Platform:
    if isinstance(found, Platform):
        return found
    raise found


def _of_program(found: "ProgramClusters", run: CommandRun, shown: Path) -> Part:
    """The clusters of a program: those of components are compared as they are declared, others as they are registered."""
    raw = plan_requests(found.raw, found.handed_over).requests
    run.problems.extend(found.unmodeled)
    part = Part(found.stack, raw, unknown=found.unknown)
    if found.clusters:
        part = declared(found.stack, found.declared_platform, run, lambda steps: _in_program(found.position(steps), shown))
        part = replace(part, requests=replace(part.requests, all=(*part.requests.all, *raw.all)), unknown=found.unknown)
    return replace(part, modeled=found.platform()) if found.raw_clusters else part


def _in_program(position: SourcePosition | None, shown: Path) -> Place | None:
    """The line that declares a cluster; `shown` is the project as annotations name it."""
    return Place(str(shown / position.file), position) if position is not None else None


def stack_places(project: Path, stack: str, shown: Path) -> Places:
    """The places in the file of a stack; `shown` is the project as annotations name it."""
    name = stack_file(stack, project)
    try:
        text = text_of(project / name)
        return (in_stack if name.endswith(".py") else in_platform)(text, str(shown / name))
    except UnreadableError:
        return nowhere  # the stack cannot be read either, which is reported


@contextmanager
def _own_modules(project: Path) -> Generator[None]:
    """Modules of the project that are imported in the `with` block are forgotten after it: the other side has its own."""
    known, paths = set(sys.modules), list(sys.path)
    try:
        yield
    finally:
        sys.path[:] = paths
        for name in set(sys.modules) - known:
            file = getattr(sys.modules[name], "__file__", None)
            if name.split(".")[0] == "stacks" or (isinstance(file, str) and Path(file).is_relative_to(project)):
                del sys.modules[name]
