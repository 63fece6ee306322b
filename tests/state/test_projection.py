"""The inputs of an imported resource have the paths that a program sends, with the values that the cloud has."""

from typing import Any

import pytest

from nodepools.engine.signatures import SECRET, SIGNATURE
from nodepools.state.settled import differing, projected

HIDDEN = {SIGNATURE: SECRET, "ciphertext": "v1:x"}
PROJECTED: dict[str, tuple[Any, Any, Any, list[str]]] = {
    "a value is that of the cloud, not that of the program": ({"maxCount": 12}, {"maxCount": 10}, {"maxCount": 10}, ["maxCount"]),
    "a setting of the server is left out": ({"count": 1}, {"count": 1, "windowsProfile": {}}, {"count": 1}, []),
    "so it is inside of others": (
        {"network": {"plugin": "azure"}},
        {"network": {"plugin": "azure", "cidrs": ["a"]}},
        {"network": {"plugin": "azure"}},
        [],
    ),
    "what the cloud does not have is left out": ({"count": 1, "vmSize": "D4"}, {"count": 1}, {"count": 1}, ["vmSize"]),
    "an empty list that the cloud does not return is none": ({"nodeTaints": []}, {}, {"nodeTaints": []}, []),
    "an empty mapping too": ({"upgradeSettings": {}}, {}, {"upgradeSettings": {}}, []),
    "an order is that of the cloud": ({"zones": ["1", "3"]}, {"zones": ["3", "1"]}, {"zones": ["3", "1"]}, ["zones.0", "zones.1"]),
    "pools are found by name": (
        {"pools": [{"name": "b", "count": 1}]},
        {"pools": [{"name": "a", "count": 7}, {"name": "b", "count": 2, "maxPods": 30}]},
        {"pools": [{"name": "b", "count": 2}]},
        ["pools.0.count"],
    ),
    "items without names are found by place, and more of them stay": (
        {"spans": [{"start": 1}]},
        {"spans": [{"start": 2, "end": 3}, {"start": 4}]},
        {"spans": [{"start": 2}, {"start": 4}]},
        ["spans"],
    ),
    "a tag that the program does not send stays: a request would remove it": (
        {"tags": {"team": "shop"}},
        {"tags": {"team": "shop", "cost": "1"}},
        {"tags": {"team": "shop", "cost": "1"}},
        ["tags.cost"],
    ),
    "a value that is known after an update is that of the cloud": ({"name": {"$unknown": True}}, {"name": "web"}, {"name": "web"}, []),
    "and is not needed": ({"name": {"$unknown": True}}, {}, {}, []),
    "a secret stays as the state has it": ({"password": {"$secret": True}}, {"password": HIDDEN}, {"password": HIDDEN}, ["? password"]),
    "a secret of the state cannot be compared": ({"tags": {"team": "shop"}}, {"tags": HIDDEN}, {"tags": HIDDEN}, ["? tags"]),
    "one that the program does not send is removed": ({"tags": {}}, {"tags": {"a": HIDDEN}}, {"tags": {"a": HIDDEN}}, ["tags.a"]),
    "nor one of the program": ({"password": {"$secret": True}}, {"password": "x"}, {"password": "x"}, ["? password"]),
    "nor one that the cloud does not return": ({"password": {"$secret": True}}, {}, {}, ["? password"]),
    "nor one in a list": ({"keys": [{"$secret": True}, "b"]}, {"keys": ["a", "c"]}, {"keys": ["a", "c"]}, ["? keys.0", "keys.1"]),
    "an unknown mapping is not compared": ({"a": {"$unknown": True}}, {"a": {"b": 1}}, {"a": {"b": 1}}, []),
    "a mapping in the place of a value is seen": ({"mode": "System"}, {"mode": {"a": 1}}, {"mode": {"a": 1}}, ["mode"]),
}


@pytest.mark.parametrize("title", PROJECTED)
def test_a_projection(title: str):
    sent, existing, expected, changes = PROJECTED[title]
    settled = projected(sent, existing)
    assert settled == expected
    assert ["? " * (not is_certain) + ".".join(path) for path, is_certain in differing(sent, settled)] == changes
