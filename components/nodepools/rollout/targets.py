"""A plan as files for engines that exist. Each keeps the order of the plan: a batch starts after the one before has ended, a wave after its gates."""

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Final, cast

from nodepools.model.base import Model
from nodepools.model.values import dataclass
from nodepools.rollout.plan import Check, Plan, PlannedWave

_CHECKOUT: Final = "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1"  # v7.0.1
_SETUP_PYTHON: Final = "actions/setup-python@5fda3b95a4ea91299a34e894583c3862153e4b97"  # v7.0.0
_PYTHON: Final = "3.13"
_INSTALL: Final = "pip install -r requirements.txt"
_IMAGE: Final = "ubuntu-latest"
_ACCOUNT: Final = "pulumi"
"""Service account of the workspaces, and the Secret with the access token. Its role: `system:auth-delegator`."""
_WRITTEN: Final = "Written by `nodepools rollout compile`: change the rollout, plan it again, and compile it again."


@dataclass(frozen=True, slots=True)
class Fetched:
    """What the operator fetches."""

    repository: str
    commit: str
    folder: str = ""
    """The folder of the project in the repository."""
    organization: str = ""
    """Of the stacks in Pulumi."""
    image: str = ""
    """In which the program runs; empty: that of the operator."""


def automation(plan: Plan) -> dict[str, str]:
    """A program for Pulumi's Automation API."""
    window = [] if plan.window is None else [f"from nodepools import {type(plan.window).__name__}"]
    lines = [
        f'"""Carries out the rollout `{plan.name}`: run it in the folder of the project. After a failure, run it again: it goes on where it stopped.',
        "",
        _WRITTEN,
        '"""',
        "",
        "import sys",
        "from pathlib import Path",
        "",
        *window,
        "from nodepools.rollout import Check, Plan, PlannedWave, run",
        "",
        f"PLAN = {_python(plan, 0)}",
        "",
        'if __name__ == "__main__":',
        '    sys.exit(run(PLAN, journal=Path(__file__).with_name("journal.jsonl")))',
        "",
    ]
    return {"rollout.py": "\n".join(lines)}


def _python(value: object, depth: int) -> str:
    """The value as Python; dataclasses and tuples of them have a line for each part."""
    indent, end = "    " * (depth + 1), "    " * depth
    if is_dataclass(value):
        lines = (f"{indent}{field.name}={_python(getattr(value, field.name), depth + 1)},\n" for field in fields(value))
        text = f"{type(value).__name__}(\n{''.join(lines)}{end})"
    elif isinstance(value, Model):
        given = {name: getattr(value, name) for name, field in type(value).model_fields.items() if getattr(value, name) != field.default}
        text = f"{type(value).__name__}({', '.join(f'{name}={part!r}' for name, part in given.items())})"
    elif isinstance(value, tuple) and not all(isinstance(part, str) for part in cast("tuple[object, ...]", value)):
        parts = cast("tuple[object, ...]", value)
        text = f"(\n{''.join(f'{indent}{_python(part, depth + 1)},{chr(10)}' for part in parts)}{end})"
    else:
        text = repr(cast("object", value))
    return text


def operator(plan: Plan, source: Fetched) -> dict[str, str]:
    """`Stack` objects of the Pulumi Kubernetes Operator 2, a file for each wave, and a script with what must hold before it is applied."""
    found: dict[str, str] = {}
    before: Sequence[str] = ()
    waited: PlannedWave | None = None
    for number, wave in enumerate(plan.waves, 1):
        name = f"{number:02}-{wave.name}"
        documents: list[Mapping[str, object]] = []
        for batch in wave.batches:
            documents += [_stack(stack, source, before) for stack in batch]
            before = batch
        found[f"{name}.yaml"] = (
            f"# {_WRITTEN}\n# Apply it after {name}.sh has ended with 0: the operator runs no gates, and does not wait.\n" + _yaml(*documents)
        )
        found[f"{name}.sh"] = "\n".join([*_script(plan, wave, waited), ""])
        waited = wave
    return found


def _stack(stack: str, source: Fetched, before: Sequence[str]) -> dict[str, object]:
    """Waits for every stack of the batch before: the operator asks that its last update was of its present generation, and succeeded.

    Source: `isRequirementSatisfied` of github.com/pulumi/pulumi-kubernetes-operator, 2.0.0 to 2.9.0 (2026-08-22).
    """
    folder = {"repoDir": source.folder} if source.folder else {}
    token = {"PULUMI_ACCESS_TOKEN": {"type": "Secret", "secret": {"name": _ACCOUNT, "key": "accessToken"}}}
    return {
        "apiVersion": "pulumi.com/v1",
        "kind": "Stack",
        "metadata": {"name": stack},
        "spec": {
            "stack": f"{source.organization}/{stack}" if source.organization else stack,
            "projectRepo": source.repository,
            "commit": source.commit,
            **folder,
            "envRefs": token,
            "serviceAccountName": _ACCOUNT,
            **({"workspaceTemplate": {"spec": {"image": source.image}}} if source.image else {}),
            **({"prerequisites": [{"name": name} for name in before]} if before else {}),
        },
    }


def _script(plan: Plan, wave: PlannedWave, before: PlannedWave | None) -> Iterator[str]:
    yield from ("#!/bin/sh", f"# What must hold before the wave `{wave.name}`. {_WRITTEN}", "set -eu")
    if before is not None:
        stacks = " ".join(f"stack.pulumi.com/{stack}" for stack in before.stacks)
        yield f'kubectl wait --for=condition=Ready --timeout=48h {stacks} --context "${{1:?the context of the Pulumi operator}}"'
        yield from ([f"sleep {before.soak}"] if before.soak else [])
    yield from (shlex.join(command) for command in _commands(plan, wave.gates))


def _literal(text: str) -> str:
    """Text in which GitHub and Azure Pipelines see no expression: both take the beginning of one from a string in an expression."""
    return text.replace("${{", "${{ '${{' }}")


def _shell(command: Sequence[str]) -> str:
    """A command for a shell, with the arguments as they are in the plan."""
    return _literal(shlex.join(command))


def github(plan: Plan) -> dict[str, str]:
    """A workflow of GitHub Actions: a job for the gates of each wave, and a matrix for each batch."""
    jobs: dict[str, object] = {}
    before: str | None = None
    soak = 0
    for number, wave in enumerate(plan.waves, 1):
        gates = f"gates-{number}"
        passed = f"test $(( $(date +%s) - ${{{{ needs.{before}.outputs.ended }}}} )) -ge {soak}"
        waits = [{"name": f"{soak} seconds after the wave before; until then, run this job again later", "run": passed}] if soak and before else []
        jobs[gates] = {
            **({"needs": [before]} if before else {}),
            "runs-on": _IMAGE,
            "environment": f"{plan.name}-{wave.name}",
            "steps": [*waits, *_github_setup(), *({"name": _literal(check.gate), "run": _shell(check.command)} for check in wave.gates)],
        }
        before = gates
        for place, batch in enumerate(wave.batches, 1):
            job = f"wave-{number}-batch-{place}"
            jobs[job] = {
                "needs": [before],
                "runs-on": _IMAGE,
                "timeout-minutes": 360,
                "strategy": {"fail-fast": False, "max-parallel": len(batch), "matrix": {"stack": list(batch)}},
                "outputs": {"ended": "${{ steps.ended.outputs.at }}"},
                "steps": [
                    *_github_setup(),
                    *({"run": _shell(command)} for command in _commands(plan, ())),
                    {
                        "run": "pulumi up --stack ${{ matrix.stack }} --yes --skip-preview",
                        "env": {"PULUMI_ACCESS_TOKEN": "${{ secrets.PULUMI_ACCESS_TOKEN }}"},
                    },
                    {"id": "ended", "run": 'echo "at=$(date +%s)" >> "$GITHUB_OUTPUT"'},
                ],
            }
            before = job
        soak = wave.soak
    workflow: dict[str, object] = {
        "name": f"rollout {plan.name}",
        "on": {"workflow_dispatch": None},
        "permissions": {"contents": "read", "id-token": "write"},
        "concurrency": {"group": f"rollout-{plan.name}", "cancel-in-progress": False},
        "jobs": jobs,
    }
    told = (
        f"# {_WRITTEN}\n# Reviewers of the environments {plan.name}-WAVE approve waves. `Re-run failed jobs` goes on after a failure.\n"
        "# Add the login to your clouds to each job: azure/login, aws-actions/configure-aws-credentials.\n"
    )
    return {f"rollout-{plan.name}.yml": told + _yaml(workflow)}


def _github_setup() -> list[dict[str, object]]:
    return [
        {"uses": _CHECKOUT, "with": {"fetch-depth": 0, "persist-credentials": False}},
        {"uses": _SETUP_PYTHON, "with": {"python-version": _PYTHON}},
        {"run": _INSTALL},
    ]


def azure_pipelines(plan: Plan) -> dict[str, str]:
    """A pipeline of Azure Pipelines, whose values are text: a stage for the gates of each wave, and one with a matrix for each batch."""
    stages: list[dict[str, object]] = []
    before: str | None = None
    soak = 0
    for number, wave in enumerate(plan.waves, 1):
        gates, waits = f"gates_{number}", [_delay(soak)] if soak else []
        checks = [*_azure_setup(), *({"script": _shell(check.command), "displayName": _literal(check.gate)} for check in wave.gates)]
        job = {
            "deployment": "gates",
            **({"dependsOn": ["soak"]} if waits else {}),
            "pool": {"vmImage": _IMAGE},
            "environment": f"{plan.name}-{wave.name}",
            "strategy": {"runOnce": {"deploy": {"steps": checks}}},
        }
        stages.append({"stage": gates, "dependsOn": [before] if before else [], "jobs": [*waits, job]})
        before = gates
        for place, batch in enumerate(wave.batches, 1):
            stage = f"wave_{number}_batch_{place}"
            stages.append({"stage": stage, "dependsOn": [before], "jobs": [_azure_job(plan, batch)]})
            before = stage
        soak = wave.soak
    pipeline = {"name": f"rollout-{plan.name}-$(Rev:r)", "trigger": "none", "pr": "none", "stages": stages}
    told = (
        f"# {_WRITTEN}\n# Approvals and checks of the environments {plan.name}-WAVE decide about waves. `Rerun failed jobs` goes on.\n"
        "# Add the login to your clouds, and PULUMI_ACCESS_TOKEN as a secret variable.\n"
    )
    return {f"rollout-{plan.name}.azure-pipelines.yml": told + _yaml(pipeline)}


def _delay(seconds: int) -> dict[str, object]:
    minutes = -(-seconds // 60)
    step = {"task": "Delay@1", "inputs": {"delayForMinutes": str(minutes)}}
    return {"job": "soak", "pool": "server", "timeoutInMinutes": str(minutes + 60), "steps": [step]}


def _azure_job(plan: Plan, batch: Sequence[str]) -> dict[str, object]:
    matrix = {f"{re.sub(r'[^A-Za-z0-9]', '_', stack)}_{number}": {"STACK": stack} for number, stack in enumerate(batch, 1)}
    windows = [{"script": _shell(command)} for command in _commands(plan, ())]
    up = {"script": 'pulumi up --stack "$(STACK)" --yes --skip-preview', "env": {"PULUMI_ACCESS_TOKEN": "$(PULUMI_ACCESS_TOKEN)"}}
    return {
        "job": "up",
        "pool": {"vmImage": _IMAGE},
        "timeoutInMinutes": "360",
        "strategy": {"matrix": matrix, "maxParallel": str(len(batch))},
        "steps": [*_azure_setup(), *windows, up],
    }


def _azure_setup() -> list[dict[str, object]]:
    return [{"checkout": "self", "fetchDepth": "0"}, {"task": "UsePythonVersion@0", "inputs": {"versionSpec": _PYTHON}}, {"script": _INSTALL}]


def _commands(plan: Plan, gates: Sequence[Check]) -> Iterator[tuple[str, ...]]:
    """The gates, then the window: what is checked last is still true when stacks start."""
    yield from (check.command for check in gates)
    if plan.window is not None:
        kind = type(plan.window).__name__
        yield ("python3", "-c", f"from nodepools import {kind}; from nodepools.rollout import require_open; require_open({_python(plan.window, 0)})")


def _yaml(*documents: object) -> str:
    import yaml  # a plan needs it only where it is written

    from nodepools.reading.yaml_scalars import TextDumper

    return "---\n".join(yaml.dump(document, Dumper=TextDumper, sort_keys=False, width=1000, allow_unicode=True) for document in documents)


TARGETS: Final[Mapping[str, Callable[[Plan], dict[str, str]]]] = {"automation": automation, "github": github, "azure-pipelines": azure_pipelines}
"""Targets that need nothing but the plan."""
