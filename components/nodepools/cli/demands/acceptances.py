"""What `--accept` and `--baseline` say, and `--write-baseline`: findings, effects and verdicts that are accepted, each with a reason."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Final, cast

from nodepools.cli.demands.demands import PENDING, WARNING, WORDS, Acceptance, Decided, Kind, Thing, Words
from nodepools.cli.inputs.input_files import text
from nodepools.cli.output.safe_yaml import safe_yaml
from nodepools.cli.problem import InputError, Problem, usage_error
from nodepools.cli.written_file import write_file
from nodepools.loading import UnreadableError
from nodepools.model.listing import nearest
from nodepools.model.steps import Step
from nodepools.reading.yaml_documents import Document, documents, source_position
from nodepools.rules.engine.finding import SourcePosition

_KINDS: Final[Sequence[Kind]] = ("rule", "effect", "verdict")
_KEYS: Final = (*_KINDS, "command", "path", "value", "in", "reason", "expires")
_TEXTS: Final = (*_KINDS, "command", "path", "in", "reason", "expires")
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DAYS: Final = 90
"""After which a written entry expires."""
_HEAD: Final = """\
# What `nodepools` accepts. Write the reason of each entry: without one, it accepts nothing.
accepted:
"""


_CODE: Final = r"[A-Z]{2,}[A-Z0-9]*[0-9]|[a-z0-9]+(?:-[a-z0-9]+)+"
_FINDING: Final = re.compile(rf"(?P<word>{_CODE})(?: (?P<path>\S.*))?")
_EFFECT: Final = re.compile(r"(?P<path>\S+) (?P<word>[a-z_]+)(?: (?P<value>.+))?")
_VERDICT: Final = re.compile(r"(?P<path>\S.*) (?P<word>[a-z_]+)(?P<value>)")
_PRINTED_NULL: Final = ("not set", "removed")
"""How a missing value is printed."""


def _form(words: Words) -> str:
    if words.needs_value:
        return "`PATH EFFECT NEW_VALUE: REASON`, without a value for what is removed, such as `clusters.weu.pools.web removes_nodes: moved to batch`"
    verdicts = [word for word in dict.fromkeys((*words.always, *words.known)) if word != WARNING]
    example = f"`shop/Deployment/web {verdicts[0]}: moves on Monday`" if verdicts else "`AKS055 clusters.weu.pools.web: moves on Monday`"
    forms = [*(["`CODE PATH: REASON`"] if words.has_findings else []), *(["`PATH VERDICT: REASON`"] if verdicts else [])]
    return f"{' or '.join(forms)}, such as {example}"


def acceptances(command: str, written: Iterable[str]) -> list[Acceptance]:
    """Reads acceptances, and files with one in each line.

    Raises:
        InputError: one has another form.
        UnreadableError: a file cannot be read.
    """
    return [_parsed(command, line) for entry in written for line in _lines(command, entry)]


def _lines(command: str, entry: str) -> Iterator[str]:
    path = Path(entry)
    if _thing_and_reason(command, entry) is not None or "\0" in entry or not path.is_file():
        yield entry
        return
    lines = text(path).splitlines()
    yield from (line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#"))


def _parsed(command: str, line: str) -> Acceptance:
    found = _thing_and_reason(command, line)
    if found is None:
        usage_error(f"`--accept` must be {_form(WORDS[command])}, or a file, not `{line}`")
    return found


def _thing_and_reason(command: str, line: str) -> Acceptance | None:
    """Splits before the reason. JSON can have colons: the first split whose value is JSON, otherwise the first."""
    parts = line.split(": ")
    splits = [(": ".join(parts[:number]), ": ".join(parts[number:]).strip()) for number in range(1, len(parts))]
    found = [(one, reason) for head, reason in splits if reason and (one := _thing(command, head)) is not None]
    if not found:
        return None
    one, reason = next((each for each in found if each[0].value is None or _is_json(str(each[0].value))), found[0])
    return replace(one, reason=reason, value=_value(str(one.value)) if one.value is not None else None)


def _thing(command: str, head: str) -> Acceptance | None:
    """What is accepted, its value as it is written."""
    words = WORDS[command]
    other = (_EFFECT if words.needs_value else _VERDICT).fullmatch(head)
    if other is not None and other["word"] in {*words.known, *words.always}:
        kind = "effect" if words.needs_value and other["word"] != PENDING else "verdict"
        return Acceptance(other["path"], other["word"], other["value"] or None, "", kind=kind)
    found = _FINDING.fullmatch(head) if words.has_findings else None
    return Acceptance(found["path"] or "", found["word"], None, "", kind="rule") if found is not None else None


def _is_json(written: str) -> bool:
    try:
        json.loads(written)
    except (ValueError, RecursionError):
        return False
    return True


def _value(written: str) -> object:
    if written in _PRINTED_NULL:
        return None
    return json.loads(written) if _is_json(written) else written


def read_baseline(file: Path, command: str) -> list[Acceptance]:
    """The entries that are about a command.

    Raises:
        UnreadableError: the file cannot be read.
        InputError: entries are not valid; all of them are named.
    """
    return [one for one, of in _entries(file) if of in ("", command)]


def _entries(file: Path) -> list[tuple[Acceptance, str]]:
    """All entries, each with the command that it is for; rules are for all."""
    read = list(documents(text(file), str(file)))
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
            if _DATE.fullmatch(written) is not None:  # `date` also reads weeks
                return date.fromisoformat(written)
        except ValueError:  # a day that its month does not have
            pass
        return self._add(steps, f"`expires` must be a date such as `2027-01-31`, not `{written}`")

    def _add(self, steps: tuple[Step, ...], message: str) -> None:
        self.problems.append(Problem(str(self._at(steps)), message))

    def _at(self, steps: tuple[Step, ...]) -> SourcePosition:
        return source_position(str(self._file), self._document.start, self._document.places, steps)


def _wrong_word(kind: str, texts: Mapping[str, str]) -> str | None:
    """Why an effect or a verdict is not one, or has no command."""
    word, command = texts.get(kind, ""), texts.get("command")
    if kind == "rule":
        return None if word else "`rule` must be the code or the name of a rule"
    if kind == "effect":
        known = [one for one in WORDS["diff"].known if one not in ("pending", "warning")]
        return None if word in known else f"`effect` must be one of {', '.join(f'`{one}`' for one in known)}, not `{word}`"
    commands = {name: tuple(dict.fromkeys((*words.always, *words.known))) for name, words in WORDS.items()}
    if command not in commands:
        return f"a verdict needs `command`, one of {', '.join(f'`{name}`' for name in commands)}"
    verdicts = [one for one in commands[command] if command != "diff" or one == "pending"]
    return None if word in verdicts else f"`verdict` of `{command}` must be one of {', '.join(f'`{one}`' for one in verdicts)}, not `{word}`"


def write_baseline(file: Path, decided: Decided) -> tuple[int, int]:
    """Adds what is left to a file, each without a reason. Returns the number of entries that are new, and of errors, which cannot be accepted.

    Raises:
        UnreadableError: the file exists, and cannot be read.
        InputError: it has errors, or cannot be written.
    """
    before = _entries(file) if file.exists() else []
    known = {(str(one), one.within) for one, _ in before}
    new = {(str(thing.acceptance), thing.within): thing for thing in decided.left if _can_be_accepted(thing, decided)}
    added = [_written(thing.acceptance, decided) for key, thing in new.items() if key not in known]
    if added:
        start = text(file) if before else _HEAD
        write_file(file, f"{start.rstrip()}\n{_listed(added)}")
        _check(file, len(before) + len(added), start)
    return len(added), sum(thing.is_certain for thing in decided.left)


def _can_be_accepted(thing: Thing, decided: Decided) -> bool:
    """Warnings, also if they do not fail the command, and all that does."""
    return not thing.is_certain and (thing.fails_on == WARNING or decided.demands.fails_on(thing.fails_on))


def _listed(entries: Sequence[Mapping[str, object]]) -> str:
    return "".join(f"  - {safe_yaml(entry).rstrip().replace(chr(10), f'{chr(10)}    ')}\n" for entry in entries)


def _check(file: Path, number: int, before: str) -> None:
    """The file has all entries; otherwise it was written by hand in another form, and stays as it was."""
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
