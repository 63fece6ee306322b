"""The policy pack: the library's rules, and policies of an organization, for any Pulumi program."""


def serve() -> None:
    """Serves the policies until the process ends; for the `__main__.py` of a policy pack."""
    from nodepools.pack.server import serve_policies  # all rules and gRPC, which only a server needs

    serve_policies()
