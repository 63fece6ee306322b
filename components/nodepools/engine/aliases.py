"""Aliases of resources.

The SDK sends aliases to the engine and also computes the URN of each, which only engines before 2022 need. A resource of a provider has about
fifty aliases, one for each version of its API, so that these URNs take most of the time of a run.
"""

from collections.abc import Generator
from contextlib import contextmanager
from unittest.mock import patch

import pulumi
import pulumi.resource

_COMPUTE = "collapse_alias_to_urn"


@contextmanager
def without_alias_urns() -> Generator[None]:
    """Turns off the computation of alias URNs. Aliases are still registered. A later SDK may not compute them at all."""
    if not hasattr(pulumi.resource, _COMPUTE):
        yield
        return
    with patch.object(pulumi.resource, _COMPUTE, _nothing):
        yield


def _nothing(*_: object) -> str:
    return ""
