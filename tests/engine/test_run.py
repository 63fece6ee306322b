"""Of very many messages of a program, the first ones and the last one are kept, and their number is told."""

from typing import Any, cast

import pytest
from pulumi.runtime.proto import engine_pb2 as proto

from nodepools.engine.run import Logs

pytestmark = pytest.mark.program


def logged(count: int, severity: int) -> Logs:
    logs = Logs()
    for number in range(count):
        message = f"{number}".ljust(1 << 10)
        logs.Log(proto.LogRequest(severity=cast("Any", severity), message=message), cast("Any", None))
    return logs


def test_few_messages_are_kept():
    assert [one.message.strip() for one in logged(3, proto.WARNING).messages] == ["0", "1", "2"]


def test_of_many_messages_the_number_of_the_others_is_told():
    messages = logged(3_000, proto.WARNING).messages
    assert (len(messages), messages[-2].severity, messages[-1].message.strip()) == (1_026, "warning", "2999")
    assert messages[-2].message == "1,975 further messages of the program are not shown"


def test_an_error_that_is_not_shown_leaves_the_plan_incomplete():
    assert logged(3_000, proto.ERROR).messages[-2].severity == "error"
