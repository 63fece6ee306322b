"""Real CRD API servers, one for each vintage of the CRDs: schema and CEL as a cluster applies them."""

import http.client
import json
import shutil
import ssl
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.oracle.conftest import free_port, unavailable, until
from tests.oracle.go_programs import built_or_skipped

NO_ADMISSION = "NamespaceLifecycle,MutatingAdmissionWebhook,ValidatingAdmissionWebhook,ValidatingAdmissionPolicy,MutatingAdmissionPolicy"


class Server:
    """Asks in the words of Kubernetes: does it take this object?"""

    def __init__(self, port: int, context: ssl.SSLContext) -> None:
        self.port, self.context = port, context
        self.connection: http.client.HTTPSConnection | None = None

    def refuses(self, manifest: Mapping[str, Any], sent_as: Mapping[str, Any] | None = None) -> str | None:
        """Why it refuses the object; `None` where it takes it. One that does not say its kind is `sent_as` another."""
        named = sent_as if sent_as is not None else manifest
        group, version = named["apiVersion"].split("/")
        status, body = self.send("POST", f"/apis/{group}/{version}/{plural(named['kind'])}?dryRun=All&fieldValidation=Strict", manifest)
        assert status in (201, 400, 422), (status, body)
        return None if status == 201 else body["message"]

    def send(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        """The status and the body of the answer. The server closes connections that were idle for long: then a new one asks again."""
        was_open = self.connection is not None
        try:
            return self._send(method, path, body)
        except (OSError, http.client.HTTPException):
            if not was_open:
                raise
            return self._send(method, path, body)

    def _send(self, method: str, path: str, body: object) -> tuple[int, Any]:
        if self.connection is None:
            self.connection = http.client.HTTPSConnection("127.0.0.1", self.port, context=self.context, timeout=30)
        try:
            self.connection.request(method, path, json.dumps(body) if body is not None else None, {"Content-Type": "application/json"})
            answer = self.connection.getresponse()
            return answer.status, json.loads(answer.read() or b"{}")
        except (OSError, http.client.HTTPException, ValueError):
            self.connection.close()
            self.connection = None
            raise

    def installs(self, crds: list[dict[str, Any]]) -> None:
        for crd in crds:
            status, body = self.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd)
            assert status == 201, body
        for crd in crds:
            spec = crd["spec"]
            for version in spec["versions"]:
                until(lambda path=f"/apis/{spec['group']}/{version['name']}/{spec['names']['plural']}": self.send("GET", path)[0] == 200)


def plural(kind: str) -> str:
    return f"{kind.lower()}{'es' if kind.endswith('s') else 's'}"


def crds_of(folder: Path) -> list[dict[str, Any]]:
    """CRD objects as they are; bare schemas wrapped."""
    found = [yaml.safe_load(file.read_text()) for file in sorted(folder.glob("*.yaml"))]
    for file in sorted(folder.glob("*.json")):
        schema = json.loads(file.read_text())
        [of] = schema.pop("x-kubernetes-group-version-kind")
        schema.pop("x-kubernetes-selectable-fields", None)
        schema["properties"]["metadata"] = {"type": "object"}
        names = {"kind": of["kind"], "plural": plural(of["kind"]), "singular": of["kind"].lower(), "listKind": f"{of['kind']}List"}
        version = {"name": of["version"], "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}, "subresources": {"status": {}}}
        found.append(
            {
                "apiVersion": "apiextensions.k8s.io/v1",
                "kind": "CustomResourceDefinition",
                "metadata": {"name": f"{names['plural']}.{of['group']}"},
                "spec": {"group": of["group"], "scope": "Cluster", "names": names, "versions": [version]},
            }
        )
    return found


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("openssl") is None:
        unavailable("there is no openssl on PATH")
    return built_or_skipped("apiextensions-apiserver", "a real API server", tmp_path_factory, package="k8s.io/apiextensions-apiserver")


@pytest.fixture(scope="session")
def server(program: Path, etcd: str, identity: Path, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The server that has the CRDs of a vintage: `eks-auto`, `aks`, `karpenter`; or those of a folder."""
    running: list[subprocess.Popen[bytes]] = []
    made: dict[str, Server] = {}

    def of(vintage: str, folder: Path | None = None) -> Server:
        if vintage in made:
            return made[vintage]
        found = crds_of(folder if folder is not None else request.getfixturevalue("crds") / vintage)
        port, nowhere = free_port(), identity / "nowhere.yaml"
        command = [
            str(program),
            *(f"--etcd-servers={etcd}", f"--etcd-prefix=/{vintage}", f"--secure-port={port}", "--bind-address=127.0.0.1"),
            *(f"--cert-dir={tmp_path_factory.mktemp(vintage)}", f"--client-ca-file={identity / 'ca.crt'}", "--authentication-skip-lookup"),
            *(f"--{name}={nowhere}" for name in ("authentication-kubeconfig", "authorization-kubeconfig", "kubeconfig")),
            *("--enable-priority-and-fairness=false", f"--disable-admission-plugins={NO_ADMISSION}"),
        ]
        running.append(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.load_cert_chain(identity / "client.crt", identity / "client.key")
        made[vintage] = Server(port, context)
        until(lambda: made[vintage].send("GET", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions")[0] == 200)
        made[vintage].installs(found)
        return made[vintage]

    yield of
    for one in made.values():
        if one.connection is not None:
            one.connection.close()
    for one in running:
        one.terminate()
        one.wait()
