"""Checks the resources of any Pulumi program by the rules of declarations."""
