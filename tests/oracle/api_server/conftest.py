"""A real API server with RBAC and a real kubectl: both are one Go program, which is what its name says."""

import base64
import os
import ssl
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.oracle.conftest import free_port, openssl, until
from tests.oracle.crds.conftest import Server, crds_of
from tests.oracle.go_programs import built_or_skipped

NO_ADMISSION = "ServiceAccount,TaintNodesByCondition,MutatingAdmissionWebhook,ValidatingAdmissionWebhook"
"""Service accounts of pods and taints of nodes are made by controllers, which do not run here."""


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    started = time.monotonic()
    program = built_or_skipped("api_server", "Kubernetes' own API server and kubectl", tmp_path_factory)
    print(f"\nkube-apiserver and kubectl were built in {time.monotonic() - started:.0f} s")
    return program


@dataclass(frozen=True)
class Cluster:
    """A cluster of which only the API server runs."""

    server: Server
    url: str
    folder: Path

    def add(self, path: str, *objects: Mapping[str, Any]) -> None:
        """Creates objects with their status, which another request writes."""
        for one in objects:
            status, body = self.server.send("POST", path, one)
            assert status == 201, body
            if one.get("status"):
                status, body = self.server.send("PUT", f"{path}/{one['metadata']['name']}/status", {**body, "status": one["status"]})
                assert status == 200, body

    def context(self, account: str, rules: Sequence[Mapping[str, Any]]) -> Path:
        """A kubeconfig for a service account that may do what the rules allow; its only context is `oracle`."""
        rbac, meta = "/apis/rbac.authorization.k8s.io/v1", {"name": account}
        self.add("/api/v1/namespaces/default/serviceaccounts", {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": meta})
        of = {"apiVersion": "rbac.authorization.k8s.io/v1", "metadata": meta}
        self.add(f"{rbac}/clusterroles", {**of, "kind": "ClusterRole", "rules": rules})
        bound = {
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": account},
            "subjects": [{"kind": "ServiceAccount", "name": account, "namespace": "default"}],
        }
        self.add(f"{rbac}/clusterrolebindings", {**of, "kind": "ClusterRoleBinding", **bound})
        asked = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}}
        status, token = self.server.send("POST", f"/api/v1/namespaces/default/serviceaccounts/{account}/token", asked)
        assert status == 201, token
        return self.kubeconfig(account, token["status"]["token"])

    def kubeconfig(self, name: str, token: str) -> Path:
        file = self.folder / f"{name}.yaml"
        authority = base64.b64encode((self.folder / "apiserver.crt").read_bytes()).decode()
        file.write_text(
            yaml.safe_dump(
                {
                    "apiVersion": "v1",
                    "kind": "Config",
                    "clusters": [{"name": "oracle", "cluster": {"server": self.url, "certificate-authority-data": authority}}],
                    "users": [{"name": name, "user": {"token": token}}],
                    "contexts": [{"name": "oracle", "context": {"cluster": "oracle", "user": name}}],
                }
            )
        )
        return file


@pytest.fixture(scope="session")
def path_with_kubectl(built: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("bin")
    (folder / "kubectl").symlink_to(built)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


@pytest.fixture(scope="session")
def cluster(built: Path, etcd: str, identity: Path, crds: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    folder, port = tmp_path_factory.mktemp("apiserver"), free_port()
    openssl(folder, "genrsa", "-out", "accounts.key", "2048")
    command = [
        str(built),
        *(f"--etcd-servers={etcd}", "--etcd-prefix=/whole", f"--secure-port={port}", "--bind-address=127.0.0.1", f"--cert-dir={folder}"),
        *(f"--client-ca-file={identity / 'ca.crt'}", "--authorization-mode=RBAC", "--service-cluster-ip-range=10.0.0.0/24"),
        *(f"--service-account-{name}-file={folder / 'accounts.key'}" for name in ("key", "signing-key")),
        *("--service-account-issuer=https://oracle", f"--disable-admission-plugins={NO_ADMISSION}"),
    ]
    with (folder / "log").open("w") as log:
        running = subprocess.Popen(command, stdout=log, stderr=log)
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.load_cert_chain(identity / "client.crt", identity / "client.key")
    server = Server(port, context)
    until(lambda: server.send("GET", "/api/v1/namespaces/default")[0] == 200)
    server.installs(crds_of(crds / "aks"))
    yield Cluster(server, f"https://127.0.0.1:{port}", folder)
    if server.connection is not None:
        server.connection.close()
    running.terminate()
    running.wait()
