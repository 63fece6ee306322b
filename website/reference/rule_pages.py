"""One page for each code, with a permanent address such as `reference/rules/aks014.html`, one for each family, and one that lists and filters all."""

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nodepools.rules.engine.registry import all_rules
from website.cited import linked
from website.layout import PROJECT
from website.reference.rule_examples import Example, examples, text_examples

_FAMILY = re.compile(r"^## ([A-Z]{3}): (.*)$", re.MULTILINE)
_RULE = re.compile(r"^### ([A-Z]{3}\d{3}) (\S+)\n", re.MULTILINE)
_BLOCK = re.compile(r"^```(?:python|yaml)\n.*?^```$", re.MULTILINE | re.DOTALL)
_NO_FIX = "It states a fact: no edit is needed, so there is no other form."
_NO_FILE = "There is no example: a file of it would have a secret in it, or be longer than a page."
_NO_FORM = "The fix depends on what else you have, so there is no form of it that is right for everyone."


@dataclass(frozen=True, slots=True)
class _Entry:
    """The section of a code in `docs/rules.md`."""

    code: str
    name: str
    text: str

    @property
    def address(self) -> str:
        """The address of its page."""
        return f"reference/rules/{self.code.lower()}"

    @property
    def severity(self) -> str:
        """Its severity: the first word."""
        return self.text.strip().partition(".")[0].lower()

    @property
    def summary(self) -> str:
        """What it is about."""
        return self.text.strip().partition("\n")[0].partition(". ")[2]


def rule_pages() -> Iterator[tuple[str, str]]:
    """Yields the address and the text of each page, first of the one that lists them."""
    head, *parts = _FAMILY.split((PROJECT / "docs/rules.md").read_text(encoding="utf-8"))
    families = {family: (title, _entries(text)) for family, title, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True)}
    yield "reference/rules", _index(head, families)
    for family, (title, entries) in families.items():
        lines = [f"# {family}: {title}", "", "| code | severity | about |", "|---|---|---|", *(_row(entry, "") for entry in entries)]
        yield f"reference/rules/{family.lower()}", "\n".join([*lines, ""])
        yield from ((entry.address, _page(entry, family)) for entry in entries)


def _entries(text: str) -> list[_Entry]:
    _, *parts = _RULE.split(text)
    return [_Entry(code, name, body) for code, name, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True)]


def _page(entry: _Entry, family: str) -> str:
    """The page of a code. The navigation has the families only: with each code in it, the site takes minutes to build."""
    text = re.sub(r"^\* Source: .*$", lambda line: linked(line[0], entry.address), entry.text.strip(), flags=re.MULTILINE)
    _, _, reported = text.partition("\n")
    rule = all_rules().get(entry.code)
    shown = text_examples(entry.code) if rule is None else examples(entry.code, rule)
    why = _NO_FORM if "* Fix: " in reported else _NO_FIX
    if shown or rule is not None:
        reported = _BLOCK.sub(lambda _: _tabs(entry.code, shown, why) if shown else _NO_FILE, reported, count=1)
    return "\n".join(
        [
            "---",
            "orphan: true",
            "---",
            f"```{{index}} ! {entry.code}",
            f":name: {entry.code.lower()}",
            "```",
            f"# {entry.code} {entry.name}",
            "",
            _pill(entry.severity),
            "",
            entry.summary,
            reported,
            "",
            f"[All rules](../rules.md) · [{family}]({family.lower()}.md) · `nodepools rules {entry.code}`",
            "",
        ]
    )


def _tabs(code: str, shown: Sequence[Example], why: str) -> str:
    """The examples, each in its tab: what is reported, next to a form that is not."""
    lines = ["## Example", "", '<div class="tabs">', ""]
    for one in shown:
        bad, good = _changed_lines(one.bad, one.good or one.bad)
        lines += [f"**{one.title}**", "", "<div>", ""]
        lines += _side(f"✘ `{one.command}` reports {code}:", one.language, one.bad, bad)
        lines += [why, ""] if one.good is None else _side("✔ Not reported:", one.language, one.good, good)
        lines += ["</div>", ""]
    return "\n".join([*lines, "</div>"])


def _side(title: str, language: str, text: str, changed: Sequence[int]) -> list[str]:
    emphasized = [f":emphasize-lines: {','.join(map(str, changed))}"] if changed else []
    return [title, "", f"```{{code-block}} {language}", *emphasized, "", f"{text.rstrip()}", "```", ""]


def _changed_lines(bad: str, good: str) -> tuple[list[int], list[int]]:
    """The lines, from 1, that only one of the two has."""
    edits = difflib.SequenceMatcher(None, bad.splitlines(), good.splitlines(), autojunk=False).get_opcodes()
    pairs = [(range(old, old_end), range(new, new_end)) for kind, old, old_end, new, new_end in edits if kind != "equal"]
    return [line + 1 for old, _ in pairs for line in old], [line + 1 for _, new in pairs for line in new]


def _pill(severity: str) -> str:
    return f'<span class="severity {severity}">{severity}</span>'


def _row(entry: _Entry, folder: str) -> str:
    return f"| [{entry.code} {entry.name}]({folder}{entry.code.lower()}.md) | {_pill(entry.severity)} | {entry.summary.replace('|', chr(92) + '|')} |"


def _index(head: str, families: dict[str, tuple[str, list[_Entry]]]) -> str:
    introduction = head.partition("# Rules")[2].replace("Generated by `python tools/rules.py`. ", "")
    lines = ["# Rules", introduction.strip(), "", "| family | about | rules |", "|---|---|---|"]
    lines += [f"| [{family}](rules/{family.lower()}.md) | {title} | {len(entries)} |" for family, (title, entries) in families.items()]
    lines += ["", "## All of them", "", '<input class="filter" type="search" placeholder="error taint spot …" aria-label="Filter the rules">', ""]
    lines += ["| code | severity | about |", "|---|---|---|", *(_row(entry, "rules/") for _, entries in families.values() for entry in entries)]
    return "\n".join([*lines, "", "```{toctree}", ":hidden:", *(f"rules/{family.lower()}" for family in families), "```", ""])
