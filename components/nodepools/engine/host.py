"""Runs one Pulumi program in a process of its own, as Pulumi's Python language host does. Started by `nodepools.engine.run`."""

import asyncio
import logging
import runpy
import sys
from concurrent.futures import ThreadPoolExecutor

import grpc
import pulumi
from pulumi.runtime import Settings, configure, get_config_env, get_config_secret_keys_env, run_in_stack, set_all_config
from pulumi.runtime.proto.engine_pb2 import DEBUG, ERROR, LogRequest
from pulumi.runtime.proto.engine_pb2_grpc import EngineStub

from nodepools.engine.failure import describe

FAILED = 32
"""Exit status: the failure was told to the engine, as its last message. The language host's own number."""


def main(address: str, project: str, stack: str, organization: str, parallel: str, mode: str, program: str) -> int:
    """Runs the program against the engine at `address` and returns the exit status."""
    with grpc.insecure_channel(address) as channel:
        engine = EngineStub(channel)
        try:
            _run(engine, address, project, stack, organization, int(parallel), mode == "preview", program)
        except pulumi.RunError as error:  # a message for the person, such as a missing configuration value
            failure = str(error)
        except SystemExit as exit_:
            if exit_.code is None or exit_.code == 0:
                return 0
            failure = exit_.code if isinstance(exit_.code, str) else f"the program ended itself with exit status {exit_.code}"
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is told
            failure = describe(error)
        else:
            return 0
        finally:
            sys.stdout.flush()
        engine.Log(LogRequest(severity=ERROR, message=failure))
        return FAILED


def _run(engine: EngineStub, address: str, project: str, stack: str, organization: str, parallel: int, preview: bool, program: str) -> None:
    send = engine.Log
    # The SDK logs several debug messages a resource, each a round trip. Nobody reads them here.
    engine.Log = lambda request: None if request.severity == DEBUG else send(request)
    set_all_config(get_config_env(), get_config_secret_keys_env())
    configure(
        Settings(
            monitor=address,
            engine=engine,
            project=project,
            stack=stack,
            parallel=parallel,
            dry_run=preview,
            organization=organization,
            root_directory=program,
        )
    )
    sys.argv = [program]
    # When a program fails, futures that nobody awaits any more are left over, and asyncio would report each of them.
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    with ThreadPoolExecutor(max_workers=4 * parallel) as pool, asyncio.Runner() as runner:
        runner.get_loop().set_default_executor(pool)
        runner.run(run_in_stack(lambda: runpy.run_path(program, run_name="__main__") and None))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
