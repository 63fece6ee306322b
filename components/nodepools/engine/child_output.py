"""What a program or a policy pack prints. It is read all the time: who writes into a full pipe would wait forever."""

import os
import threading
from contextlib import suppress
from typing import Final

_KEPT: Final = 1 << 16
_MIB: Final = 1 << 20
_SHOWN: Final = _MIB
"""Bytes of one stream that are passed on. A log has no use for more, and a program can write gigabytes."""
_STDERR: Final = 2


class ChildOutput:
    """One stream of a child. Until `forward`, its last 64 KiB are kept; later output goes to standard error of this process, up to 1 MiB."""

    def __init__(self) -> None:
        self._source, self.end = os.pipe()
        """`end` is where the child writes."""
        self._condition = threading.Condition()
        self._kept = bytearray()
        self._first: bytes | None = None
        self._is_forwarded = False
        self._room = _SHOWN
        self._omitted = 0
        self._thread = threading.Thread(target=self._read, name="nodepools-engine-pack-output", daemon=True)

    def start(self) -> None:
        """Starts reading. The child has its own copy of `end`."""
        os.close(self.end)
        self._thread.start()

    def first_line(self, seconds: float | None) -> bytes | None:
        """Waits for the first line and returns it, incomplete if the output ended before; `None` after the time limit."""
        with self._condition:
            self._condition.wait_for(lambda: self._first is not None, seconds)
            return self._first

    def last_line(self) -> str | None:
        """Waits for the end of the output and returns the last line that is not empty: in a traceback, the error."""
        self._thread.join(1)
        with self._condition:
            lines = [line.strip() for line in self._kept.decode(errors="replace").splitlines() if line.strip()]
        return lines[-1] if lines else None

    def forward(self) -> None:
        """Writes what is kept to standard error, and all that follows."""
        with self._condition:
            self._is_forwarded = True
            self._write(bytes(self._kept))

    def close(self) -> None:
        """Closes the stream after its end, and says how much of it was not shown. A process that left the child's process group can keep it open."""
        self._thread.join(1)
        if self._omitted:
            with suppress(OSError):
                os.write(_STDERR, f"\nnote: {self._omitted / _MIB:,.1f} MiB of further output are not shown\n".encode())
        if not self._thread.is_alive():
            os.close(self._source)

    def _read(self) -> None:
        while part := os.read(self._source, _KEPT):
            with self._condition:
                self._take(part)
        with self._condition:
            if self._first is None:
                self._first = bytes(self._kept)
            self._condition.notify_all()

    def _take(self, part: bytes) -> None:
        if self._is_forwarded:
            self._write(part)
            return
        self._kept += part
        if self._first is None and (b"\n" in part or len(self._kept) > _KEPT):
            line, newline, rest = bytes(self._kept).partition(b"\n")
            self._first, self._kept = line + newline, bytearray(rest)
            self._condition.notify_all()
        del self._kept[:-_KEPT]

    def _write(self, part: bytes) -> None:
        shown = part[: self._room]
        self._room -= len(shown)
        self._omitted += len(part) - len(shown)
        with suppress(OSError):
            os.write(_STDERR, shown)
