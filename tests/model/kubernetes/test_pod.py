"""What of a pod decides where it can run: a row a fact."""

from typing import Any

import pytest

from nodepools.model.kubernetes.label import Taint
from nodepools.model.kubernetes.pod import EVERY_ADDRESS, Expression, Pod, Term, Toleration, read_pod
from nodepools.model.kubernetes.raw_fields import PodError

GPU = Taint("sku", "gpu", "NoSchedule")
SEVEN = Taint("rank", "7", "NoExecute")

TOLERATIONS = [
    pytest.param(Toleration("sku", "Equal", "gpu", "NoSchedule"), GPU, True, id="the same in all"),
    pytest.param(Toleration("sku", "", "gpu"), GPU, True, id="no operator is Equal, no effect is every effect"),
    pytest.param(Toleration("sku", "Equal", "cpu"), GPU, False, id="another value"),
    pytest.param(Toleration("sku", "Exists"), GPU, True, id="Exists asks for no value"),
    pytest.param(Toleration("", "Exists"), GPU, True, id="Exists without a key is everything"),
    pytest.param(Toleration("", "Exists", "", "NoExecute"), GPU, False, id="but of that effect alone"),
    pytest.param(Toleration("sku", "Equal", "true"), Taint("sku"), False, id="no value is not true"),
    pytest.param(Toleration("other", "Exists"), GPU, False, id="another key"),
    pytest.param(Toleration("rank", "Gt", "5"), SEVEN, True, id="7 is more than 5"),
    pytest.param(Toleration("rank", "Lt", "5"), SEVEN, False, id="and not less"),
    pytest.param(Toleration("rank", "Lt", "07"), SEVEN, False, id="07 is no number to Kubernetes"),
    pytest.param(Toleration("sku", "Gt", "5"), GPU, False, id="a word is more than nothing"),
    pytest.param(Toleration("sku", "Like", "gpu"), GPU, False, id="an unknown operator"),
]


@pytest.mark.parametrize(("toleration", "taint", "tolerates"), TOLERATIONS)
def test_toleration(toleration: Toleration, taint: Taint, *, tolerates: bool) -> None:
    assert toleration.tolerates(taint) is tolerates
    assert Pod(tolerations=(toleration,)).tolerates(taint) is tolerates


EXPRESSIONS = [
    pytest.param(Expression("team", "In", ("a", "b")), "a", True, id="one of several"),
    pytest.param(Expression("team", "In", ("a",)), None, False, id="In needs the label"),
    pytest.param(Expression("team", "NotIn", ("a",)), None, True, id="NotIn does not"),
    pytest.param(Expression("team", "NotIn", ("a",)), "a", False, id="an excluded value"),
    pytest.param(Expression("team", "Exists"), "", True, id="an empty value exists"),
    pytest.param(Expression("team", "DoesNotExist"), None, True, id="absent"),
    pytest.param(Expression("team", "DoesNotExist"), "a", False, id="not absent"),
    pytest.param(Expression("cpu", "Gt", ("4",)), "5", True, id="more"),
    pytest.param(Expression("cpu", "Gt", ("4",)), "4", False, id="not more"),
    pytest.param(Expression("cpu", "Lt", ("4",)), "3", True, id="less"),
    pytest.param(Expression("cpu", "Lt", ("4",)), None, False, id="a bound needs the label"),
    pytest.param(Expression("cpu", "Gt", ("many",)), "5", False, id="a word is no bound"),
    pytest.param(Expression("cpu", "Gt", ("1", "2")), "5", False, id="nor are two"),
    pytest.param(Expression("team", "In"), "a", False, id="In without values"),
    pytest.param(Expression("team", "In", ("no value!",)), "no value!", False, id="a value that no label has"),
    pytest.param(Expression("team", "Exists", ("a",)), "a", False, id="Exists with values"),
    pytest.param(Expression("not a key", "Exists"), "a", False, id="a key that no label has"),
]


@pytest.mark.parametrize(("expression", "value", "matches"), EXPRESSIONS)
def test_expression(expression: Expression, value: str | None, *, matches: bool) -> None:
    assert expression.matches(value) is matches


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (Expression("team", "In", ("a",)), "team=a"),
        (Expression("team", "In", ("a", "b")), "team In [a, b]"),
        (Expression("team", "Exists"), "team Exists"),
        (Expression("cpu", "Gt", ("4",)), "cpu Gt [4]"),
    ],
)
def test_spelling(expression: Expression, text: str) -> None:
    assert str(expression) == text


def test_terms_that_no_node_meets() -> None:
    assert Term().never
    assert Term((Expression("team", "In"),)).never
    assert not Term((Expression("team", "Exists"),)).never


def container(requests: dict[str, str] | None = None, limits: dict[str, str] | None = None, **more: Any) -> dict[str, Any]:
    return {"name": "c", "resources": {"requests": requests or {}, "limits": limits or {}}, **more}


SIDECAR = {"restartPolicy": "Always"}
REQUESTS = [
    pytest.param({"containers": [container({"cpu": "1"}), container({"cpu": "500m"})]}, {"cpu": 1500}, id="containers add up"),
    pytest.param({"containers": [container({}, {"cpu": "2"})]}, {"cpu": 2000}, id="a limit stands for a request"),
    pytest.param({"containers": [container({"cpu": "1"}, {"cpu": "2"})]}, {"cpu": 1000}, id="but a request wins"),
    pytest.param(
        {"containers": [container({"cpu": "1"})], "initContainers": [container({"cpu": "3"})]}, {"cpu": 3000}, id="the largest init container"
    ),
    pytest.param(
        {"containers": [container({"cpu": "1"})], "initContainers": [container({"cpu": "1"}, **SIDECAR)]}, {"cpu": 2000}, id="a sidecar adds"
    ),
    pytest.param(
        {"containers": [container({"cpu": "1"})], "initContainers": [container({"cpu": "1"}, **SIDECAR), container({"cpu": "3"})]},
        {"cpu": 4000},
        id="an init container beside a sidecar",
    ),
    pytest.param({"containers": [container({"cpu": "1"})], "overhead": {"cpu": "250m"}}, {"cpu": 1250}, id="the overhead of a runtime class"),
    pytest.param(
        {"containers": [container({"cpu": "1", "nvidia.com/gpu": "1"})], "resources": {"requests": {"cpu": "4"}}},
        {"cpu": 4000, "nvidia.com/gpu": 1000},
        id="what is asked for the pod as a whole",
    ),
    pytest.param({"containers": [container({"cpu": "0"})]}, {}, id="nothing is asked for"),
    pytest.param({"containers": [container({"memory": "1Ki"})]}, {"memory": 1024 * 1000}, id="thousandths of bytes"),
    pytest.param({}, {}, id="no containers"),
]


@pytest.mark.parametrize(("spec", "requests"), REQUESTS)
def test_requests(spec: Any, requests: dict[str, int]) -> None:
    assert dict(read_pod(spec).requests) == requests


def test_everything_that_decides_is_read() -> None:
    pod = read_pod(
        {
            "nodeSelector": {"b": "2", "a": "1"},
            "hostNetwork": True,
            "schedulerName": "mine",
            "nodeName": "node-1",
            "schedulingGates": [{"name": "wait"}],
            "resourceClaims": [{"name": "gpu", "resourceClaimName": "g"}],
            "runtimeClassName": "gvisor",
            "containers": [{"ports": [{"containerPort": 80}, {"hostPort": 8080, "protocol": "UDP"}]}],
        },
        of_daemon_set=True,
    )
    assert pod.node_selector == (("a", "1"), ("b", "2"))
    assert (pod.host_ports, pod.gated, pod.devices) == (
        ((80, "TCP", EVERY_ADDRESS), (8080, "UDP", EVERY_ADDRESS)),
        True,
        (("resourceClaimName", "g"),),
    )
    assert (pod.scheduler, pod.node_name, pod.runtime_class) == ("mine", "node-1", "gvisor")
    assert pod.tolerates(Taint("node.kubernetes.io/unschedulable"))
    assert pod.tolerates(Taint("node.kubernetes.io/network-unavailable"))
    assert not read_pod({}).tolerates(Taint("node.kubernetes.io/unschedulable"))


WRONG = [
    pytest.param({"nodeSelector": ["a"]}, "`nodeSelector` must be an object", id="a list for an object"),
    pytest.param({"nodeSelector": {"a": 1}}, "`a` must be text, in quotes, but is `1`", id="a bare number"),
    pytest.param({"tolerations": {"key": "a"}}, "`tolerations` must be a list of objects", id="an object for a list"),
    pytest.param(
        {"containers": [container({"cpu": "lots"})]}, "`cpu` must be a quantity, such as `500m` or `2Gi`, but is `'lots'`", id="no quantity"
    ),
    pytest.param({"containers": [{"ports": [{"hostPort": "80"}]}]}, "`hostPort` must be a whole number", id="no number"),
    pytest.param(
        {"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": []}}},
        "`affinity` must be an object",
        id="terms without a selector",
    ),
    pytest.param(
        {
            "affinity": {
                "nodeAffinity": {
                    "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "in"}]}]}
                }
            }
        },
        "`operator` must be one of `In`, `NotIn`, `Exists`, `DoesNotExist`, `Gt`, `Lt`, but is `'in'`",
        id="an operator that is none",
    ),
    pytest.param(
        {
            "affinity": {
                "nodeAffinity": {
                    "requiredDuringSchedulingIgnoredDuringExecution": {
                        "nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "In", "values": "b"}]}]
                    }
                }
            }
        },
        "`values` must be a list",
        id="a word for a list",
    ),
]


@pytest.mark.parametrize(("spec", "said"), WRONG)
def test_what_is_no_pod(spec: Any, said: str) -> None:
    with pytest.raises(PodError, match=said.replace("(", "\\(")):
        read_pod(spec)


def test_a_term_may_leave_values_out() -> None:
    terms = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "Exists"}]}]}
    pod = read_pod({"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}}})
    assert pod.required == (Term((Expression("a", "Exists"),)),)
