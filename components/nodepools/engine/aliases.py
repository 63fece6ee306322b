"""Earlier names of resources.

The SDK sends an engine what they are, and also works out the URN that each would have, for engines of before 2022 alone. A resource of a provider
has about fifty, one for each version of its API, so that this is most of the time that a run takes.
"""

from collections.abc import Generator
from contextlib import contextmanager
from unittest.mock import patch

import pulumi
import pulumi.resource

_WORKS_OUT = "collapse_alias_to_urn"


@contextmanager
def without_alias_urns() -> Generator[None]:
    """No URN is worked out of an earlier name. Aliases are registered all the same. A later SDK may have nothing to leave out."""
    if not hasattr(pulumi.resource, _WORKS_OUT):
        yield
        return
    with patch.object(pulumi.resource, _WORKS_OUT, _nothing):
        yield


def _nothing(*_: object) -> str:
    return ""
