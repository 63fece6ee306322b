"""Access entries, pod identities and add-ons of any program, from pulumi-aws's inputs to the model: the inverse of access.py and services.py."""

import json
from collections.abc import Mapping
from typing import Final

from nodepools.manifests.inputs import Spelling, field, said
from nodepools.model.eks.access import AccessEntry, AccessPolicy, AddOn, PodIdentity
from nodepools.rules.validated import validated


def _name(arn: object) -> str:
    return str(arn).rpartition("/")[2]


def _json(text: object) -> object:
    return json.loads(str(text))


ENTRY: Final[Spelling] = {
    "principalArn": field("principal"),
    "type": field("type"),
    "kubernetesGroups": field("groups"),
    "userName": field("user_name"),
}
"""The inputs of an AccessEntry."""
ASSOCIATION: Final[Spelling] = {"policyArn": field("name", read=_name), "accessScope": {"namespaces": field("namespaces")}}
"""The inputs of an AccessPolicyAssociation."""
POD_IDENTITY: Final[Spelling] = {
    "namespace": field("namespace"),
    "serviceAccount": field("service_account"),
    "roleArn": field("role"),
    "targetRoleArn": field("target_role"),
}
"""The inputs of a PodIdentityAssociation."""
ADD_ON: Final[Spelling] = {
    "addonVersion": field("version"),
    "configurationValues": field("configuration", read=_json),
    "serviceAccountRoleArn": field("role"),
    "preserve": field("keep"),
}
"""The inputs of an Addon."""


def access_entry(written: Mapping[str, object]) -> AccessEntry | None:
    """The entry as far as it is known, with no policies: those are resources of their own."""
    return validated(AccessEntry, said(ENTRY, written))[0]


def access_policy(written: Mapping[str, object]) -> AccessPolicy | None:
    """The policy that an association gives."""
    return validated(AccessPolicy, said(ASSOCIATION, written))[0]


def pod_identity(written: Mapping[str, object]) -> PodIdentity | None:
    """The association as far as it is known."""
    return validated(PodIdentity, said(POD_IDENTITY, written))[0]


def add_on(written: Mapping[str, object]) -> AddOn | None:
    """The add-on as far as it is known."""
    return validated(AddOn, said(ADD_ON, written))[0]
