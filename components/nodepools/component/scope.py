"""Builds the resource options of the children of a component in one place, and marks the secrets in their arguments.

Children never receive the options of the caller, which would leak aliases and dependencies into them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from typing import Any, TypeVar, cast

import pulumi

from nodepools.model.kubernetes.duration import Timeouts
from nodepools.model.redaction import has_secret, has_secret_form, hides
from nodepools.model.ref import Secret, SecretValue, StackOutput
from nodepools.model.steps import Steps, rewritten
from nodepools.model.values import dataclass, field
from nodepools.public_names import LOCK

F = TypeVar("F", bound=Callable[..., object])
T = TypeVar("T")


def one_at_a_time(function: F) -> F:
    """The same function, in one thread at a time: it uses modules of the SDKs for the first time. Editors show its parameters as they are."""

    @wraps(function)
    def locked(*args: object, **kwargs: object) -> object:
        with LOCK:
            return function(*args, **kwargs)

    return cast("F", locked)


def with_secrets(value: Any, steps: Steps = ()) -> Any:  # noqa: ANN401  # arguments of any SDK
    """`value` with each secret in it as a secret output. Outputs stay as they are."""
    return rewritten(value, _sent, steps)


def secret_if(value: pulumi.Output[str], content: object) -> pulumi.Output[str]:
    """Text made of `content`: secret if it contains a secret."""
    return pulumi.Output.secret(value) if has_secret(content) else value


def after(value: pulumi.Output[T], first: Iterable[pulumi.Input[pulumi.Resource]], awaited: Iterable[pulumi.Resource] = ()) -> pulumi.Output[T]:
    """`value`, whose users are created after all these resources, and deleted before those in `first`.

    Only URNs are part of it, which previews know: a Kubernetes provider with an unknown kubeconfig shows as replaced, with every object in it.

    Args:
        value: what others use.
        first: resources that no edit replaces under the same name: Pulumi deletes such a resource first, and with it what uses an output of it.
        awaited: other resources, which users of the value wait for without a recorded dependency.
    """
    others = list(awaited)

    async def registered() -> None:
        for one in others:
            await one.urn.future()

    urns = [pulumi.Output.from_input(one).apply(lambda made: made.urn) for one in first]
    return pulumi.Output.all(value, pulumi.Output.from_input(registered()), *urns).apply(lambda known: known[0])


def _sent(steps: Steps, value: object) -> object:
    secret = hides(steps, value) or (isinstance(value, str) and has_secret_form(value))
    return pulumi.Output.secret(value) if secret else value


@dataclass(frozen=True, slots=True)
class ChildScope:
    """The parent component of children, the prefix of their names, and the provider if it is not inherited."""

    parent: pulumi.ComponentResource
    stem: str
    tags: Mapping[str, pulumi.Input[str]] = field(default_factory=dict[str, pulumi.Input[str]])
    provider: pulumi.ProviderResource | None = None
    _stacks: dict[str, pulumi.StackReference] = field(default_factory=dict[str, pulumi.StackReference])

    def name(self, *parts: str) -> str:
        """The name of a child. It starts with the stem, because URNs do not contain names of parents."""
        return "-".join([self.stem, *parts])

    def options(
        self,
        *,
        depends_on: Iterable[pulumi.Input[pulumi.Resource]] = (),
        ignore_changes: Sequence[str] = (),
        protect: bool = False,
        timeouts: Timeouts | None = None,
        deleted_with: pulumi.Resource | None = None,
        retain: bool = False,
        provider: pulumi.ProviderResource | None = None,
        hooks: pulumi.ResourceHookBinding | None = None,
    ) -> pulumi.ResourceOptions:
        """Options of a child. An option that is not set is not sent: `False` would override an inherited option."""
        return pulumi.ResourceOptions(
            parent=self.parent,
            provider=provider if provider is not None else self.provider,
            depends_on=list(depends_on),
            ignore_changes=list(ignore_changes) if ignore_changes else None,
            protect=protect if protect else None,
            custom_timeouts=pulumi.CustomTimeouts(**timeouts.model_dump()) if timeouts else None,
            deleted_with=deleted_with,
            retain_on_delete=retain if retain else None,
            hooks=hooks,
        )

    @property
    def invoke_options(self) -> pulumi.InvokeOptions:
        """Options of an invoke, which uses the same account."""
        return pulumi.InvokeOptions(parent=self.parent, provider=self.provider)

    def component_options(self) -> pulumi.ResourceOptions:
        """Options of a child that is itself a component."""
        return pulumi.ResourceOptions(parent=self.parent, providers=[self.provider] if self.provider else None)

    def value(self, ref: Secret) -> pulumi.Input[str]:
        """The value of a reference; of a secret, always as a secret output."""
        if isinstance(ref, SecretValue):
            return pulumi.Output.secret(self.value(ref.reveal()))
        if not isinstance(ref, StackOutput):
            return ref  # type: ignore[return-value]  # str, or an Output, which the model cannot import
        if ref.stack not in self._stacks:
            name = self.name("stack", ref.stack.replace("/", "-"))
            self._stacks[ref.stack] = pulumi.StackReference(name, ref.stack, opts=pulumi.ResourceOptions(parent=self.parent))
        return self._stacks[ref.stack].require_output(ref.output)
