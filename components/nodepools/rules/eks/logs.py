"""The log group of an EKS cluster. Facts: docs/facts/eks.md § 16."""

from collections.abc import Iterator
from typing import Final

from nodepools.model.eks.cluster_objects import LogGroup
from nodepools.rules.engine.finding import PartFinding, Severity
from nodepools.rules.engine.finding_text import ref
from nodepools.rules.engine.fix import remove
from nodepools.rules.engine.registry import LOG_GROUPS, Sample, finding, rule
from nodepools.rules.engine.samples import eks

_KEYS: Final = "https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/encrypt-log-data-kms.html"
_KEY: Final = "arn:aws:kms:us-east-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab"


@rule(
    "EKS140",
    Severity.ERROR,
    source="CloudWatch Logs API reference, AssociateKmsKey: the ARN of a key, not of an alias",
    sample=Sample("logs.kms_key", lambda: eks(logs={"kms_key": "alias/logs"})),
    limits=(LOG_GROUPS,),
)
def log_group_key_is_not_an_arn(group: LogGroup) -> Iterator[PartFinding]:
    """CloudWatch Logs accepts a KMS key by the ARN of the key, not by an alias or an id."""
    if _is_rejected(group.kms_key):
        message = f"CloudWatch Logs rejects `{group.kms_key}`: a log group requires the ARN of its KMS key"
        yield finding(group, message, path="kms_key", fix=f"Use the ARN of the key, such as `{_KEY}`")


@rule(
    "EKS141",
    Severity.WARNING,
    source=f"{_KEYS}: permissions on the key",
    sample=Sample("logs.kms_key", lambda: eks(logs={"kms_key": _KEY})),
    limits=(LOG_GROUPS,),
)
def log_group_key_policy(group: LogGroup) -> Iterator[PartFinding]:
    """CloudWatch Logs uses a KMS key only if the key policy allows its service principal to do so."""
    if group.kms_key is not None and not group.existing and not _is_rejected(group.kms_key):
        message = "`pulumi up` fails at the log group unless the policy of this KMS key allows `logs.REGION.amazonaws.com` to use it"
        yield finding(group, message, path="kms_key", fix="Allow it in the key policy, then accept this warning")


@rule(
    "EKS142",
    Severity.WARNING,
    source="nodepools: a log group of another owner is left alone",
    sample=Sample("logs.retention_days", lambda: eks(logs={"existing": True, "retention_days": 30})),
    limits=(LOG_GROUPS,),
)
def unused_log_group_setting(group: LogGroup) -> Iterator[PartFinding]:
    """Settings of a log group that is left alone are not sent."""
    if group.existing:
        for field in ("retention_days", "kms_key", "keep"):
            if getattr(group, field) != LogGroup.model_fields[field].default:
                yield finding(group, f"{ref(field)} has no effect: {ref('existing')} leaves the log group alone", path=field, fix=remove(field))


def _is_rejected(key: object) -> bool:
    return isinstance(key, str) and not (key.startswith("arn:") and ":key/" in key)
