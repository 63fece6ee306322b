"""Recognizable secrets in every secret place of a declaration, found in the models themselves: a new field is in it by itself.

What is no secret place is not seeded: names, labels, taints and annotations are printed, and everyone who can list nodes reads them.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce
from inspect import get_annotations
from typing import Final, cast

from nodepools.model.base import Model
from nodepools.model.platform import Platform
from nodepools.model.ref import is_secret_type
from nodepools.model.secret_places import PUBLIC, SECRET_NAMES, is_secret, plain
from nodepools.rules.engine.field_annotations import held_models, is_mapping, kind_of, reachable

SEED: Final = "sEEd7Qz"
"""Part of every seed."""
NOT_FREE: Final = frozenset(
    {
        *("annotation_keys", "annotations", "gating_identities", "label_keys", "limits", "node_public_ip_tags", "pool_subnets", "priorities"),
        *("requests", "required_claims", "scoring_weights"),
    }
)
"""Mappings of texts that are no secret places: their values are quantities, ranges, names, ids, or read by everyone who can list nodes."""
MISSPELT: Final = ("adminPasword", "passwrod", "secrt", "tokn", "kubecofnig", "userDta", "credentail")
SIZE: Final = "Standard_D4ds_v5"


FORMS: Final[Mapping[str, str]] = {
    "a password of .netrc": "machine example.com login ops password {}",
    "docker login": "docker login -u ops -p {} example.com",
    "a value between tags": "<password>{}</password>",
    "JSON in a text of JSON": '{{"a": "{{\\"client_secret\\": \\"{}\\"}}"}}',
    "a URL": "http://ops:{}@proxy:3128",
    "a URL with a slash in the password": "http://ops:pa/{}@proxy:3128",
    "a URL with an at sign in the password": "http://ops:p@{}@proxy",
    "a URL without a user": "redis://:{}@cache/0",
    "a token as user": "https://{}@github.com/org/repo.git",
    "a token of GitHub": "it is ghp_{}",
    "a flag": "run --token={} --verbose",
    "a flag with a space": "run --db-password {} --verbose",
    "a variable": 'export DD_API_KEY="{}"',
    "a connection string": "DefaultEndpointsProtocol=https;AccountName=x;AccountKey={}==;EndpointSuffix=core.windows.net",
    "a shared access signature": "https://x.blob.core.windows.net/c?sv=2024-11-04&sig={}%3D&se=2027-01-01",
    "a parameter": "https://collector/v1?api_key={}&site=eu",
    "a bearer": "Bearer {}",
    "a header": "Authorization: Basic {}",
    "a webhook of Slack": "https://hooks.slack.com/services/T0/B0/{}",
    "JSON": '{{"user": "x", "password": "{}"}}',
    "YAML": "users:\n- user:\n    token: {}\n",
    "YAML in quotes": 'password: "{} and more"\n',
    "a block of YAML": "password: |\n  {}\n  more\nuser: x\n",
    "braces": "{{user: x, client_secret: {}}}",
    "Python": "{{'password': '{}'}}",
    "a header of its own": "X-Api-Key: {}",
    "curl": "curl -u ops:{} https://host",
    "a URL without its scheme": "ops:{}@proxy.example.com:3128",
    "the configuration of Pulumi": "pulumi config set --secret dbPassword {}",
    "a variable in a variable": "OTEL_EXPORTER_OTLP_HEADERS=api-key={}",
    "a client secret of Entra ID": "abc8Q~{}0123456789abcdefghijklmn",
    "a key of PGP": "-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: a.b (c)\n\n{}\n-----END PGP PRIVATE KEY BLOCK-----",
    "an encrypted key": "-----BEGIN RSA PRIVATE KEY-----\nDEK-Info: AES-256-CBC,AB\n\n{}\n-----END RSA PRIVATE KEY-----",
    "a signed address": "https://b.s3.amazonaws.com/k?X-Amz-Signature={}0123456789",
    "a line of .npmrc": "//registry.npmjs.org/:_authToken={}",
}
"""Texts with a secret, as people write them into any field."""


@dataclass
class Seeds:
    """Makes secrets, each another one, so that an output tells which it shows."""

    made: list[str] = field(default_factory=list[str])

    def next(self, place: str) -> str:
        """A seed."""
        self.made.append(place)
        return f"{SEED}-{len(self.made)}-{''.join(filter(str.isalnum, place))}"

    def mapping(self, place: str) -> dict[str, object]:
        """Secrets in every form, for a mapping with free keys."""
        return {
            **{name: self.next(f"{place}.{name}") for name in (*SECRET_NAMES, *MISSPELT)},
            **{f"field{number}": form.format(self.next(place)) for number, form in enumerate(FORMS.values())},
            "json": json.dumps({"env": [{"name": "API_TOKEN", "value": self.next(place)}], "auth": self.next(place)}),
            "short": {name: self.next(f"{place}.{name}") for name in ("auth", "key", "pat", "REDIS_AUTH", "DD_APP_KEY")},
            "env": [{"name": "DD_API_KEY", "value": self.next(place)}, {"name": "LOG_LEVEL", "value": "info"}],
            "args": ["--token", self.next(place), f"--secret={self.next(place)}", "--verbose"],
            "text": f"-----BEGIN PRIVATE KEY-----\n{self.next(place).replace('-', '')}\n-----END PRIVATE KEY-----",
            "config": f"apiVersion: v1\nkind: Config\nusers:\n- name: x\n  user:\n    token: {self.next(place)}\n",
            "nested": [{"password": self.next(place), "credentials": {"user": self.next(place)}}],
        }

    def tags(self, place: str) -> dict[str, object]:
        """The same, as tags: the clouds limit their number and characters."""
        named: dict[str, object] = {name: self.next(f"{place}.{name}") for name in ("password", "api_key", "tokn")}
        return {**named, "proxy": f"http://ops:{self.next(place)}@proxy"}


AROUND: Final[Mapping[str, tuple[str, ...]]] = {
    "AksClusterArgs": ("addon_profiles", "own", "config"),
    "AgentPool": ("tags",),
    "EksClusterArgs": ("tags",),
    "PodIdentity": ("tags",),
    "NodePool": ("limits",),
    "AksNodeClass": ("tags",),
    "EksNodeClass": ("advancedSecurity", "fips"),
}
"""An argument that accepts any names, by the class that has overrides; values of `tags` and `config` are texts."""


def base() -> dict[str, object]:
    """A platform with a part of every class that has a secret place."""
    aks: dict[str, object] = {
        "kind": "AksCluster",
        "location": "westeurope",
        "kubernetes_version": "1.35",
        "system_pool": {"vm_size": SIZE, "count": 2},
        "pools": {"web": {"kind": "UserPool", "vm_size": SIZE, "count": 2}},
        "windows_profile": {"admin_password": ""},
        "trusted_certificates": [],
        "http_proxy": {"http": "http://proxy:3128", "trusted_ca": ""},
        "node_provisioning": {"node_classes": {"own": {}}, "node_pools": {"nap": {"node_class": "own"}}},
    }
    node_class: dict[str, object] = {
        "certificate_bundles": [{"name": "ca", "data": ""}],
        "advanced_networking": {"https_proxy": f"http://ops:{SEED}-proxy@proxy:3128"},
        "subnets": [{"tags": {}}],
        "capacity_reservations": [{"tags": {}}],
    }
    eks: dict[str, object] = {
        "kind": "EksCluster",
        "region": "us-east-1",
        "kubernetes_version": "1.35",
        "auto_mode": {"node_classes": {"own": node_class}, "node_pools": {"gpu": {"node_class": "own"}}},
        "pod_identities": {"web": {"namespace": "shop", "service_account": "web", "policies": ["AmazonS3ReadOnlyAccess"], "session_tags": False}},
        "add_ons": {"coredns": {"version": "v1.12.1-eksbuild.2", "configuration": {}}},
    }
    return {"name": "dev", "clusters": {"weu": aks, "use": eks}}


def places() -> set[tuple[str, str]]:
    """Every secret place of the models: the class that declares the field, and the field."""
    return {(_owner(model, name), name) for model in reachable(Platform) for name in model.model_fields if is_place(model, name)}


def is_place(model: type[Model], name: str) -> bool:
    """The field is a secret, or a mapping with free keys."""
    return is_secret_field(model, name) or _is_free(model, name)


def is_secret_field(model: type[Model], name: str) -> bool:
    """The field is a secret by its type or by its name."""
    annotations = next(found for base in model.__mro__ if name in (found := get_annotations(base)))
    return is_secret_type(annotations[name]) or is_secret((model.__name__, name))


def _is_free(model: type[Model], name: str) -> bool:
    annotation = model.model_fields[name].annotation
    has_parts = any(True for _ in held_models(annotation))
    return is_mapping(annotation) and not has_parts and plain(name) not in PUBLIC and name not in NOT_FREE


def _owner(model: type[Model], name: str) -> str:
    return next(base.__name__ for base in model.__mro__ if name in get_annotations(base))


def sow(written: dict[str, object], model: type[Model], seeds: Seeds, sown: set[tuple[str, str]]) -> None:
    """Fills the secret places of a part that is `written` as a `model`, and of the parts in it."""
    for name, info in model.model_fields.items():
        place = f"{model.__name__}.{name}"
        if _is_free(model, name) and (name in written or model.__name__ not in ("SelectorTerm", "CapacityReservationTerm")):
            around = AROUND[_owner(model, name)] if name == "overrides" else ()
            content = seeds.tags(place) if {"tags", "addon_profiles"} & {name, *around} or name == "accepted_errors" else seeds.mapping(place)
            written[name] = reduce(lambda inner, step: {step: inner}, reversed(around), content)
            sown.add((_owner(model, name), name))
        elif is_secret_field(model, name) and name in written:
            content = seeds.next(place).replace("-", "")
            padded = content + "A" * (-len(content) % 4)  # is base64, too
            pem = f"-----BEGIN CERTIFICATE-----\n{padded}"
            written[name] = [pem] if isinstance(written[name], list) else pem if name == "trusted_ca" else padded
            sown.add((_owner(model, name), name))
        else:
            for part, kind in _parts(written.get(name), list(held_models(info.annotation))):
                sow(part, kind, seeds, sown)


def _parts(value: object, models: list[type[Model]]) -> Iterator[tuple[dict[str, object], type[Model]]]:
    """The parts at a field: itself, or the entries of a mapping or a list."""
    if isinstance(value, list):
        for entry in cast("list[object]", value):
            yield from _parts(entry, models)
    elif isinstance(value, dict) and models:
        part = cast("dict[str, object]", value)
        model = next((one for one in models if kind_of(one) == part.get("kind")), models[0])
        if part.keys() <= model.model_fields.keys():
            yield part, model
        else:
            for entry in part.values():
                yield from _parts(entry, models)


def seeded() -> tuple[dict[str, object], set[tuple[str, str]]]:
    """A platform with a seed in every secret place, and the places that have one."""
    platform, sown = base(), set[tuple[str, str]]()
    sow(platform, Platform, Seeds(), sown)
    return platform, sown
