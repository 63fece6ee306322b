"""Runs a Pulumi program in a separate process, as Pulumi's Python language host does. Started by `nodepools.engine.run`."""

import asyncio
import atexit
import gc
import json
import logging
import os
import runpy
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import grpc
import pulumi
from pulumi.runtime import Settings, configure, get_config_env, get_config_secret_keys_env, run_in_stack, set_all_config
from pulumi.runtime.proto.engine_pb2 import DEBUG, ERROR, LogRequest
from pulumi.runtime.proto.engine_pb2_grpc import EngineStub

import nodepools
from nodepools.component.handed_over import is_handed_over
from nodepools.engine.errors import describe, keep_traces
from nodepools.engine.protocol import COMPLETE, FAILED, Arguments, log_of, replace_log
from nodepools.engine.resource_registry import without_alias_urns

_OBJECTS: Final = 1_000_000
"""Allocations before the garbage collector runs. The SDKs make half a million objects that live until the end, and it would search them again and
again: a third of the time of a preview."""


def _awaited() -> Arguments:
    """Imports the public names that the program will probably use, and waits until it knows what to run. Ends the process if that is nothing."""
    for name in sys.argv[1:]:
        getattr(nodepools, name)
    text = sys.stdin.buffer.read()
    if not text:
        sys.exit()
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123
        os.dup2(nothing.fileno(), 0)
    arguments, environment = json.loads(text)
    os.environ.update(environment)
    return Arguments(*arguments)


def main(arguments: Arguments) -> int:
    """Runs the program and returns the exit status."""
    with grpc.insecure_channel(arguments.address) as channel:
        engine = EngineStub(channel)
        log = log_of(engine)
        # The SDK logs several debug messages for each resource, each a round trip. They are not used here.
        secrets = _secrets_of_program()
        replace_log(engine, lambda message: None if message.severity == DEBUG else log(_without(secrets, message)))
        threading.excepthook = lambda failed: _report_thread(failed, lambda message: log(_without(secrets, message)))
        try:
            _run(arguments, engine)
        except pulumi.RunError as error:  # an error for the user, such as a missing configuration value
            failure = str(error)
        except SystemExit as end:
            if end.code is None or end.code == 0:
                return _complete(log)
            failure = end.code if isinstance(end.code, str) else f"the program exited with status {end.code}"
        except BaseException as error:  # noqa: BLE001 - every error is reported
            failure = describe(error)
        else:
            return _complete(log)
        log(_without(secrets, LogRequest(severity=ERROR, message=failure)))
        return FAILED


def _secrets_of_program() -> list[object]:
    """What the program marks as secret from now on: a function that fails can have it in its message, and no resource need have it."""
    held: list[object] = []
    mark = pulumi.Output.secret

    def secret(val: object) -> pulumi.Output[object]:
        made = mark(val)
        made.apply(held.append)
        return made

    setattr(pulumi.Output, "secret", staticmethod(secret))  # noqa: B010  # type checkers know the method by its own type
    return held


def _without(secrets: list[object], message: LogRequest) -> LogRequest:
    if not secrets:
        return message
    from nodepools.model.redaction import contents_of  # imports the models, which other programs need not
    from nodepools.model.ref import HIDDEN
    from nodepools.model.steps import scalars

    for content in contents_of(value for _, value in scalars(secrets)):
        message.message = message.message.replace(content, HIDDEN)
    return message


def _report_thread(failed: threading.ExceptHookArgs, log: Callable[[LogRequest], object]) -> None:
    """The program goes on without its thread, and without the resources that the thread would have registered."""
    if failed.exc_value is not None and not isinstance(failed.exc_value, SystemExit):
        told = f"a thread of the program failed, and what it would have registered is missing:\n{describe(failed.exc_value)}"
        log(LogRequest(severity=ERROR, message=told))


def _complete(log: Callable[[LogRequest], object]) -> int:
    log(LogRequest(severity=DEBUG, message=COMPLETE))
    return 0


def _run(arguments: Arguments, engine: EngineStub) -> None:
    parallel = int(arguments.parallel)
    set_all_config(get_config_env(), get_config_secret_keys_env())
    configure(
        Settings(
            monitor=arguments.address,
            engine=engine,
            project=arguments.project,
            stack=arguments.stack,
            parallel=parallel,
            dry_run=arguments.mode == "preview",
            organization=arguments.organization,
            root_directory=arguments.program,
        )
    )
    # When a program fails, asyncio would report each future that is no longer awaited.
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    sys.argv = [arguments.program]

    if is_handed_over():
        from nodepools.engine.declarations import declare_only  # other runs do not need it

        declare_only()

    def program() -> None:
        runpy.run_path(arguments.program, run_name="__main__")

    with ThreadPoolExecutor(max_workers=4 * parallel) as pool, asyncio.Runner() as runner, without_alias_urns():
        runner.get_loop().set_default_executor(pool)
        keep_traces(runner.get_loop())
        failure: BaseException | None = None
        try:
            runner.run(run_in_stack(program))
        except BaseException as error:
            failure = error
            raise
        finally:
            if is_handed_over():
                from nodepools.engine.declarations import write_declarations  # other runs do not need it

                runner.run(write_declarations(failure))


if __name__ == "__main__":
    gc.set_threshold(_OBJECTS)
    atexit.register(gc.freeze)  # Python would search them all again as it ends
    sys.exit(main(_awaited()))
