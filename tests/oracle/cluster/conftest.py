"""A real control plane on loopback: kube-apiserver, kube-scheduler, kube-controller-manager and etcd. Nodes are objects that the tests make."""

import ssl
import subprocess
import time
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
import yaml

from tests.cli.conftest import Starter
from tests.oracle.cluster.control_plane import ControlPlane
from tests.oracle.conftest import free_port, openssl, until
from tests.oracle.crds.conftest import Server
from tests.oracle.go_programs import built_or_skipped

NO_ADMISSION = "ServiceAccount,TaintNodesByCondition,MutatingAdmissionWebhook,ValidatingAdmissionWebhook"
"""Without service accounts for pods; no kubelet tells the conditions of nodes."""
CONTROLLERS = (
    *("deployment-controller", "replicaset-controller", "statefulset-controller", "daemonset-controller", "job-controller"),
    *("disruption-controller", "resourcequota-controller", "namespace-controller", "garbage-collector-controller"),
    *("persistentvolume-binder-controller", "persistentvolumeclaim-protection-controller", "ephemeral-volume-controller"),
    *("resourceclaim-controller", "device-taint-eviction-controller"),
)
"""Without those that wait for kubelets."""
UNLIMITED = ("--kube-api-qps=1000", "--kube-api-burst=1000")


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the parts of the control plane: one program, by its name."""
    started = time.monotonic()
    built = built_or_skipped("api_server", "Kubernetes' own control plane", tmp_path_factory, target="test-cluster")
    print(f"\nthe control plane was built in {time.monotonic() - started:.0f} s")
    folder = tmp_path_factory.mktemp("bin")
    for name in ("kube-apiserver", "kube-scheduler", "kube-controller-manager"):
        (folder / name).symlink_to(built)
    return folder


@contextmanager
def running(folder: Path, *command: str) -> Generator[None]:
    with (folder / f"{Path(command[0]).name}.log").open("w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        yield
    finally:
        process.terminate()
        process.wait()


@pytest.fixture(scope="session")
def control_plane(programs: Path, etcd: str, identity: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    folder, port, metrics = tmp_path_factory.mktemp("control-plane"), free_port(), free_port()
    openssl(folder, "genrsa", "-out", "accounts.key", "2048")
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.load_cert_chain(identity / "client.crt", identity / "client.key")
    server, kubeconfig = Server(port, context), _kubeconfig(folder, identity, port)
    with ExitStack() as stack:
        stack.enter_context(
            running(
                folder,
                str(programs / "kube-apiserver"),
                *(f"--etcd-servers={etcd}", "--etcd-prefix=/cluster", f"--secure-port={port}", "--bind-address=127.0.0.1", f"--cert-dir={folder}"),
                *(f"--client-ca-file={identity / 'ca.crt'}", "--authorization-mode=RBAC", "--service-cluster-ip-range=10.0.0.0/24"),
                *(f"--service-account-{name}-file={folder / 'accounts.key'}" for name in ("key", "signing-key")),
                *("--service-account-issuer=https://oracle", f"--disable-admission-plugins={NO_ADMISSION}"),
                *("--enable-admission-plugins=PodNodeSelector,ExtendedResourceToleration", "--enable-priority-and-fairness=false"),
            )
        )
        until(lambda: server.send("GET", "/api/v1/namespaces/default")[0] == 200)
        local = ("--bind-address=127.0.0.1", "--leader-elect=false")
        with_kubeconfig = tuple(f"--{name}={kubeconfig}" for name in ("authentication-kubeconfig", "authorization-kubeconfig"))
        controllers = ("--kubeconfig", str(kubeconfig), f"--secure-port={free_port()}", f"--controllers={','.join(CONTROLLERS)}", *UNLIMITED)
        sync = ("--concurrent-gc-syncs=4", "--pvclaimbinder-sync-period=1s", "--resource-quota-sync-period=2s")
        stack.enter_context(running(folder, str(programs / "kube-controller-manager"), *controllers, *sync, *local, *with_kubeconfig))
        scheduler = ("--config", str(_scheduler(folder, kubeconfig)), f"--secure-port={metrics}", "--bind-address=127.0.0.1", *with_kubeconfig)
        allowed = "--authorization-always-allow-paths=/healthz,/readyz,/livez,/metrics"
        stack.enter_context(running(folder, str(programs / "kube-scheduler"), *scheduler, allowed))
        made = ControlPlane(server, Server(metrics, context), kubeconfig)
        until(lambda: bool(made.pending_pods()))
        yield made
        for one in (made.server, made.scheduler):
            if one.connection is not None:
                one.connection.close()


def _kubeconfig(folder: Path, identity: Path, port: int) -> Path:
    """A kubeconfig of a client that may do all."""
    cluster = {"server": f"https://127.0.0.1:{port}", "insecure-skip-tls-verify": True}
    user = {"client-certificate": str(identity / "client.crt"), "client-key": str(identity / "client.key")}
    context = {"cluster": "oracle", "user": "oracle"}
    written = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "oracle", "cluster": cluster}],
        "users": [{"name": "oracle", "user": user}],
        "contexts": [{"name": "oracle", "context": context}],
        "current-context": "oracle",
    }
    file = folder / "kubeconfig.yaml"
    file.write_text(yaml.safe_dump(written))
    return file


def _scheduler(folder: Path, kubeconfig: Path) -> Path:
    """The default configuration, without waiting before another try."""
    written = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "clientConnection": {"kubeconfig": str(kubeconfig), "qps": 1000, "burst": 1000},
        "leaderElection": {"leaderElect": False},
        "podInitialBackoffSeconds": 1,
        "podMaxBackoffSeconds": 1,
    }
    file = folder / "scheduler.yaml"
    file.write_text(yaml.safe_dump(written))
    return file


@pytest.fixture(scope="session")
def starter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Starter]:
    made = Starter(tmp_path_factory.mktemp("starter"))
    yield made
    made.end()
