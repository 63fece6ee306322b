"""Secrets are removed by their place, their form and their content."""

import json
from base64 import b64encode
from collections.abc import Callable
from decimal import Decimal
from time import process_time
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodepools import Autoscale, StackOutput, Taint, UserPool
from nodepools.aks import WindowsProfile
from nodepools.model.redaction import (
    MARK,
    SECRET,
    contents_of,
    has_secret,
    has_secret_form,
    marked,
    printable,
    redacted,
    scrubbed,
    secrets_in,
    without_tokens,
)
from nodepools.model.unknowns import partial
from tests.secrets.forms import ORDINARY, WRITTEN
from tests.secrets.seeds import FORMS as SEEDED
from tests.secrets.seeds import SEED

GENERATED = f"{SEED}0aB1cD2eF3"
TEXT = "correct horse battery"
PEM = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg==\n-----END PRIVATE KEY-----"

FORMS = [
    pytest.param(f"http://ops:{'s3cret'}@proxy:3128 is used", "http://[secret]@proxy:3128 is used", id="credentials of a URL"),
    pytest.param(f"`{PEM}` is used", "`[secret]` is used", id="PEM"),
    pytest.param("`LS0tLS1CRUdJTiBDRVJUSUZJQ0FURQ==` is used", "`[secret]` is used", id="PEM in base64"),
    pytest.param("user: {token: abcdef, name: x}", "user: {token: [secret], name: x}", id="a token of a kubeconfig"),
    pytest.param("http://proxy:3128 is used", "http://proxy:3128 is used", id="not a URL without credentials"),
]


@pytest.mark.parametrize(("text", "clean"), FORMS)
def test_the_form_of_a_secret_is_removed_anywhere(text: str, clean: str) -> None:
    assert scrubbed(text) == clean
    assert has_secret_form(text) == (text != clean)


EXACT = {
    "basic authentication": "Basic {}0123456789==",
    "an access key of AWS": "AKIAIOSFODNN7EXAMPLE:{}0123456789abcdefghijklmnopqrstuvw",
    "an access key of AWS on two lines": "AKIAIOSFODNN7EXAMPLE\n{}0123456789abcdefghijklmnopqrstuvw",
}
"""Texts whose secret has a certain length, or certain characters."""


@pytest.mark.parametrize("form", [*SEEDED.values(), *EXACT.values()], ids=[*SEEDED, *EXACT])
def test_a_text_of_each_form_has_no_secret(form: str) -> None:
    clean = scrubbed(form.format(SEED))
    assert SEED not in clean
    assert scrubbed(clean) == clean
    assert has_secret_form(form.format(SEED))


@pytest.mark.parametrize(
    "text",
    [
        "http://proxy:3128",
        "use <name> and </name>, login with your password, then <key>tier</key>",
        "https://host:8080/x@y",
        "https://example.com/@scope/package",
        "ghcr.io/org/app:1.2.3@sha256:0a1b2c",
        "oci://ghcr.io:443/org/chart:1.2.3@sha256:0a1b2c",
        "ssh://git@github.com/org/repo.git",
        "git@github.com:org/repo.git",
        "user@example.com",
        "--kubeconfig=/root/.kube/config",
        "--token-file=/var/run/token",
        "token=$TOKEN",
        "password=${PASSWORD}",
        'password=pulumi.Config().require_secret("password")',
        "admin_password=None",
        "key=gpu1:NoSchedule",
        "dedicated=gpu1:NoSchedule",
        "secrets_key: arn:aws:kms:us-east-1:111122223333:key/0a1b",
        "bearer tokens are read from a file",
        "auth=iam",
        "httpTokens=required",
        "global-load-balancer-of-the-platform",
        "Set `admin_password` to a stack output",
        "`http` contains credentials: AKS supports only proxies without a user name and a password",
        "clusters with a service principal and its password: a managed identity is used instead",
        "run `pulumi config set dbPassword --secret` first",
        "pulumi config set --secret dbPassword",
        "kubeconfig: missing",
        "secretName: db\nkind: Secret\n",
        "data:\n  level: debug\nkind: SecretStore\n",
        "data:\n  level: debug\nkind: ConfigMap\n---\nkind: Secret\n",
        "kind: Secret\nmetadata:\n  name: db\n---\nkind: ConfigMap\ndata:\n  level: debug\n",
        "c3lzdGVtOm1hc3RlcnM6YWJj is not secret",
        "the pool has sizes: Standard_D4ds_v5, owner: team@example.com",
    ],
)
def test_ordinary_texts_stay(text: str) -> None:
    assert scrubbed(text) == text


@pytest.mark.parametrize(
    "value",
    [
        {"env": [{"name": "DD_API_KEY", "value": SEED}]},
        {"headers": [{"Name": "Authorization", "Value": SEED}]},
        {"args": ["--token", SEED]},
        {"DD_APP_KEY": SEED},
        {"auth": SEED},
        {"REDIS_AUTH": SEED},
        {"key": SEED},
        {"githubPat": SEED},
        {"DB_PASS": SEED, "PGPASS": SEED},
        {"env": [{"name": "SECRET_KEY_BASE", "value": GENERATED}, {"name": "ENCRYPTION_KEY", "value": GENERATED}]},
        {"tags": [{"Key": "password", "Value": SEED}]},
        {"parameters": [{"ParameterKey": "DBPassword", "ParameterValue": SEED}]},
        {"apiVersion": "v1", "kind": "Secret", "data": {"any": SEED}},
        {"last-applied": json.dumps({"kind": "Secret", "data": {"any": SEED}})},
    ],
)
def test_what_a_neighbour_or_a_short_name_says_is_secret(value: object) -> None:
    assert SEED not in repr(redacted(value))
    assert has_secret(value)


@pytest.mark.parametrize(
    "value",
    [
        {"env": [{"name": "LOG_LEVEL", "value": "debug1"}]},
        {"args": ["--level", "debug1", "--token", "--verbose"]},
        {"taints": [{"key": "Dedicated1", "value": "gpu1"}]},
        {"matchExpressions": [{"key": "App1", "operator": "In"}]},
        {"key": "karpenter.sh/capacity-type"},
        {"key": "dedicated"},
        {"key": "/var/run/key1"},
        {"key": 5},
        {"key": ""},
        {"auth": "iam"},
        {"authMode": "A1"},
        {"kind": "ConfigMap", "data": {"level": "debug1"}},
        {"SECRET_KEY_LENGTH": "32"},
        {"tags": [{"Key": "team", "Value": "Web1"}]},
        {"compat": "a1b", "bypass": "Web1"},
        {"secrets_key": "arn:aws:kms:us-east-1:111122223333:key/0a1b"},
        ["Auth1"],
    ],
)
def test_ordinary_values_stay(value: object) -> None:
    assert redacted(value) == value
    assert not has_secret(value)


def test_json_is_read_as_data() -> None:
    text = '{"env": [{"name": "DD_API_KEY", "value": "%s"}], "key": "%s", "level": "info"}'
    assert scrubbed(text % (SEED, SEED)) == '{"env": [{"name": "DD_API_KEY", "value": "[secret]"}], "key": "[secret]", "level": "info"}'
    for ordinary in ('{"level":  "info"}', "{not JSON", "[secret]", "[1, 2]"):
        assert scrubbed(ordinary) == ordinary


@pytest.mark.parametrize("form", ['{{"auths": {{"x.azurecr.io": {{"auth": "{}"}}}}}}', "password: {}", "ghp_{}"])
def test_base64_of_a_secret_is_hidden(form: str) -> None:
    text = b64encode(form.format(SEED).encode()).decode()
    assert scrubbed(f"it is {text}, twice: {text}") == "it is [secret], twice: [secret]"


def test_known_contents_are_removed() -> None:
    assert scrubbed("a hunter22, twice: hunter22", ["hunter22"]) == "a [secret], twice: [secret]"


VALUES = [
    pytest.param("tags.token", TEXT, SECRET, id="text at a secret place"),
    pytest.param("tags.token", 12345678, SECRET, id="a number"),
    pytest.param("tags.token", True, True, id="not a switch"),
    pytest.param("tags.token", "true", "true", id="not a switch as text"),
    pytest.param("tags.token", None, None, id="not nothing"),
    pytest.param("name", SECRET, SECRET, id="what is hidden already"),
    pytest.param("name", WindowsProfile(admin_password=TEXT).admin_password, SECRET, id="a secret that is a type"),
    pytest.param("name", MARK, MARK, id="the mark of a secret"),
    pytest.param("name", {"$unknown": True}, {"$unknown": True}, id="the mark of an unknown value"),
    pytest.param("name", {"a": 1}, None, id="a mapping"),
    pytest.param("zones", ("1", 2), ["1", 2], id="a list of scalars"),
    pytest.param("zones", (None, 2), [None, 2], id="a list with nothing in it"),
    pytest.param("taints", [{"key": "a"}], None, id="a list of parts"),
    pytest.param("taint", Taint("a", "b"), Taint("a", "b"), id="a part with a text of its own"),
    pytest.param("scale", Autoscale(1, 2), None, id="another part"),
    pytest.param("taint", partial(Taint("a", "b"), ["value"]), None, id="a part that is not known"),
    pytest.param("pool", UserPool(vm_size=1), None, id="an invalid part"),  # type: ignore[arg-type]  # what people write
    pytest.param("n", Decimal(1), Decimal(1), id="anything else"),
]


@pytest.mark.parametrize(("path", "value", "shown"), VALUES)
def test_the_value_of_a_finding_is_a_scalar_without_secrets(path: str, value: object, shown: object) -> None:
    found = printable(value, tuple(path.split(".")))
    assert found is shown or found == shown
    assert str(SECRET) == repr(SECRET) == "[secret]"


def test_plain_data_keeps_everything_but_secrets() -> None:
    held = WindowsProfile(admin_password=TEXT).admin_password
    given = {"a": [1, True, "http://u:p4ss@h"], "user_data": TEXT, "token": False, "b": {"passwords": [TEXT, 1]}, "c": held}
    assert redacted(given) == {
        "a": [1, True, "http://[secret]@h"],
        "user_data": MARK,
        "token": False,
        "b": {"passwords": [MARK, MARK]},
        "c": MARK,
    }


def test_a_text_with_a_secret_is_hidden_as_a_whole_where_it_is_compared() -> None:
    assert marked({"a": "http://u:p4ss@h", "token": TEXT, "b": ["x"], "name": "tokens"}) == {"a": MARK, "token": MARK, "b": ["x"], "name": "tokens"}


DECLARED = [
    pytest.param(WindowsProfile(admin_password=TEXT), [TEXT], id="a secret of a part"),
    pytest.param(WindowsProfile(admin_password=StackOutput("o/p/s", "x")), [None], id="a reference, which has no content"),
    pytest.param(UserPool(vm_size="x", overrides={"a": [{"secret": "one"}], "token": 2}), ["one", 2], id="overrides"),
    pytest.param({"token": None, "name": "x"}, [], id="nothing"),
]


@pytest.mark.parametrize(("declared", "secrets"), DECLARED)
def test_the_secrets_of_a_declaration_are_found(declared: object, secrets: list[object]) -> None:
    assert list(secrets_in(declared)) == secrets
    assert has_secret(declared) == bool(secrets)


def test_a_secret_is_searched_for_with_its_lines_as_json_writes_it_and_the_longest_first() -> None:
    found = contents_of(['line "one"\ntwo', None, 12345, "abc"])
    assert {'line \\"one\\"\\ntwo', 'line "one"\ntwo', 'line \\"one\\"', 'line "one"', "12345"} <= set(found)
    assert "abc" not in found
    assert list(map(len, found)) == sorted(map(len, found), reverse=True)


OTHER_FORMS = [
    pytest.param(str.lower, id="small"),
    pytest.param(str.upper, id="capitals"),
    pytest.param(lambda text: quote(text, safe=""), id="URL"),
    pytest.param(lambda text: b64encode(text.encode()).decode(), id="base64"),
    pytest.param(lambda text: b64encode(f"u:{text}".encode()).decode(), id="base64, one byte later"),
    pytest.param(lambda text: b64encode(f"user:{text}\n".encode()).decode(), id="base64, two bytes later"),
]


@pytest.mark.parametrize("text", ["Pa/ss wörd?>", "true"])
@pytest.mark.parametrize("form", OTHER_FORMS)
def test_a_secret_is_found_in_the_forms_that_texts_often_have(form: Callable[[str], str], text: str) -> None:
    left = scrubbed(f"it is {form(text)} here", contents_of([text]))
    assert left.startswith("it is ")
    assert left.endswith(" here")
    assert str(SECRET) in left
    assert len(left.replace(str(SECRET), "")) <= len("it is  here") + 12  # what stands before it in base64, and the bits after


def test_a_whole_output_has_no_token_of_a_known_service() -> None:
    assert without_tokens(f"wrote ghp_{GENERATED * 3}.yaml, password: kept") == f"wrote {SECRET}.yaml, password: kept"


AROUND = st.lists(st.sampled_from(ORDINARY), min_size=1, max_size=3)
TO_THE_END = ("pem cut",)
"""A block that has no end is hidden until the text ends."""


@pytest.mark.parametrize("kind", WRITTEN)
@given(before=AROUND, after=AROUND, more=st.text("0123456789abcXYZ", min_size=4, max_size=20))
@settings(max_examples=5, deadline=None)
def test_a_secret_is_removed_and_what_is_around_it_stays(kind: str, before: list[str], after: list[str], more: str) -> None:
    above, below = "\n\n".join(before), "\n\n".join(after)
    written = WRITTEN[kind].replace("{}", SEED + more).replace("{{", "{").replace("}}", "}")
    clean = scrubbed(f"{above}\n\n{written}\n\n{below}\n")
    assert SEED not in clean
    assert above in clean
    assert below in clean or kind in TO_THE_END


@pytest.mark.parametrize("text", ORDINARY)
def test_what_looks_like_a_secret_stays(text: str) -> None:
    assert scrubbed(text) == text


@given(st.from_regex(r"[a-z][a-z0-9]{1,11}", fullmatch=True), st.from_regex(r"[0-9a-f]{64}", fullmatch=True), st.integers(1, 1000))
@settings(max_examples=50, deadline=None)
def test_names_of_pools_digests_and_counts_stay(name: str, digest: str, count: int) -> None:
    text = f"pool `{name}` (pools.{name}.count: {count}), image ghcr.io/org/{name}@sha256:{digest}, --pool {name}, key={name}:NoSchedule"
    assert scrubbed(text) == text


UNITS = (
    *("a", "-a", "a:1", "a.", "%41", "%25", "login ", "kind: Secret\n", "password:\n", "<password ", 'a="\\', " -u", "name=a ", "a = <<X\n"),
    *("password = <<X\n", "://a:", "config set --secret ", "a=", "key=", "password=$", "(a:", "'a': ['", "'a': ['b', ", "'--a', '", "data:\n a\n"),
    *("docker -u a:", "curl ", "a='", "a=b\\", "echo a |", "password: |\n", "-----BEGIN A-----", '{a: "', "x" * 60 + "\n", "\t", "\r\n"),
)
"""Parts that a form repeats, or begins with."""
BEGINNINGS = tuple(sorted({form.split("{}")[0] for form in WRITTEN.values()} - {""}))


def seconds(text: str) -> float:
    started = process_time()
    scrubbed(text)
    return process_time() - started


@given(st.sampled_from(UNITS) | st.sampled_from(BEGINNINGS))
@settings(max_examples=40, deadline=None)
def test_the_time_grows_with_the_length_of_a_text(unit: str) -> None:
    short, long = (unit * (size // len(unit) + 1) for size in (20_000, 40_000))
    taken = seconds(long)
    assert taken < 2
    assert taken < 0.1 or taken <= 3 * seconds(short)


@pytest.mark.parametrize("part", ["a=", "a:", "'a':", "a='b=", 'a="', "a=\\", "a=[", "%25", "[", '{"a":'])
@pytest.mark.parametrize("count", [10, 500, 5000])
def test_deep_nesting_hides_secrets_and_keeps_the_rest(part: str, count: int) -> None:
    assert scrubbed(f"{part * count}b") == f"{part * count}b"
    assert scrubbed(f"{part * count} password={GENERATED}") == f"{part * count} password=[secret]"


@pytest.mark.parametrize("part", ["a=", "a.b=", "a:=", "--set=a="])
def test_the_last_of_many_names_decides_about_a_value(part: str) -> None:
    assert scrubbed(f"{part * 5000}password={GENERATED}") == f"{part * 5000}password=[secret]"
