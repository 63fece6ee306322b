"""`examples/pulumi-yaml` as its README says, with the real engine, the real host of Pulumi YAML, and simulated clouds (docs/guides/other-languages.md)."""

import re
import shutil
import sys

import pytest

from tests.pulumi.simulated_clouds import Project


@pytest.fixture
def example(clouds, project):
    """The example in a copy. `pulumi install` would make the environment of the plugin from the package index: here it is that of the tests."""
    if shutil.which("pulumi-language-yaml") is None:
        pytest.skip("no pulumi-language-yaml on PATH")
    for name in ("plugin", "examples/pulumi-yaml"):
        shutil.copytree(project / name, clouds.folder / name, ignore=shutil.ignore_patterns("venv"))
    (clouds.folder / "plugin/venv").symlink_to(sys.prefix)
    return Project(clouds, clouds.folder / "examples/pulumi-yaml", "dev")


def test_it_runs_as_its_readme_says(example, project):
    readme = (project / "examples/pulumi-yaml/README.md").read_text()
    [commands] = re.findall(r"```sh\n(.*?)```", readme, re.DOTALL)
    lines = [line.partition("#")[0].strip() for line in commands.splitlines()]
    assert lines == ["pulumi install", "pulumi stack init dev", "pulumi config set nodeSubnetId /subscriptions/…/subnets/nodes", "pulumi preview"]
    example.pulumi(*lines[1].split()[1:3])
    created = example.operations("preview")
    assert {kind for kind, _ in created} == {"create"}
    assert {name for _, name in created} >= {"shop", "data", "nodes", "data-compute"}


WRONG = {
    "a field of a pool": ("labels: { tier", "lables: { tier", r"Existing properties are: (?:\w+, )?labels,"),
    "a field of a NodePool": ("weight: 20", "wieght: 20", r"Property wieght does not exist on 'nodepools:index:EksNodePool'"),
    "what the schema does not know": ("zones: [1, 2]", "zones: [7]", r"error at systemPool\.zones"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_a_mistake_looks_like(example, case):
    right, wrong, said = WRONG[case]
    file = example.folder / "Pulumi.yaml"
    file.write_text(file.read_text().replace(right, wrong, 1))
    example.pulumi("stack", "init")
    refused = example.tried("preview")
    assert refused.returncode != 0
    assert re.search(said, refused.stdout + refused.stderr), refused.stdout
