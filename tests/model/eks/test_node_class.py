"""What a NodeClass says of itself."""

import pytest

from nodepools import EksNodeClass
from nodepools.model.eks.node_class import CapacityReservationTerm

SELECTS = [
    ("it names none", EksNodeClass(), False),
    ("it names some", EksNodeClass(capacity_reservations=[CapacityReservationTerm(id="cr-1")]), True),
    ("overrides decide", EksNodeClass(overrides={"capacityReservationSelectorTerms": []}), None),
]


@pytest.mark.parametrize(("declared", "selects"), [row[1:] for row in SELECTS], ids=[row[0] for row in SELECTS])
def test_a_class_selects_reservations(declared: EksNodeClass, selects: bool | None) -> None:  # noqa: FBT001  # a row of the table
    assert declared.selects_reservations is selects
