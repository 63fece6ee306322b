"""Names in Pulumi that follow from other parts of a declaration: of admins, of the roles of nodes, of the policies of a role."""

from nodepools.model.name_limits import fingerprint
from nodepools.model.ref import Ref, StackOutput


def admin_word(admin: Ref, place: int) -> str:
    """A name for an admin that does not depend on other admins; for an Output, whose value is not known yet, its index."""
    if isinstance(admin, str):
        return f"{admin.rpartition('/')[2]}-{fingerprint(admin)}"
    return fingerprint(str(admin), 8) if isinstance(admin, StackOutput) else str(place)


def role_word(role: Ref, key: str) -> str:
    """A name for the existing role of the NodeClass `key`: NodeClasses with the same role share it."""
    return f"brought-{fingerprint(str(role), 8)}" if isinstance(role, str | StackOutput) else f"brought-by-{key}"


def policy_word(policy: Ref, place: int) -> str:
    """A name for an IAM policy of a role that does not depend on other policies; for an Output, whose value is not known yet, its index."""
    if isinstance(policy, str):
        return f"{policy.rpartition('/')[2]}-{fingerprint(policy)}" if policy.startswith("arn:") else policy.rpartition("/")[2]
    return fingerprint(str(policy), 8) if isinstance(policy, StackOutput) else str(place)
