"""The policy pack: the library's rules, and policies of an organization, for any Pulumi program."""


def serve() -> None:
    """Serves the policies until the process ends; for the `__main__.py` of a policy pack.

    Raises:
        MissingExtraError: the extra `policy` is not installed.
    """
    from nodepools.public_names import MissingExtraError, is_of_an_extra

    try:
        from nodepools.pack.server import serve_policies  # all rules and gRPC, which only a server needs
    except ModuleNotFoundError as missing:
        package = (missing.name or "").split(".")[0]
        if not is_of_an_extra(package):
            raise
        raise MissingExtraError("nodepools.pack.serve", package, "policy") from None

    serve_policies()
