"""Marks the secrets in the arguments of resources: those of `overrides`, of tags, and of free mappings, which no type of the model marks."""

from typing import Any

import pulumi

from nodepools.model.redaction import has_secret, has_secret_form, hides
from nodepools.model.steps import Steps, rewritten


def with_secrets(value: Any, steps: Steps = ()) -> Any:  # noqa: ANN401  # arguments of any SDK
    """`value` with each secret in it as a secret output. Outputs stay as they are."""
    return rewritten(value, _sent, steps)


def secret_if(value: pulumi.Output[str], content: object) -> pulumi.Output[str]:
    """Text made of `content`: secret if it contains a secret."""
    return pulumi.Output.secret(value) if has_secret(content) else value


def _sent(steps: Steps, value: object) -> object:
    secret = hides(steps, value) or (isinstance(value, str) and has_secret_form(value))
    return pulumi.Output.secret(value) if secret else value
