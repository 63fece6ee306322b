"""No finding, exception, plan or registration has a secret of the declaration in plain text."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from pydantic import ValidationError

from nodepools import DeclarationError, Finding, Platform, check, deploy, testing
from nodepools.cli.output.envelope import document
from nodepools.cli.output.review_formats import Review, annotations, sarif
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.base import Model
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.plugin.provider import in_their_words
from nodepools.rules.engine.field_annotations import kind_of, reachable
from nodepools.rules.engine.finding import PYTHON, YAML
from nodepools.rules.engine.schema_findings import shape_findings
from nodepools.testing import Graph
from tests.secrets.seeds import MISSPELT, SEED, Seeds, is_secret_field, places, seeded

WRITTEN, SOWN = seeded()
PLATFORM = Platform.model_validate(WRITTEN)
MODELS = sorted(reachable(Platform), key=lambda model: model.__name__)
_LEAK = re.compile(rf".{{0,60}}{SEED}.{{0,60}}", re.DOTALL)


def leaks(text: str) -> list[str]:
    return _LEAK.findall(text)


def outputs(findings: Sequence[Finding]) -> Iterator[str]:
    """Everything that is printed about findings."""
    yield json.dumps(document("check", {}, findings, (), ()))
    yield json.dumps(sarif(Review(findings)))
    yield from annotations(Review(findings))
    for finding in findings:
        yield f"{finding} {finding!r} {finding.spelled(YAML)} {finding.spelled(PYTHON)}"
    error = DeclarationError(findings)
    yield f"{error} {error!r}"


def test_every_secret_place_of_the_models_has_a_seed() -> None:
    assert places() - SOWN == set()
    assert len(SOWN) >= 15


def test_no_output_about_a_valid_declaration_has_a_seed() -> None:
    found = check(PLATFORM)
    assert {finding.code for finding in found} >= {"PLT020", "AKS096"}
    assert [leak for text in outputs(found) for leak in leaks(text)] == []


@pytest.mark.parametrize("key", ["weu", "use"])
def test_no_output_of_a_cluster_alone_has_a_seed(key: str) -> None:
    cluster = PLATFORM.cluster(key)
    kind: type[Model] = AksClusterArgs if key == "weu" else EksClusterArgs
    found = check(cluster)
    assert [leak for text in outputs([*found, *(in_their_words(one, kind) for one in found)]) for leak in leaks(text)] == []


def invalid(model: type[Model]) -> Iterator[tuple[str, dict[str, object]]]:
    """Fields of a model with a seed where none belongs: at misspellings, as another kind of value, and in a form that shows what it is."""
    kind: dict[str, object] = {"kind": kind_of(model)} if "kind" in model.model_fields else {}
    seeds = Seeds()
    unknown = (*MISSPELT, "admin_password", "user_data", "kubeconfig")
    yield "unknown fields", kind | {name: seeds.next(name) for name in unknown if name not in model.model_fields}
    url, pem = f"http://ops:{SEED}@proxy:3128", f"-----BEGIN PRIVATE KEY-----\n{SEED}\n-----END PRIVATE KEY-----"
    fields = [name for name in model.model_fields if name != "kind"]
    yield "a URL", kind | dict.fromkeys(fields, url)
    yield "lists", kind | {name: [pem] for name in fields}
    yield "mappings", kind | {name: {"password": SEED, "x": pem} for name in fields}
    secret = [name for name in fields if is_secret_field(model, name)]
    if secret:
        yield "a list for a secret", kind | {name: [SEED] for name in secret}
        yield "a mapping for a secret", kind | {name: {"value": SEED} for name in secret}


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
@pytest.mark.sweep
def test_no_output_about_an_invalid_part_has_a_seed(model: type[Model]) -> None:
    for what, fields in invalid(model):
        try:
            found = check(model.model_validate(fields))
        except ValidationError as error:
            found = shape_findings(error, model)
        except DeclarationError as error:
            found = error.findings
        assert [leak for text in outputs(found) for leak in leaks(text)] == [], what


@pytest.fixture(scope="module")
def registered() -> Graph:
    return testing.run(lambda: deploy(PLATFORM))


def test_the_registration_has_every_seed_as_a_secret(registered: Graph) -> None:
    assert leaks(json.dumps(registered.to_json())) == []


def test_the_program_of_the_guide_sends_a_secret() -> None:
    def program() -> None:
        guide = (Path(__file__).parents[2] / "docs/guides/secrets.md").read_text(encoding="utf-8")
        source = guide.partition("```python")[2].partition("```")[0].replace("load(pulumi.get_stack())", "PLATFORM")
        exec(source, {"PLATFORM": PLATFORM})  # noqa: S102  # our own guide

    graph = testing.run(program, secret_config={"windowsPassword": SEED})
    assert graph.one("ManagedCluster/*").inputs.text("windowsProfile", "adminPassword") == SEED
    assert leaks(json.dumps(graph.to_json())) == []


SECRET_INPUTS = [
    ("ManagedCluster/*", ("windowsProfile", "adminPassword")),
    ("ManagedCluster/*", ("tags", "password")),
    ("Addon/*", ("configurationValues",)),
    ("NodeClass/*", ("spec", "certificateBundles", 0, "data")),
    ("NodeClass/*", ("spec", "advancedNetworking", "httpsProxy")),
    ("Vpc/*", ("tags", "api_key")),
    ("kubernetes/dev-weu-kubernetes", ("kubeconfig",)),
    ("kubernetes/dev-use-kubernetes", ("kubeconfig",)),
]


@pytest.mark.parametrize(("resource", "path"), SECRET_INPUTS, ids=[f"{resource} {path[-1]}" for resource, path in SECRET_INPUTS])
def test_a_secret_is_registered_as_one(registered: Graph, resource: str, path: tuple[str | int, ...]) -> None:
    assert registered.one(resource).secret(*path)
