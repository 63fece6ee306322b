"""How a change reaches the stacks of a fleet: waves of batches, each of which starts after the one before has ended, and what must hold."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, ClassVar, Final, Literal, TypeAlias

from pydantic import AfterValidator, Discriminator, Field, model_validator
from pydantic_core import PydanticCustomError

from nodepools.clouds.registry import cloud_of
from nodepools.model.base import Model
from nodepools.model.kubernetes.duration import Duration, seconds
from nodepools.model.listing import quoted
from nodepools.model.maintenance import MaybeWindow
from nodepools.model.platform import Platform
from nodepools.model.values import dataclass, field
from nodepools.wire.table import Effect


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


_NAMED: Final = 3
_NEVER_ALLOWED: Final = (Effect.REFUSED, Effect.UNKNOWN)


class RolloutError(Exception):
    """The declaration does not fit the fleet. Each message is one line."""

    def __init__(self, *messages: str) -> None:
        super().__init__(*messages)
        self.messages = messages


@dataclass(frozen=True, slots=True)
class FleetStack:
    """One stack, as far as its order depends on it."""

    name: str
    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    regions: tuple[str, ...] = ()
    """One for each cluster."""
    version_checks: tuple[str, ...] = ()
    """Shell commands that succeed if its regions have the versions of its clusters."""

    @classmethod
    def of(cls, name: str, platform: Platform) -> "FleetStack":
        """The stack of a declaration."""
        clouds = [cloud_of(cluster) for cluster in platform.clusters.values()]
        environment = platform.environment if platform.environment is not None else platform.name
        regions = tuple(cloud.region.name for cloud in clouds)
        return cls(name, {"environment": environment, **platform.tags}, regions, tuple(dict.fromkeys(cloud.version_check for cloud in clouds)))


@dataclass(frozen=True, slots=True)
class Check:
    """A gate as engines run it: a command that ends with exit code 0 if it holds."""

    gate: str
    command: tuple[str, ...]
    stack: str = ""
    """The stack that it is about; empty for the whole wave."""


@dataclass(frozen=True, slots=True)
class PlannedWave:
    """One wave: gates, then one batch after another, then a time to wait unless it is the last wave."""

    name: str
    batches: tuple[tuple[str, ...], ...]
    """Stacks that are updated at the same time."""
    gates: tuple[Check, ...] = ()
    soak: int = 0
    """Seconds."""

    @property
    def stacks(self) -> list[str]:
        """All stacks, in order."""
        return [stack for batch in self.batches for stack in batch]


@dataclass(frozen=True, slots=True)
class Plan:
    """What engines carry out."""

    name: str
    waves: tuple[PlannedWave, ...]
    window: MaybeWindow = None
    """When a batch can start."""

    @property
    def soaks(self) -> int:
        """Seconds between the waves together."""
        return sum(wave.soak for wave in self.waves[:-1])


def planned(rollout: Rollout, fleet: Sequence[FleetStack], base: str) -> Plan:
    """The plan of a fleet. `base` is what gates compare the stacks with: a commit or a folder.

    Raises:
        RolloutError: a wave matches nothing, a stack is in no wave, prerequisites have a cycle, or the order of waves contradicts them.
    """
    known = {stack.name: stack for stack in fleet}
    waves, messages = _by_wave(rollout, fleet)
    needs, wrong = _prerequisites(rollout.after, known)
    messages += wrong
    if not messages:
        messages += [*_cycles(needs), *_against_the_order(waves, needs), *(_crowded(fleet) if rollout.one_per_region else ())]
    if messages:
        raise RolloutError(*messages)
    planned_waves = (
        PlannedWave(
            wave.name,
            tuple(_batches([known[name] for name in names], needs, _limit(rollout, wave), one_per_region=rollout.one_per_region)),
            tuple(check for gate in (*rollout.gates, *wave.gates) for check in _checks(gate, wave.name, [known[name] for name in names], base)),
            rollout.soak_of(wave),
        )
        for wave, names in waves
    )
    return Plan(rollout.name, tuple(planned_waves), rollout.window)


def _limit(rollout: Rollout, wave: RolloutWave) -> int:
    return wave.at_most if wave.at_most is not None else rollout.at_most


def _by_wave(rollout: Rollout, fleet: Sequence[FleetStack]) -> tuple[list[tuple[RolloutWave, list[str]]], list[str]]:
    """The stacks of each wave, and what is wrong with the waves."""
    left = sorted(fleet, key=lambda stack: stack.name)
    every, waves, messages = list(left), list[tuple[RolloutWave, list[str]]](), list[str]()
    for number, wave in enumerate(rollout.waves):
        found = [stack for stack in left if _selects(wave, stack)]
        if any(other.name == wave.name for other in rollout.waves[:number]):
            messages.append(f"waves[{number}].name: another wave is also called `{wave.name}`: rename one")
        if not found:
            taken = any(_selects(wave, stack) for stack in every)
            reason = "earlier waves have all stacks that it selects" if taken else f"it matches none of {_names(stack.name for stack in every)}"
            messages.append(f"waves[{number}]: wave `{wave.name}` has no stack: {reason}: correct `stacks` and `labels`, or remove it")
        for name in [*wave.stacks] if found else []:
            if all(_matched(name, stack.name) is None for stack in every):
                messages.append(f"waves[{number}].stacks: `{name}` matches no stack: correct it, or remove it")
        taken_now = {stack.name for stack in found}
        left = [stack for stack in left if stack.name not in taken_now]
        waves.append((wave, [stack.name for stack in found]))
    if left:
        several = len(left) > 1
        messages.append(
            f"{_names(stack.name for stack in left)} {'are' if several else 'is'} in no wave: add {'them' if several else 'it'} to one, for example"
            ' with `stacks: ["*"]` in the last wave'
        )
    return waves, messages


def _selects(wave: RolloutWave, stack: FleetStack) -> bool:
    named = not wave.stacks or any(_matched(name, stack.name) is not None for name in wave.stacks)
    return named and all(stack.labels.get(key) == value for key, value in wave.labels.items())


def _matched(pattern: str, name: str) -> tuple[str, ...] | None:
    """What each `*` stands for; `None` if the name is another one."""
    if "*" not in pattern:
        return () if pattern == name else None
    found = re.fullmatch("(.*)".join(map(re.escape, pattern.split("*"))), name)
    return found.groups() if found else None


def _prerequisites(after: Mapping[str, Sequence[str]], known: Mapping[str, FleetStack]) -> tuple[dict[str, set[str]], list[str]]:
    """The stacks that each stack follows, and what is wrong with them."""
    needs: dict[str, set[str]] = {name: set() for name in known}
    messages: list[str] = []
    for pattern, others in after.items():
        followers = {name: held for name in known if (held := _matched(pattern, name)) is not None}
        if not followers:
            messages.append(f'after["{pattern}"]: matches no stack: correct it, or remove it')
        for other in others:
            if other.count("*") > pattern.count("*"):
                messages.append(f'after["{pattern}"]: `{other}` has more `*` than `{pattern}`, so what they stand for is not known: name the stack')
                continue
            for name, held in followers.items():
                named = _filled(other.split("*"), held)
                if named in known:
                    needs[name].add(named)
                else:
                    messages.append(f'after["{pattern}"]: `{name}` follows `{named}`, which is not a stack: correct it, or declare the stack')
    return needs, messages


def _filled(pieces: Sequence[str], held: Sequence[str]) -> str:
    """The pieces of a pattern with what its `*` stand for."""
    return "".join([pieces[0], *(f"{text}{piece}" for text, piece in zip(held, pieces[1:], strict=False))])


def _cycles(needs: Mapping[str, set[str]]) -> Iterator[str]:
    """One message for the first cycle, if there is one."""
    left = dict(needs)
    while ready := [name for name, others in left.items() if others.isdisjoint(left)]:
        for name in ready:
            del left[name]
    if left:
        way = [min(left)]
        while way[-1] not in way[:-1]:
            way.append(min(left[way[-1]] & left.keys()))
        shown = " → ".join(way[way.index(way[-1]) :])
        yield f"after: the stacks follow each other in a cycle: {shown} (each follows the next one): remove one of these entries"


def _against_the_order(waves: Sequence[tuple[RolloutWave, Sequence[str]]], needs: Mapping[str, set[str]]) -> Iterator[str]:
    wave_of = {name: (number, wave.name) for number, (wave, names) in enumerate(waves) for name in names}
    for name, others in needs.items():
        for other in sorted(others):
            (late, later), (early, earlier) = wave_of[other], wave_of[name]
            if late > early:
                yield f"after: `{name}` of wave `{earlier}` follows `{other}` of the later wave `{later}`: move one of them"


def _crowded(fleet: Iterable[FleetStack]) -> Iterator[str]:
    """Stacks that no batch can have."""
    for stack in fleet:
        twice = sorted({region for region in stack.regions if stack.regions.count(region) > 1})
        if twice:
            yield (
                f"one_per_region: `{stack.name}` itself has several clusters in {', '.join(twice)}, which one `pulumi up` updates together: turn it"
                " off, or split the stack"
            )


def _batches(stacks: Sequence[FleetStack], needs: Mapping[str, set[str]], at_most: int, *, one_per_region: bool) -> Iterator[tuple[str, ...]]:
    """Each batch takes the first stacks whose prerequisites have ended, as many as are allowed at once."""
    left = {stack.name: stack for stack in stacks}
    while left:
        batch, regions = list[FleetStack](), set[str]()
        for stack in left.values():
            if len(batch) == at_most:
                break
            is_ready = not any(name in left for name in needs[stack.name])
            if is_ready and not (one_per_region and regions.intersection(stack.regions)):
                batch.append(stack)
                regions.update(stack.regions)
        for stack in batch:
            del left[stack.name]
        yield tuple(stack.name for stack in batch)


def _checks(gate: Gate, wave: str, stacks: Sequence[FleetStack], base: str) -> Iterator[Check]:
    """The commands of a gate before a wave."""
    if isinstance(gate, Command):
        parts = tuple(part.replace("{wave}", wave) for part in gate.run)
        if not gate.of_each_stack:
            yield Check(str(gate), parts)
            return
        yield from (Check(str(gate), tuple(part.replace("{stack}", stack.name) for part in parts), stack.name) for stack in stacks)
        return
    for stack in stacks:
        yield from (Check(str(gate), command, stack.name) for command in _commands(gate, stack, base))


def _commands(gate: NothingRefused | NothingAbove | MustFit | RegionHasVersion, stack: FleetStack, base: str) -> Iterator[tuple[str, ...]]:
    match gate:
        case RegionHasVersion():
            yield from (("sh", "-c", check) for check in stack.version_checks)
        case MustFit():
            code = f"from nodepools import load; from nodepools.rollout import require_fit; require_fit(load({stack.name!r}))"
            yield ("python3", "-c", code)
        case NothingRefused():
            yield _diff(stack, base, _NEVER_ALLOWED)
            yield ("nodepools", "check", "--stack", stack.name)
        case NothingAbove(effect=limit):
            yield _diff(stack, base, [effect for effect in Effect if effect > limit])


def _diff(stack: FleetStack, base: str, failing: Iterable[Effect]) -> tuple[str, ...]:
    return ("nodepools", "diff", base, "--stack", stack.name, "--fail-on", ",".join(effect.value for effect in failing))


def _names(names: Iterable[str]) -> str:
    return quoted(list(names), _NAMED)
