"""An ejected program registers what the program of the stack registers: in a preview, and with every output known."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nodepools.cli.eject import ejected
from nodepools.engine.monitor import OutputFixture
from nodepools.engine.plan import Plan, PlannedResource
from nodepools.engine.project import read_project
from nodepools.engine.run import Program, run

DEPLOYER = "00000000-0000-0000-0000-000000000000"
"""The identity that deploys where there is no cloud."""


class Outputs(dict[str, OutputFixture]):
    """Every type has outputs that are not those of another resource."""

    def get(self, key: str, default: object = None) -> OutputFixture:  # type: ignore[override]  # noqa: ARG002
        return lambda name, inputs: {
            one: f"{one} of {key} {name}"
            for one in ("name", "arn", "principalId", "clientId", "endpoint", "allocationId", "fqdn", "ipAddress")
            if one not in inputs
        }


def an_id(type_: str, name: str) -> str:
    return f"/subscriptions/of-{name}/resourceGroups/x/providers/{type_}"


def registered(plan: Plan) -> dict[str, dict[str, Any]]:
    """Everything but hooks."""
    return {one.urn: _plain(one) for one in plan.resources if one.type != "pulumi:pulumi:Stack"}


def _plain(one: PlannedResource) -> dict[str, Any]:
    options = {name: value for name, value in one.options.items() if name != "hooks"}
    return {**one.to_json(), "options": options, "needs": dict(one.property_dependencies), "wire": str(one.wire[0])}


def written(program: Program, folder: Path, text: str, secrets: Mapping[str, str]) -> Program:
    folder.mkdir()
    (folder / "__main__.py").write_text(text)
    own = {f"{program.project}:{key}": value for key, value in secrets.items()}
    return replace(program, directory=folder, config={**program.config, **own}, secret_keys=(*program.secret_keys, *own))


@pytest.mark.parametrize(
    ("folder", "stack"),
    [(".", "dev"), (".", "staging"), (".", "prod"), ("examples/eks-gpu-arm", "dev"), ("examples/aks-nap", "dev"), ("examples/shop", "dev")],
)
@pytest.mark.program
def test_an_ejected_program_registers_the_same(project: Path, tmp_path: Path, folder: str, stack: str) -> None:
    found = read_project(project / folder, stack)
    program = Program(found.directory, found.name, found.stack, found.config, found.secret_keys)
    made = ejected(program, DEPLOYER)
    assert made.secrets == ()
    plain = written(program, tmp_path / "plain", made.text, {})
    assert "nodepools" not in "".join(line for line in made.text.splitlines() if "import" in line)
    assert registered(run(plain)) == registered(run(program))
    outputs = Outputs()
    assert registered(run(plain, ids=an_id, outputs=outputs)) == registered(run(program, ids=an_id, outputs=outputs))
