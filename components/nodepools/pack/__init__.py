"""The policy pack: the library's rules, and policies of an organization, as Pulumi asks them of any program."""


def serve() -> None:
    """Serves the policies until the process is ended; for the `__main__.py` of a policy pack."""
    from nodepools.pack.server import serve_policies  # all rules, and gRPC: only who serves needs them

    serve_policies()
