"""The versions of simulated clusters and agent pools, with what the clouds refuse of an upgrade. Facts: docs/facts/aks.md § 2.9.

Pulumi's state has no version of the first pool of an AKS cluster: the cloud alone knows it. A file holds the versions between two runs.
"""

import json
from pathlib import Path

SKEW = 2
"""Minor versions that an agent pool can be behind its cluster."""


class RefusedError(RuntimeError):
    """The cloud refuses the operation."""


def minor(version: str) -> int:
    return int(version.split(".")[1])


class Versions:
    """Control planes under the empty name, agent pools under theirs."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def of(self, cluster: str) -> dict[str, str]:
        return self._all().get(cluster, {})

    def put_cluster(self, cluster: str, version: str, inside: list[str]) -> None:
        """A control plane is created or updated; pools `inside` its request without a version get its version when they are created."""
        known = self.of(cluster)
        if known:
            _refuse_step(known[""], version)
            behind = {name: held for name, held in known.items() if name and minor(version) - minor(held) > SKEW}
            if behind:
                raise RefusedError(f'Code="NodePoolMcVersionIncompatible": {behind}')
        self._write(cluster, {**dict.fromkeys(inside, version), **known, "": version})

    def put_pool(self, cluster: str, pool: str, version: str | None) -> None:
        """An agent pool is created or updated by the agent pool API. A cluster that exists outside of the simulation has any version."""
        known = self.of(cluster)
        if not known:
            return
        wanted = version if version is not None else known.get(pool, known[""])
        if minor(wanted) > minor(known[""]):
            raise RefusedError(f'Code="NodePoolMcVersionIncompatible": {wanted} is newer than {known[""]}')
        if pool in known:
            _refuse_step(known[pool], wanted)
        self._write(cluster, {**known, pool: wanted})

    def delete_pool(self, cluster: str, pool: str) -> None:
        self._write(cluster, {name: version for name, version in self.of(cluster).items() if name != pool})

    def delete_cluster(self, cluster: str) -> None:
        self.file.write_text(json.dumps({name: versions for name, versions in self._all().items() if name != cluster}))

    def _all(self) -> dict[str, dict[str, str]]:
        return json.loads(self.file.read_text()) if self.file.exists() else {}

    def _write(self, cluster: str, versions: dict[str, str]) -> None:
        self.file.write_text(json.dumps({**self._all(), cluster: versions}))


def _refuse_step(old: str, new: str) -> None:
    if not 0 <= minor(new) - minor(old) <= 1:
        raise RefusedError(f'Code="AgentPoolUpgradeVersionNotAllowed": from {old} to {new}')
