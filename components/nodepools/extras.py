"""Packages that only extras install."""

EXTRAS = {"pulumi_azure_native": "aks", "pulumi_aws": "eks", "yaml": "cli"}
"""The extra that installs each package. Both `aks` and `eks` install all other Pulumi packages."""
_OF_PULUMI = ("pulumi", "grpc", "google")
"""Packages that Pulumi's SDK installs. On PyPI, `google` is another package."""


def is_of_an_extra(package: str) -> bool:
    """Whether an extra installs this top-level package."""
    return package in EXTRAS or package.startswith(_OF_PULUMI)


class MissingExtraError(ImportError):
    """A package of an extra is not installed."""

    def __init__(self, what: str, package: str, extra: str | None = None) -> None:
        """`extra` installs the package for `what`; `None`: the extra that has the package."""
        chosen = extra if extra is not None else EXTRAS.get(package, "aks,eks")
        super().__init__(f"{what} requires the package `{package}`: pip install 'nodepools[{chosen}]'", name=package)
