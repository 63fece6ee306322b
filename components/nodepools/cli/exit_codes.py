"""Exit codes, and errors as one line instead of a traceback."""

import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import Never

import typer

from nodepools.loading import UnreadableError
from nodepools.rules.finding import Finding, Severity

EXIT_FINDINGS = 1
EXIT_USAGE = 2
INTERRUPTED = 130


def usage_error(message: str) -> Never:
    """Ends the command with exit code 2: invalid usage, or input that cannot be read."""
    typer.echo(f"error: {message}", err=True)
    raise typer.Exit(EXIT_USAGE)


@contextmanager
def report_errors() -> Generator[None]:
    """Turns the exceptions that input can cause into one line and an exit code."""
    try:
        yield
    except UnreadableError as error:
        usage_error(str(error))
    except KeyboardInterrupt:
        typer.echo("error: interrupted", err=True)
        raise typer.Exit(INTERRUPTED) from None
    except BrokenPipeError:
        # The reader has closed the pipe (`| head`), which is not an error. Without this, Python reports it again when it flushes at exit.
        sys.stdout = None
        raise typer.Exit(0) from None
    except OSError as error:
        sys.stdout = None  # such as a full disk: Python would try to write the rest of the buffer again
        usage_error(f"{error.filename if error.filename is not None else 'stdout'}: {error.strerror}")


def end(findings: Iterable[Finding], *, strict: bool) -> Never:
    """Ends the command: exit code 1 if there is an error or, with `strict`, a warning."""
    failing = (Severity.ERROR, Severity.WARNING) if strict else (Severity.ERROR,)
    raise typer.Exit(EXIT_FINDINGS if any(finding.severity in failing for finding in findings) else 0)
