"""The texts of schema findings (schema_messages.json): a message and a fix for every error that pydantic can report about a declaration."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypedDict, cast


@dataclass(frozen=True, slots=True)
class MessageTemplate:
    """The texts of a finding.

    `{field}` is the field itself, `{f:name}` another one of its part, `{f:inner.name}` one below it, `{true}` and `{false}` are
    values. Limits come from pydantic.
    """

    code: str
    message: str
    fix: str
    meant: str | None = None
    """The field that an unknown name is probably intended for."""
    kind: str | None = None
    """The only kind that a part without one can have."""

    def filled(self, known: dict[str, object]) -> "MessageTemplate":
        """Returns the texts with the limits of the field."""
        given = known | {"field": "{field}", "true": "{true}", "false": "{false}"}
        return MessageTemplate(self.code, self.message.format(**given), self.fix.format(**given))


class _Texts(TypedDict):
    pydantic: Mapping[str, tuple[str, str, str]]
    own_fixes: Mapping[str, str]
    pool_kinds: Mapping[str, str]
    patterns: Mapping[str, Mapping[str, tuple[str, str]]]
    elsewhere: Mapping[str, Mapping[str, tuple[str, str]]]
    arguments_of_other_tools: Mapping[str, Mapping[str, Mapping[str, str]]]


_TEXTS: Final = cast("_Texts", json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8")))
PYDANTIC_MESSAGES: Final = {kind: MessageTemplate(*texts) for kind, texts in _TEXTS["pydantic"].items()}
"""The texts of errors that do not depend on the field."""
OWN_ERROR_FIXES: Final = _TEXTS["own_fixes"]
"""The fixes of errors that the models' own validators raise; these errors have their own messages."""
PATTERNS: Final = {
    (model, field): MessageTemplate("CFG006", f"{{field}} must {be}", fix)
    for model, fields in _TEXTS["patterns"].items()
    for field, (be, fix) in fields.items()
}
"""The texts of errors about patterns, by model and field."""
ELSEWHERE: Final = {
    (model, field): MessageTemplate("CFG002", *texts) for model, fields in _TEXTS["elsewhere"].items() for field, texts in fields.items()
}
"""Fields that people expect in a model and that belong to another one, by model and field."""
BROUGHT: Final = {(owner, source): held for source, owners in _TEXTS["arguments_of_other_tools"].items() for owner, held in owners.items()}
"""Arguments of other tools, by model and source: the field with the same value, or a fix if its shape differs."""
POOL_KINDS: Final = _TEXTS["pool_kinds"]
"""Kinds that people write for an agent pool, such as the modes of AKS, with the kinds of declarations. The function `SpotPool` is not a kind."""
