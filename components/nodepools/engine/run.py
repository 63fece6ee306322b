"""Runs a Pulumi program and records its registration plan. No Pulumi CLI, no account, no network."""

import json
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from nodepools.engine.errors import ProgramFailed, ProgramTimedOut
from nodepools.engine.invokes import DEFAULTS, Fixture
from nodepools.engine.logs import Logs
from nodepools.engine.monitor import ORGANIZATION, PARALLEL, Deployment, Monitor, OutputFixture
from nodepools.engine.plan import Plan
from nodepools.engine.process import run_child
from nodepools.engine.process_arguments import FAILED, HOST, Arguments
from nodepools.engine.resource_registry import Registry
from nodepools.engine.server import engine_server
from nodepools.engine.transforms import Transforms


@dataclass(frozen=True, slots=True)
class Program:
    """A Pulumi program: a directory with a `__main__.py`, and the settings of its run.

    `config` has full keys (`aws:region`); the values of `secret_keys` are secret. `environment` is added to the environment of this process.
    """

    directory: Path
    project: str
    stack: str
    config: Mapping[str, str] = field(default_factory=dict[str, str])
    secret_keys: Sequence[str] = ()
    environment: Mapping[str, str] = field(default_factory=dict[str, str])


def run(
    program: Program,
    *,
    preview: bool = True,
    fixtures: Mapping[str, Fixture] | None = None,
    outputs: Mapping[str, OutputFixture] | None = None,
    timeout: float | None = None,
) -> Plan:
    """Runs `program` and returns what it registered.

    In a preview only the inputs of a resource are known. Otherwise resources have ids (`<name>-id`), and `outputs` makes, by type, the outputs
    that are not inputs. `fixtures` responds to invokes, by token, and overrides the default fixtures. `timeout` is in seconds.

    Raises:
        ProgramFailed: the program did not complete.
        EngineError: the engine cannot be started.
    """
    main = program.directory / "__main__.py"
    if not main.is_file():
        raise ProgramFailed(f"no program found: {main} does not exist")
    directory = program.directory.resolve()
    deployment = Deployment(
        project=program.project,
        stack=program.stack,
        preview=preview,
        source=f"{directory.as_uri()}/",
        config=program.config,
        fixtures={**DEFAULTS, **(fixtures or {})},
        outputs=outputs or {},
    )
    registry, logs = Registry(), Logs()
    with closing(Transforms()) as transforms, engine_server(Monitor(deployment, registry, transforms), logs) as address:
        mode = "preview" if preview else "update"
        arguments = Arguments(address, program.project, program.stack, ORGANIZATION, str(PARALLEL), mode, str(directory))
        status = run_child([sys.executable, "-u", "-P", "-m", HOST, *arguments], _environment(program), directory, timeout)
    plan = registry.plan(program.stack, logs.messages)
    _raise_failure(status, timeout, logs, plan)
    return plan


def _environment(program: Program) -> dict[str, str]:
    return {
        **os.environ,
        **program.environment,
        "PULUMI_CONFIG": json.dumps(dict(program.config)),
        "PULUMI_CONFIG_SECRET_KEYS": json.dumps(list(program.secret_keys)),
    }


def _raise_failure(status: int | None, timeout: float | None, logs: Logs, plan: Plan) -> None:
    messages = logs.messages
    if status is None:
        raise ProgramTimedOut(f"the program did not end within {timeout:g} seconds and was stopped", messages, plan)
    if status == FAILED and messages:
        raise ProgramFailed(messages[-1].message, messages[:-1], plan)
    if status < 0:
        raise ProgramFailed(f"the program was ended by signal {signal.Signals(-status).name}", messages, plan)
    if status > 0:
        raise ProgramFailed(f"the program ended with exit status {status}, without a message", messages, plan)
    if not logs.is_complete:
        raise ProgramFailed("the program ended its process before it was complete, such as by `os._exit(0)`", messages, plan)
