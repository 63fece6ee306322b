r"""Which subnets a term of `subnetSelectorTerms` selects.

Karpenter ignores the tags of a term that has an id, and passes tags to EC2 as filters: their values are patterns, in which `*` is any text, `?` is
one character or none, and `\` takes the meaning from the next one. The value `*` alone selects each subnet that has the tag.
Sources: karpenter-provider-aws 1.15, pkg/providers/subnet; https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/Using_Filtering.html (2026-11).
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from nodepools.model.plain_data import mapping

_PARTS: Final = re.compile(r"\\.|[*?]|[^*?\\]+|\\", re.DOTALL)
_WILDCARDS: Final = {"*": ".*", "?": ".?"}


def selects(term: Mapping[str, object], subnet: str, tags: Mapping[str, str]) -> bool:
    """The term selects a subnet with this id and these tags."""
    if term.get("id") is not None:
        return str(term["id"]).lower() == subnet
    wanted = mapping(term.get("tags"))
    return bool(wanted) and all(key in tags and _pattern(str(value)).fullmatch(tags[key]) is not None for key, value in wanted.items())


@cache
def _pattern(value: str) -> re.Pattern[str]:
    """A value of a filter as a regular expression."""
    parts = [_WILDCARDS.get(part) or re.escape(part[1:] if part.startswith("\\") and len(part) > 1 else part) for part in _PARTS.findall(value)]
    return re.compile("".join(parts), re.DOTALL)
