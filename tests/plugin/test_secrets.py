"""Secrets of a declaration in another language stay secret: in what is registered, in the answer, and in refusals."""

import json
import re
from collections.abc import Mapping

import pytest

from tests.secrets.seeds import MISSPELT, SEED, seeded

pytestmark = pytest.mark.program

FREE = ("overrides", "tags", "configuration")
"""Fields whose keys are not names of the schema."""
KINDS = {"AksCluster": "weu", "EksCluster": "use"}


def leaks(text: str) -> list[str]:
    return re.findall(f".{{0,80}}{SEED}.{{0,40}}", text)


def on_the_wire(value):
    """The declaration with the names of the schema, instead of Python's."""
    if isinstance(value, list):
        return [on_the_wire(part) for part in value]
    if isinstance(value, Mapping):
        return {camel(key): part if key in FREE else on_the_wire(part) for key, part in value.items()}
    return value


def camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.title() for word in others)


def inputs(kind: str):
    written = on_the_wire(seeded()[0]["clusters"][KINDS[kind]])
    return {key: part for key, part in written.items() if key != "kind"}  # the type of the resource says it


@pytest.mark.parametrize("preview", [True, False], ids=["preview", "update"])
@pytest.mark.parametrize("kind", KINDS)
def test_no_registration_of_a_construct_has_a_seed(construct, kind, preview):
    made = construct(kind, "shop", inputs(kind), preview=preview)
    assert made.refused is None
    assert leaks(json.dumps([made.registered, dict(made.plan.outputs)])) == []
    assert "$secret" in json.dumps(made.registered)


@pytest.mark.parametrize("kind", KINDS)
def test_no_refusal_of_a_construct_has_a_seed(construct, kind):
    wrong = {**inputs(kind), **dict.fromkeys(MISSPELT[:2], SEED), "adminPasword": SEED, "kubernetesVersion": f"http://ops:{SEED}@proxy"}
    made = construct(kind, "shop", wrong)
    assert leaks(made.error) == []
    assert "adminPasword" in made.error
