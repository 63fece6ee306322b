"""The table of instance types: what is in it, where it is from, and what requirements admit."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from nodepools import EksNodePool, Requirement, keys
from nodepools.data.eks_instance_types import eks_instance_types, origin
from nodepools.keys import presets
from nodepools.model.kubernetes.label import Requirements

TABLE = eks_instance_types()


def asked(*requirements: Requirement) -> Requirements:
    found = Requirements()
    for requirement in requirements:
        found = found.merged({requirement.key: requirement.allowed})
    return found


def count(*requirements: Requirement) -> int:
    return len(TABLE.admitted(asked(*requirements)))


def test_the_scenario_of_the_guide_admits_173_types():
    pool = EksNodePool(
        requirements=[
            keys.eks.capacity_type.one_of("spot", "on-demand"),
            keys.eks.instance_category.one_of("c", "m", "r"),
            keys.eks.instance_cpu.one_of(2, 4, 8),
            keys.eks.arch.one_of("amd64"),
        ]
    )
    names = TABLE.admitted(asked(*pool.requirements))
    assert len(names) == 173
    assert {"c5.large", "m7i-flex.2xlarge", "r8i.xlarge"} <= names


@pytest.mark.parametrize(
    ("requirement", "some", "none"),
    [
        pytest.param(keys.eks.instance_local_nvme.exists(), "m6gd.large", "m6g.large", id="a label that only some have, by its presence"),
        pytest.param(keys.eks.instance_local_nvme.does_not_exist(), "m6g.large", "m6gd.large", id="and by its absence"),
        pytest.param(Requirement("eks.amazonaws.com/instance-gpu-name", "NotIn", ["t4"]), "m6g.large", "g4dn.xlarge", id="NotIn is met by absence"),
        pytest.param(keys.eks.instance_gpu_memory.more_than("20Gi"), "g6.xlarge", "g4dn.xlarge", id="a bound on memory"),
        pytest.param(keys.eks.instance_gpu_count.less_than(2), "g6.xlarge", "m6g.large", id="a bound excludes what lacks the label"),
        pytest.param(keys.eks.instance_category.one_of("g"), "g6.xlarge", "gr6.4xlarge", id="category g is not gr"),
        pytest.param(keys.eks.instance_generation.more_than(4), "m5.large", "g4dn.xlarge", id="more than the fourth generation"),
        pytest.param(keys.eks.instance_hypervisor.one_of(""), "m5.metal", "m5.large", id="bare metal has an empty hypervisor"),
        pytest.param(keys.eks.instance_type.one_of("c7i.large"), "c7i.large", "c7i.xlarge", id="a type by name"),
        pytest.param(Requirement("beta.kubernetes.io/arch", "In", ["arm64"]), "m7g.large", "m7i.large", id="a former name of a label"),
    ],
)
def test_a_label_decides(requirement, some, none):
    names = TABLE.admitted(asked(requirement))
    assert some in names
    assert none not in names


def test_labels_that_are_not_of_a_type_say_nothing():
    requirements = [keys.eks.zone.one_of("us-east-1a"), keys.eks.capacity_type.one_of("spot"), keys.label("team").one_of("ml")]
    assert count(*requirements) == len(TABLE.types)
    assert not any(TABLE.decides(requirement.key) for requirement in requirements)
    assert TABLE.decides("eks.amazonaws.com/instance-cpu")


def test_an_empty_intersection_admits_nothing_that_has_the_label():
    both = asked(keys.eks.arch.one_of("amd64"), keys.eks.arch.one_of("arm64"))
    assert both["kubernetes.io/arch"].absent
    assert TABLE.admitted(both) == frozenset()


def test_a_type_knows_its_size_devices_and_price():
    known = TABLE.types["p5.48xlarge"]
    assert (known.cpu, known.memory_mib, dict(known.devices)) == (192, 2097152, {"nvidia.com/gpu": 8})
    assert dict(TABLE.types["trn1.32xlarge"].devices) == {"aws.amazon.com/neuron": 16, "aws.amazon.com/neuroncore": 32}
    assert TABLE.types["m7i.large"].usd_per_hour == pytest.approx(0.1008)
    assert TABLE.types["trn2.48xlarge"].usd_per_hour is None


def test_the_cheapest_is_found_among_those_with_a_price():
    names = TABLE.admitted(asked(*presets.eks_general_purpose))
    assert TABLE.cheapest(names).name == "c6a.large"
    assert TABLE.cheapest(frozenset({"trn2.48xlarge"})) is None


def test_the_table_says_where_it_is_from():
    assert "karpenter-provider-aws@1d927085" in origin()["types"]
    assert "2026-07-20" in origin()["prices"]


def test_the_table_is_small_and_read_lazily_and_fast():
    file = Path(sys.modules["nodepools.data.eks_instance_types"].__file__).with_suffix(".json")
    assert file.stat().st_size < 200_000
    code = "import sys, nodepools.rules.engine.runner, nodepools.data.eks_instance_types as t; assert t.eks_instance_types.cache_info().currsize == 0"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.fixture
def shared(project):
    table = project.parent / "shared" / "data" / "eks_auto_instance_types.json"
    if not table.exists():
        pytest.skip("the table of origin is not at hand")
    return table


def test_nothing_is_lost_by_folding(shared):
    types = json.loads(shared.read_text())["types"]
    assert set(types) == set(TABLE.types)
    assert all(dict(TABLE.types[name].labels) == known["labels"] for name, known in types.items())


def test_the_shipped_file_is_what_the_script_makes(shared, project, tmp_path):
    script = project / "tools" / "fold_eks_instance_types.py"
    subprocess.run([sys.executable, script, shared, shared.with_name("prices.json"), tmp_path / "made.json"], check=True)
    assert (tmp_path / "made.json").read_text() == (project / "components/nodepools/data/eks_instance_types.json").read_text()
