"""Secret places of a declaration and of a request, found by their names. Misspellings of a secret name count too."""

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import Final

from nodepools.model.steps import NamedIndex, NamedKey, Step, Steps

_KUBECONFIG: Final = "Kubernetes, kubeconfig v1: users and clusters"
_AZURE: Final = "Azure API reference, managedClusters: secrets and contents that the API accepts, and mostly does not return"
_NODES: Final = "user data and custom data of nodes often contain credentials"
_CUSTOM: Final = "common names of credentials"

SECRET_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        **dict.fromkeys(("password", "secret", "trustedca", "certificate", "keydata", "protectedsetting"), _AZURE),
        **dict.fromkeys(("token", "kubeconfig", "clientkey", "certificatedata", "authoritydata", "cadata"), _KUBECONFIG),
        **dict.fromkeys(("userdata", "customdata"), _NODES),
        **dict.fromkeys(("bundledata", "bundlesdata", "cabundle"), "EKS NodeClass: certificateBundles[].data; Kubernetes: caBundle"),
        "stringdata": "Kubernetes: Secret",
        **dict.fromkeys(("passwd", "pwd", "passphrase", "credential", "connectionstring"), _CUSTOM),
        **dict.fromkeys(("privatekey", "secretkey", "accesskey", "apikey", "accountkey", "sharedkey", "storagekey"), _CUSTOM),
        **dict.fromkeys(("appkey", "applicationkey", "authkey", "ingestionkey", "licensekey", "masterkey", "signingkey", "subscriptionkey"), _CUSTOM),
        **dict.fromkeys(("authorization", "webhookurl", "sharedaccesssignature", "sastoken"), _CUSTOM),
    }
)
"""Endings of names, without separators, in lower case and without the `s` of a plural, which counts too; and where they come from.

The schemas of the providers add none: azure-native 3.29, aws 7.51 and kubernetes 4.34 mark no input of the resources that the components register
as secret (read on 2026-11-22: the SDKs, the generator of azure-native's schema, and the resources of Terraform that aws wraps). Their API
references do say what is secret. `tests/secrets/test_provider_schemas.py` fails when a newer SDK marks an input."""

_ENDINGS: Final = tuple(SECRET_NAMES)
_CERTIFICATES: Final = ("trustedca", "certificate", "certificatedata", "authoritydata", "cadata", "bundledata", "bundlesdata", "cabundle")
_MISSPELT: Final[Mapping[str, int]] = MappingProxyType(
    {
        **dict.fromkeys(("password", "passphrase", "credential", "certificate"), 2),
        **dict.fromkeys(("secret", "token", "kubeconfig", "privatekey", "userdata"), 1),
    }
)
"""Names that are also recognized with typing errors, and how many. The first letter is always right."""

NOT_SECRET: Final = frozenset({"httptokens"})
"""Names that end like a secret one: `httpTokens` of a metadata service is `required` or `optional`."""

NAMED: Final = frozenset(
    {"accessentries", "addons", "clusters", "egressconfigurations"}
    | {"nodeclasses", "nodepools", "podidentities", "podidentity", "pools", "teams", "workloadidentities"}
)
"""Fields with mappings of parts whose keys the user chooses as names: nothing in a pool called `token` is secret for that reason."""

PUBLIC: Final = frozenset(
    {
        *("annotations", "labels", "matchlabels", "nodelabels", "nodeselector", "nodetaints", "taints", "startuptaints", "requirements", "values"),
        *("tolerations", "matchexpressions", "poolsubnets", "priorities"),
    }
)
"""Fields without secrets inside: everyone who can list nodes can read them, or their keys are names and their values have another form."""


_OBJECTS: Final = ("secret", "secrets", "secretref", "secretkeyref")
"""Fields of Kubernetes whose `name` is that of a Secret, which is not secret."""

SHORT: Final = frozenset({"auth", "key", "pass", "pat", "pw", "salt"})
"""Names of credentials that also mean something else, such as a mode, or the key of a label: the value decides (`is_short_secret`)."""
_WORD: Final = re.compile(r"[a-z]+([-_ ][a-z]+)*|[A-Z]?[a-z]+")
_IDENTIFIER: Final = re.compile(r"arn:.*|[a-z]+://.*|/.*|([a-z0-9-]+\.)+[a-z0-9-]+(/[\w.-]+)?|\$.*", re.DOTALL)
_LAST_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+", re.ASCII)
_CREDENTIALS: Final = frozenset({"key", "password", "passwd", "secret", "token", "credential"})
"""Words that name a credential together with another one, as in `SECRET_KEY_BASE` and `NPM_TOKEN_RO`, or something about it: the value decides."""
_OTHER: Final = frozenset({"bypass", "compass"})
_RANDOM: Final = re.compile(r"(?=.*[0-9])(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9+/=_.~-]{16,}|[0-9a-f]{32,}")
"""A value that a generator made."""


def is_short_secret(steps: Steps, value: object) -> bool:
    """`value` has a short name of a credential, and is none of the other things that such a name holds: a word, a path, or the key of a label."""
    names = _names(steps)
    if not names or not isinstance(value, str) or any(plain(name) in PUBLIC for name in names):
        return False
    words = _LAST_WORD.findall(names[-1])
    last = plain(names[-1])
    is_short = last in SHORT or (len(words) > 1 and words[-1].lower() in SHORT - {"key"}) or (last.endswith("pass") and last not in _OTHER)
    is_random = _RANDOM.fullmatch(value) and not _CREDENTIALS.isdisjoint(word.lower() for word in words)
    return bool(is_short or is_random) and bool(value) and not _WORD.fullmatch(value) and not _IDENTIFIER.fullmatch(value)


def _names(steps: Iterable[Step]) -> list[str]:
    """The names on the way: the keys, and the names in a pair or in a flag."""
    names: list[str] = []
    for step in steps:
        if isinstance(step, NamedKey | NamedIndex):
            names.append(step.name)
        elif isinstance(step, str):
            names.append(step)
    return names


def is_secret(steps: Iterable[Step]) -> bool:
    """The place at `steps` is secret, or inside one that is."""
    names = [plain(name) for name in _names(steps)]
    if names[-1:] == ["secretname"] or (names[-1:] == ["name"] and "".join(names[-2:-1]).endswith(_OBJECTS)):
        return False
    for place, (before, name) in enumerate(pairwise(["", *names]), start=1):
        if before in PUBLIC:
            return False
        if names_secret(before, name) and (before not in NAMED or place == len(names)):
            return True
    return False


def is_public_key(steps: Iterable[Step], text: str) -> bool:
    """`text` at a secret place is a certificate without its private key, or a public SSH key: it is not printed, but it protects nothing."""
    before, name = ["", "", *(plain(step) for step in steps if isinstance(step, str))][-2:]
    certificate = f"{before}{name}".removesuffix("s").endswith(_CERTIFICATES)
    return text.startswith(("ssh-", "ecdsa-sha2-", "sk-ssh-")) or (certificate and "PRIVATE KEY" not in text)


@lru_cache(maxsize=4096)
def plain(name: str) -> str:
    """`adminPassword` and `admin_password` as `adminpassword`."""
    return "".join(sign for sign in name.lower() if sign.isalnum())


@cache
def names_secret(before: str, name: str) -> bool:
    """The plain `name` is that of a secret, alone or together with the name `before` it."""
    if name in NOT_SECRET or not name:
        return False
    return f"{before}{name}".removesuffix("s").endswith(_ENDINGS) or _is_nearly_secret(name.removesuffix("s"))


@cache
def _is_nearly_secret(name: str) -> bool:
    return any(_misspelt(name, item, most) for item, most in _MISSPELT.items())


def _misspelt(name: str, secret: str, most: int) -> bool:
    """The end of `name` is `secret` with at most `most` typing errors."""
    endings = {name[-length:] for length in range(len(secret) - 1, len(secret) + 2)}
    return any(end[:1] == secret[0] and len(set(secret) - set(end)) <= most and _distance(end, secret) <= most for end in endings)


def _distance(first: str, other: str) -> int:
    """The number of edits between two texts; two exchanged letters are one."""
    above, row = list[int](), list(range(len(other) + 1))
    for index, sign in enumerate(first, 1):
        before, above, row = above, row, [index]
        for at, letter in enumerate(other, 1):
            least = min(above[at] + 1, row[at - 1] + 1, above[at - 1] + (sign != letter))
            if index > 1 and at > 1 and sign == other[at - 2] and first[index - 2] == letter:
                least = min(least, before[at - 2] + 1)
            row.append(least)
    return row[-1]


_STEP: Final = re.compile(r"""\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.\[\]]+)""")


def steps_of(path: str) -> tuple[Step, ...]:
    """The steps of a path as text: `a.b[0]["x/y"]`."""
    return tuple(int(found[2]) if found[2] is not None else found[1] if found[1] is not None else found[3] for found in _STEP.finditer(path))
