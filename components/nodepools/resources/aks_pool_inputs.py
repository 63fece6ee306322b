"""Agent pools of any program: from the inputs of azure-native to the model, by the table that requests are written by. No SDK is needed.

What comes with our kinds of pool does not come with those of others: a system pool is isolated if its taints say so.
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

_REFUSED: Final = ("count", "name", "scale", "taints")
"""Fields of which Azure is sure to refuse what the model does."""
_NVIDIA: Final = re.compile(r"Standard_N[CDV]", re.IGNORECASE)
_AMD: Final = re.compile(r"Standard_NV[0-9]+as_v4", re.IGNORECASE)


def agent_pool(written: Mapping[str, object], table: Table = POOL) -> tuple[AgentPool | None, list[Finding]]:
    """The pool, as far as it is known, and what Azure refuses of it for certain, in the model's words.

    There is none of a mode or an operating system that is not known, and none of mode Gateway, which hosts no pods of others.

    Args:
        written: the inputs.
        table: `POOL` of an AgentPool, `INLINE` of a pool inside the cluster.
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
        found.setdefault("os_sku", UNKNOWN)  # by the version of Kubernetes
        found["tainted"] = str(WINDOWS_TAINT) in taints if isinstance(taints, list) else UNKNOWN
    return validate_partial(kind, {name: value for name, value in found.items() if name in kind.model_fields}, _is_refused)


def pool_key(written: Mapping[str, object]) -> str | None:
    """What our label calls the pool, where it is one of ours."""
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
    """Whether our taint is among them; one of its key that is another may do the same, or not."""
    if str(CRITICAL_ADDONS_ONLY) in taints:
        return True
    return UNKNOWN if any(str(taint).startswith(CRITICAL_ADDONS_ONLY.key) for taint in taints) else False


def _is_refused(finding: Finding) -> bool:
    return finding.code != "CFG001" and (finding.steps[0] in _REFUSED or (finding.steps[0] == "os_sku" and _is_no_windows(finding.value)))


def _is_no_windows(value: object) -> bool:
    """No Windows that AKS has, and none that may have come since: of one that has retired it takes no new pools."""
    known = os_sku(value) if isinstance(value, str) else None
    return isinstance(value, str) and not is_later(value) and (known is None or known.system == "Linux" or known.name == "WindowsAnnual")
