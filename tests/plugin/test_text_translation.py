"""Our own texts, as people read them who write another language."""

import pytest

from nodepools.plugin.text_translation import wire_text
from nodepools.plugin.wire_names import DECLARED, wire_name
from nodepools.rules.registry import all_rules
from nodepools.rules.runner import check
from nodepools.rules.type_hints import reachable

TEXTS = {
    "a field is named as it is written there": ("declare it in node_classes", "declare it in nodeClasses"),
    "a field that is one word stays": ("did you mean count?", "did you mean count?"),
    "what is no field stays": ("Azure/AKS error some_code of enable_auto_scaling", "Azure/AKS error some_code of enable_auto_scaling"),
    "a field with its value": ('write driver="None", or gpu_operator=False', 'write driver: "None", or gpuOperator: false'),
    "a field that is to be nothing": ("write plugin_mode=None in the network_profile", "write pluginMode: none in the networkProfile"),
    "a part that is to be left out": ("or device_plugin=None", "or devicePlugin: {enabled: false}"),
    "a field with a number, or a list": ("write count=0, or built_in_node_pools=[]", "write count: 0, or builtInNodePools: []"),
    "a word that only looks like a field with a value": ("nodepools/retiring=true:NoSchedule", "nodepools/retiring=true:NoSchedule"),
    "a constant": ("A swap file needs `False`.", "A swap file needs `false`."),
    "a part by its places": ('add Taint("team", "web")', 'add {key: "team", value: "web"}'),
    "a part by its names": ("write api_server=ApiServer(private=True)", "write apiServer: {private: true}"),
    "a part of one of several kinds": ('write WeeklySchedule("Sunday")', 'write {kind: "WeeklySchedule", dayOfWeek: "Sunday"}'),
    "a part of nothing": ("add NetworkInterface(), card 0", "add {}, card 0"),
    "a part that people know better": ("add scale=Autoscale(0, …)", "add scale: {min: 0, max: …}"),
    "what reads like a part and is none": ("write Daily(at night)", "write Daily(at night)"),
    "a call that is no part of a declaration": ("write Foo(1)", "write Foo(1)"),
}


@pytest.mark.parametrize("case", TEXTS)
def test_texts(case):
    ours, theirs = TEXTS[case]
    assert wire_text(ours) == theirs


def test_no_rule_names_a_field_as_python_does():
    ours = {name for whole in DECLARED for model in reachable(whole) for name in model.model_fields if wire_name(name) != name}
    said = [f"{found.message} {found.fix.text if found.fix else ''}" for rule in all_rules().values() for found in check(rule.sample())]
    assert len(said) > 200
    for text in said:
        assert not ours.intersection(wire_text(text).replace("`", " ").replace(",", " ").replace(".", " ").split()), text
