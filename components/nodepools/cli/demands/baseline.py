"""`--baseline` and `--write-baseline`: one reviewed file with the findings, effects and verdicts that are accepted, each with a reason."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Final, cast

from nodepools.cli.demands.demands import WORDS, Acceptance, Decided, Kind
from nodepools.cli.exit_codes import usage_error
from nodepools.cli.inputs.input_files import text
from nodepools.cli.output.safe_yaml import safe_yaml
from nodepools.cli.problem import InputError, Problem
from nodepools.cli.written_file import write_file
from nodepools.loading import UnreadableError
from nodepools.model.nearest import nearest
from nodepools.model.steps import Step
from nodepools.reading.limits import TextError
from nodepools.reading.yaml_documents import Document, documents, source_position
from nodepools.rules.engine.finding import SourcePosition

_KINDS: Final[Sequence[Kind]] = ("rule", "effect", "verdict")
_KEYS: Final = (*_KINDS, "command", "path", "value", "in", "reason", "expires")
_TEXTS: Final = (*_KINDS, "command", "path", "in", "reason", "expires")
_DAYS: Final = 90
"""After which a written entry expires."""
_HEAD: Final = """\
# What `nodepools` accepts. Write the reason of each entry: without one, it accepts nothing.
accepted:
"""


def read_baseline(file: Path, command: str) -> list[Acceptance]:
    """The entries that are about a command.

    Raises:
        UnreadableError: the file cannot be read.
        InputError: entries are not valid; all of them are named.
    """
    return [one for one, of in _entries(file) if of in ("", command)]


def _entries(file: Path) -> list[tuple[Acceptance, str]]:
    """All entries, each with the command that it is for; rules are for all."""
    try:
        read = list(documents(text(file), str(file)))
    except TextError as error:
        raise UnreadableError(str(error)) from None
    if len(read) != 1:
        usage_error(f"{file}: must be one YAML document with a list `accepted`{', not several' if read else ', and is empty'}")
    reader = _Reader(file, read[0])
    found = list(reader.entries())
    if reader.problems:
        raise InputError(*reader.problems)
    return found


class _Reader:
    """Reads the entries of a document, and keeps every problem."""

    def __init__(self, file: Path, document: Document) -> None:
        self._file = file
        self._document = document
        self.problems: list[Problem] = []

    def entries(self) -> Iterator[tuple[Acceptance, str]]:
        """The valid ones."""
        whole = self._document.value
        for doubt in self._document.doubts:
            if doubt.first is not None:
                self._add(doubt.steps, f"the key `{doubt.text}` is in this mapping twice; line {doubt.first} has it, too")
        held = cast("Mapping[str, object]", whole) if isinstance(whole, dict) else None
        listed = held.get("accepted") if held is not None and list(held) == ["accepted"] else None
        if not isinstance(listed, list):
            self._add((), "must have one key, `accepted`, with a list of entries, each with `rule`, `effect` or `verdict`, `path` and `reason`")
            return
        seen: dict[tuple[str, ...], int] = {}
        for number, entry in enumerate(cast("list[object]", listed)):
            steps = ("accepted", number)
            read = self._entry(steps, cast("Mapping[str, object]", entry)) if isinstance(entry, dict) else self._add(steps, "must be a mapping")
            if read is None:
                continue
            key = (str(read[0]), read[0].within, read[1])
            line = self._at(steps).line
            if key in seen:
                self._add(steps, f"this entry is in the file twice: line {seen[key]} accepts the same")
            seen.setdefault(key, line)
            yield read

    def _entry(self, steps: tuple[Step, ...], entry: Mapping[str, object]) -> tuple[Acceptance, str] | None:
        before = len(self.problems)
        for key in entry:
            if key not in _KEYS:
                near = nearest(str(key), _KEYS)
                hint = f"use `{near}`" if near is not None else f"use one of {', '.join(f'`{name}`' for name in _KEYS)}"
                self._add((*steps, key), f"`{key}` is not a key of an entry: {hint}")
        texts = {key: str(entry[key]) for key in _TEXTS if key in entry and entry[key] is not None}
        for key in (*_TEXTS[:-2], "expires"):
            if key in entry and not isinstance(entry[key], str):
                self._add((*steps, key), f"`{key}` must be a text")
        if isinstance(entry.get("reason"), dict | list):
            self._add((*steps, "reason"), "`reason` must be a text")
        kinds: list[Kind] = [kind for kind in _KINDS if kind in entry]
        if len(kinds) != 1:
            self._add(steps, f"must have one of `rule`, `effect` and `verdict`, and has {' and '.join(f'`{kind}`' for kind in kinds) or 'none'}")
        elif (wrong := _wrong_word(kinds[0], texts)) is not None:
            self._add((*steps, kinds[0]), wrong)
        if "path" not in entry:
            self._add(steps, "`path` is missing")
        expires = self._date((*steps, "expires"), texts.get("expires"))
        if len(self.problems) > before:
            return None
        [kind] = kinds
        command = "diff" if kind == "effect" else texts.get("command", "")
        one = Acceptance(
            texts["path"], texts[kind], entry.get("value"), texts.get("reason", "").strip(), texts.get("in", ""), self._at(steps), expires, kind
        )
        return one, command

    def _date(self, steps: tuple[Step, ...], written: str | None) -> date | None:
        if written is None:
            return None
        try:
            return date.fromisoformat(written) if len(written) == len("2026-01-31") else self._add(steps, _not_a_date(written))
        except ValueError:
            return self._add(steps, _not_a_date(written))

    def _add(self, steps: tuple[Step, ...], message: str) -> None:
        self.problems.append(Problem(str(self._at(steps)), message))

    def _at(self, steps: tuple[Step, ...]) -> SourcePosition:
        return source_position(str(self._file), self._document.start, self._document.places, steps)


def _not_a_date(written: str) -> str:
    return f"`expires` must be a date such as `2027-01-31`, not `{written}`"


def _wrong_word(kind: str, texts: Mapping[str, str]) -> str | None:
    """Why an effect or a verdict is not one, or has no command."""
    word, command = texts.get(kind, ""), texts.get("command")
    if kind == "rule":
        return None if word else "`rule` must be the code or the name of a rule"
    if kind == "effect":
        known = [one for one in WORDS["diff"].known if one not in ("pending", "warning")]
        return None if word in known else f"`effect` must be one of {', '.join(f'`{one}`' for one in known)}, not `{word}`"
    commands = {name: (*words.always, *words.known) for name, words in WORDS.items()}
    if command not in commands:
        return f"a verdict needs `command`, one of {', '.join(f'`{name}`' for name in commands)}"
    verdicts = [one for one in commands[command] if command != "diff" or one == "pending"]
    return None if word in verdicts else f"`verdict` of `{command}` must be one of {', '.join(f'`{one}`' for one in verdicts)}, not `{word}`"


def write_baseline(file: Path, decided: Decided) -> tuple[int, int]:
    """Adds what is left to a file, each without a reason. Returns the number of entries that are new, and of errors, which nobody can accept.

    Raises:
        UnreadableError: the file exists, and cannot be read.
        InputError: it has errors, or cannot be written.
    """
    before = _entries(file) if file.exists() else []
    known = {(str(one), one.within) for one, _ in before}
    new = {(str(thing.acceptance), thing.within): thing for thing in decided.left if not thing.is_certain and thing.fails_on != "note"}
    added = [_written(thing.acceptance, decided) for key, thing in new.items() if key not in known]
    if added:
        start = text(file) if before else _HEAD
        write_file(file, f"{start.rstrip()}\n{_listed(added)}")
        _check(file, len(before) + len(added), start)
    return len(added), sum(thing.is_certain for thing in decided.left)


def _listed(entries: Sequence[Mapping[str, object]]) -> str:
    return "".join(f"  - {safe_yaml(entry).rstrip().replace(chr(10), f'{chr(10)}    ')}\n" for entry in entries)


def _check(file: Path, number: int, before: str) -> None:
    """The file has all entries; otherwise it was written by hand in another form, and stays as it was.

    Raises:
        InputError: entries cannot be added to it.
    """
    try:
        if len(_entries(file)) == number:
            return
    except (UnreadableError, InputError):
        pass
    write_file(file, before)
    raise InputError(Problem(str(file), "entries cannot be added to it: write `accepted:` as the last key, with entries that begin with `  - `"))


def _written(one: Acceptance, decided: Decided) -> dict[str, object]:
    today = decided.demands.today
    return {
        one.kind: one.word,
        **({"command": decided.demands.command} if one.kind == "verdict" else {}),
        "path": one.path,
        **({"value": one.value} if one.kind == "effect" or one.value is not None else {}),
        **({"in": one.within} if one.within else {}),
        "reason": "",
        **({"expires": (today + timedelta(days=_DAYS)).isoformat()} if today is not None else {}),
    }
