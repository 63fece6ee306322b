"""The tools of the MCP server: each one is a command, and each of its arguments an option of the command."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Final, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from nodepools.cli.commands.changes import diff, upgrade
from nodepools.cli.commands.clusters import capacity
from nodepools.cli.commands.pools import explain
from nodepools.cli.commands.stacks import check, rules
from nodepools.cli.exit_codes import usage_error
from nodepools.cli.mcp.inputs import Input, Workspace
from nodepools.cli.problem import InputError, Problem

_PROGRAMS: Final = "--allow-programs"
_LONGEST_WORD: Final = 1_000
_OF_INPUT: Final = "must be an object with `path` or `text`"


@dataclass(frozen=True, slots=True)
class Option:
    """The option that an argument becomes; empty for an argument without an option."""

    name: str = ""


Platform = Annotated[Input | None, Option("--file"), Field(description="Platform: clusters and their node pools, as YAML or JSON")]
Existing = Annotated[
    list[Input],
    Option("--existing"),
    Field(description="What exists, as `kubectl`, `az` and `aws` print it; without `platform` and `stack`, the answer is about it alone"),
]
Workloads = Annotated[list[Input], Option("--workloads"), Field(description="Manifests of what runs in the clusters")]
Karpenter = Annotated[str | None, Option("--karpenter"), Field(description="Version of self-managed Karpenter, such as 1.8")]
Today = Annotated[date | None, Option("--today"), Field(description="Date of the check (YYYY-MM-DD), if it is not today")]
Stack = Annotated[
    str | None,
    Option("--stack"),
    Field(description=f"Stack of the project at the root, such as dev. It is code: requires `{_PROGRAMS}`"),
]


class Arguments(BaseModel):
    """The arguments of a tool."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Check(Arguments):
    """Of `check`."""

    manifests: Annotated[list[Input], Option(), Field(description="Kubernetes manifests")] = []
    platform: Platform = None
    crds: Annotated[Input | None, Option("--crds"), Field(description="CRDs that manifests must match: `kubectl get crd -o yaml`")] = None
    karpenter: Karpenter = None
    today: Today = None
    stack: Stack = None


class Explain(Arguments):
    """Of `explain`."""

    pods: Annotated[list[Input], Option(), Field(description="Pods or workloads: Deployment, Job, …", min_length=1)]
    platform: Platform = None
    existing: Existing = []
    pool: Annotated[str | None, Option("--pool"), Field(description="Only this pool: CLUSTER/POOL")] = None
    karpenter: Karpenter = None
    today: Today = None
    stack: Stack = None


class Diff(Arguments):
    """Of `diff`."""

    old: Annotated[Input | None, Option(), Field(description="Before: a platform, manifests, a plan, a state (`pulumi stack export`) or exports")] = (
        None
    )
    new: Annotated[Input | None, Option(), Field(description="After, in one of the same forms")] = None
    commit: Annotated[str | None, Field(description=f"Instead of `old`: a branch or commit. Requires `{_PROGRAMS}`")] = None
    workloads: Workloads = []
    existing: Existing = []
    deployed: Annotated[Input | None, Option("--deployed"), Field(description="State that `pulumi stack export` prints")] = None
    karpenter: Karpenter = None
    today: Today = None
    stack: Stack = None


class Capacity(Arguments):
    """Of `capacity`."""

    platform: Platform = None
    existing: Existing = []
    stack: Stack = None


class Upgrade(Arguments):
    """Of `upgrade`."""

    platform: Platform = None
    to: Annotated[str | None, Option("--to"), Field(description="Kubernetes version, such as 1.36; without it, the ends of support")] = None
    workloads: Workloads = []
    existing: Existing = []
    today: Today = None
    stack: Stack = None


class Rules(Arguments):
    """Of `rules`."""

    rule: Annotated[str | None, Option(), Field(description="Code or name, such as AKS014; without it, all rules (about 200 KB)")] = None


@dataclass(frozen=True, slots=True)
class Tool:
    """A command as a tool."""

    command: Callable[..., None]
    title: str
    arguments: type[Arguments]
    sources: Sequence[str] = ()
    """Arguments of which at least one is required where no program can run: a command without them reads a stack."""

    @property
    def name(self) -> str:
        """The name of the command."""
        return self.command.__name__

    @property
    def input_schema(self) -> dict[str, object]:
        """The JSON schema of the arguments."""
        return {key: part for key, part in self.arguments.model_json_schema().items() if key != "description"}

    @property
    def description(self) -> str:
        """The help of the command."""
        lines = (self.command.__doc__ if self.command.__doc__ is not None else "").strip().splitlines()
        return "\n".join(line.strip() for line in lines)

    def words(self, given: Mapping[str, object], space: Workspace) -> list[str]:
        """The command line for the arguments, with all inputs in `space`.

        Raises:
            InputError: an argument is not valid, or an input cannot be read.
        """
        arguments = _validated(self.arguments, given)
        if not space.runs_programs:
            self._check_data_only(arguments)
        options, positional = [self.name, "--format=json"], list(_commit(arguments))
        for name, field in type(arguments).model_fields.items():
            for option in (one for one in field.metadata if isinstance(one, Option)):
                values = list(_values(name, getattr(arguments, name), space))
                if option.name:
                    options += [f"{option.name}={value}" for value in values]
                else:
                    positional += values
        return [*options, "--", *positional] if positional else options

    def _check_data_only(self, arguments: Arguments) -> None:
        start = f"start it with `{_PROGRAMS}` to allow that"
        for name in ("stack", "commit"):
            if getattr(arguments, name, None) is not None:
                raise InputError(Problem(name, f"runs programs of the project, and this server runs none: {start}"))
        if self.sources and not any(getattr(arguments, name) for name in self.sources):
            named = " or ".join(f"`{name}`" for name in self.sources)
            usage_error(f"{named} is required: without it, `{self.name}` runs programs of the project, and this server runs none; {start}")


def _commit(arguments: Arguments) -> Iterator[str]:
    """The old side of `diff`.

    Raises:
        InputError: there is not exactly one.
    """
    if isinstance(arguments, Diff):
        if (arguments.old is None) is (arguments.commit is None):
            usage_error("`diff` requires either `old` or `commit`")
        if arguments.commit is not None:
            yield f"git:{_word('commit', arguments.commit)}"


def _values(name: str, value: object, space: Workspace) -> Iterator[str]:
    several = cast("list[object]", value) if isinstance(value, list) else [value]
    for number, one in enumerate(several, 1):
        if isinstance(one, Input):
            yield space.add(one, f"{name}.yaml" if number == 1 else f"{name}-{number}.yaml")
        elif one is not None:
            yield _word(name, str(one))


def _word(name: str, text: str) -> str:
    """A value as one word of a command line.

    Raises:
        InputError: no operating system passes it on.
    """
    if "\0" in text or len(text) > _LONGEST_WORD:
        raise InputError(Problem(name, f"must have at most {_LONGEST_WORD:,} characters, and none that is null"))
    return text


def _validated(kind: type[Arguments], given: Mapping[str, object]) -> Arguments:
    try:
        return kind.model_validate(given)
    except ValidationError as error:  # its text contains the values, which can be secret
        raise InputError(*(Problem(".".join(map(str, found["loc"])), _told(found)) for found in error.errors(include_input=False))) from None


def _told(found: ErrorDetails) -> str:
    """What pydantic found, without names of classes, which callers cannot know."""
    return _OF_INPUT if found["type"] == "model_type" else found["msg"]


TOOLS: Final = (
    Tool(check, "Check node pools", Check, ("manifests", "platform")),
    Tool(explain, "Explain where pods land", Explain, ("platform", "existing")),
    Tool(diff, "Show what an edit does to nodes", Diff, ("new",)),
    Tool(capacity, "Count what clusters need", Capacity, ("platform", "existing")),
    Tool(upgrade, "Plan Kubernetes upgrades", Upgrade, ("platform", "existing")),
    Tool(rules, "Explain rules", Rules),
)
