"""The socket of the engine: only its own user can open it."""

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from nodepools.engine.errors import EngineError
from nodepools.engine.monitor import Deployment, Monitor
from nodepools.engine.resource_registry import Registry
from nodepools.engine.run import Logs, engine_server
from nodepools.engine.transforms import Transforms

pytestmark = pytest.mark.program

NOBODY = 65534
CONNECT = """
import os, socket, sys
endpoint = socket.socket(socket.AF_UNIX)
os.setuid(int(sys.argv[2]))
endpoint.connect(sys.argv[1])
"""


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def connected(path: Path, user: int) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", CONNECT, str(path), str(user)], capture_output=True, text=True, check=False)


def test_another_user_cannot_connect() -> None:
    with (
        closing(Transforms()) as transforms,
        engine_server(Monitor(Deployment("shop", "dev", preview=True), Registry(), transforms), Logs()) as address,
    ):
        path = Path(unquote(address.removeprefix("unix:")))
        assert (mode(path), mode(path.parent)) == (0o600, 0o700)
        assert connected(path, os.getuid()).returncode == 0
        if os.getuid() == 0:
            assert "PermissionError" in connected(path, NOBODY).stderr
    assert not path.parent.exists()


@pytest.mark.parametrize(
    "folder",
    [
        pytest.param("plain", id="a usual name"),
        pytest.param("a b%20?c#d", id="characters that addresses encode"),
        pytest.param("x" * 200, id="a name that is too long for the address of a socket"),
    ],
)
def test_the_folder_for_temporary_files_can_have_any_name(
    engine: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    temporary = tmp_path / folder
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    assert engine("Thing('a')")["a"].name == "a"
    assert list(temporary.iterdir()) == []


def test_a_folder_that_is_missing_is_told(engine: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/missing")
    with pytest.raises(EngineError, match="cannot create a folder for temporary files: No such file or directory"):
        engine("")
