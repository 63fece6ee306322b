"""Tables of inputs: what is said is gathered, and found again by its path."""

import pytest

from nodepools.manifests.inputs import Each, Keyed, field, said, spelled_as, words
from nodepools.model.partial import UNKNOWN

TABLE = {
    "vmSize": field("vm_size"),
    "count": field("count", read=lambda value: int(str(value))),
    "enableAutoScaling": field("scale", read=lambda on: {} if on else None),
    "minCount": field("scale", "min"),
    "nodeLabels": field("labels"),
    "nodeTaints": field("taints", also=(("isolated",),)),
    "ports": Each(("ports",), {"from": field("start"), "inside": {"to": field("end")}}),
    "zones": Keyed(("dns", "zones"), "name", {"servers": field("servers")}),
    "kubeletConfig": {"podMaxPids": field("kubelet", "pod_max_pids")},
}

SAID = [
    ("a field", {"vmSize": "D4"}, {"vm_size": "D4"}),
    ("what no model has", {"colour": "red"}, {}),
    ("null", {"vmSize": None}, {}),
    ("a value that is read otherwise", {"count": "3"}, {"count": 3}),
    ("one that cannot be read", {"count": "three"}, {"count": UNKNOWN}),
    ("one that is not known", {"count": UNKNOWN}, {"count": UNKNOWN}),
    ("one of which a part is not known", {"nodeLabels": {"a": UNKNOWN, "b": "c"}}, {"labels": UNKNOWN}),
    ("a part of several inputs", {"enableAutoScaling": True, "minCount": 1}, {"scale": {"min": 1}}),
    ("a part that may not be there", {"enableAutoScaling": UNKNOWN, "minCount": 1}, {"scale": UNKNOWN}),
    ("a list of parts", {"ports": [{"from": 1, "inside": {"to": 2}}, {}]}, {"ports": [{"start": 1, "end": 2}, {}]}),
    ("a list with something else", {"ports": [{"from": 1}, UNKNOWN]}, {"ports": UNKNOWN}),
    ("no list", {"ports": 7}, {"ports": UNKNOWN}),
    ("parts by name", {"zones": {".": {"servers": 1}}}, {"dns": {"zones": [{"name": ".", "servers": 1}]}}),
    ("parts by name, one not known", {"zones": {".": UNKNOWN}}, {"dns": {"zones": UNKNOWN}}),
    ("no parts", {"zones": []}, {"dns": {"zones": UNKNOWN}}),
    ("more of the part", {"kubeletConfig": {"podMaxPids": 5}}, {"kubelet": {"pod_max_pids": 5}}),
    ("more that is not known", {"kubeletConfig": UNKNOWN}, {"kubelet": UNKNOWN}),
]


@pytest.mark.parametrize(("written", "expected"), [row[1:] for row in SAID], ids=[row[0] for row in SAID])
def test_said(written, expected):
    assert said(TABLE, written) == expected


SPELLED = [
    ("the whole", (), ()),
    ("a field", ("vm_size",), ("vmSize",)),
    ("a key in it", ("labels", "a/b"), ("nodeLabels", "a/b")),
    ("an entry of it", ("taints", 2), ("nodeTaints", 2)),
    ("what follows from it", ("isolated",), ("nodeTaints",)),
    ("what is read otherwise has no inside", ("count", "x"), ("count",)),
    ("the part that an input makes", ("scale",), ("enableAutoScaling",)),
    ("a field of that", ("scale", "min"), ("minCount",)),
    ("one that no input says", ("scale", "max"), ("enableAutoScaling",)),
    ("a field of a part in a list", ("ports", 3, "end"), ("ports", 3, "inside", "to")),
    ("the part", ("ports", 3), ("ports", 3)),
    ("parts by name", ("dns", "zones", 0, "name"), ("zones",)),
    ("a part of one input", ("kubelet",), ("kubeletConfig", "podMaxPids")),
    ("nothing like it", ("timeouts", "create"), ()),
]


@pytest.mark.parametrize(("steps", "expected"), [row[1:] for row in SPELLED], ids=[row[0] for row in SPELLED])
def test_spelled_as(steps, expected):
    assert spelled_as(TABLE, steps) == expected


def test_words_of_the_resource():
    assert {"vm_size": "vmSize", "min": "minCount", "pod_max_pids": "podMaxPids", "labels": "nodeLabels"}.items() <= words(TABLE).items()
