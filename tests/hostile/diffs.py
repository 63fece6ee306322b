"""Sides of `diff` that cannot be what their name says."""

from typing import Final

from tests.hostile.case import Case

_STATE: Final = '{"deployment": {"resources": [1, {"urn": 5}, {"type": "azure-native:containerservice:AgentPool", "inputs": [1]}]}}'

DIFFS: Final = (
    Case("an option in place of a branch", ("diff", "git:--upload-pack=x"), 2, "neither"),
    Case(
        "a deployed state and nodes of other types",
        ("diff", "s.json", "s.json", "--deployed", "s.json", "--existing", "n.json"),
        0,
        "1 node is not counted",
        {
            "s.json": _STATE,
            "n.json": '{"kind": "List", "items": [{"kind": "Node", "metadata": {"labels": [1]}, "spec": {"providerID": "azure:///5"}}, 7]}',
        },
    ),
    Case(
        "an acceptance of nested lists",
        ("diff", "s.json", "s.json", "--accept", f"a none {'[' * 5000}: b"),
        0,
        "nothing matches",
        {"s.json": _STATE},
    ),
    Case("a state of other types", ("diff", "s.json", "s.json"), 0, "s.json: nothing changes (1 resource is equal)", {"s.json": _STATE}),
    Case(
        "NodePools of other types",
        ("diff", "a.yaml", "b.yaml", "--format", "json"),
        1,
        "refused",
        {
            "a.yaml": "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: a}\nspec: {template: 5, replicas: []}\n",
            "b.yaml": "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: a}\n"
            "spec: {template: {spec: {requirements: [1, {key: 5}]}}, disruption: 7}\n",
        },
        is_json=True,
    ),
)
