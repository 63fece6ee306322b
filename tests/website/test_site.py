"""The site has every page of the project, every rule and every field. `make docs` builds it, and fails on a broken link."""

import hashlib
import re
import warnings
from collections.abc import Mapping
from enum import Enum
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import cast

import pytest
import typer
from pygments.token import Generic
from sphinx.cmd.build import build_main
from sphinx.deprecation import RemovedInSphinx11Warning

import nodepools
from nodepools import Platform, Severity, keys, pack, testing
from nodepools.cli.program import Program, app
from nodepools.rules.engine.codes import IGNORE_CODES, OBJECT_CODES, SCHEMA_CODES
from nodepools.rules.engine.field_annotations import is_model, reachable
from nodepools.rules.engine.registry import all_rules
from nodepools.wire.table import Effect
from website.built import link_from_everywhere
from website.cited import linked
from website.code_blocks import code_blocks
from website.conf import html_search_scorer
from website.head import DESCRIPTION, LENGTH, described
from website.layout import PROJECT, pages
from website.printed import PrintedLexer
from website.reference.command_outputs import LINES, SILENT, outputs
from website.reference.command_pages import command_pages, grouped
from website.reference.field_changes import TABLES, sent
from website.reference.field_effects import WORDS
from website.reference.field_pages import field_pages
from website.reference.field_values import anchor
from website.reference.key_pages import key_pages
from website.reference.python_pages import public_names, python_pages
from website.reference.rule_pages import rule_pages
from website.staging import stage
from website.version import header, short

COMMANDS = cast("Program", typer.main.get_command(app)).commands
INTRODUCTION = (PROJECT / "docs/commands.md").read_text(encoding="utf-8")


@cache
def fields() -> Mapping[str, str]:
    """The text of each page of fields, by its address."""
    return dict(field_pages())


@cache
def rules() -> Mapping[str, str]:
    """The text of each page of rules, by its address."""
    return dict(rule_pages())


@cache
def commands() -> Mapping[str, str]:
    """The text of each page of commands, by its address."""
    return dict(command_pages(INTRODUCTION))


@pytest.fixture(scope="module")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    stage(folder, with_playground=False)
    return folder


REPLACED = {
    *("docs/rules.md", "docs/facts/README.md", "docs/start/index.md", "docs/README.md", "docs/commands.md"),
    *("docs/agent-pool-fields.md", "docs/aks-cluster-fields.md", "docs/eks-cluster-fields.md"),
}
"""The references of rules, commands and fields, the index of facts, the start page and the navigation take the place of these."""


def test_every_page_of_the_project_is_on_the_site():
    written = {str(page.relative_to(PROJECT)) for page in (PROJECT / "docs").rglob("*.md")} - REPLACED
    assert written - {page.source for page in pages()} == set()


def test_every_page_has_the_version_the_installation_and_the_repository():
    assert short() in header("")
    assert "in a clone: <code>pip install &#x27;.[cli]&#x27;</code>" in header("")
    assert "href" not in header("")
    assert "<code>pip install &#x27;nodepools[cli] @ git+https://github.com/shop/pools&#x27;</code>" in header("shop/pools")
    assert header("shop/pools").endswith('<a href="https://github.com/shop/pools">shop/pools</a>')


def test_every_rule_has_a_permanent_anchor():
    anchors = {found for _, text in rules().items() for found in re.findall(r"^```{index} ! \w+\n:name: (\w+)\n```$", text, re.MULTILINE)}
    assert anchors == {code.lower() for code in (*all_rules(), *SCHEMA_CODES, *OBJECT_CODES, *IGNORE_CODES)}


def test_every_field_of_a_declaration_has_an_entry():
    headings = {found for _, text in fields().items() for found in re.findall(r"^\((\w[\w-]*)\)=$", text, re.MULTILINE)}
    assert {anchor(model.__name__) for model in reachable(Platform)} - headings == set()


def test_a_field_shows_its_argument_and_the_effect_of_a_change():
    [text] = [text for address, text in fields().items() if address.endswith("aks-pools")]
    entry = text.partition("### `vm_size`\n")[2].partition("### ")[0]
    assert "* Default: required" in entry
    assert "Sent as `vmSize`. Effect of a change: rotates" in entry


ENTRIES = {
    "a field that another resource has shows the effect of that resource": (
        "eks-clusters",
        "iam_path",
        "Effect of a change: replaces the resource: deletes it first. Roles under another path",
    ),
    "a field with two rows shows the one with an effect": (
        "eks-networks",
        "zones",
        "Effect of a change: Karpenter replaces nodes that no longer match",
    ),
    "a field of a part that is sent elsewhere has the effect of the part": (
        "aks-clusters",
        "streams",
        "the logs are created, changed or deleted; nodes stay",
    ),
    "overrides are sent": ("aks-clusters", "overrides", "Effect of a change: that of the argument or field that it replaces"),
    "another kind of network is another network": ("eks-networks", "kind", "it replaces the cluster"),
    "a number has its range": ("aks-pools", "min", "* Value: whole number, at least 0, at most 1000"),
    "text has its pattern": ("aks-pools", "max_surge", "* Value: text, which matches `^[0-9]+%?$`"),
    "a duration is not any text": ("aks-pools", "soak", "* Value: a duration, such as `1h30m`"),
    "the first system pool is a part of the cluster": ("aks-pools", "vm_size", "* In `system_pool`, sent as `agentPoolProfiles.0.vmSize`. Effect"),
    "the largest number of the type is not a limit": ("karpenter", "replicas", "* Value: whole number, at least 0\n"),
    "a source is a link": ("aks-pools", "vm_size", "Source: [docs/facts/aks.md](../../facts/aks.md) § 2.10"),
}


@pytest.mark.parametrize(("page", "field", "line"), [pytest.param(*row, id=name) for name, row in ENTRIES.items()])
def test_an_entry_of_a_field(page: str, field: str, line: str):
    text = fields()[f"reference/fields/{page}"]
    assert line in text.partition(f"### `{field}`\n")[2].partition("\n### ")[0]


def test_every_field_shows_the_effect_of_a_change():
    entries = [entry for _, text in fields().items() for entry in text.split("\n### ")[1:]]
    assert [entry.partition("\n")[0] for entry in entries if "Effect of a change: " not in entry] == []


def test_examples_of_classes_are_not_code_blocks_of_an_indented_docstring():
    assert [line for _, text in fields().items() for line in text.splitlines() if line.startswith("    ")] == []


SEVERAL_MEANINGS = {
    "--format": "each command says for what its formats are",
    "--output": "each command says what it writes",
    "--pool": "a filter, and what `instances` is about",
    "--to": "the target, which is a version or a kind of Karpenter",
    "--workloads": "each command says for what it reads them",
    "--yaml": "`init` writes such files, and another command prints them",
}
"""Options whose help texts differ between commands, and why."""


def _option_rows() -> list[tuple[str, str, set[str]]]:
    """The long name, the meaning and the commands of each row of the table of options."""
    table = commands()["reference/commands"].partition("\n## Options\n")[2]
    rows = re.findall(r"^\| `[^`]*?(--[\w-]+)[^`]*` \| (.*?) +(?:\[(?:default|required).*|)\| ([^|]*) \|$", table, re.MULTILINE)
    return [(name, meaning, set(re.findall(r"`([a-z ]+)`", commands)) if commands != "all" else set(COMMANDS)) for name, meaning, commands in rows]


def test_every_option_of_every_command_is_in_the_table():
    listed = {(command, option) for option, _, commands in _option_rows() for command in commands}
    options = {
        (name, next(word for word in param.opts if word.startswith("--")))
        for name, command in COMMANDS.items()
        for param in command.get_params(command.make_context(name, [], resilient_parsing=True))
        if param.param_type_name == "option"
    }
    assert listed == options


def test_an_option_has_one_meaning_or_a_reason():
    meanings: dict[str, set[str]] = {}
    for option, meaning, _ in _option_rows():
        meanings.setdefault(option, set()).add(meaning)
    assert {option for option, found in meanings.items() if len(found) > 1} == set(SEVERAL_MEANINGS)


CITED = {
    "an address": ("https://aka.ms/x: why", "<https://aka.ms/x>: why"),
    "an issue": ("Azure/AKS#2578, #1", "[Azure/AKS#2578](https://github.com/Azure/AKS/issues/2578), #1"),
    "a page": ("docs/facts/aks.md § 4", "[docs/facts/aks.md](../facts/aks.md) § 4"),
    "a decision by its number": ("(docs/decisions/0001)", "([docs/decisions/0001](../decisions/0001-inline-system-pool.md))"),
    "a file that is not a page": ("docs/platform.schema.json", "docs/platform.schema.json"),
    "code": ("`Azure/AKS#2578`", "`Azure/AKS#2578`"),
    "a folder": ("kubernetes-sigs/karpenter, docs", "kubernetes-sigs/karpenter, docs"),
}


@pytest.mark.parametrize(("text", "expected"), [pytest.param(*row, id=name) for name, row in CITED.items()])
def test_what_a_text_cites_is_a_link(text: str, expected: str):
    assert linked(text, "reference/python") == expected


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of the Python API as text, with single spaces inside of an entry."""
    folder = tmp_path_factory.mktemp("api")
    [(_, page)] = python_pages()
    (folder / "index.md").write_text(page, encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RemovedInSphinx11Warning)  # of the Markdown parser
        assert build_main(["-c", str(PROJECT / "website"), "-b", "text", "-Q", str(folder), str(folder / "text")]) == 0
    text = (folder / "text/index.txt").read_text(encoding="utf-8")
    return re.sub(r"\s*\n(?=[ )])\s*", " ", text)


@pytest.mark.parametrize("module", [pytest.param(module, id=module.__name__) for module in (nodepools, testing, keys, pack)])
def test_every_public_name_is_on_the_page_of_the_python_api(api: str, module: ModuleType):
    shown = set(re.findall(rf"^(?:class |exception )?{module.__name__}\.(\w+)", api, re.MULTILINE))
    assert set(public_names(module)) - shown == set()


def test_every_class_of_a_declaration_is_on_the_page_of_the_python_api(api: str):
    names = {name for name in dir(nodepools) if is_model(getattr(nodepools, name))}
    assert names - set(re.findall(r"^class nodepools\.(\w+) .*Fields", api, re.MULTILINE)) == set()


@pytest.mark.parametrize("found", [Effect, Severity])
def test_every_value_of_an_enumeration_is_on_the_page_of_the_python_api(api: str, found: type[Enum]):
    [entry] = [line for line in api.splitlines() if line.startswith(f"class nodepools.{found.__name__} ")]
    assert [member.name for member in found if f" {member.name} = '{member.value}' " not in entry] == []


API = {
    "a function": ("nodepools.load_file", ["load_file(path: Path | str) -> Platform", "* **UnreadableError**: the file cannot be opened"]),
    "a component": (
        "class nodepools.AksCluster",
        ["AksCluster(name: str, args: AksClusterArgs, opts:", "* **args**: the declaration.", "* **InvalidDeclarationError**:"],
    ),
    "attributes with their types": ("class nodepools.AksCluster", ["private_fqdn: Output[str] DNS name of a private API server"]),
    "a colon in the text of an attribute": ("class nodepools.AksCluster", ['it has no credential: "kubelogin" logs in']),
    "parameters": (
        "nodepools.testing.run",
        [" since: Graph | None = None,", "* **preview**: whether to run a preview.", "* **UnknownCallError**:"],
    ),
    "an alias by its name": ("nodepools.testing.run", ["config: Mapping[str, JsonValue] | None = None"]),
    "values of a literal": ("nodepools.spread", ["over: Sequence[Literal['zone', 'node', 'capacity']] = ('zone',)"]),
    "methods": (
        "class nodepools.testing.Graph",
        ["Graph Every resource", "one(what: Node | str) -> Node", "**NoSuchResourceError**: no resource matches"],
    ),
    "an error": ("exception nodepools.testing.NoSuchPropertyError", ["There is no such property"]),
    "a value": ("nodepools.testing.UNKNOWN", ["Represents every value that is unknown"]),
    "a fixture": ("nodepools.testing.fixtures.golden", ["golden: Golden Compares a plan"]),
    "label keys": ("class nodepools.keys.Memory", ["A label in MiB", "more_than(value: str) -> Requirement"]),
    "presets": ("nodepools.keys.presets.eks_general_purpose", ["of the built-in"]),
}


@pytest.mark.parametrize(("name", "texts"), [pytest.param(*row, id=name) for name, row in API.items()])
def test_the_page_of_the_python_api_has_parameters_and_errors(api: str, name: str, texts: list[str]):
    [entry] = [line for line in api.splitlines() if re.match(rf"{re.escape(name)}\b", line)]
    assert [text for text in texts if text not in entry] == []


def test_the_page_of_the_python_api_has_nothing_of_python_itself(api: str):
    assert [name for name in ("__weakref__", "__init__", "list of weak references", "Return self==value") if name in api] == []


def test_every_effect_has_words():
    assert set(WORDS) == set(Effect)


def test_every_table_of_a_class_tells_its_changes():
    told = {model for model, _ in sent()}
    assert [model.__name__ for model, _ in TABLES if not any(issubclass(model, each) for each in told)] == []


def test_every_command_has_a_page():
    found = commands()
    assert "`--fail-on WORD,…`" in found["reference/commands/diff"]
    assert {address for address in found if address != "reference/commands"} == {f"reference/commands/{name.replace(' ', '-')}" for name in COMMANDS}
    assert set(re.findall(r"\(commands/([a-z-]+)\.md\) `nodepools ", found["reference/commands"])) == {name.replace(" ", "-") for name in COMMANDS}


def test_commands_are_grouped():
    groups = grouped(INTRODUCTION, COMMANDS)
    assert list(groups) == ["See", "Decide", "Move", "Operate"]
    assert sorted(name for names in groups.values() for name in names) == sorted(COMMANDS)


def test_every_command_shows_what_it_prints_or_says_why_not():
    assert set(LINES) | set(SILENT) == set(COMMANDS)
    assert set(LINES) & set(SILENT) == set()


@pytest.mark.program
def test_what_a_command_prints_is_an_answer():
    for name, shown in outputs().items():
        line, _, answer = shown.partition("\n")
        assert line.startswith(f"$ nodepools {name}"), name
        assert answer.strip(), name
        assert "Traceback" not in answer, name


def test_label_keys_tell_their_values_and_unit():
    [(_, text)] = key_pages()
    assert "| `capacity_type` | `karpenter.sh/capacity-type` | `spot`, `on-demand`, `reserved` |" in text
    assert "| `instance_hypervisor` | `eks.amazonaws.com/instance-hypervisor` | `nitro`, `xen`, empty text |" in text
    assert "| `sku_cpu` | `karpenter.azure.com/sku-cpu` | a whole number, in vCPU | Number of vCPUs. |" in text


def test_links_to_rules_lead_to_their_anchors(staged: Path):
    text = (staged / "guides/testing.md").read_text(encoding="utf-8")
    assert "docs/rules.md" not in text


def test_files_that_pages_link_to_are_shown(staged: Path):
    shown = (staged / "source/stacks/dev.py.md").read_text(encoding="utf-8")
    assert (PROJECT / "stacks/dev.py").read_text(encoding="utf-8").rstrip() in shown


def test_the_site_says_which_version_it_documents(staged: Path):
    [version] = re.findall(r'^version = "(.*)"$', (PROJECT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert f"This site documents nodepools {version}" in (staged / "index.md").read_text(encoding="utf-8")
    assert short() == version


def test_the_site_links_to_the_playground_that_it_has(staged: Path, tmp_path: Path):
    stage(tmp_path, with_playground=True)
    built, alone = ((folder / "start/playground.md").read_text(encoding="utf-8") for folder in (tmp_path, staged))
    link = '<a href="../playground/index.html">'
    assert (built.count(link), alone.count(link)) == (1, 0)


def test_an_unknown_address_has_links_to_the_site(tmp_path: Path):
    page = tmp_path / "404.html"
    page.write_text('<html><head><meta charset="utf-8"></head><a href="index.html">Start</a></html>', encoding="utf-8")
    link_from_everywhere(page, "https://example.com/docs/")
    assert page.read_text(encoding="utf-8").startswith('<html><head><base href="https://example.com/docs/"><meta')


def test_the_order_of_search_results_is_that_of_the_project():
    scorer = Path(html_search_scorer).read_text(encoding="utf-8")
    assert "var Scorer = {" in scorer, "Sphinx declares it with `var` where it is missing: a constant is an error, and nothing is found"


def test_the_start_page_tells_how_to_install_it(staged: Path):
    assert "pip install '.[cli]'" in (staged / "index.md").read_text(encoding="utf-8")


def test_no_two_pages_have_the_same_title(staged: Path):
    addresses = ["index", *(page.address for page in pages())]
    titles = [re.findall(r"^# .*", (staged / f"{address}.md").read_text(encoding="utf-8"), re.MULTILINE)[0] for address in addresses]
    assert sorted(titles) == sorted(set(titles))


def test_sources_of_rules_are_links():
    text = "".join(text for _, text in rules().items())
    sources = re.findall(r"^\* Source: (.*)$", text, re.MULTILINE)
    assert [source for source in sources if re.search(r"(?<![<(])https?://", source)] == []
    assert "<https://learn.microsoft.com/azure/aks/create-node-pools>: names of node pools" in text


def tags(page: Path) -> dict[str, str]:
    """The description, and what programs that show links read."""
    return dict(re.findall(r'<meta (?:name|property)="([\w:]+)" content="([^"]*)">', page.read_text(encoding="utf-8")))


@pytest.mark.parametrize(("site", "picture"), [("", "../_static/social.png"), ("https://x.example/np/", "https://x.example/np/_static/social.png")])
def test_a_page_tells_search_engines_and_links_what_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, site: str, picture: str):
    monkeypatch.setenv("SITE", site)
    (tmp_path / "a").mkdir()
    (tmp_path / "index.md").write_text("# nodepools\n\n```{toctree}\na/b\n```\n", encoding="utf-8")
    (tmp_path / "a/b.md").write_text('# Pools\n\nA pod stays "Pending".\n', encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RemovedInSphinx11Warning)
        assert build_main(["-c", str(PROJECT / "website"), "-b", "html", "-Q", str(tmp_path), str(tmp_path / "html")]) == 0
    found = tags(tmp_path / "html/a/b.html")
    assert (found["description"], found["og:title"], found["og:image"]) == ("A pod stays &quot;Pending&quot;.", "Pools", picture)
    assert found["twitter:card"] == "summary_large_image"
    assert tags(tmp_path / "html/index.html")["description"] == DESCRIPTION


@pytest.mark.parametrize(
    ("paragraph", "description"),
    [
        pytest.param("One. Two.", "One. Two.", id="sentences that fit"),
        pytest.param(f"One. {'x' * LENGTH}.", "One.", id="as many as fit"),
        pytest.param("x" * (LENGTH + 1) + ".", DESCRIPTION, id="one that does not fit"),
        pytest.param("no sentence", DESCRIPTION, id="words"),
    ],
)
def test_the_description_of_a_page_is_its_first_sentences(paragraph: str, description: str):
    assert described(paragraph) == description


def test_the_picture_of_links_is_that_of_its_source():
    png, svg = ((PROJECT / "website/style" / name).read_bytes() for name in ("social.png", "social.svg"))
    assert (int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")) == (1200, 630)
    assert b"tEXtsvg\0" + hashlib.sha256(svg).hexdigest().encode() in png, "python tools/social_picture.py draws it"


@pytest.mark.parametrize(
    ("text", "token"),
    [
        pytest.param("$ nodepools check", Generic.Prompt, id="a command"),
        pytest.param("AKS014 error", Generic.Error, id="an error"),
        pytest.param("    fix: Move it\n", Generic.Inserted, id="a fix"),
        pytest.param("  rotates", Generic.Deleted, id="an effect, before its column"),
        pytest.param("✘", Generic.Error, id="a sign"),
    ],
)
def test_what_a_terminal_prints_has_colors(text: str, token: object):
    shown = f"{text}  x\n" if not text.endswith("\n") else text
    assert token in {kind for kind, _ in PrintedLexer().get_tokens(shown)}


@pytest.mark.parametrize("page", sorted((PROJECT / "docs/guides").glob("*.md")), ids=lambda page: page.stem)
def test_colors_change_no_character(page: Path):
    for block in code_blocks(page.read_text(encoding="utf-8")):
        if block.language == "text":
            assert "".join(text for _, text in PrintedLexer(stripnl=False).get_tokens(block.text)) == block.text
