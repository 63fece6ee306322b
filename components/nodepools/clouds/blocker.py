"""What stops or delays a step of an upgrade, predicted from declarations."""

from dataclasses import dataclass
from enum import StrEnum

from nodepools.model.severity import Severity


class Kind(StrEnum):
    """The subject of a blocker."""

    DISRUPTION_BUDGET = "disruption-budget"
    GRACE_PERIOD = "grace-period"
    DO_NOT_DISRUPT = "do-not-disrupt"
    SINGLE_REPLICA = "single-replica"
    LOCAL_VOLUME = "local-volume"
    ZONAL_VOLUME = "zonal-volume"
    NO_OTHER_POOL = "no-other-pool"
    REMOVED_API = "removed-api"
    CAPACITY = "capacity"
    SKEW = "version-skew"
    SUPPORT = "version-support"
    DOWNGRADE = "downgrade"
    CLOSED_BUDGET = "closed-budget"
    WINDOW = "window-too-short"
    ADD_ON = "add-on"
    CONTROLLER = "controller"
    NODE_IMAGE = "node-image"
    AUTO_UPGRADE = "auto-upgrade"
    RULE = "rule"


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocker:
    """One obstacle. An error is certain to stop the step if the input is what runs in the cluster; a warning can stop or delay it."""

    kind: Kind
    severity: Severity
    message: str
    fix: str | None = None
    source: str
    refusal: str = ""
    """The error code of the cloud, or the code of a rule."""
    subject: str | None = None
    """The Kubernetes object that it is about: `shop/PodDisruptionBudget/web`."""
    path: str = ""
    """The field of the declaration that it is about."""

    @property
    def is_error(self) -> bool:
        """The step does not succeed with it."""
        return self.severity is Severity.ERROR

    def to_json(self) -> dict[str, object]:
        """In the shape of a finding."""
        return {
            "code": self.refusal,
            "name": self.kind.value,
            "severity": self.severity.value,
            "path": self.path,
            "value": None,
            "message": self.message,
            "fix": {"text": self.fix, "operations": []} if self.fix is not None else None,
            "source": self.source,
            "object": self.subject,
            "line": None,
            "column": None,
        }
