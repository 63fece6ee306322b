"""What is installed with extras only."""

EXTRAS = {"pulumi_azure_native": "aks", "pulumi_aws": "eks", "yaml": "cli"}
"""Package to the extra that brings it; every other one of Pulumi comes with both."""


class MissingExtraError(ImportError):
    """A package that an extra brings is not installed."""

    def __init__(self, what: str, package: str) -> None:
        super().__init__(f"{what} requires the package `{package}`: pip install 'nodepools[{EXTRAS.get(package, 'aks,eks')}]'", name=package)
