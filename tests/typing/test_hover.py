"""Editors show the description of a field where it is written and where it is read, as pyright's language server answers."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PROGRAM = """from nodepools import AksCluster, AksClusterArgs, SystemPool, UserPool

args = AksClusterArgs(location="westeurope", kubernetes_version="1.35", system_pool=SystemPool(vm_size="Standard_D4ds_v5"))
pool = UserPool(vm_size="Standard_D4ds_v5", zones=[1])
cluster = AksCluster("shop", args, opts=None)
print(args.kubernetes_version, cluster.kubeconfig, cluster.agent_pools)
"""
SHOWN = {
    "kubernetes_version=": "Kubernetes version of the control plane",
    "zones=": "Availability zones of the nodes",
    "opts=": "options of the component",
    "args.kubernetes_version": "Kubernetes version of the control plane",
    "cluster.kubeconfig": "Secret.",
    "cluster.agent_pools": "by their keys in `pools`",
}
"""Text of the program, and what an editor shows at its last name."""


class Server:
    """A language server that is asked by standard input."""

    def __init__(self, folder: Path) -> None:
        binary = Path(sys.executable).with_name("pyright-langserver")
        self._process = subprocess.Popen([binary, "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder)
        self._last = 0
        self.ask("initialize", processId=None, rootUri=folder.as_uri(), capabilities={"workspace": {"configuration": True}})
        self._send(method="initialized", params={})

    def tell(self, method: str, **params: object) -> None:
        self._send(method=method, params=params)

    def ask(self, method: str, **params: object) -> object:
        self._last += 1
        self._send(id=self._last, method=method, params=params)
        for message in self._received():
            if message.get("id") == self._last and "method" not in message:
                return message["result"]
            if "method" in message and "id" in message:  # the server asks for its settings
                items = message["params"].get("items", ()) if message["method"] == "workspace/configuration" else ()
                self._send(id=message["id"], result=[{"pythonPath": sys.executable} for _ in items])
        raise AssertionError(method)

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()

    def _send(self, **message: object) -> None:
        assert self._process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._process.stdin.flush()

    def _received(self) -> Iterator[dict]:
        assert self._process.stdout is not None
        while heading := self._process.stdout.readline():
            length = int(heading.rpartition(b":")[2])
            while self._process.stdout.readline().strip():
                pass
            yield json.loads(self._process.stdout.read(length))


@pytest.mark.program
def test_descriptions_are_shown(tmp_path: Path, project: Path) -> None:
    (tmp_path / "pyrightconfig.json").write_text(json.dumps({"extraPaths": [str(project / "components")]}))
    file = tmp_path / "program.py"
    file.write_text(PROGRAM)
    server = Server(tmp_path)
    try:
        server.tell("textDocument/didOpen", textDocument={"uri": file.as_uri(), "languageId": "python", "version": 1, "text": PROGRAM})
        for text, description in SHOWN.items():
            before = PROGRAM[: PROGRAM.index(text) + len(text) - 2]
            position = {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}
            assert description in json.dumps(server.ask("textDocument/hover", textDocument={"uri": file.as_uri()}, position=position)), text
    finally:
        server.close()
