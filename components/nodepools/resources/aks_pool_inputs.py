"""Reads the azure-native inputs of an agent pool of any program into the model, by the table that also writes requests. No SDK is needed.

Declarations add taints to their pools; other programs set all taints themselves: a system pool is isolated only if it has the taint.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, cast

from nodepools.data.aks_images import is_later, os_sku
from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.pools import CRITICAL_ADDONS_ONLY, GPU_TAINT, WINDOWS_TAINT, GpuPool, SystemPool, UserPool, WindowsPool
from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.model.unknowns import UNKNOWN
from nodepools.rules.finding import Finding
from nodepools.rules.partial_validation import validate_partial
from nodepools.wire.aks.agent_pool import POOL
from nodepools.wire.reading import Reading, read
from nodepools.wire.table import Table

_REJECTED: Final = ("count", "name", "scale", "taints")
"""Fields of which Azure is guaranteed to reject each value that the model rejects."""
_NVIDIA: Final = re.compile(r"Standard_N[CDV]", re.IGNORECASE)
_AMD: Final = re.compile(r"Standard_NV[0-9]+as_v4", re.IGNORECASE)


def agent_pool(written: Mapping[str, object], table: Table = POOL) -> tuple[AgentPool | None, list[Finding]]:
    """Returns the pool as far as it is known, and the findings that Azure is guaranteed to reject, in the model's terms.

    The pool is `None` if its mode or operating system is unknown, and for mode Gateway, which runs no pods of users.

    Args:
        written: the inputs.
        table: `POOL` for an AgentPool, `INLINE` for a pool inside the cluster.
    """
    kind = _kind(written)
    if kind is None:
        return None, []
    found = read(table, written, Reading())
    taints = found.get("taints", [])
    if kind is SystemPool:
        found["isolated"] = _isolated(cast("list[object]", taints)) if isinstance(taints, list) else UNKNOWN
    elif kind is GpuPool:
        found["tainted"] = str(GPU_TAINT) in taints if isinstance(taints, list) else UNKNOWN
    elif kind is WindowsPool:
        found.setdefault("os_sku", UNKNOWN)  # the default depends on the version of Kubernetes
        found["tainted"] = str(WINDOWS_TAINT) in taints if isinstance(taints, list) else UNKNOWN
    return validate_partial(kind, {name: value for name, value in found.items() if name in kind.model_fields}, _is_rejected)


def pool_key(written: Mapping[str, object]) -> str | None:
    """Returns the pool key from the label of this library, if the pool has that label."""
    labels = written.get("nodeLabels")
    key = cast("Mapping[str, object]", labels).get(POOL_LABEL) if isinstance(labels, Mapping) else None
    return key if isinstance(key, str) else None


def _kind(written: Mapping[str, object]) -> type[AgentPool] | None:
    mode, system = written.get("mode"), written.get("osType")
    if mode == "System" and system in (None, "Linux"):
        return SystemPool
    if mode not in (None, "User") or system not in (None, "Linux", "Windows"):
        return None
    if system == "Windows":
        return WindowsPool
    size = written.get("vmSize")
    gpu = isinstance(size, str) and _NVIDIA.match(size) and not _AMD.fullmatch(size)
    return GpuPool if gpu or "gpuProfile" in written or "gpuInstanceProfile" in written else UserPool


def _isolated(taints: Sequence[object]) -> object:
    """Tells whether the taints isolate a system pool. A taint with the same key and another value or effect can do the same: unknown."""
    if str(CRITICAL_ADDONS_ONLY) in taints:
        return True
    return UNKNOWN if any(str(taint).startswith(CRITICAL_ADDONS_ONLY.key) for taint in taints) else False


def _is_rejected(finding: Finding) -> bool:
    return finding.code != "CFG001" and (finding.steps[0] in _REJECTED or (finding.steps[0] == "os_sku" and _is_not_windows(finding.value)))


def _is_not_windows(value: object) -> bool:
    """Tells whether AKS rejects this OS SKU for Windows: it is not a Windows SKU and not a later one, or it is retired."""
    known = os_sku(value) if isinstance(value, str) else None
    return isinstance(value, str) and not is_later(value) and (known is None or known.system == "Linux" or known.name == "WindowsAnnual")
