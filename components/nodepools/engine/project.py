"""Reads the project file, and the file of a stack, as the Pulumi CLI does.

Source: `LoadProject`, `LoadProjectStack` and `ValidateStackConfigAndApplyProjectConfig` of github.com/pulumi/pulumi 3.274.1 (2026-11-27).
"""

import json
import os
import re
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from hashlib import pbkdf2_hmac, sha1
from importlib.util import find_spec
from math import isfinite
from pathlib import Path
from typing import Final, cast

from nodepools.engine.errors import EngineError
from nodepools.model.listing import nearest
from nodepools.model.steps import mapping, sequence
from nodepools.model.values import dataclass, field
from nodepools.reading.bounded_input import TextError, file_text
from nodepools.reading.project_folder import configured_stacks, known_stacks, project_file
from nodepools.reading.pulumi_scalars import PULUMI
from nodepools.reading.yaml_documents import only_value

PLACEHOLDER = "[secret]"
"""Stands for an encrypted value, which is not decrypted."""
_NAME: Final = re.compile(r"[A-Za-z0-9_.-]{1,100}")
_KEY: Final = re.compile(r"([^:]*):(?:config:)?([^:]*)")
_WHOLE: Final = re.compile(r"[-+]?[0-9]+")
_EXPONENT: Final = 1e21
"""From here, JSON has an exponent."""
_TYPES: Final = ("string", "integer", "boolean", "array", "object")
_DECLARED: Final = frozenset({"type", "items", "description", "secret", "default", "value"})


class ProjectError(EngineError):
    """A project or stack file cannot be read. The message is one line."""


@dataclass(frozen=True, slots=True)
class Project:
    """A project with the configuration of one stack. `directory` has the program; keys are full (`aws:region`)."""

    name: str
    stack: str
    directory: Path
    config: Mapping[str, str]
    secret_keys: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    """Why `pulumi up` rejects the configuration: values that are missing, of another type, or not encrypted."""
    unread: str = ""
    """What has values that are not read: the file with the ESC environments of the stack."""
    opened: tuple[str, ...] = ()
    """The texts that were decrypted."""
    sealed: str = ""
    """What would decrypt the encrypted values that were not; empty: there are none."""
    is_closed: bool = False
    """There is a passphrase, and it does not decrypt them."""


@dataclass(frozen=True, slots=True)
class _Vault:
    """The encrypted values of a stack."""

    lacks: str
    """What would decrypt them; empty: `key` does."""
    key: bytes = b""
    opened: list[str] = field(default_factory=list[str])
    closed: list[str] = field(default_factory=list[str])
    """Those that the key does not decrypt."""

    def text(self, encrypted: str) -> str:
        """The decrypted value, or its stand-in."""
        text = None if self.lacks else _decrypted(self.key, encrypted)
        (self.closed if text is None else self.opened).append(encrypted if text is None else text)
        return PLACEHOLDER if text is None else text

    @property
    def sealed(self) -> str:
        """What would decrypt those that are not."""
        return self.lacks if self.lacks or not self.closed else _CLOSED


@dataclass(frozen=True, slots=True)
class _Declared:
    """A key of the project file: its type, or `""`, and its value, or `None`."""

    key: str
    type: str
    items: object
    value: object
    is_secret: bool

    def fits(self, value: object) -> bool:
        """A value has the declared type. Every text fits an encrypted value, which is not read."""
        return not self.type or _fits(self.type, self.items, value)


@dataclass(frozen=True, slots=True)
class _Value:
    """A value as the program reads it."""

    text: str
    content: object
    """What its type is compared with: the text of a scalar, or a list or a mapping."""
    is_secret: bool


def project_name(directory: Path) -> str:
    """The name of the project in `directory`.

    Raises:
        ProjectError: there is no project file, or its name is not valid.
    """
    path, settings = _project(directory)
    return _name(settings, path)


def project_runtime(directory: Path) -> object:
    """What runs the program: `runtime` of the project file.

    Raises:
        ProjectError: there is no project file, or it cannot be read.
    """
    return _project(directory)[1].get("runtime")


def selected_stack(directory: Path) -> str | None:
    """The stack that `pulumi stack select` chose in `directory`; `None` if it chose none.

    Source: `settingsPath` in sdk/go/common/workspace of github.com/pulumi/pulumi 3.274.1 (2026-11-27).

    Raises:
        ProjectError: a file cannot be read.
    """
    path, settings = _project(directory)
    home = Path(os.environ.get("PULUMI_HOME") or Path.home() / ".pulumi")
    place = sha1(str(path.absolute()).encode(), usedforsecurity=False).hexdigest()
    file = home / "workspaces" / f"{_name(settings, path)}-{place}-workspace.json"
    stack = _mapping(_read(file, {}), file).get("stack")
    return stack.rpartition("/")[2] if isinstance(stack, str) else None


def read_project(directory: Path, stack: str, *, decrypts: bool = False) -> Project:
    """Reads the project in `directory`, and the configuration of a stack, which overrides the defaults of the project.

    As in the Pulumi CLI, a stack without a file has no configuration of its own. `decrypts`: encrypted values are read if the environment has
    the passphrase.

    Raises:
        ProjectError: a file cannot be read, or the Pulumi CLI does not load it.
    """
    path, settings = _project(directory)
    name = _name(settings, path)
    stack = _stack(stack, name)
    of_stack = _stack_file(path, settings, stack)
    stacks = _mapping(_read(of_stack, {}), of_stack)
    declarations = [_declared(key, name, value, path) for key, value in _section(settings, path) if not isinstance(settings.get("config"), str)]
    written = {_full(key, name, of_stack): value for key, value in _section(stacks, of_stack)}
    has_secret = any(map(_has_secret, written.values()))
    vault = _vault(stacks) if decrypts and has_secret else _Vault(_IN_CLOUD)
    values = {key: _value(value, of_stack, _of_stack, vault) for key, value in written.items()}
    environment = of_stack.name if stacks.get("environment") else ""
    rejected = tuple(_rejected(declarations, values, path, of_stack, is_whole=not environment))
    for one in declarations:
        if one.value is not None and one.key not in values:
            read = _value(one.value, path, lambda moment: moment.isoformat().replace("+00:00", "Z"), vault)  # as the Pulumi CLI writes it
            values[one.key] = _Value(read.text, read.content, read.is_secret or one.is_secret)
    return Project(
        name=name,
        stack=stack,
        directory=_program_folder(path, settings),
        config={key: value.text for key, value in sorted(values.items())},
        secret_keys=tuple(sorted(key for key, value in values.items() if value.is_secret)),
        rejected=rejected,
        unread=environment,
        opened=tuple(vault.opened),
        sealed=vault.sealed if has_secret else "",
        is_closed=vault.sealed.startswith(_CLOSED),
    )


_FILE_OF_STACK: Final = "nodepools:stack"
"""The file in `stacks` of a stack that `pulumi stack rename` renamed: with another name of the platform, all resources would be created again."""


def renamed(file: str) -> str:
    """How a stack that was renamed keeps its file in `stacks`."""
    return f"A stack that was renamed keeps its resources with `pulumi config set {_FILE_OF_STACK} {file}`"


def before_renaming(stack: str, directory: Path) -> str:
    """The name that a stack without a file in `stacks` had, by its configuration.

    Raises:
        ProjectError: the configuration cannot be read, or has no such name.
    """
    known = known_stacks(directory)
    if not known:
        other = "`--file PLATFORM.yaml` reads a platform from a file, `nodepools init FOLDER` writes a project"
        raise ProjectError(f"stack `{stack}` not found: {directory / 'stacks'} contains no stack; {other}")
    is_configured = stack in configured_stacks(directory)
    file = read_project(directory, stack).config.get(_FILE_OF_STACK) if is_configured else None
    if file in known:
        return str(file)
    if file is not None:
        raise ProjectError(f"stack `{stack}`: `{_FILE_OF_STACK}` is `{file}`, and there is no stacks/{file}.py (available: {', '.join(known)})")
    near = nearest(stack, known)
    use = f": use `--stack {near}`" if near is not None else ""
    before = near if near is not None else known[0] if len(known) == 1 else "OLD_NAME"
    more = f". {renamed(before)}" if near is None or is_configured else ""
    raise ProjectError(f"stack `{stack}` not found (available: {', '.join(known)}){use}{more}")


def _stack(text: str, project: str) -> str:
    """The stack that `STACK`, `ORGANIZATION/STACK` or `ORGANIZATION/PROJECT/STACK` names."""
    *owners, stack = text.split("/")
    if len(owners) > 2 or not all(_NAME.fullmatch(part) for part in (*owners, stack)):  # noqa: PLR2004  # the organization and the project
        raise ProjectError(
            f"`{text}` is no name of a stack: 1 to 100 letters, digits, `_`, `.` and `-`, after `ORGANIZATION/` or `ORGANIZATION/PROJECT/`"
        )
    if len(owners) == 2 and owners[1] != project:  # noqa: PLR2004
        raise ProjectError(f"the stack `{text}` is of the project `{owners[1]}`, and this is `{project}`")
    return stack


def _project(directory: Path) -> tuple[Path, Mapping[str, object]]:
    path = project_file(directory)
    if path is None:
        raise ProjectError(f"{directory / 'Pulumi.yaml'}: No such file or directory")
    return path, _mapping(_read(path, None), path)


def _name(settings: Mapping[str, object], path: Path) -> str:
    name = settings.get("name")
    if name is None or name == "":
        raise ProjectError(f"{path}: `name` is missing")
    if not isinstance(name, str):
        raise ProjectError(f"{path}: `name` must be text: write it in quotes")
    if not isinstance(settings.get("runtime", ""), str | dict):
        raise ProjectError(f"{path}: `runtime` must be text or a mapping, such as `python`")
    if not _NAME.fullmatch(name):
        raise ProjectError(f"{path}: `name` must have 1 to 100 letters, digits, `_`, `.` and `-`")
    return name


def _text_of(settings: Mapping[str, object], key: str, path: Path) -> str:
    text = settings.get(key)
    if text is not None and not isinstance(text, str):
        raise ProjectError(f"{path}: `{key}` must be text")
    return text if text is not None else ""


def _program_folder(path: Path, settings: Mapping[str, object]) -> Path:
    folder = path.parent / _text_of(settings, "main", path)
    if folder.is_file():
        raise ProjectError(f"{path}: `main` is a file, and nodepools runs the `__main__.py` of a folder")
    return folder


def _stack_file(path: Path, settings: Mapping[str, object], stack: str) -> Path:
    """The file next to the project file, or in `stackConfigDir`, which was once written as `config`."""
    config = settings.get("config")
    folder = _text_of(settings, "stackConfigDir", path)
    if isinstance(config, str) and folder:
        raise ProjectError(f"{path}: `config` and `stackConfigDir` are both a folder: remove `config`")
    return path.parent / (config if isinstance(config, str) else folder) / f"Pulumi.{stack}{path.suffix}"


def _declared(key: str, project: str, value: object, path: Path) -> _Declared:
    """A value of the project file: plain, or a declaration (`type`, `default`, `value`, `secret`), possibly without a value."""
    full, where = _full(key, project, path), f"{path}: `config.{key}`"
    is_own = full.startswith(f"{project}:")
    if isinstance(value, str | bool | int | list):
        return _Declared(full, "", None, cast("object", value), is_secret=False)
    fields = mapping(cast("object", value)) if isinstance(value, dict) else {"": value}
    if not fields.keys() <= _DECLARED:
        raise ProjectError(
            f"{where} must be text, a whole number, a boolean, a list, or a mapping of {', '.join(f'`{name}`' for name in sorted(_DECLARED))}"
        )
    kind, items, default, fixed = (fields.get(name) for name in ("type", "items", "default", "value"))
    if kind is not None and kind not in _TYPES:
        raise ProjectError(f"{where}: `type` must be one of {', '.join(f'`{name}`' for name in _TYPES)}")
    if default is not None and fixed is not None:
        raise ProjectError(f"{where} has a `default` and a `value`: keep one")
    if not is_own and (kind is not None or default is not None or fixed is None):
        raise ProjectError(f"{where} is of another package: it must have a `value`, and neither `type` nor `default`")
    if kind == "array" and items is None:
        raise ProjectError(f"{where} is an `array`: its `items` must have a `type`")
    found = _Declared(full, str(kind) if kind is not None else "", items, default if default is not None else fixed, fields.get("secret") is True)
    if default is not None and not found.fits(default):
        raise ProjectError(f"{where}: `default` does not have the type `{kind}`")
    return found


def _rejected(declarations: Sequence[_Declared], values: Mapping[str, _Value], path: Path, of_stack: Path, *, is_whole: bool) -> Iterator[str]:
    """Why `pulumi up` rejects the configuration. What may come from an environment of the stack is not missing (`is_whole`)."""
    for one in declarations:
        short = one.key.partition(":")[2]
        written = values.get(one.key)
        if written is None and one.value is None:
            if is_whole:
                yield f"{of_stack}: `{short}` is missing: {path.name} declares it without a default"
        elif written is not None and not (written.is_secret or one.fits(written.content)):
            yield f"{of_stack}: `{short}` does not have the type `{one.type}` of {path.name}"
        elif one.type and one.is_secret and (written is None or not written.is_secret):
            yield f"{of_stack}: `{short}` is not encrypted, and a secret in {path.name}: `pulumi config set {short} --secret`"


def _fits(kind: str, items: object, value: object) -> bool:
    match kind:
        case "string":
            return isinstance(value, str)
        case "integer":
            is_text = isinstance(value, str) and _WHOLE.fullmatch(value) is not None
            return is_text or (isinstance(value, int) and not isinstance(value, bool)) or (isinstance(value, float) and value.is_integer())
        case "boolean":
            return isinstance(value, bool) or value in ("true", "false")
        case "object":
            return isinstance(value, dict)
        case _:
            inner = mapping(items)
            return isinstance(value, list) and all(
                _fits(str(inner.get("type")), inner.get("items"), part) for part in sequence(cast("object", value))
            )


def _value(value: object, path: Path, moment: Callable[[datetime], str], vault: _Vault) -> _Value:
    """A value as the program reads it. An encrypted part makes the whole object secret."""
    content = _content(value, moment, vault)
    try:
        text = _text(content, path)
    except ValueError:
        raise ProjectError(f"{path}: `config` has a number that is not finite") from None
    is_scalar = not isinstance(content, dict | list)
    return _Value(text, text if is_scalar else cast("object", content), _has_secret(value))


def _is_secret(value: object) -> bool:
    return set(mapping(value)) == {"secure"} and isinstance(mapping(value)["secure"], str)


def _has_secret(value: object) -> bool:
    return _is_secret(value) or any(map(_has_secret, (*mapping(value).values(), *sequence(value))))


_IN_CLOUD: Final = "Pulumi Cloud, or the backend of the stack, decrypts them"
_PHRASE: Final = "PULUMI_CONFIG_PASSPHRASE"
_PHRASE_FILE: Final = f"{_PHRASE}_FILE"
_ROUNDS: Final = 1_000_000


def _vault(file: Mapping[str, object]) -> _Vault:
    """The passphrase is that of the environment, as for the Pulumi CLI without a terminal.

    Source: `readPassphrase` and `symmetricCrypterFromPhraseAndState` in pkg/secrets/passphrase, `symmetricCrypter` in
    sdk/go/common/resource/config of github.com/pulumi/pulumi 3.260.0 (2026-11-29).
    """
    provider, salt = file.get("secretsprovider"), file.get("encryptionsalt")
    if isinstance(provider, str) and provider not in ("", "default", "passphrase"):
        return _Vault(f"`{provider.partition(':')[0]}` decrypts them")
    if not isinstance(salt, str):
        return _Vault(_IN_CLOUD)
    phrase, named = os.environ.get(_PHRASE), os.environ.get(_PHRASE_FILE)
    if phrase is None and not named:
        return _Vault(f"set `{_PHRASE}` or `{_PHRASE_FILE}` to their passphrase")
    if find_spec("cryptography") is None:
        return _Vault(f"`{_PHRASE}` needs a package: install `nodepools[passphrase]`")
    try:
        phrase = file_text(Path(str(named))).strip() if phrase is None else phrase
    except TextError as error:
        return _Vault(f"{_CLOSED}: {error}")
    version, _, rest = salt.partition(":")
    salt, _, known = rest.partition(":")
    key = _key(phrase, salt) if version == "v1" else b""
    return _Vault("" if _decrypted(key, known) == "pulumi" else _CLOSED, key)


@lru_cache(maxsize=64)
def _key(phrase: str, salt: str) -> bytes:
    try:
        return pbkdf2_hmac("sha256", phrase.encode(), b64decode(salt), _ROUNDS)
    except ValueError:
        return b""  # decrypts nothing


_CLOSED: Final = f"`{_PHRASE}` or `{_PHRASE_FILE}` is not their passphrase, or the file was edited"


def _decrypted(key: bytes, encrypted: str) -> str | None:
    """The text; `None` if it is not encrypted by this key."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    try:
        _, nonce, content = encrypted.split(":")
        return AESGCM(key).decrypt(b64decode(nonce), b64decode(content), None).decode()
    except (ValueError, InvalidTag):
        return None


def _content(value: object, moment: Callable[[datetime], str], vault: _Vault) -> object:
    """The value in JSON: with encrypted parts as the vault has them, times as text, and without decimals where there are none."""
    if _is_secret(value):
        return vault.text(str(mapping(value)["secure"]))
    if isinstance(value, dict):
        return {key: _content(part, moment, vault) for key, part in mapping(cast("object", value)).items()}
    if isinstance(value, list):
        return [_content(part, moment, vault) for part in sequence(cast("object", value))]
    if isinstance(value, datetime):
        return moment(value)
    return int(Decimal(repr(value))) if isinstance(value, float) and value.is_integer() and abs(value) < _EXPONENT else value


def _text(value: object, path: Path) -> str:
    """Configuration values are strings; other values are written as JSON, as the Pulumi CLI does."""
    if isinstance(value, str):
        return value
    if value is None and path.suffix != ".json":
        return ""
    if isinstance(value, float) and isfinite(value):
        return _number(value)
    text = json.dumps(value, separators=(",", ":"), sort_keys=True, ensure_ascii=False, allow_nan=False)
    return text.translate({ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"})


def _number(value: float) -> str:
    """A number as Go writes it in JSON: with an exponent below 1e-6 and from 1e21."""
    if abs(value) >= _EXPONENT or abs(value) < 1e-6:  # noqa: PLR2004  # never 0, which is whole
        digits, _, exponent = repr(value).partition("e")
        return f"{digits}e{exponent[0]}{exponent[1:].lstrip('0')}"
    return f"{Decimal(repr(value)):f}"


def _of_stack(moment: datetime) -> str:
    """A time of a stack file as the Pulumi CLI writes it."""
    zone = moment.strftime("%z")
    fraction = f".{moment.microsecond:06}".rstrip("0.")
    return f"{moment:%Y-%m-%d %H:%M:%S}{fraction} {zone} {'UTC' if zone == '+0000' else zone}"


def _full(key: str, project: str, path: Path) -> str:
    found = _KEY.fullmatch(key if ":" in key else f"{project}:{key}")
    if found is None:
        raise ProjectError(f"{path}: `{key}` is no key of a configuration: `NAME` or `PACKAGE:NAME`")
    return f"{found[1]}:{found[2]}"


def _section(file: Mapping[str, object], path: Path) -> Iterator[tuple[str, object]]:
    section = file.get("config")
    if section is not None and not (isinstance(section, str) and "name" in file):
        yield from ((str(key), value) for key, value in _mapping(section, path, "`config`").items())


def _mapping(value: object, path: Path, what: str = "the file") -> dict[str, object]:
    if not isinstance(value, dict):
        raise ProjectError(f"{path}: {what} is not a mapping")
    return cast("dict[str, object]", value)


def _read(path: Path, absent: object) -> object:
    """The content of a file; `absent` if it is empty, or allowed not to exist."""
    if absent is not None and not path.exists():
        return absent
    try:
        found = only_value(file_text(path), str(path), PULUMI)
    except TextError as error:
        raise ProjectError(str(error)) from None
    return absent if found is None else found
