"""Project and stack files, read as the Pulumi CLI reads them.

The values, and what is rejected, are those of the functions of Pulumi 3.274.1 that `nodepools.engine.project` names (2026-11-27).
"""

import re
from pathlib import Path

import pytest

from nodepools.engine.project import PLACEHOLDER, ProjectError, read_project

pytestmark = pytest.mark.program

PROJECT = "name: shop\nruntime: python\n"


def write(folder: Path, project: str = PROJECT, stack: str | None = None) -> Path:
    (folder / "Pulumi.yaml").write_text(project)
    if stack is not None:
        (folder / "Pulumi.dev.yaml").write_text(stack)
    return folder


@pytest.mark.parametrize(
    ("stack", "config", "secret_keys"),
    [
        pytest.param(None, {}, (), id="a stack without a file has no configuration"),
        pytest.param("encryptionsalt: v1:abc\n", {}, (), id="what is not configuration is passed over"),
        pytest.param("config:\n", {}, (), id="an empty section"),
        pytest.param("config:\n  aws:region: us-east-1\n", {"aws:region": "us-east-1"}, (), id="a plain value"),
        pytest.param("config:\n  size: 3\n", {"shop:size": "3"}, (), id="a key without a package is the project's"),
        pytest.param(
            "config:\n  a: true\n  b: no\n  c: 12:30\n  d: 1__0\n",
            {"shop:a": "true", "shop:b": "no", "shop:c": "12:30", "shop:d": "10"},
            (),
            id="words stay words",
        ),
        pytest.param(
            "config:\n  a: 012\n  b: 089\n  c: 1_000\n  d: .5\n  e: ~\n  f: 0b_\n  g: 0o17\n  h: 1e400\n  i: 0xfF\n  j: '012'\n",
            {
                f"shop:{key}": text
                for key, text in zip("abcdefghij", ("10", "89", "1000", "0.5", "", "0b_", "15", "1e400", "255", "012"), strict=True)
            },
            (),
            id="numbers are those of Go",
        ),
        pytest.param(
            "config:\n  a: 1.0\n  b: 100000000.0\n  c: 1e21\n  d: 0.00001\n  e: 1.5e-7\n  f: 18446744073709551615\n  g: 18446744073709551616\n",
            {
                f"shop:{key}": text
                for key, text in zip("abcdefg", ("1", "100000000", "1e+21", "0.00001", "1.5e-7", str(2**64 - 1), "18446744073709552000"), strict=True)
            },
            (),
            id="and are written as JSON",
        ),
        pytest.param(
            "config:\n  a: 2026-01-01\n  b: 2026-01-01T10:00:00.50+02:00\n  c: 2026-02-30\n  d: 2026-1-2 3:4:5\n  e: 2026-01-01T10:00:00\n",
            {
                "shop:a": "2026-01-01 00:00:00 +0000 UTC",
                "shop:b": "2026-01-01 10:00:00.5 +0200 +0200",
                "shop:c": "2026-02-30",
                "shop:d": "2026-01-02 03:04:05 +0000 UTC",
                "shop:e": "2026-01-01T10:00:00",
            },
            (),
            id="dates are times",
        ),
        pytest.param("config:\n  map: {1: a, true: b, ~: c}\n", {"shop:map": '{"1":"a","null":"c","true":"b"}'}, (), id="keys are JSON"),
        pytest.param("config:\n  list: [1, {b: '<', a: 2.0}, ~]\n", {"shop:list": '[1,{"a":2,"b":"\\u003c"},null]'}, (), id="an object is JSON"),
        pytest.param(
            "config:\n  shop:config:a: 1\n  aws:config:region: x\n", {"shop:a": "1", "aws:region": "x"}, (), id="the module `config` is left out"
        ),
        pytest.param("\ufeffconfig: {a: 1}\n", {"shop:a": "1"}, (), id="a byte order mark"),
        pytest.param(
            "config:\n  a: {secure: 5}\n  b: {secure: x, c: 1}\n", {"shop:a": '{"secure":5}', "shop:b": '{"c":1,"secure":"x"}'}, (), id="no secrets"
        ),
        pytest.param("config:\n  key:\n    secure: v1:abc\n", {"shop:key": PLACEHOLDER}, ("shop:key",), id="a secret has a stand-in"),
        pytest.param(
            "config:\n  all:\n    a: 1\n    b: {secure: v1:abc}\n",
            {"shop:all": f'{{"a":1,"b":"{PLACEHOLDER}"}}'},
            ("shop:all",),
            id="an object with a secret is secret as a whole",
        ),
    ],
)
def test_the_configuration_of_a_stack(tmp_path: Path, stack: str | None, config: dict[str, str], secret_keys: tuple[str, ...]) -> None:
    project = read_project(write(tmp_path, stack=stack), "dev")
    assert (project.name, project.config, project.secret_keys) == ("shop", config, secret_keys)


def test_the_project_gives_defaults_that_the_stack_overrides(tmp_path: Path) -> None:
    declared = """
config:
  aws:region: eu-west-1
  size: {type: integer, default: 3}
  names: [a, b]
  day: {default: 2026-01-01}
  pin: {value: "1234", secret: true}
  over: {default: project}
"""
    project = read_project(write(tmp_path, PROJECT + declared, "config:\n  shop:over: stack\n"), "dev")
    expected = {
        "aws:region": "eu-west-1",
        "shop:over": "stack",
        "shop:pin": "1234",
        "shop:size": "3",
        "shop:names": '["a","b"]',
        "shop:day": "2026-01-01T00:00:00Z",
    }
    assert project.config == expected
    assert (project.secret_keys, project.rejected) == (("shop:pin",), ())


@pytest.mark.parametrize(
    ("declared", "stack", "rejected"),
    [
        ("n: {type: string}", None, ["`n` is missing: Pulumi.yaml declares it without a default"]),
        ("{n: {}, m: {description: x}}", None, ["`n` is missing", "`m` is missing"]),
        ("shop:n: {type: string}", None, ["`n` is missing"]),
        ("n: {}", "environment: [base]", []),
        ("n: {type: integer}", "config: {n: abc}", ["`n` does not have the type `integer` of Pulumi.yaml"]),
        ("n: {type: integer}", "config: {n: '-5'}", []),
        ("n: {type: integer}", "config: {n: 1.0}", []),
        ("n: {type: integer}", "config: {n: 1.5}", ["`n` does not have the type `integer`"]),
        ("n: {type: string}", "config: {n: 1.5}", []),
        ("n: {type: string}", "config: {n: [a]}", ["`n` does not have the type `string`"]),
        ("n: {type: boolean}", "config: {n: yes}", ["`n` does not have the type `boolean`"]),
        ("n: {type: boolean}", "config: {n: 'true'}", []),
        ("n: {type: object}", "config: {n: {a: 1}}", []),
        ("n: {type: object}", "config: {n: a}", ["`n` does not have the type `object`"]),
        ("n: {type: array, items: {type: integer}}", "config: {n: [1, '2', 3.0]}", []),
        ("n: {type: array, items: {type: integer}}", "config: {n: [1, a]}", ["`n` does not have the type `array`"]),
        ("n: {type: array, items: {type: array, items: {type: boolean}}}", "config: {n: [[true], []]}", []),
        ("n: {type: string, secret: true}", "config: {n: x}", ["`n` is not encrypted, and a secret in Pulumi.yaml: `pulumi config set n --secret`"]),
        ("n: {type: string, secret: true}", "config: {n: {secure: x}}", []),
        ("n: {type: string, secret: true, default: x}", None, ["`n` is not encrypted"]),
        ("n: {secret: true}", "config: {n: x}", []),
        ("n: {type: integer}", "config: {n: {secure: x}}", []),
    ],
)
def test_what_pulumi_rejects(tmp_path: Path, declared: str, stack: str | None, rejected: list[str]) -> None:
    project = read_project(write(tmp_path, f"{PROJECT}config: {declared if declared.startswith('{') else '{' + declared + '}'}\n", stack), "dev")
    assert len(project.rejected) == len(rejected)
    for reason, expected in zip(project.rejected, rejected, strict=True):
        assert reason.startswith(f"{tmp_path / 'Pulumi.dev.yaml'}: {expected}")


@pytest.mark.parametrize(
    ("files", "config"),
    [
        ({"Pulumi.yml": PROJECT, "Pulumi.dev.yml": "config: {a: 1}", "Pulumi.dev.yaml": "config: {a: 2}"}, {"shop:a": "1"}),
        (
            {"Pulumi.json": '{"name": "shop"}', "Pulumi.dev.json": '{"config": {"a": 1.0, "b": null}}', "Pulumi.yaml": "name: other"},
            {"shop:a": "1", "shop:b": "null"},
        ),
        (
            {"Pulumi.yaml": PROJECT + "stackConfigDir: of", "of/Pulumi.dev.yaml": "config: {a: 1}", "Pulumi.dev.yaml": "config: {a: 2}"},
            {"shop:a": "1"},
        ),
        ({"Pulumi.yaml": PROJECT + "config: of", "of/Pulumi.dev.yaml": "config: {a: 1}", "Pulumi.dev.yaml": "config: {a: 2}"}, {"shop:a": "1"}),
    ],
)
def test_which_files_are_read(tmp_path: Path, files: dict[str, str], config: dict[str, str]) -> None:
    (tmp_path / "of").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert read_project(tmp_path, "dev").config == config


@pytest.mark.parametrize("stack", ["dev", "acme/dev", "acme/shop/dev"])
def test_a_stack_of_an_organization(tmp_path: Path, stack: str) -> None:
    project = read_project(write(tmp_path, stack="config: {a: 1}"), stack)
    assert (project.stack, project.config) == ("dev", {"shop:a": "1"})


@pytest.mark.parametrize(
    ("stack", "says"),
    [
        ("", "`` is no name of a stack"),
        ("../x/dev", "is of the project `x`"),
        ("a b", "`a b` is no name of a stack"),
        ("a" * 101, "is no name of a stack: 1 to 100 letters"),
        ("acme/other/dev", "the stack `acme/other/dev` is of the project `other`, and this is `shop`"),
        ("a/b/c/d", "`a/b/c/d` is no name of a stack"),
    ],
)
def test_what_is_no_stack(tmp_path: Path, stack: str, says: str) -> None:
    with pytest.raises(ProjectError, match=re.escape(says)):
        read_project(write(tmp_path), stack)


def test_the_program_may_be_in_a_folder_of_its_own(tmp_path: Path) -> None:
    assert read_project(write(tmp_path), "dev").directory == tmp_path
    assert read_project(write(tmp_path, PROJECT + "main: infra\n"), "dev").directory == tmp_path / "infra"


@pytest.mark.parametrize(
    ("project", "stack", "says"),
    [
        pytest.param("name: a b\n", None, "Pulumi.yaml: `name` must have 1 to 100 letters, digits, `_`, `.` and `-`", id="a blank in the name"),
        pytest.param(PROJECT + "main: 5\n", None, "Pulumi.yaml: `main` must be text", id="a number as the folder"),
        pytest.param("name: a\nruntime: 5\n", None, "Pulumi.yaml: `runtime` must be text or a mapping", id="a number as the runtime"),
        pytest.param(PROJECT + "config: of\nstackConfigDir: of\n", None, "`config` and `stackConfigDir` are both a folder", id="two folders"),
        pytest.param(
            PROJECT + "config: {n: 1.5}\n",
            None,
            "`config.n` must be text, a whole number, a boolean, a list, or a mapping of `default`",
            id="a plain decimal",
        ),
        pytest.param(PROJECT + "config: {n: {typ: string}}\n", None, "`config.n` must be text", id="an unknown field"),
        pytest.param(PROJECT + "config: {n: {type: secret}}\n", None, "`config.n`: `type` must be one of `string`, `integer`", id="an unknown type"),
        pytest.param(
            PROJECT + "config: {n: {type: integer, default: x}}\n",
            None,
            "`config.n`: `default` does not have the type `integer`",
            id="another default",
        ),
        pytest.param(PROJECT + "config: {n: {value: 1, default: 2}}\n", None, "`config.n` has a `default` and a `value`: keep one", id="two values"),
        pytest.param(
            PROJECT + "config: {n: {type: array}}\n", None, "`config.n` is an `array`: its `items` must have a `type`", id="items without a type"
        ),
        pytest.param(
            PROJECT + "config: {aws:n: {default: 1}}\n",
            None,
            "`config.aws:n` is of another package: it must have a `value`",
            id="a default of others",
        ),
        pytest.param(PROJECT, "config: {a:b:c: 1}\n", "`a:b:c` is no key of a configuration: `NAME` or `PACKAGE:NAME`", id="too many colons"),
        pytest.param(PROJECT, "config: {a: .inf}\n", "Pulumi.dev.yaml: `config` has a number that is not finite", id="infinity"),
        pytest.param("runtime: python\n", None, "Pulumi.yaml: `name` is missing", id="a project without a name"),
        pytest.param("name: 123\n", None, "Pulumi.yaml: `name` must be text: write it in quotes", id="a number as the name"),
        pytest.param("- name\n", None, "Pulumi.yaml: the file is not a mapping", id="a list"),
        pytest.param("", None, "Pulumi.yaml: the file is not a mapping", id="nothing"),
        pytest.param("a: [", None, "Pulumi.yaml:2:1: ", id="no YAML"),
        pytest.param("[" * 100_000, None, "Pulumi.yaml:1:101: is nested too deeply: more than 100 levels", id="lists in lists"),
        pytest.param("name: a\nname: b\n", None, "Pulumi.yaml:2:1: the key `name` is in this mapping twice", id="a key given twice"),
        pytest.param("name: a\n---\nname: b\n", None, "Pulumi.yaml:3:1: a second document begins here", id="two documents"),
        pytest.param(PROJECT, "config: 3\n", "Pulumi.dev.yaml: `config` is not a mapping", id="a section that is a number"),
    ],
)
def test_an_unreadable_file_is_told_in_one_line(tmp_path: Path, project: str, stack: str | None, says: str) -> None:
    with pytest.raises(ProjectError) as error:
        read_project(write(tmp_path, project, stack), "dev")
    assert says in str(error.value)
    assert len(str(error.value).splitlines()) == 1


def test_a_missing_project_is_told_by_its_path(tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match=r"Pulumi\.yaml: No such file or directory"):
        read_project(tmp_path, "dev")


SALT = "v1:fozI5u6B030=:v1:F+6ZduKKd8G0/V7L:PGMFeIzwobWRKmEAzUdaQHqC5mMRIQ=="
"""Of the passphrase `password`, in pkg/secrets/passphrase/manager_test.go of github.com/pulumi/pulumi 3.260.0 (2026-11-29)."""
SEALED = SALT.split(":", 2)[2]
"""Its encrypted text, `pulumi`."""
ENCRYPTED = f"encryptionsalt: {SALT}\nconfig:\n  token: {{secure: '{SEALED}'}}\n  all: {{a: 1, b: {{secure: '{SEALED}'}}}}\n"


@pytest.fixture
def no_passphrase(monkeypatch):
    for name in ("PULUMI_CONFIG_PASSPHRASE", "PULUMI_CONFIG_PASSPHRASE_FILE"):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


@pytest.mark.parametrize("by_file", [False, True])
def test_values_are_decrypted_by_the_passphrase_of_the_environment(tmp_path, no_passphrase, by_file):
    (tmp_path / "phrase").write_text("password\n")
    name, value = ("PULUMI_CONFIG_PASSPHRASE_FILE", str(tmp_path / "phrase")) if by_file else ("PULUMI_CONFIG_PASSPHRASE", "password")
    no_passphrase.setenv(name, value)
    found = read_project(write(tmp_path, stack=ENCRYPTED), "dev", decrypts=True)
    assert found.config == {"shop:token": "pulumi", "shop:all": '{"a":1,"b":"pulumi"}'}
    assert (found.secret_keys, found.opened, found.sealed) == (("shop:all", "shop:token"), ("pulumi", "pulumi"), "")


def test_values_are_only_decrypted_for_a_run(tmp_path, no_passphrase):
    no_passphrase.setenv("PULUMI_CONFIG_PASSPHRASE", "password")
    assert read_project(write(tmp_path, stack=ENCRYPTED), "dev").config["shop:token"] == PLACEHOLDER


@pytest.mark.parametrize(
    ("stack", "what"),
    [
        pytest.param(ENCRYPTED, "set `PULUMI_CONFIG_PASSPHRASE` or `PULUMI_CONFIG_PASSPHRASE_FILE` to their passphrase", id="no passphrase"),
        pytest.param(f"secretsprovider: awskms://key?region=eu\n{ENCRYPTED}", "`awskms` decrypts them", id="a key service"),
        pytest.param("config: {token: {secure: AAA}}", "Pulumi Cloud, or the backend of the stack, decrypts them", id="Pulumi Cloud"),
        pytest.param("config: {token: text}", "", id="nothing is encrypted"),
    ],
)
@pytest.mark.usefixtures("no_passphrase")
def test_what_would_decrypt_a_value_is_named(tmp_path, stack, what):
    assert read_project(write(tmp_path, stack=stack), "dev", decrypts=True).sealed == what


@pytest.mark.parametrize(
    ("stack", "phrase"),
    [
        pytest.param(ENCRYPTED, "other", id="another passphrase"),
        pytest.param(ENCRYPTED.replace("b: {secure: 'v1", "b: {secure: 'v1:x"), "password", id="more parts"),
        pytest.param(ENCRYPTED.replace("v1:fozI5u6B030=", "v1:é"), "password", id="a salt that is no base64"),
        pytest.param(ENCRYPTED.replace("v1:fozI5u6B030=", "v2:fozI5u6B030="), "password", id="another version"),
        pytest.param("encryptionsalt: v1\nconfig: {a: {secure: x}}", "", id="no salt"),
    ],
)
def test_a_value_that_cannot_be_decrypted_has_its_stand_in(tmp_path, no_passphrase, stack, phrase):
    no_passphrase.setenv("PULUMI_CONFIG_PASSPHRASE", phrase)
    found = read_project(write(tmp_path, stack=stack), "dev", decrypts=True)
    assert PLACEHOLDER in found.config[found.secret_keys[0]]
    assert found.is_closed
    assert "is not their passphrase, or the file was edited" in found.sealed


def test_without_its_package_nothing_is_decrypted(tmp_path, no_passphrase):
    no_passphrase.setenv("PULUMI_CONFIG_PASSPHRASE", "password")
    no_passphrase.setattr("nodepools.engine.project.find_spec", lambda _: None)
    found = read_project(write(tmp_path, stack=ENCRYPTED), "dev", decrypts=True)
    assert (found.config["shop:token"], found.opened) == (PLACEHOLDER, ())
    assert "install `nodepools[passphrase]`" in found.sealed


def test_a_passphrase_file_that_is_missing_is_named(tmp_path, no_passphrase):
    no_passphrase.setenv("PULUMI_CONFIG_PASSPHRASE_FILE", str(tmp_path / "gone"))
    found = read_project(write(tmp_path, stack=ENCRYPTED), "dev", decrypts=True)
    assert found.config["shop:token"] == PLACEHOLDER
    assert "gone" in found.sealed
