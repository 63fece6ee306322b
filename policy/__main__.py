"""The policy pack. Run `pulumi preview --policy-pack policy`, or without the Pulumi CLI `nodepools preview --policy-pack policy`."""

from nodepools.pack import serve

serve()
