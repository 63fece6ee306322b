"""The option `--karpenter`: the version of self-managed Karpenter that runs."""

from typing import TYPE_CHECKING, Annotated

import typer

from nodepools.cli.exit_codes import usage_error

if TYPE_CHECKING:
    from nodepools.data.karpenter_releases import KarpenterRelease

KarpenterOption = Annotated[
    str | None,
    typer.Option(
        "--karpenter",
        help="Version of self-managed Karpenter in the AWS cluster, such as 1.8.  [default: the newest known version]",
        metavar="VERSION",
    ),
]


def release_of(text: str | None) -> "KarpenterRelease | None":
    """The version that the option names; `None` without the option.

    Raises:
        InputError: the table does not have it.
    """
    if text is None:
        return None
    from nodepools.data.karpenter_releases import karpenter_release, karpenter_releases, karpenter_releases_origin  # the option is rare

    found = karpenter_release(text)
    if found is None:
        known = karpenter_releases()
        usage_error(
            f"`--karpenter`: `{text}` is not in the table, which has {known[0].version} to {known[-1].version} ({karpenter_releases_origin()}): "
            "use one of them, or leave the option out"
        )
    return found
