"""A terminal for programs that behave differently in one."""

import os
import pty
import select
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self


class Terminal:
    """A program whose streams are a terminal, or only stderr."""

    def __init__(self, command: Sequence[str | Path], cwd: Path, env: Mapping[str, str], *, only_stderr: bool = False) -> None:
        self._ours, theirs = pty.openpty()
        other = subprocess.DEVNULL if only_stderr else theirs
        self.process = subprocess.Popen(command, cwd=cwd, env={**os.environ, **env}, stdin=other, stdout=other, stderr=theirs, start_new_session=True)
        os.close(theirs)
        self.seen = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._ours)

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())

    def until(self, text: str, seconds: float = 60) -> str:
        """What is on the terminal from here on, once `text` is in it."""
        start, end = len(self.seen), time.monotonic() + seconds
        while text not in self.seen[start:] and time.monotonic() < end and self._read(0.2):
            pass
        return self.seen[start:]

    def rest(self) -> str:
        """Everything that the program wrote, until it ends."""
        while self._read(60):
            pass
        self.process.wait(timeout=60)
        return self.seen

    def _read(self, seconds: float) -> bool:
        if not select.select([self._ours], [], [], seconds)[0]:
            return self.process.poll() is None
        try:
            read = os.read(self._ours, 65_536)
        except OSError:  # Linux: the program has closed its end
            return False
        self.seen += read.decode(errors="replace")
        return bool(read)
