"""What the recorder keeps of calls that the SDK makes in no order."""

import pulumi
import pytest
from google.protobuf.empty_pb2 import Empty
from pulumi.runtime.proto import resource_pb2 as proto

from nodepools import testing
from nodepools.testing.recorder import Recorder


def test_the_stack_of_the_mocks_does_not_take_the_outputs_of_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both have one URN. On Python 3.13, the call of the first, without outputs, often comes last."""
    register = Recorder.RegisterResourceOutputs

    def twice(recorder: Recorder, request: proto.RegisterResourceOutputsRequest) -> Empty:
        register(recorder, request)
        return register(recorder, proto.RegisterResourceOutputsRequest(urn=request.urn))

    monkeypatch.setattr(Recorder, "RegisterResourceOutputs", twice)
    assert dict(testing.run(lambda: pulumi.export("size", 3)).outputs) == {"size": 3}
