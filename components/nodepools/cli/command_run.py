"""One run of a command: it collects problems, and writes what the command found, once, on every exit."""

import json
import re
import shlex
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Final, Never

import typer

from nodepools.cli.output.envelope import document, json_text
from nodepools.cli.output.report import Report, first_fixes
from nodepools.cli.output.safe_text import SafeStream
from nodepools.cli.problem import EXIT_FINDINGS, EXIT_USAGE, InvalidError, Problem, Terminated, failure, os_error_text
from nodepools.model.listing import counted, grouped, listed
from nodepools.model.values import dataclass, replace

if TYPE_CHECKING:
    from nodepools.cli.demands.demands import Decided
    from nodepools.rules.engine.finding import Finding

_SHOWN_NOTES: Final = 5
_DATA: Final = ("json", "sarif", "github", "gitlab")
"""Formats that programs read: all but text for people."""


_FORM: Final = ("--format", "--jobs")
"""Options that change nothing of an answer."""
_OF_JSON: Final = re.compile(r"-?[\d.]+|true|false|null")
"""Secrets that answers have for other reasons, too."""
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z_ /-]*\d*")
_OF_WORDS: Final = frozenset({"schema", "command", "verdict", "effect", "action", "severity", "code", "kind", "level", "ruleId", "check_name"})
"""Fields of answers with words of nodepools, and not of declarations."""
_OF_USERS: Final = frozenset({"annotations", "labels", "tags", "before", "after"})
"""Below these, all words are those of declarations."""
_DRIVER: Final = ("tool", "driver")
"""Where SARIF describes nodepools and its rules."""
_OF_GITHUB: Final = re.compile(r"((?:^::\w+ |,)\w+=|(?<!^)::)((?<=::).*|[^,:]*)")
"""A name of a workflow command, or the end of them, and the text after it."""
_APPLIED: Final = ("render",)
"""Commands that write what is applied, with its secrets."""


def _nothing() -> None:
    """Prints nothing."""


def _no_fields() -> Mapping[str, object]:
    return {}


@dataclass(frozen=True, slots=True)
class Result:
    """What a command found."""

    fields: Callable[[], Mapping[str, object]] = _no_fields
    """Returns the fields of its JSON document."""
    text: Callable[[], None] = _nothing
    """Prints it, if it is data and not a report: objects that are applied, a diagram, a schema."""
    findings: "Sequence[Finding]" = ()
    fails: bool = False
    """The command ends with exit code 1: its findings or its answer require a change."""
    file: str = ""
    """The file of findings without a file, for code reviews."""
    annotations: Callable[[], Iterable[str]] | None = None
    """Returns annotations of GitHub that are not findings."""
    report: Report | None = None
    """The answer. Without findings of the result, data has those of its report."""
    printed: str = ""
    """A file that text output prints to stdout, to be piped: its report is then written to stderr."""
    is_error: bool = False
    """There is no answer, and the report says why: it is written to stderr."""
    decided: "Decided | None" = None
    """What is left and what is accepted, of commands with `--accept`."""

    @property
    def has_failed(self) -> bool:
        """The command ends with exit code 1."""
        return self.fails or (self.decided is not None and self.decided.fails)


class CommandRun:
    """A run of a command. The last result that was kept is written, complete or not."""

    def __init__(self, command: str, form: str, *, details: bool = False) -> None:
        self.command: Final = command
        self.form: Final = form
        self.details: Final = details
        """Text has every line."""
        self.problems: Final[list[Problem]] = []
        """What could not be read or checked: the exit code is 2."""
        self.notes: Final[list[Problem]] = []
        """What was excluded on purpose, and settings without effect."""
        self.declared: Final[list[object]] = []
        """What can contain secrets."""
        self.reads_plan = False
        """What exists is what a plan of Terraform declares: the pods that run now do not count."""
        self.is_terraform = False
        """What is declared is a plan or a state of Terraform."""
        self._result = Result()
        self._fields: Mapping[str, object] = {}

    @property
    def again(self) -> str:
        """This command as it was typed, without what changes nothing of the answer: what comes next often adds an option to it."""
        given = [word for before, word in pairwise(sys.argv) if before not in _FORM and word.partition("=")[0] not in _FORM]
        first = f"./{given[1]}" if given[1:] and given[1] == given[0] and Path(given[1]).exists() else ""
        return shlex.join(["nodepools", given[0], first, *given[2:]] if first else ["nodepools", *given])

    def set_result(self, result: Result) -> None:
        """Keeps a result, instead of the one before. A result can be partial: it is written if the rest fails."""
        self._fields = result.fields() if self.form == "json" else _no_fields()
        self._result = result

    def hide(self, declared: object) -> None:
        """From now on, problems and notes do not contain the secrets in what is `declared`: code of a user can raise them."""
        self.declared.append(declared)

    def without_secrets(self, text: str) -> str:
        """`text` without declared secrets."""
        return self._scrubber()(text)

    def _scrubber(self) -> Callable[[str], str]:
        from nodepools.model.redaction import contents_of, scrubbed, secrets_in  # imports the models

        secrets = contents_of(secrets_in(self.declared))  # once for all texts: there can be many clusters
        return lambda text: scrubbed(text, secrets)

    def _misplaced(self) -> Mapping[str, str]:
        """Secrets, and declared texts that have the form of one, such as a token as the size of a machine, each with what is shown instead."""
        if not self.declared or self.command in _APPLIED:
            return {}
        from nodepools.model.redaction import contents_of, scrubbed  # imports the models
        from nodepools.model.ref import HIDDEN, SecretValue
        from nodepools.model.steps import scalars

        every = [value for declared in self.declared for _, value in scalars(declared)]
        secrets = contents_of(value.text for value in every if isinstance(value, SecretValue))
        words = {text: HIDDEN for text in secrets if not _OF_JSON.fullmatch(text)}
        shown = {text: scrubbed(text) for text in every if isinstance(text, str)}
        return {**words, **{text: clean for text, clean in shown.items() if clean != text}}

    def exit_code(self) -> int:
        """The exit code of a run that nothing stopped. What fails for certain fails, although something could not be checked."""
        return EXIT_FINDINGS if self._result.has_failed else EXIT_USAGE if self.problems else 0

    def write_baseline(self) -> None:
        """Writes what is left into the file of `--write-baseline`, unless something could not be read: it would not be in it."""
        decided = self._result.decided
        if decided is None:
            return
        self.notes.extend(decided.problems())
        file = decided.demands.write
        if file is None:
            return
        if self.problems:
            self.problems.append(Problem(str(file), "not written: correct the other errors first"))
            return
        from nodepools.cli.demands.acceptances import write_baseline  # needs the reader and the writer of YAML

        try:
            new, errors = write_baseline(file, decided)
        except Exception as error:  # noqa: BLE001  # the answer is written all the same
            self.problems.extend(failure(error)[1])
            return
        left = f"; {counted(errors, 'error')} cannot be accepted, and {'is' if errors == 1 else 'are'} not in it" if errors else ""
        added = f"{new:,} new {'entry' if new == 1 else 'entries'}: write the reason of each" if new else "no new entry"
        self.notes.append(Problem(str(file), f"{added}{left}"))

    def write(self) -> None:
        """Writes the result in its format to stdout; problems and notes also to stderr."""
        clean = self._scrubber() if self.problems or self.notes else str
        for told in (self.problems, self.notes):
            shown = [replace(problem, message=clean(problem.message)) for problem in told]
            told[:] = dict.fromkeys(shown)  # stacks that import the same module have its errors in common
        hidden = self._misplaced()
        if self.form in _DATA:
            typer.echo(self._clean(_hidden_in(self._data(), hidden)).encode(), nl=False)  # as bytes: data is UTF-8, whatever the terminal uses
        elif self._result.report is not None:
            self._show(
                self._told(self._result.report).edited(lambda text: self._clean(_replaced(text, hidden)))
            )  # before lines are wrapped and colored
        else:
            with redirect_stdout(SafeStream(sys.stdout, lambda text: self._clean(_replaced(text, hidden)))):
                self._result.text()
        problems = {word: [one for one in self.problems if one.is_open is is_open] for word, is_open in (("error", False), ("not complete", True))}
        for word, told in {"notice": self.notes, **problems}.items():
            for line in _folded(told):
                _echo_problem(f"{word}: {self._clean(line)}")

    def _clean(self, text: str) -> str:
        """`text` of an output without tokens, which names of files and of objects can have too."""
        if not text or self.command in _APPLIED:
            return text
        from nodepools.model.redaction import without_tokens  # imports the models

        return without_tokens(text)

    def _told(self, report: Report) -> Report:
        """The report with the notices and problems of the run."""
        decided = self._result.decided
        report = decided.told(report) if decided is not None else report
        return replace(report, notices=tuple(self.notes), problems=tuple(self.problems))

    def _show(self, report: Report) -> None:
        if self.form == "markdown":
            from nodepools.cli.output.markdown_report import markdown_lines  # only pull requests need it

            lines = markdown_lines(report)
        else:
            from nodepools.cli.output.text_report import text_lines, width  # data needs neither

            lines = text_lines(report, columns=width(), details=self.details)
        printed = self._result.printed if self.form == "text" else ""
        typer.echo(printed, nl=False)
        typer.echo(self._clean("\n".join(lines)), err=self._result.is_error or printed != "")

    def _data(self) -> str:
        report = self._told(self._result.report) if self._result.report is not None else None
        decided = self._result.decided
        wrong = decided.wrong if decided is not None else ()
        findings = [*self._result.findings, *wrong] if report is None or self._result.findings else report.findings
        if self.form == "json":
            answer = {"answer": None if report is None else report.first_line, "next": [] if report is None else list(report.next)}
            whole: dict[str, object] = {"complete": False} if self._result.is_error else {}
            if decided is not None and (decided.demands.accepted or decided.demands.baseline):
                whole["accepted"] = decided.to_json()
            return json_text(document(self.command, {**answer, **whole, **self._fields}, findings, self.problems, self.notes)) + "\n"
        from nodepools.cli.output.review_formats import Review, annotations, sarif  # only `check` and `diff` have these formats

        own = self._result.annotations() if self._result.annotations is not None else ()
        review = Review(findings, self.problems, self.notes, self._result.file)
        if self.form == "gitlab":
            from nodepools.cli.output.review_formats import code_quality

            return json_text(code_quality(review)) + "\n"
        return json_text(sarif(review)) + "\n" if self.form == "sarif" else "".join(f"{line}\n" for line in (*own, *annotations(review)))


@contextmanager
def command_session(command: str, form: str, *, details: bool = False) -> Generator[CommandRun]:
    """Runs a command in the `with` block, and ends it: its result is written even if the block raises an exception.

    Raises:
        typer.Exit: always, with the exit code.
    """
    run = CommandRun(command, form, details=details)
    stopped = 0
    with _signals_as_exceptions():
        try:
            yield run
        except InvalidError as error:
            run.set_result(_invalid(error))
        except BaseException as error:  # noqa: BLE001  # a command ends with one line, whatever the code of a user raises
            stopped, problems = failure(error)
            run.problems.extend(problems)
        run.write_baseline()
        _written(run)
    raise typer.Exit(run.exit_code() if stopped in (0, EXIT_USAGE) else stopped)


def _echo_problem(line: str) -> None:
    """On a terminal, no word is broken; elsewhere a problem is one line."""
    if sys.stderr.isatty():
        from nodepools.cli.output.safe_text import wrapped
        from nodepools.cli.output.text_report import width

        line = "\n".join(wrapped(line, width(), "", "  "))
    typer.echo(line, err=True)


def _replaced(text: str, hidden: Mapping[str, str]) -> str:
    for secret, shown in hidden.items():
        text = text.replace(secret, shown)
    return text


def _hidden_in(data: str, hidden: Mapping[str, str]) -> str:
    """Data with its own names and words: programs look for them, and a secret can have the same text."""
    if not hidden:
        return data
    if data.startswith("::"):
        return "\n".join(_OF_GITHUB.sub(lambda found: f"{found[1]}{_replaced(found[2], hidden)}", line) for line in data.split("\n"))
    from nodepools.model.steps import Steps, rewritten

    def shown(steps: Steps, value: object) -> object:
        if not isinstance(value, str) or steps[2:4] == _DRIVER:
            return value
        is_word = steps[-1] in _OF_WORDS and _WORD.fullmatch(value) is not None and _OF_USERS.isdisjoint(steps)
        return value if is_word else _replaced(value, hidden)

    return json_text(rewritten(json.loads(data), shown)) + "\n" if data else data


def _invalid(error: InvalidError) -> Result:
    from nodepools.cli.output.finding_lines import summary  # only errors need it

    answer = error.answer if error.answer else f"no answer: {summary(error.findings)} in what is declared"
    return Result(
        report=Report(error.name, answer, tuple(first_fixes(error.findings, error.name)), findings=tuple(error.findings)), fails=True, is_error=True
    )


def _written(run: CommandRun) -> None:
    try:
        run.write()
    except BrokenPipeError:
        sys.stdout = None  # the reader has closed the pipe (`| head`), which is not an error; Python would report it again when it flushes at exit
    except OSError as error:
        cannot_write(error)


def cannot_write(error: OSError) -> Never:
    """Ends the process: the output cannot be written, for example because the disk is full.

    Raises:
        typer.Exit: always.
    """
    sys.stdout = None  # Python would try to write the rest of the buffer again
    typer.echo(f"error: {os_error_text(error)}", err=True)
    raise typer.Exit(EXIT_USAGE) from None


def _folded(notes: Sequence[Problem]) -> list[str]:
    """One line for each message, with the first places that it is about."""
    places = grouped((note.message, note.where) for note in notes)
    lines: list[str] = []
    for message, where in places.items():
        named = [place for place in where if place]
        lines.append(f"{listed(named, _SHOWN_NOTES)}: {message}" if named else message)
    return lines


@contextmanager
def _signals_as_exceptions() -> Generator[None]:
    """Turns signals that end the process into an exception, so that the result so far is written."""
    in_main = threading.current_thread() is threading.main_thread()
    ending = [signal.Signals[name] for name in ("SIGTERM", "SIGHUP") if name in signal.Signals.__members__]  # Windows has no SIGHUP
    handled = [number for number in ending if in_main and signal.getsignal(number) is signal.SIG_DFL]
    for number in handled:
        signal.signal(number, _terminate)
    try:
        yield
    finally:
        for number in handled:
            signal.signal(number, signal.SIG_DFL)


def _terminate(number: int, _frame: FrameType | None) -> None:
    raise Terminated(128 + number)
