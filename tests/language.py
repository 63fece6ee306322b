"""Words and phrases that texts avoid, with what to write instead. One table for pages, messages, help texts and docstrings."""

import re
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True)
class Avoided:
    """A phrase that readers have to puzzle out, or that is spelled differently in the documentation of the clouds."""

    pattern: str
    """A regular expression for whole words. Upper and lower case are the same."""
    use: str


IDIOMS = (
    Avoided(r"(?<!there )(?:is|are|was|were) no(?= (?!longer|more|less|fewer|later|earlier|one)\w)", "negate the verb: is not a"),
    Avoided(r"to be had", "available"),
    Avoided(r"beside", "with, next to, together with"),
    Avoided(r"anew", "again, or is replaced"),
    Avoided(r"of (?:its|their|your) own accord|(?:by|of) (?:itself|themselves)", "automatically"),
    Avoided(r"(?:passed|passes|passing) over", "ignored"),
    Avoided(r"(?:goes|go|comes|come) with", "supports, includes"),
    Avoided(r"(?:stands|stand|stood) (?:at|in|on|under|there)(?! for)", "is"),
    Avoided(r"wants", "requests, requires"),
    Avoided(r"for good|once and for all", "permanently"),
    Avoided(r"(?:of a|of that|of this|of what) kind", "has type"),
    Avoided(r"(?:let|lets|letting) in|may enter", "has access, can join"),
    Avoided(r"at the (?:most|least|latest|earliest)", "at most, at least"),
    Avoided(r"two at least|one at least", "at least two"),
    Avoided(r"put up with|puts up with", "tolerated"),
    Avoided(r"in vain", "without effect"),
    Avoided(r"judge[ds]?|judging|judge?ments?", "check, checks, checked, verdict"),
    Avoided(r"surely|certainly", "guaranteed, always"),
    Avoided(r"asked|(?:is|are|was|were) (?:told|said)|as said", "requires, requested, reports, states"),
    Avoided(r"speaks? of", "names"),
    Avoided(r"what is meant|day to judge for", "the intended value; as of"),
    Avoided(r"laid over|lays over|lay over", "override"),
    Avoided(r"did you mean", "state the value: Use `X`"),
    Avoided(r"misspel(?:t|led)|faulty", "invalid, unknown"),
    Avoided(r"refus(?:es|ed|ing|al|als|e)", "rejects"),
    Avoided(r"fenced? off|fences?", "taint"),
    Avoided(r"crowd(?:s|ed)? out", "take the capacity of"),
    Avoided(r"upkeep|openings", "maintenance, maintenance window"),
    Avoided(r"ways? of buying", "capacity type"),
    Avoided(r"ways? out", "outbound route, or the alternative"),
    Avoided(r"upside down|melts? away", "name the effect"),
    Avoided(r"of two minds|figure of speech|to the letter|to the bottom|left to luck|rules of the house", "say it literally"),
    Avoided(r"whoever|somebody|nobody", "name the actor: you, the user, no one"),
    Avoided(r"in place of", "instead of"),
    Avoided(r"left out|leaves out|leave (?:it|them|this|that) out", "omitted, not set, excluded; in a fix: Remove"),
    Avoided(r"takes away|take away|taken away", "removes"),
    Avoided(r"(?<!thing )(?<!where )(?<!one )else", "otherwise"),
    Avoided(r"words of (?:the|a|its|their|its own)|in the words", "terms, names"),
)
"""Idioms, metaphors and old words of this project."""

BRITISH = (
    Avoided(r"(?:un)?organis(?:e|es|ed|ing|ation|ations|ational|ation's)", "organize, organization"),
    Avoided(
        r"(?:recogn|normal|initial|optim|minim|maxim|util|author|custom|serial|summar|general|virtual|local|prior)is(?:e|es|ed|ing|ation)", "-ize"
    ),
    Avoided(r"colour\w*|behaviour\w*|favour\w*|honour\w*|neighbour\w*|flavour\w*|labour", "-or: color, behavior"),
    Avoided(r"(?:mod|lab|canc|trav)ell(?:ed|ing|er)", "one l: modeled, labeled, canceled"),
    Avoided(r"licence[sd]?|defence|offence", "license, defense"),
    Avoided(r"catalogue|centre[sd]?|metre|grey|programme", "catalog, center, gray, program"),
    Avoided(r"spelt|learnt|burnt|whilst|amongst|analys(?:e|es|ed|ing)", "spelled, learned, while, among, analyze"),
)
"""British spellings; Kubernetes, Azure, AWS and Pulumi write American English."""

IMPERATIVES = frozenset(
    {
        *(
            "Add",
            "Allow",
            "Change",
            "Convert",
            "Correct",
            "Encode",
            "Finish",
            "Install",
            "Keep",
            "Lower",
            "Make",
            "Merge",
            "Move",
            "Raise",
            "Relax",
            "Remove",
        ),
        *("Register", "Rename", "Require", "Run", "Select", "Set", "Shorten", "Split", "Upgrade", "Use", "Write"),
    }
)
"""The first words of fixes."""

NAMES = r"`[^`\n]*`|\b(?:--)?[\w.]+/[\w./-]+|https?://\S+"
"""What is quoted, not said: names and values in backticks, paths and addresses."""


@cache
def _compiled() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(rf"\b(?:{row.pattern})\b", re.IGNORECASE), row.use) for row in (*IDIOMS, *BRITISH))


def avoided(text: str) -> list[str]:
    """The avoided phrases of `text`, each as "phrase → what to use", in the order of the table. Text in backticks is not read."""
    prose = " ".join(re.sub(NAMES, "`…`", text).split())
    return [f"{found.group()} → {use}" for pattern, use in _compiled() for found in pattern.finditer(prose)]
