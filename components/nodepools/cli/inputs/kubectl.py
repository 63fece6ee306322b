"""`--context`: reads a running cluster with the user's own `kubectl` and rights, now. Nothing is written, stored or changed."""

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from io import FileIO
from pathlib import Path
from threading import Lock
from typing import Final, TypeVar, cast
from urllib.parse import urlsplit

from nodepools.cli.command_run import CommandRun
from nodepools.cli.configuration import settings_table
from nodepools.cli.inputs.file_search import SUFFIXES
from nodepools.cli.inputs.input_files import CLUSTER_FOLDER, texts_in_memory
from nodepools.cli.problem import Problem, usage_error
from nodepools.model.listing import listed, nearest
from nodepools.model.steps import mapping, sequence
from nodepools.model.values import dataclass
from nodepools.reading.bounded_input import LISTED_MIB, SECONDS, BoundedInput, TextError

_Asked = TypeVar("_Asked")
_Answer = TypeVar("_Answer")
_PARALLEL: Final = 4
"""Processes at a time: an API server limits what one user reads at once."""
_NAMED: Final = 5
_LINE: Final = 300
_BLOCK: Final = 1024 * 1024
RESOURCES: Final[Mapping[str, str]] = {
    "nodes": "which nodes run, and what they have",
    "pods": "how much room nodes have",
    "persistentvolumes": "in which zones volumes are",
    "persistentvolumeclaims": "which volumes pods use",
    "storageclasses.storage.k8s.io": "in which zones new volumes are created",
    "poddisruptionbudgets.policy": "which drains are blocked",
    "namespaces": "which node selectors and security levels namespaces have",
    "resourcequotas": "which quotas reject pods",
    "limitranges": "which requests pods get by default",
    "priorityclasses.scheduling.k8s.io": "which priorities pods have",
    "runtimeclasses.node.k8s.io": "which nodes runtimes need",
    "horizontalpodautoscalers.autoscaling": "how many replicas workloads have",
    "verticalpodautoscalers.autoscaling.k8s.io": "which requests are replaced",
    "scaledobjects.keda.sh": "how many replicas workloads have",
    "deployments.apps": "whether the cluster autoscaler runs",
    "nodepools.karpenter.sh": "which nodes Karpenter can launch",
    "nodeclaims.karpenter.sh": "which nodes Karpenter launched, and when they expire",
    "nodeoverlays.karpenter.sh": "which resources nodes have more",
    "capacitybuffers.autoscaling.x-k8s.io": "whether room that is kept uses the limits of NodePools",
    "nodeclasses.eks.amazonaws.com": "what nodes of Auto Mode get",
    "ec2nodeclasses.karpenter.k8s.aws": "what nodes of Karpenter get",
    "aksnodeclasses.karpenter.azure.com": "what nodes of node auto provisioning get",
    "events": "why Karpenter replaced nodes",
}
"""The resources that are read, by name as `kubectl api-resources -o name` prints it, and what is not known without them.

Secrets and ConfigMaps are not among them.
"""
_OF_KARPENTER: Final = ("nodepools.karpenter.sh", *(resource for resource in RESOURCES if resource.partition(".")[0].endswith("nodeclasses")))
"""Those that are declared."""
_EVENTS: Final = "events"
"""Read only where a command says why nodes were replaced: a cluster has many. Those of pods are most of them, and say nothing of it."""
_ALWAYS: Final = frozenset({"nodes", "pods"})
"""Read even if the API server does not list them."""
WORKLOADS: Final = (
    ("Pod", "pods", ("pod", "po")),
    ("Deployment", "deployments.apps", ("deployment", "deploy")),
    ("StatefulSet", "statefulsets.apps", ("statefulset", "sts")),
    ("DaemonSet", "daemonsets.apps", ("daemonset", "ds")),
    ("ReplicaSet", "replicasets.apps", ("replicaset", "rs")),
    ("Job", "jobs.batch", ("job",)),
    ("CronJob", "cronjobs.batch", ("cronjob", "cj")),
)
"""The kinds that can be named, with their resources, and the other names of these for kubectl."""
_NAMED_OBJECT: Final = re.compile(r"(?P<resource>[a-z]+)/(?P<name>[a-z0-9]([-a-z0-9.]*[a-z0-9])?)")
_COLUMNS: Final = "custom-columns=:metadata.namespace,:metadata.name"
_ALL_PODS: Final = b'{"apiVersion": "nodepools/v1", "kind": "PodList", "items": []}'
"""Says that the pods of all namespaces were read: a list of kubectl does not, with none or with those of one namespace."""
_FORBIDDEN: Final = re.compile(r"Error from server \(Forbidden\)")
EXPIRED: Final = re.compile(
    r"Unauthorized|must be logged in|getting credentials|token.{0,40}expired|expired.{0,40}token|AADSTS|ExpiredToken|SSO session", re.IGNORECASE
)
"""What tools print if the login is not valid any more."""
_UNREACHABLE: Final = re.compile(r"Unable to connect|connection refus|no such host|i/o timeout|timed out|TLS handshake|was refus", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NamedWorkload:
    """A workload of a cluster, as `deploy/web` names it."""

    kind: str
    resource: str
    name: str

    def not_found(self, has: Iterable[tuple[str, str]], namespace: str | None) -> str:
        """Why it is not found among namespaces and names: what is there."""
        known = list(has)
        spaces = sorted({space for space, name in known if name == self.name})
        if spaces:
            several = f"namespace{'s' if len(spaces) > 1 else ''} {listed([f'`{space}`' for space in spaces], _NAMED)}"
            return f"is in {several}: use `-n {spaces[0]}`"
        own = [name for space, name in known if namespace is None or space == namespace]
        close = nearest(self.name, own)
        if close is None and (close := nearest(self.name, {name for _, name in known})) is not None:
            namespace = min(space for space, name in known if name == close)
            return f"not found: use `{self.kind.lower()}/{close} -n {namespace}`"
        return f"not found: use `{self.kind.lower()}/{close}`" if close is not None else "not found"


@dataclass(frozen=True, slots=True)
class Context:
    """A context of the user's kubeconfig."""

    name: str
    cluster: str
    """The name of its cluster in the kubeconfig: `az` and `aws` write the name or the ARN of the cluster."""
    namespace: str
    host: str = ""
    """The host of its API server."""
    login: tuple[str, ...] = ()
    """The arguments of the program that gets its tokens: those of `aws` name the cluster."""
    profile: str = ""
    """The profile of AWS that this program uses."""


@contextmanager
def with_context(
    name: str, existing: Sequence[Path] | None, run: CommandRun, *, of_karpenter: bool = False, events: bool = False
) -> Generator[list[Path]]:
    """The given paths and what the cluster of a context says, or its objects of Karpenter. Commands read both as files during the `with` block.

    What may not be listed, or cannot be read, is a problem of `run`, with what is therefore not known.

    Raises:
        InputError: there is no kubectl, no such context, or nothing of the cluster can be read.
    """
    context = context_of(name)
    read = _read_all(context, _OF_KARPENTER if of_karpenter else [one for one in RESOURCES if events or one != _EVENTS])
    errors = {resource: error for resource, error in read.items() if isinstance(error, str)}
    texts = {cluster_file(context, resource): data for resource, data in read.items() if isinstance(data, bytes)}
    texts |= {cluster_file(context, "podlist"): _ALL_PODS} if isinstance(read.get("pods"), bytes) else {}
    if not texts:
        usage_error(f"--context {name}: {_why_nothing(errors, context)}")
    run.problems.extend(Problem(f"--context {name}", _unread(resource, error, context)) for resource, error in errors.items())
    with texts_in_memory(texts, cluster_of_context(name)):
        yield [*(existing if existing is not None else ()), *texts]


def workloads_in_cluster(asked: Mapping[Path, NamedWorkload], context: str, namespace: str | None) -> Mapping[Path, bytes]:
    """These workloads of the cluster, as texts.

    Raises:
        InputError: a workload does not exist, or cannot be read.
    """
    if not asked:
        return {}
    chosen = context_of(context)
    space = namespace if namespace is not None else chosen.namespace
    return {path: _workload(chosen, space, path, workload) for path, workload in asked.items()}


def named_workload(path: Path) -> NamedWorkload | None:
    """The workload of a cluster that `pod/web-0` names; `None` if it is something else.

    Raises:
        InputError: it names a node, which can be no workload.
    """
    match = _NAMED_OBJECT.fullmatch(str(path))
    if match is None or path.suffix in SUFFIXES:
        return None
    if match["resource"] in ("node", "nodes", "no") and not path.exists():
        usage_error(f"{path}: is a node, not a workload: name its pods, from `kubectl get pods -A --field-selector spec.nodeName={match['name']}`")
    for kind, resource, others in WORKLOADS:
        if match["resource"] in (resource.partition(".")[0], *others):
            return NamedWorkload(kind, resource, match["name"])
    return None


def cluster_of_context(name: str) -> tuple[str, str] | None:
    """The stack and the cluster that `contexts` in the settings maps a context to.

    Raises:
        InputError: the mapping is not valid.
    """
    table = settings_table(Path.cwd())
    if wrong := [problem for problem in table.problems if problem.startswith("`tool.nodepools.contexts")]:
        usage_error(f"{table.file.name}: {wrong[0]}")
    stack, _, cluster = dict(table.contexts).get(name, "").partition("/")
    return (stack, cluster) if cluster else None


@cache
def context_of(name: str) -> Context:
    """The context of this name in the user's kubeconfig, which a command reads once.

    Raises:
        InputError: there is no kubectl, or no such context.
    """
    if shutil.which("kubectl") is None:
        usage_error("--context needs `kubectl` on PATH: install it (https://kubernetes.io/docs/tasks/tools/), or pass files with `--existing`")
    answer = _kubectl(["config", "view", "-o", "json"])
    if isinstance(answer, str):
        usage_error(f"--context {name}: `kubectl config view` failed: {answer}")
    found = {context.name: context for context in _contexts(answer)}
    if name not in found:
        close = nearest(name, found)
        has = f"use `{close}`" if close is not None else f"it has {listed([f'`{one}`' for one in found], _NAMED)}" if found else "it has no context"
        usage_error(f"--context {name}: the kubeconfig has no such context: {has}")
    return found[name]


def _contexts(data: bytes) -> Iterator[Context]:
    try:
        config: object = json.loads(data)
    except ValueError:
        usage_error("`kubectl config view -o json` did not print JSON: is the `kubectl` on PATH the one of Kubernetes?")
    clusters, users = (_by_name(mapping(config).get(f"{kind}s"), kind) for kind in ("cluster", "user"))
    for name, inside in _by_name(mapping(config).get("contexts"), "context").items():
        cluster, namespace = str(inside.get("cluster") or ""), str(inside.get("namespace") or "default")
        login = mapping(users.get(str(inside.get("user")), {}).get("exec"))
        host = urlsplit(str(clusters.get(cluster, {}).get("server"))).hostname
        profile = next((one.get("value") for one in map(mapping, sequence(login.get("env"))) if one.get("name") == "AWS_PROFILE"), "")
        yield Context(name, cluster, namespace, host if host is not None else "", tuple(map(str, sequence(login.get("args")))), str(profile))


def _by_name(listed_in_config: object, kind: str) -> Mapping[str, Mapping[str, object]]:
    return {str(one.get("name")): mapping(one.get(kind)) for one in map(mapping, sequence(listed_in_config))}


def cluster_file(context: Context, name: str) -> Path:
    """The name of a text about the cluster. Its folder says which cluster it is, as the names of exports do."""
    named = context.cluster if context.cluster else context.name
    place = re.sub(r"[^A-Za-z0-9._-]+", "-", named.rpartition(":cluster/")[2]).strip("-.")  # the ARN of EKS
    return Path(CLUSTER_FOLDER, place if place else "cluster", f"{name}.json")


def _read_all(context: Context, resources: Iterable[str]) -> Mapping[str, bytes | str]:
    """What the cluster has of each resource, or why that is not known. Resources that it does not serve are not in it."""
    served = _kubectl(["api-resources", "--verbs=list", "-o", "name"], context)
    if isinstance(served, str) and (EXPIRED.search(served) or _UNREACHABLE.search(served)):
        usage_error(f"--context {context.name}: {_reason(served, context)}")
    # An aggregated API that is down makes the command fail, although it lists the others.
    names = set(served.decode(errors="replace").split()) if isinstance(served, bytes) else set(RESOURCES)
    asked: list[str] = [resource for resource in resources if resource in names or resource in _ALWAYS]
    answers = at_once(lambda resource: _listed_objects(context, resource), asked)
    return {resource: answer for resource, answer in zip(asked, answers, strict=True) if not _is_not_served(answer)}


def _is_not_served(answer: bytes | str) -> bool:
    return isinstance(answer, str) and "the server doesn't have a resource type" in answer


def _listed_objects(context: Context, resource: str) -> bytes | str:
    selector = ["--field-selector", "involvedObject.kind!=Pod"] if resource == _EVENTS else []
    answer = _kubectl(["get", resource, "--all-namespaces", *selector, "-o", "json"], context)
    if isinstance(answer, bytes) and not answer.lstrip().startswith(b"{"):
        return "`kubectl get` did not print JSON"
    return answer


def _workload(context: Context, namespace: str, path: Path, workload: NamedWorkload) -> bytes:
    answer = _kubectl(["get", f"{workload.resource}/{workload.name}", "--namespace", namespace, "-o", "json"], context)
    if isinstance(answer, str):
        why = _reason(answer, context)
        if "(NotFound)" in answer:
            every = _kubectl(["get", workload.resource, "--all-namespaces", "--no-headers", "-o", _COLUMNS], context)
            rows = [line.split() for line in every.decode(errors="replace").splitlines()] if isinstance(every, bytes) else []
            why = workload.not_found([(row[0], row[1]) for row in rows if len(row) > 1], namespace)
        usage_error(f"{path}: {why} (namespace `{namespace}` of context `{context.name}`; another one: `-n NAMESPACE`)")
    return answer


def _unread(resource: str, error: str, context: Context) -> str:
    """What RBAC or a failure hides, and what the answer therefore does not know."""
    if _FORBIDDEN.search(error):
        return f"you may not list `{resource}`: {RESOURCES[resource]} is not known; a ClusterRole is in the guide on running clusters"
    return f"`{resource}` could not be read: {_reason(error, context)}; {RESOURCES[resource]} is not known"


def _why_nothing(errors: Mapping[str, str], context: Context) -> str:
    """One reason for every resource."""
    if not errors:
        return "the cluster has no NodePools and no node classes"
    if all(map(_FORBIDDEN.search, errors.values())):
        what = "nodes and pods" if "nodes" in errors else listed([f"`{resource}`" for resource in errors], _NAMED)
        return f"you may not list {what} of this cluster: ask for the ClusterRole in the guide on running clusters"
    return next((_reason(error, context) for error in errors.values() if not _FORBIDDEN.search(error)), "the cluster has nothing that is read")


def _reason(error: str, context: Context) -> str:
    """The last line of an error of kubectl, and what to do."""
    line = last_line(error)
    if EXPIRED.search(error):
        return f"the login has expired or is not valid ({line}): log in again, then try `kubectl --context {context.name} get nodes`"
    return f"the cluster cannot be reached ({line})" if _UNREACHABLE.search(error) else line


class _Children:
    """The processes that run now: all end with the command."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._children: set[subprocess.Popen[bytes]] = set()

    @contextmanager
    def kept(self, child: "subprocess.Popen[bytes]") -> Generator[None]:
        """Knows a process during the `with` block, and ends it."""
        with self._lock:
            self._children.add(child)
        try:
            yield
        finally:
            with self._lock:
                self._children.discard(child)
            child.kill()
            child.wait()

    def stop(self) -> None:
        """Ends all."""
        with self._lock:
            for child in self._children:
                child.kill()


_CHILDREN: Final = _Children()


def at_once(answer: Callable[[_Asked], _Answer], asked: Iterable[_Asked]) -> list[_Answer]:
    """The answers to all, a few at a time. All processes end with an interrupt."""
    with ThreadPoolExecutor(_PARALLEL) as pool:
        try:
            return list(pool.map(answer, asked))
        except BaseException:
            _CHILDREN.stop()
            raise


def last_line(error: str) -> str:
    """The line of an error of a tool that says most."""
    return error.strip().splitlines()[-1].removeprefix("error: ")[:_LINE] if error.strip() else "no message"


def _kubectl(arguments: Sequence[str], context: Context | None = None) -> bytes | str:
    """What kubectl prints, or why it fails."""
    of_context = ["--context", context.name, f"--request-timeout={SECONDS.value()}s"] if context is not None else []
    return printed(["kubectl", *of_context, *arguments], f"kubectl {arguments[0]}")


def printed(command: Sequence[str], name: str) -> bytes | str:
    """What a tool of the user prints, or why it fails. It is stopped at the limits of all readers."""
    tool, seconds = command[0], SECONDS.value()
    program = shutil.which(tool)
    if program is None:
        return f"there is no `{tool}` on PATH"
    late = f"timed out: `{tool}` did not end within {seconds} s (`{SECONDS.variable}`); it may wait for a login: run it once in a terminal"
    with tempfile.TemporaryFile() as errors:  # a pipe that is not read would stop the tool
        try:
            child = subprocess.Popen(  # noqa: S603  # arguments are a list
                [program, *command[1:]], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, bufsize=0, env={**os.environ, "LC_ALL": "C"}
            )
        except OSError as error:
            return f"`{tool}` cannot be started: {error.strerror}"
        with _CHILDREN.kept(child):
            output = cast("FileIO", child.stdout)
            answer = BoundedInput(f"`{name}`", output, LISTED_MIB, output.fileno())
            try:
                data = answer.data()
                status = child.wait(answer.deadline.left)
            except TextError as error:
                return late if not answer.deadline.left else str(error)
            except subprocess.TimeoutExpired:
                return late
        errors.seek(0)
        return data if status == 0 else errors.read(_BLOCK).decode(errors="replace") or f"`{tool}` ended with {status}, without a message"
