"""Read by each Python that starts with this folder on PYTHONPATH. `nodepools`, and what runs a Pulumi program, become copies of copies.py.

The command line, process group, streams, folder and environment are those that the library or a test chose; only the imports are not made again.
"""

import os
import sys

_MODULES = ("nodepools", "nodepools.engine.host")


def _asked() -> tuple[str, list[str], str] | None:
    """The module, its arguments, and the first place of `sys.path`."""
    words = sys.orig_argv[1:]
    if words and words[0].endswith("/bin/nodepools"):
        return "nodepools", words[1:], os.path.dirname(words[0])  # noqa: PTH120  # imports nothing
    options = [word for word in words[:2] if word in ("-u", "-P")]
    rest = words[len(options) :]
    if rest[:1] != ["-m"] or rest[1] not in _MODULES:
        return None
    return rest[1], rest[2:], "" if "-P" in options else os.getcwd()  # noqa: PTH109


def _relay(module: str, arguments: list[str], place: str) -> None:
    import _socket
    import signal

    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the whole group gets it, and the copy decides how it ends
    environment = (f"{name}={value}" for name, value in os.environ.items())
    told = "\0".join((os.getcwd(), str(os.getpgrp()), place, module, str(len(arguments)), *arguments, *environment))  # noqa: PTH109
    copies = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    copies.connect(os.environ["PROGRAM_HOSTS"])
    streams = b"".join(number.to_bytes(4, sys.byteorder) for number in (0, 1, 2))
    copies.sendmsg([b"\0"], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, streams)])
    copies.sendall(os.fsencode(told))
    copies.shutdown(_socket.SHUT_WR)
    os.closerange(0, 3)
    status = int(copies.recv(16) or b"1")
    if status < 0:
        if -status not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status)


if "PROGRAM_HOSTS" in os.environ and (_found := _asked()):
    _relay(*_found)
