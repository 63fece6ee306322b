"""The typed keys of EKS Auto Mode are the labels that its user guide documents, each of its kind."""

import pytest

from nodepools import keys
from nodepools.data.eks_instance_types import eks_instance_types
from nodepools.keys.kinds import Choice, Flag, Key, Memory, Number, Text

WORDS, NUMBERS, TEXT, FLAGS, MEMORY = Choice, Number, Text, Flag, Memory
LABELS = {
    "kubernetes.io/arch": WORDS,
    "kubernetes.io/os": WORDS,
    "karpenter.sh/capacity-type": WORDS,
    "topology.kubernetes.io/zone": TEXT,
    "topology.k8s.aws/zone-id": TEXT,
    "topology.kubernetes.io/region": TEXT,
    "node.kubernetes.io/instance-type": TEXT,
    **{f"eks.amazonaws.com/{name}": WORDS for name in ("compute-type", "instance-category", "instance-cpu-manufacturer", "instance-hypervisor")},
    **{
        f"eks.amazonaws.com/{name}": WORDS for name in ("instance-gpu-manufacturer", "instance-accelerator-name", "instance-accelerator-manufacturer")
    },
    **{f"eks.amazonaws.com/{name}": TEXT for name in ("nodeclass", "instance-family", "instance-size", "instance-gpu-name")},
    **{f"eks.amazonaws.com/instance-{name}": NUMBERS for name in ("generation", "cpu", "cpu-sustained-clock-speed-mhz", "local-nvme")},
    **{f"eks.amazonaws.com/instance-{name}": NUMBERS for name in ("ebs-bandwidth", "network-bandwidth", "gpu-count", "accelerator-count")},
    **{f"eks.amazonaws.com/instance-{name}": MEMORY for name in ("memory", "gpu-memory")},
    **{f"eks.amazonaws.com/instance-{name}": FLAGS for name in ("encryption-in-transit-supported", "capability-flex")},
    "eks.amazonaws.com/capacity-reservation-id": TEXT,
    "eks.amazonaws.com/capacity-reservation-type": WORDS,
    "eks.amazonaws.com/capacity-reservation-interruptible": FLAGS,
    "eks.amazonaws.com/placement-group-id": TEXT,
}
KEYS = {key.name: key for key in vars(keys.eks).values() if isinstance(key, Key)}


def test_every_documented_label_has_a_key_and_no_other_has() -> None:
    assert set(KEYS) == set(LABELS)


@pytest.mark.parametrize("name", LABELS)
def test_a_key_is_of_the_kind_of_its_values(name: str) -> None:
    assert type(KEYS[name]) is LABELS[name]


def test_every_label_of_the_table_of_types_has_a_key() -> None:
    assert {label for known in eks_instance_types().types.values() for label in known.labels} <= set(KEYS)
