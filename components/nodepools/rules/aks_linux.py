"""The administrator account of Linux nodes."""

from collections.abc import Iterator
from typing import Final

from nodepools.model.aks.linux_profile import LinuxProfile
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import aks

_FORMS: Final = ("ssh-rsa ", "ssh-ed25519 ")


@rule(
    "AKS243",
    Severity.ERROR,
    source="https://github.com/Azure/AKS/issues/4431: InvalidParameter, the value of linuxProfile.ssh.publicKeys.keyData is invalid; "
    "https://learn.microsoft.com/azure/virtual-machines/linux/mac-create-ssh-keys: RSA and ED25519",
    sample=lambda: aks(linux_profile={"ssh_key": "~/.ssh/id_rsa.pub"}),
)
def invalid_public_ssh_key(profile: LinuxProfile) -> Iterator[PartFinding]:
    """AKS rejects public keys that Azure does not support; Azure supports the types RSA and ED25519, in OpenSSH format."""
    if not profile.ssh_key.startswith(_FORMS):
        message = "AKS rejects a key that is not a public SSH key in OpenSSH format, of the type RSA or ED25519"
        fix = "Use the content of a file such as `id_rsa.pub`, which starts with `ssh-rsa` or `ssh-ed25519`"
        yield finding(profile, message, path="ssh_key", value="", fix=fix)
