"""Objects are converted once, and whatever is in them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodepools.conversion.class_fields import FIELDS
from nodepools.conversion.converted import convert
from nodepools.conversion.label_table import BY_NAME, CLASS_LABELS, GROUP_LABELS, POOL_LABELS
from nodepools.conversion.targets import NODE_CLASSES, ConversionOptions, Target

SCALARS = st.none() | st.booleans() | st.integers(-1, 300) | st.sampled_from(["", "4", "720h", "Never", "gp3", "100Gi", "m5.large", "web"])
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["key", "name", "x"]), inner, max_size=2))
KEYS = st.sampled_from(sorted({*BY_NAME, *CLASS_LABELS, *GROUP_LABELS, *POOL_LABELS, "team"}))
TERMS = st.lists(
    st.fixed_dictionaries(
        {"key": KEYS, "operator": st.sampled_from(["In", "NotIn", "Exists", "Gt"])},
        optional={
            "values": st.lists(st.sampled_from(["4", "m", "D", "spot", "reserved", "eu-west-1a", "westeurope-1", "general"]), max_size=3) | VALUES
        },
    ),
    max_size=3,
)
NAMES = st.sampled_from(["general", "default", "web"])
GROUPS = st.sampled_from([*NODE_CLASSES, "karpenter.kwok.sh"])
NODES = st.fixed_dictionaries(
    {},
    optional={
        "nodeClassRef": st.fixed_dictionaries({"group": GROUPS, "kind": SCALARS, "name": NAMES}) | VALUES,
        "requirements": TERMS | VALUES,
        "expireAfter": SCALARS,
        "terminationGracePeriod": SCALARS,
        "startupTaints": VALUES,
        "kubelet": VALUES,
    },
)
POOLS = st.fixed_dictionaries(
    {
        "apiVersion": st.sampled_from(["karpenter.sh/v1", "karpenter.sh/v1beta1"]),
        "kind": st.just("NodePool"),
        "metadata": st.fixed_dictionaries({"name": NAMES}) | VALUES,
        "spec": st.fixed_dictionaries({"template": st.fixed_dictionaries({"spec": NODES | VALUES})}, optional={"disruption": VALUES}) | VALUES,
    }
)
FIELD = st.sampled_from(sorted({name for fields in FIELDS.values() for name in fields}))
CLASSES = st.builds(
    lambda kind, name, spec: {"apiVersion": kind.api_version, "kind": kind.kind, "metadata": {"name": name}, "spec": spec},
    st.sampled_from(sorted(NODE_CLASSES.values(), key=str)),
    NAMES,
    st.dictionaries(FIELD, VALUES, max_size=4) | VALUES,
)
PODS = st.fixed_dictionaries(
    {}, optional={"nodeSelector": st.dictionaries(KEYS, SCALARS, max_size=3) | VALUES, "affinity": VALUES, "tolerations": VALUES}
)
WORKLOADS = st.builds(
    lambda kind, pod: {"kind": kind, "spec": {"template": {"spec": pod}}}, st.sampled_from(["Deployment", "CronJob"]), PODS | VALUES
)
OTHERS = st.builds(
    lambda kind, fields: {"apiVersion": "v1", "kind": kind, "metadata": {"name": "web"}, **fields},
    st.sampled_from(["StorageClass", "Ingress", "IngressClass", "Service", "PersistentVolumeClaim", "PodDisruptionBudget"]),
    st.dictionaries(st.sampled_from(["spec", "provisioner", "parameters"]), VALUES, max_size=2),
)


@pytest.mark.parametrize("target", Target)
@given(raws=st.lists(POOLS | CLASSES | WORKLOADS | OTHERS, max_size=4))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_to_convert_again_changes_nothing(target, raws):
    wanted = ConversionOptions(target, target.suffix)
    once = [found.new for found in convert(raws, wanted)]
    again = convert(once, wanted)
    assert [found.new for found in again] == once
    assert not any(found.is_changed for found in again)


@pytest.mark.parametrize("target", Target)
@given(raws=st.lists(POOLS | CLASSES | WORKLOADS | OTHERS, max_size=3))
@settings(max_examples=50, deadline=None, derandomize=True)
def test_the_input_is_never_changed(target, raws):
    before = repr(raws)
    convert(raws, ConversionOptions(target, target.suffix))
    assert repr(raws) == before
