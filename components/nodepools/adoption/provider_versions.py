"""The versions of providers in import files: those of the installed SDKs, which the program registers its resources with."""

import re
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Final

_PROVIDER: Final = "pulumi:providers:"
_RELEASE: Final = re.compile(r"\d+\.\d+\.\d+")


def versioned(type_: str) -> dict[str, str]:
    """The entry's `version`, or nothing: the CLI then uses the newest provider."""
    found = _sdk(type_.removeprefix(_PROVIDER).partition(":")[0])
    return {"version": found} if found is not None else {}


@cache
def _sdk(package: str) -> str | None:
    """The version of an SDK. Prereleases are spelled differently in Python, and are left to the CLI."""
    try:
        found = version(f"pulumi-{package}")
    except PackageNotFoundError:
        return None
    return found if _RELEASE.fullmatch(found) else None
