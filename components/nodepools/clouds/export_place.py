"""What the commands that export clusters share."""

from collections.abc import Sequence
from dataclasses import dataclass
from shlex import quote


@dataclass(frozen=True, slots=True)
class Place:
    """The folder of a cluster, and the prefix of the names of its resources."""

    stem: str
    folder: str


def kubectl(kinds: str, context: str, place: Place) -> str:
    """Exports objects inside a cluster. `context` is the one that `get-credentials` and `update-kubeconfig --alias` give it."""
    return f"kubectl get {kinds} --context {quote(context)} -o yaml > {place.folder}/objects.yaml"


def words(of: Sequence[str]) -> str:
    """Quoted arguments of a command."""
    return " ".join(map(quote, of))
