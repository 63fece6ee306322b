"""What the schema says of fields: their docstrings, and what they are when left out."""

import pytest

from tools.package_schema import class_text, wire_text

AKS, EKS = "nodepools:index:AksCluster", "nodepools:index:EksCluster"

SAID = {
    "a word by default": (AKS, "tier", "Pricing tier of the control plane. `Free` has no uptime SLA. Cloud default `Free`. Default: `Standard`."),
    "yes or no by default": (
        AKS,
        "gpuOperator",
        (
            "Whether the NVIDIA GPU operator is installed. It manages device plugin and drivers: no device plugin is created, and GPU pools "
            'need `driver: "None"`. Default: `false`.'
        ),
    ),
    "words by default": (
        EKS,
        "logTypes",
        "Control plane logs that are sent to CloudWatch. Cloud default: none. Default: `api`, `audit`, `authenticator`.",
    ),
    "a kind by default": (EKS, "network", "The VPC. Default: `EksNetwork`."),
    "a part whose defaults differ": (AKS, "timeouts", "How long Pulumi waits for the cluster. Default: update `90m`."),
    "nothing by default": (AKS, "tags", "Azure tags of all resources."),
    "a part that is switched off": (
        AKS,
        "entra",
        (
            "Microsoft Entra ID authentication. `enabled: false` is for clusters with local accounts alone, and a static credential in the "
            "kubeconfig. AKS rejects the change back to `enabled: false`."
        ),
    ),
    "what must be said": (AKS, "location", "Azure region, such as `westeurope`."),
}


@pytest.mark.parametrize("case", SAID)
def test_arguments(schema, case):
    component, name, text = SAID[case]
    assert schema["resources"][component]["inputProperties"][name]["description"] == text


def test_numbers_that_are_counted_are_listed(schema):
    zones = schema["types"]["nodepools:index:UserPool"]["properties"]["zones"]
    assert zones["items"] == {"type": "integer", "plain": True}
    assert zones["description"].endswith("One of 1, 2, 3.")


def test_a_word_for_nothing_is_in_the_text_and_in_the_enum(schema):
    mode = schema["types"]["nodepools:index:NetworkProfile"]["properties"]["pluginMode"]
    assert "`none` gives them addresses of the nodes' subnet" in mode["description"]
    assert [one["value"] for one in schema["types"]["nodepools:index:NetworkProfilePluginMode"]["enum"]] == ["overlay", "none"]


def test_a_class_says_its_first_paragraph():
    class Said:
        """What it is,
        on two lines.

        What it is in Python.
        """

    assert class_text(Said) == "What it is, on two lines."


DOCSTRINGS = {
    "a field is named as it is written there": ("declare it in node_classes", "declare it in nodeClasses"),
    "a field that is one word stays": ("at least count", "at least count"),
    "what is not a field stays": ("Azure/AKS error some_code of enable_auto_scaling", "Azure/AKS error some_code of enable_auto_scaling"),
    "a field with its value": ('write driver="None", or gpu_operator=False', 'write driver: "None", or gpuOperator: false'),
    "a field without a value": ("write plugin_mode=None in the network_profile", "write pluginMode: none in the networkProfile"),
    "a part that is turned off": ("or device_plugin=None", "or devicePlugin: {enabled: false}"),
    "a field with a number, or a list": ("write count=0, or built_in_node_pools=[]", "write count: 0, or builtInNodePools: []"),
    "a word that only looks like a field with a value": ("nodepools/retiring=true:NoSchedule", "nodepools/retiring=true:NoSchedule"),
    "a constant": ("A swap file needs `False`.", "A swap file needs `false`."),
}


@pytest.mark.parametrize("case", DOCSTRINGS)
def test_a_docstring_as_other_languages_write_it(case):
    python, others = DOCSTRINGS[case]
    assert wire_text(python) == others
