"""What code of the user raises is told in one line; what a person interrupts is not a failure."""

import signal
from collections.abc import Callable

import pytest

from nodepools.rules.engine.own_rules import described, error_text, is_interrupt


class SilentError(Exception):
    def __str__(self) -> str:
        raise ValueError


class InterruptedError_(Exception):  # noqa: N801, N818
    def __str__(self) -> str:
        signal.raise_signal(signal.SIGINT)
        return "never"


def raising() -> None:
    raise KeyboardInterrupt


def interrupting() -> None:
    signal.raise_signal(signal.SIGINT)


def failing() -> None:
    raise SystemExit(0)


RAISED = [
    pytest.param(raising, False, id="a statement raises KeyboardInterrupt"),
    pytest.param(interrupting, True, id="a signal raises it"),
    pytest.param(failing, False, id="something else is raised"),
]


@pytest.mark.parametrize(("raises", "expected"), RAISED)
@pytest.mark.usefixtures("interruptible")
def test_a_person_interrupts_by_a_signal(raises: Callable[[], None], expected: bool) -> None:  # noqa: FBT001
    with pytest.raises((KeyboardInterrupt, SystemExit)) as raised:
        raises()
    assert is_interrupt(raised.value) == expected


def test_an_interrupt_without_a_place_is_one_of_a_person() -> None:
    assert is_interrupt(KeyboardInterrupt())


TEXTS = [
    pytest.param(ValueError("a\n\tb"), "ValueError: a b", id="several lines"),
    pytest.param(KeyboardInterrupt(), "KeyboardInterrupt", id="no message"),
    pytest.param(SilentError(), "SilentError: its message cannot be read (ValueError)", id="a message that raises an exception"),
]


@pytest.mark.parametrize(("error", "text"), TEXTS)
def test_an_exception_is_one_line(error: BaseException, text: str) -> None:
    assert described(error) == text


@pytest.mark.usefixtures("interruptible")
def test_a_message_can_be_interrupted() -> None:
    with pytest.raises(KeyboardInterrupt):
        error_text(InterruptedError_())
