"""With `--continue-on-error`, a failed registration fails the program, so that Pulumi deletes nothing."""

import asyncio
from typing import TypeVar

import pulumi
import pytest

from nodepools import testing
from nodepools.component.errors import unless_failed

T = TypeVar("T")


def done(value: T) -> "asyncio.Future[T]":
    future: asyncio.Future[T] = asyncio.Future()
    future.set_result(value)
    return future


def output(*, known: bool) -> pulumi.Output[str]:
    """An output of a resource, as the SDK resolves it."""
    return pulumi.Output(done(set[pulumi.Resource]()), done("Standard_D4ds_v5"), done(known))


def outputs(known: list[bool], *, preview: bool = False) -> testing.Graph:
    return testing.run(
        lambda: pulumi.export("pools", unless_failed("web", {f"pool{number}": output(known=one) for number, one in enumerate(known)})),
        preview=preview,
    )


def test_a_value_stays_if_all_were_registered() -> None:
    assert outputs([True, True]).outputs["pools"] == "web"


def test_a_preview_has_the_value_although_nothing_is_known() -> None:
    assert outputs([False], preview=True).outputs["pools"] == "web"


@pytest.mark.parametrize(
    ("known", "named"), [([True, False], "pool1: not"), ([False] * 7, "pool0, pool1, pool2, pool3, pool4 and 2 more: not created or updated")]
)
def test_what_failed_is_named(known: list[bool], named: str) -> None:
    with pytest.raises(pulumi.RunError, match=named):
        outputs(known)
