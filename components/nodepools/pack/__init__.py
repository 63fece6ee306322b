"""The policy pack: the library's rules, and policies of an organisation, as Pulumi asks them of any program."""

from nodepools.pack.server import serve

__all__ = ["serve"]
