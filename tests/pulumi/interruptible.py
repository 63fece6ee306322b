"""The provider of the simulated clouds: `interruptible.py CLOUDS NAME ENGINE`.

With INTERRUPTIBLE, it tells by a file in that folder which resource it has created, and holds back its answer: a CLI that is killed then never
hears of the resource. A file `fault-STACK` makes it refuse the next creation of a cluster of that stack with its text, once; `hold` holds the
creation back, for a kill. With REJECTED, it rejects creations of that kind while there is a file `rejecting`. Of AWS, it has the schema of what
`examples/pulumi-yaml` uses: programs in YAML are checked against schemas.
"""

import json
import os
import sys
import time
from concurrent import futures
from pathlib import Path
from typing import Any

CLOUDS, NAME, *ENGINE = sys.argv[1:]
HELD = 3
"""Seconds between a creation and the answer."""
UNTIL_KILLED = 600
"""Seconds."""
CLUSTERS = ("ManagedCluster", "Cluster")

sys.path[0] = CLOUDS  # instead of this folder, which has a `provider` too

import grpc  # noqa: E402
from cloud import Refused  # type: ignore[import-not-found]  # noqa: E402  # a file of the tool
from provider import Provider  # type: ignore[import-not-found]  # noqa: E402  # a file of the tool
from pulumi.runtime.proto import provider_pb2, provider_pb2_grpc  # noqa: E402

TEXT = {"type": "string"}
ROLE = {"assumeRolePolicy": TEXT, "managedPolicyArns": {"type": "array", "items": TEXT}}
SCHEMAS = {
    "aws": {
        "meta": {"moduleFormat": "(.*)(?:/[^/]*)"},
        "resources": {"aws:iam/role:Role": {"inputProperties": ROLE, "properties": {**ROLE, "arn": TEXT}, "required": ["arn"]}},
    }
}


class Interruptible(Provider):
    """Answers late."""

    def GetSchema(self, request: Any, context: Any) -> Any:  # noqa: N802  # of the protocol
        told = json.loads(super().GetSchema(request, context).schema)
        return provider_pb2.GetSchemaResponse(schema=json.dumps(told | SCHEMAS.get(NAME, {})))

    def operate(self, op: Any) -> Any:
        fault = Path(os.environ["SIMCLOUD_DIR"], f"fault-{op.urn.split('::')[0].rpartition(':')[2]}")
        if op.kind == "create" and op.short in CLUSTERS and fault.exists():
            told = fault.read_text()
            fault.rename(fault.with_name(f"told-{fault.name}"))
            if told != "hold":
                raise Refused(told)
            time.sleep(UNTIL_KILLED)
        if op.kind == "create" and op.short == os.environ.get("REJECTED") and Path(os.environ["SIMCLOUD_DIR"], "rejecting").exists():
            raise Refused("ErrCode_InsufficientVCPUQuota: Insufficient vcpu quota")
        done = super().operate(op)
        if op.kind == "create" and op.short == os.environ.get("INTERRUPTIBLE"):
            Path(os.environ["SIMCLOUD_DIR"], f"created-{op.name}").touch()
            time.sleep(HELD)
        return done


if __name__ == "__main__":
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=64))
    provider_pb2_grpc.add_ResourceProviderServicer_to_server(Interruptible(NAME, ENGINE[0] if ENGINE else None), server)
    print(server.add_insecure_port("127.0.0.1:0"), flush=True)  # noqa: T201  # the engine reads it
    server.start()
    server.wait_for_termination()
