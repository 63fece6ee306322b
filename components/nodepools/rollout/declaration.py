"""How a change reaches the stacks of a fleet: waves, how many stacks at once, and what must hold before each wave."""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar, Final, Literal, TypeAlias

from pydantic import AfterValidator, Discriminator, Field, model_validator
from pydantic_core import PydanticCustomError

from nodepools.model.base import Model
from nodepools.model.kubernetes.duration import Duration, seconds
from nodepools.model.maintenance import MaybeWindow


def _name(text: str) -> str:
    if re.fullmatch("[a-z][a-z0-9-]{0,29}", text) is None:
        raise PydanticCustomError("rollout_name", "must be at most 30 lowercase letters, digits and hyphens, starting with a letter")
    return text


def _stacks(text: str) -> str:
    if re.fullmatch("[A-Za-z0-9_.*-]+", text) is None:
        raise PydanticCustomError("rollout_stacks", "must be the name of a stack, in which `*` stands for any text")
    return text


Name: TypeAlias = Annotated[str, AfterValidator(_name)]
Stacks: TypeAlias = Annotated[str, AfterValidator(_stacks)]
"""The name of a stack; `*` stands for any text: `dev-*`."""
Limit: TypeAlias = Literal["in_place", "in_place_later", "in_place_pods", "reimages", "rotates", "rolls_some", "rolls", "deletes", "removes_nodes"]
"""Effects that a gate can allow: of the others, some are none, and some are never allowed."""


class NothingRefused(Model):
    """No change of the stacks of the wave is rejected by its cloud, and their declarations have no errors."""

    kind: Literal["NothingRefused"] = "NothingRefused"

    def __str__(self) -> str:
        return "no change is rejected"


class NothingAbove(Model):
    """No change of the stacks of the wave has a more severe effect than one of `nodepools diff`."""

    kind: Literal["NothingAbove"] = "NothingAbove"
    effect: Limit = Field(default="rolls", kw_only=False)
    """The most severe effect that is allowed, such as `reimages`."""

    def __str__(self) -> str:
        return f"no effect is worse than {self.effect}"


class MustFit(Model):
    """All pods of the `must_fit` workloads of each stack are certain to be scheduled."""

    kind: Literal["MustFit"] = "MustFit"

    def __str__(self) -> str:
        return "must fit"


MUST_FIT_CODES: Final[Mapping[str, Literal["no", "unknown"]]] = {"PLT030": "no", "PLT032": "no", "PLT031": "unknown"}
"""Rules about `must_fit`, with what their findings say about the gate."""


class RegionHasVersion(Model):
    """The cloud offers the Kubernetes version of each cluster in its region."""

    kind: Literal["RegionHasVersion"] = "RegionHasVersion"

    def __str__(self) -> str:
        return "region has the version"


class Command(Model):
    """A command of your own ends with exit code 0. It runs once for each stack if `{stack}` is in it, otherwise once for the wave."""

    kind: Literal["Command"] = "Command"
    run: Sequence[str] = Field(min_length=1, kw_only=False)
    """The program and its arguments; no shell reads them. `{stack}` and `{wave}` stand for the names."""

    @property
    def of_each_stack(self) -> bool:
        """It runs once for each stack."""
        return any("{stack}" in part for part in self.run)

    def __str__(self) -> str:
        return " ".join(self.run)


Gate: TypeAlias = Annotated[NothingRefused | NothingAbove | MustFit | RegionHasVersion | Command, Discriminator("kind")]


class RolloutWave(Model):
    """One wave: its stacks are updated before those of the next one. A stack belongs to the first wave that selects it."""

    name: Name
    stacks: Sequence[Stacks] = ()
    """Names of stacks; `*` stands for any text: `dev-*`."""
    labels: Mapping[str, str] = {}
    """Labels that its stacks have: the tags of the platform, and `environment`. With `stacks`, both select."""
    at_most: int | None = Field(default=None, ge=1, le=256)
    """How many stacks at once. Default: that of the rollout."""
    soak: Duration | None = None
    """How long to wait after its last stack, such as `24h`. Default: that of the rollout."""
    gates: Sequence[Gate] = ()
    """What must hold before it starts, in addition to the gates of the rollout."""

    @model_validator(mode="after")
    def _selects(self) -> "RolloutWave":
        if not self.stacks and not self.labels:
            raise PydanticCustomError("wave_empty", "selects no stack: set `stacks` or `labels`")
        return self


class Rollout(Model):
    """How a change reaches all stacks of a project, in waves."""

    whole: ClassVar[bool] = True

    name: Name
    waves: Sequence[RolloutWave] = Field(min_length=1)
    """In order. Every stack is in one."""
    at_most: int = Field(default=1, ge=1, le=256)
    """How many stacks at once."""
    soak: Duration = "0s"
    """How long to wait between two waves, such as `24h`."""
    window: MaybeWindow = None
    """When stacks can be started; one that runs goes on. Default: at any time."""
    gates: Sequence[Gate] = ()
    """What must hold before each wave starts."""
    one_per_region: bool = False
    """Whether no two clusters of one region are updated at the same time."""
    after: Mapping[Stacks, Sequence[Stacks]] = {}
    """Stacks that follow others: `{"prod-weu": ["dev-weu"]}`. What `*` stands for is the same in both: `{"prod-*": ["dev-*"]}`."""

    def soak_of(self, wave: RolloutWave) -> int:
        """Seconds to wait after a wave."""
        return seconds(wave.soak if wave.soak is not None else self.soak)
