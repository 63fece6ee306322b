"""Records: what a command predicted for the nodes of each pool, and what was seen of it later. Both are small JSON files."""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Annotated, ClassVar, Final, Literal, Self, TypeVar

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from nodepools.model.redaction import redacted
from nodepools.model.steps import mapping, sequence
from nodepools.wire.table import Effect

RECORD: Final = "nodepools/record/1"
COMPARED: Final = "nodepools/compared/1"
_KINDS: Final = {"nodepools/record/": RECORD, "nodepools/compared/": COMPARED}
_VERSIONS: Final = "kubernetes_version"
Verdict = Literal["seen", "contradicted", "unknown"]
Count = Annotated[int, Field(ge=0)]
Version = Annotated[str, Field(pattern=r"^1\.[0-9]{1,3}(\.[0-9]{1,4})?$")]
EffectName = Annotated[str, AfterValidator(lambda name: Effect(name).value)]
D = TypeVar("D", bound="Document")


class RecordError(ValueError):
    """A text is not a record that can be read. The message says why, and what to do."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Bounds(_Part):
    """A number between two bounds; `maximum` is `None` if there is no upper bound."""

    minimum: Count = 0
    maximum: Count | None = None


class NodeRecord(_Part):
    """A node that existed, with what distinguishes it from the node that replaces it."""

    pool: str
    """The key of its pool; empty if no pool of the record has its labels."""
    name: str
    uid: str = ""
    created: AwareDatetime | None = None
    provider_id: str = ""
    generation: str = ""
    """The name of its agent pool in Azure."""
    version: Version | Literal[""] = ""
    image: str = ""
    boot: str = ""
    machine: str = ""
    claim: str = ""
    """Its NodeClaim."""
    hashes: Mapping[str, str] = {}
    """The hashes of NodePool and node class with which its NodeClaim was launched, each with the version of the hash."""


class PoolPrediction(_Part):
    """What happens to the nodes of one pool."""

    pool: str
    effect: EffectName
    """As `diff` names it; the worst of all edits."""
    nodes: Bounds | None = None
    """The nodes that it reaches."""
    size: Bounds = Bounds()
    """The nodes that the pool can have before it."""
    order: int | None = None
    """Its place among the steps of the cluster, from 1."""
    bounded_minutes: int | None = None
    """How long the parts with a limit can take together."""
    before: Mapping[str, str] | None = None
    """Labels of its nodes before; `None` if the pool is new."""
    after: Mapping[str, str] | None = None
    """Labels of its nodes afterwards; `None` if the pool is deleted."""


class ClusterPrediction(_Part):
    """What happens in one cluster."""

    stack: str
    cluster: str
    cloud: str
    declaration: str
    """The hash of the declaration that was read, which the comparison must find again."""
    old_version: Version
    new_version: Version
    pools: tuple[PoolPrediction, ...]
    nodes: tuple[NodeRecord, ...] | None = None
    """The nodes when it was recorded; `None` if no export showed them."""


class LostPool(_Part):
    """A workload whose pods can use no pool of a cluster any more."""

    workload: str
    """`shop/Deployment/web`."""
    cluster: str


class Document(_Part):
    """A file, protected by a digest of everything else in it."""

    kind: ClassVar[str]

    def text(self) -> str:
        """The file."""
        held = self.model_dump(mode="json", exclude_defaults=True)
        return json.dumps({"schema": self.kind, "digest": self.digest, **held}, indent=2) + "\n"

    @property
    def digest(self) -> str:
        """Identifies its content."""
        return _digest(self.model_dump(mode="json"))

    @classmethod
    def read(cls, text: str) -> Self:
        """The file with this text.

        Raises:
            RecordError: it is damaged, another file, or one of another version.
        """
        return _read(text, cls)


class Record(Document):
    """What one command predicted."""

    kind: ClassVar[str] = RECORD
    command: Literal["diff", "upgrade"]
    recorded_at: AwareDatetime
    library: str
    commit: str | None = None
    """The commit of the declaration; for a working tree, the one that it is based on."""
    options: str
    """The options that name the declaration, for the next command."""
    clusters: tuple[ClusterPrediction, ...]
    order: tuple[tuple[str, ...], ...] = ()
    """The operations of `pulumi up`, those that run at the same time together; empty if they are not known."""
    lost: tuple[LostPool, ...] = ()


class PoolResult(_Part):
    """What was seen of one prediction."""

    stack: str
    cluster: str
    pool: str
    cloud: str
    version: Version
    """The minor version of Kubernetes that was predicted."""
    effect: EffectName
    verdict: Verdict
    message: str
    """Why."""
    bounded_minutes: int | None = None
    observed_minutes: int | None = None


class Compared(Document):
    """What was seen of one record."""

    kind: ClassVar[str] = COMPARED
    record: str
    """The digest of the record."""
    recorded_at: AwareDatetime
    taken_at: AwareDatetime | None
    """When the exports were made, as far as nodes say it."""
    results: tuple[PoolResult, ...]
    not_predicted: tuple[str, ...] = ()
    not_seen: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()
    """Pods that are Pending because no node has room for them."""
    arguments: tuple[str, ...] = ()
    """Those of the command without its exports and its output, to compare the record again; earlier versions kept none."""

    @property
    def digest(self) -> str:
        """Identifies its content; that of a file without arguments is as earlier versions wrote it."""
        return _digest(self.model_dump(mode="json", exclude=None if self.arguments else {"arguments"}))


def kind_of(text: str) -> str:
    """The schema of a file; empty if it has none.

    Raises:
        RecordError: it is not JSON.
    """
    return str(_loaded(text).get("schema", ""))


def _loaded(text: str) -> Mapping[str, object]:
    try:
        held: object = json.loads(text)
    except (ValueError, RecursionError):
        raise RecordError("is not JSON, or damaged: restore it, or record the prediction again") from None
    return mapping(held)


def _read(text: str, wanted: type[D]) -> D:
    held = dict(_loaded(text))
    schema, digest = str(held.pop("schema", "")), held.pop("digest", "")
    if schema != wanted.kind:
        raise RecordError(_other(schema, wanted.kind))
    try:
        found = wanted.model_validate(held)
    except ValidationError as wrong:
        first = wrong.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise RecordError(f"`{place}` is not valid ({first['msg'].lower()}): restore the file, or record the prediction again") from None
    if digest != found.digest:
        raise RecordError("was changed after it was written: its digest is that of another content. Restore it, or record the prediction again")
    return found


def _other(schema: str, wanted: str) -> str:
    if schema.startswith(wanted.rpartition("/")[0]):
        return f"has the schema `{schema}` of another version of nodepools, which this one does not read: it reads `{wanted}`"
    is_record = wanted == RECORD
    if schema in _KINDS.values():
        return "is the result of a comparison: name its record" if is_record else "is a record: compare it first, with `nodepools compare`"
    written_by = "`nodepools diff` or `upgrade` with `--record FILE`" if is_record else "`nodepools compare RECORD -o FILE`"
    return f"is not written by {written_by}: it has {f'the schema `{schema}`' if schema else 'no `schema`'}"


def _digest(held: object) -> str:
    return f"sha256:{sha256(json.dumps(held, sort_keys=True, separators=(',', ':')).encode()).hexdigest()}"


def declaration_hash(cluster: object, stem: str, *, with_version: bool) -> str:
    """The hash of the declaration of a cluster, as plain data without secrets. Without its versions, it stays the same during an upgrade."""
    held = redacted(cluster)
    return _digest([stem, held if with_version else _without_versions(held)])


def _without_versions(value: object) -> object:
    held, items = mapping(value), sequence(value)
    return {key: _without_versions(one) for key, one in held.items() if key != _VERSIONS} if held else list(map(_without_versions, items)) or value
