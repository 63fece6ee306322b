"""How a command ends: one clear message, the right exit status, never a trace of our own frames."""

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
    """Ends the command: it was used wrongly, or its input cannot be read."""
    typer.echo(f"nodepools: {message}", err=True)
    raise typer.Exit(EXIT_USAGE)


@contextmanager
def report_errors() -> Generator[None]:
    """What can go wrong with the input is report_errors in one line."""
    try:
        yield
    except UnreadableError as error:
        usage_error(str(error))
    except KeyboardInterrupt:
        typer.echo("nodepools: interrupted", err=True)
        raise typer.Exit(INTERRUPTED) from None
    except BrokenPipeError:
        # The reader has gone (`| head`): nothing is wrong. Python would complain again when it flushes at its end.
        sys.stdout = None
        raise typer.Exit(0) from None
    except OSError as error:
        sys.stdout = None  # a full disk, say: what is left in its buffer would be tried again
        usage_error(f"{error.filename if error.filename is not None else 'the output'}: {error.strerror}")


def end(findings: Iterable[Finding], *, strict: bool) -> Never:
    """Ends the command with 1 where there is an error, or, `strict`, a warning."""
    refused = (Severity.ERROR, Severity.WARNING) if strict else (Severity.ERROR,)
    raise typer.Exit(EXIT_FINDINGS if any(finding.severity in refused for finding in findings) else 0)
