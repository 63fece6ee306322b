"""Texts about the model in the words of an object or a resource."""

import re
from collections.abc import Mapping


def in_words(text: str, words: Mapping[str, str]) -> str:
    """`text` with the fields that it names called by `words`: `minValues` for `min_values`."""
    return re.sub(r"\b[a-z]+(?:_[a-z0-9]+)+\b", lambda match: words.get(match[0], match[0]), text)
