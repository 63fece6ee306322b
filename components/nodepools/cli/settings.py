"""The settings in `[tool.nodepools]`."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import Annotated, Final, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, ValidationError

from nodepools.model.listing import nearest
from nodepools.model.severity import Severity


def _listed(value: object) -> object:
    """TOML has only lists, but strict validation requires a tuple."""
    return tuple(value) if isinstance(value, list) else value  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]  # the caller checks the entries


Texts = Annotated[tuple[str, ...], BeforeValidator(_listed)]


class Settings(BaseModel):
    """The settings."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    select: Texts | None = None
    ignore: Texts = ()
    severity: dict[str, Annotated[Severity, BeforeValidator(lambda value: Severity(value) if value in tuple(Severity) else value)]] = {}
    exclude: Texts = ()
    rules: Texts = ()
    contexts: dict[str, Annotated[str, StringConstraints(pattern="^[^/]+/[^/]+$")]] = {}
    default_stack: str | None = Field(default=None, alias="default-stack")


_EXPECTED: Final = {
    "select": "must be a list of codes, names or families",
    "ignore": "must be a list of codes, names or families",
    "severity": "must be a table that maps codes or names to `error`, `warning` or `note`",
    "exclude": "must be a list of file patterns",
    "rules": "must be a list of Python files",
    "contexts": "must be a table that maps contexts of the kubeconfig to `STACK/CLUSTER`",
    "default-stack": "must be the name of a stack",
}
_TABLES: Final = {"severity": "must be one of `error`, `warning`, `note`", "contexts": "must be `STACK/CLUSTER`, such as `prod/weu`"}
"""Settings of which each entry can be wrong, with what an entry must be."""


def read_settings(table: object) -> tuple[Settings, list[str]]:
    """Returns the valid settings, and one line for each invalid one."""
    try:
        return Settings.model_validate(table), []
    except ValidationError as error:
        problems = list(dict.fromkeys(_problems(error)))
        wrong = {
            tuple(map(str, found["loc"][:2] if found["loc"][:1] and found["loc"][0] in _TABLES else found["loc"][:1])) for found in error.errors()
        }
    return Settings.model_validate(_without(table, wrong)), problems


def _without(table: object, wrong: AbstractSet[tuple[str, ...]]) -> dict[str, object]:
    """Returns the settings, and the entries of tables, that are not in `wrong`."""
    settings = cast("dict[str, object]", table) if isinstance(table, dict) else {}
    tables = {key: cast("dict[str, object]", found) for key in _TABLES if isinstance(found := settings.get(key), dict)}
    right = {key: {name: value for name, value in entries.items() if (key, name) not in wrong} for key, entries in tables.items()}
    return {key: value for key, value in (settings | right).items() if (key,) not in wrong}


def _problems(error: ValidationError) -> Iterator[str]:
    for found in error.errors():
        if not found["loc"]:
            yield "`tool.nodepools` must be a table"
            continue
        key, *inside = map(str, found["loc"])
        if found["type"] == "extra_forbidden":
            suggestion = nearest(key, _EXPECTED)
            hint = f"use `{suggestion}`" if suggestion is not None else f"use one of {', '.join(f'`{name}`' for name in _EXPECTED)}"
            yield f"`tool.nodepools.{key}` is not a setting: {hint}"
        elif key in _TABLES and inside:
            yield f"`tool.nodepools.{key}.{inside[0]}` {_TABLES[key]}, not `{found['input']}`"
        else:
            yield f"`tool.nodepools.{key}` {_EXPECTED[key]}"
