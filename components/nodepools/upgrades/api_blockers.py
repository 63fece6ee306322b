"""Manifests that use API versions which the new version of Kubernetes does not serve."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from nodepools.clouds.blocker import Blocker, Kind
from nodepools.clouds.step import ServerChecks
from nodepools.data.version_support import SOURCE, Removal, minor
from nodepools.model.severity import Severity


@dataclass(frozen=True, slots=True)
class UsedApi:
    """An object in an API version that Kubernetes removes."""

    api_version: str
    kind: str
    name: str
    where: str
    """File, line and column."""
    removal: Removal


def api_blockers(used: Iterable[UsedApi], old: str, new: str, checks: ServerChecks) -> Iterator[Blocker]:
    """The objects that the API server rejects from the version `new` on, those first that it accepts before."""
    found = [api for api in used if api.removal.minor <= minor(new)]
    for api in sorted(found, key=lambda api: (api.removal.minor <= minor(old), api.where)):
        is_new = api.removal.minor > minor(old)
        api_text = f"`{api.api_version}` of {api.kind} `{api.name}`"
        removed = f"Kubernetes 1.{api.removal.minor} does not serve {api_text}"
        message = f"{removed if is_new else f'Kubernetes has not served {api_text} since 1.{api.removal.minor}'} ({api.where})"
        if is_new and checks.apis:
            message += f"; if a client called it in the last 12 hours, the cloud rejects the upgrade ({checks.apis})"
        removal = api.removal
        fix = f"Use `apiVersion: {removal.replacement}`" if removal.replacement is not None else f"Remove it: nothing replaces {api.kind}"
        if is_new and checks.apis:
            fix += f", stop the clients that call the old one, and wait 12 hours. Otherwise, {checks.override}"
        yield Blocker(
            kind=Kind.REMOVED_API,
            severity=Severity.ERROR if is_new else Severity.WARNING,
            message=message,
            fix=fix,
            source=SOURCE,
            refusal=checks.apis if is_new else "",
            subject=f"{api.kind}/{api.name}",
        )
