"""Which names are those of secrets."""

import pytest

from nodepools import Platform
from nodepools.model.ref import is_secret_type
from nodepools.model.secret_places import NAMED, is_public_key, is_secret, plain, steps_of
from nodepools.rules.engine.field_annotations import held_models, is_mapping, reachable

SECRET = [
    "windows_profile.admin_password",
    "windowsProfile.adminPassword",
    "overrides.service_principal_profile.secret",
    "overrides.aad_profile.server_app_secret",
    "overrides.http_proxy_config.trusted_ca",
    "securityProfile.customCATrustCertificates[0]",
    "linux_profile.ssh.public_keys[0].key_data",
    "certificate_bundles[0].data",
    "users[0].user.client-key-data",
    "users[0].user.token",
    "clusters.weu.overrides.credentials.user",
    "tags.api_key",
    'tags["example.com/token"]',
    "spec.userData",
    "adminpassword",
    "admin_pasword",
    "adminPasswrod",
    "secert",
    "tokn",
    "pools.token",
    "kubecofnig",
]
OPEN = [
    "",
    "name",
    "secrets_key",
    "clusters.weu.pools.token.vm_size",
    "clusters.secret.name",
    "pool_subnets.token",
    "annotations.token",
    "auto_mode.nodePools.password.weight",
    "labels.token",
    "nodeLabels.secret",
    "taints[0].key",
    "requirements[0].values[0]",
    "computeConfig.enabled",
    "metadataOptions.httpTokens",
    "metadata.name",
    "volumes[0].secret.secretName",
    "imagePullSecrets[0].name",
    "env[0].valueFrom.secretKeyRef.name",
    "secretRef.name",
    "addon_profiles.azureKeyvaultSecretsProvider.enabled",
    "broken",
    "config.enableSecretRotation",
    'tags["--"]',
]


@pytest.mark.parametrize("path", SECRET)
def test_a_secret_place_has_the_name_of_a_secret(path: str) -> None:
    assert is_secret(steps_of(path))


@pytest.mark.parametrize("path", OPEN)
def test_other_names_are_not_secret(path: str) -> None:
    assert not is_secret(steps_of(path))


@pytest.mark.parametrize(
    ("path", "text", "public"),
    [
        ("http_proxy_config.trusted_ca", "LS0tLS1CRUdJTiBDRVJU", True),
        ("security_profile.custom_ca_trust_certificates[0]", "-----BEGIN CERTIFICATE-----", True),
        ("certificate_bundles[0].data", "-----BEGIN CERTIFICATE-----", True),
        ("certificate_bundles[0].data", "-----BEGIN PRIVATE KEY-----", False),
        ("linux_profile.ssh.public_keys[0].key_data", "ssh-ed25519 AAAAC3Nz ops", True),
        ("linux_profile.ssh.public_keys[0].key_data", "LS0tLS1CRUdJTi", False),
        ("client_certificate_password", "x", False),
        ("password", "x", False),
        ("", "x", False),
    ],
)
def test_a_certificate_and_a_public_key_protect_nothing(path: str, text: str, *, public: bool) -> None:
    assert is_public_key(steps_of(path), text) is public


def test_a_path_is_split_into_its_steps() -> None:
    assert steps_of('a.b[0]["x/y"].c') == ("a", "b", 0, "x/y", "c")


def test_the_fields_of_the_models_with_secret_names_are_exactly_these() -> None:
    """A field that is added here by its name must be declared as a `Secret`, or be content that is not printed."""
    fields = [(model, name) for model in reachable(Platform) for name in model.model_fields]
    by_name = {f"{model.__name__}.{name}" for model, name in fields if is_secret((model.__name__, name))}
    by_type = {f"{model.__name__}.{name}" for model, name in fields if is_secret_type(_annotation(model, name))}
    assert by_type == {"WindowsProfile.admin_password"}
    assert by_name == by_type | {"CertificateBundle.data", "AksClusterArgs.trusted_certificates", "HttpProxy.trusted_ca"}


def _annotation(model: type, name: str) -> object:
    return model.__annotations__.get(name)


def test_keys_that_users_choose_are_names() -> None:
    parts = {
        plain(name)
        for model in reachable(Platform)
        for name, field in model.model_fields.items()
        if is_mapping(field.annotation) and any(True for _ in held_models(field.annotation))
    }
    assert parts <= NAMED
