"""Typed label keys: `keys.eks.instance_cpu.one_of(2, 4, 8)`, `keys.label("team").one_of("ml")`."""

from nodepools.keys import aks as aks
from nodepools.keys import eks as eks
from nodepools.keys.kinds import Choice as Choice
from nodepools.keys.kinds import Flag as Flag
from nodepools.keys.kinds import Memory as Memory
from nodepools.keys.kinds import Number as Number
from nodepools.keys.kinds import Text as Text


def label(key: str) -> Text:
    """A custom label."""
    return Text(key)
