"""`tools/release.py` names everything that a release lacks, and writes the addresses of the repository that releases."""

import hashlib
import importlib.util
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
import yaml

FILES = (
    "pyproject.toml",
    "README.md",
    "CHANGELOG.md",
    "plugin/PulumiPlugin.yaml",
    "plugin/schema.json",
    "policy/PulumiPolicy.yaml",
    "docs/guides/other-languages.md",
    "docs/start/index.md",
    "docs/start/tutorial.md",
    "docs/guides/agents.md",
    "examples/user-project/README.md",
    "examples/user-project/Makefile",
)


@pytest.fixture
def release(project: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("release", project / "tools" / "release.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "release", module)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def released(project: Path, release: ModuleType, tmp_path: Path) -> Path:
    """A copy of the files that a release needs, complete."""
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(project / name, tmp_path / name)
    edit(tmp_path, "CHANGELOG.md", r"^(## \d+\.\d+\.\d+).*$", r"\1 (2026-12-01)")
    for name in release.INSTALLING:
        edit(tmp_path, name, release.NOT_PUBLISHED, "")
    return tmp_path


def edit(place: Path, name: str, pattern: str, replacement: str) -> None:
    path = place / name
    path.write_text(re.sub(pattern, replacement, path.read_text(encoding="utf-8"), count=1, flags=re.MULTILINE), encoding="utf-8")


def test_nothing_prevents_a_complete_release(release: ModuleType, released: Path) -> None:
    assert list(release.obstacles(released, f"v{release.version(released)}")) == []


@pytest.mark.parametrize(
    ("name", "pattern", "replacement", "expected"),
    [
        pytest.param("pyproject.toml", r'^version = ".*"', 'version = "9.9.9"', "The tag is", id="the tag is of another version"),
        pytest.param("plugin/PulumiPlugin.yaml", r"^version: .*", "version: 9.9.9", "PulumiPlugin.yaml has version 9.9.9", id="the plugin"),
        pytest.param("plugin/schema.json", r'"version": ".*"', '"version": "9.9.9"', "schema.json has version 9.9.9", id="the schema of the plugin"),
        pytest.param("policy/PulumiPolicy.yaml", r"^version: .*", "version: 9.9.9", "PulumiPolicy.yaml has version 9.9.9", id="the policy pack"),
        pytest.param("docs/guides/other-languages.md", r"plugin@\S+", "plugin@9.9.9", "other-languages.md has version 9.9.9", id="a guide"),
        pytest.param("CHANGELOG.md", r"^## .*", "## Unreleased", "has no heading", id="the changelog lacks the version"),
        pytest.param("CHANGELOG.md", r" \(2026-12-01\)", " (not yet released)", "write the day", id="the changelog lacks the day"),
        pytest.param("README.md", "pip install", "it is not on PyPI yet: pip install", "README.md says", id="the README does not install it"),
        pytest.param(
            "docs/start/tutorial.md", "pip install", "It is not on PyPI yet: pip install", "tutorial.md says", id="a tutorial does not install it"
        ),
        pytest.param("examples/user-project/README.md", r"nodepools@v\S+?`", "nodepools@v9.9.9`", "README.md has version 9.9.9", id="an example"),
    ],
)
def test_what_prevents_a_release_is_named(release: ModuleType, released: Path, name: str, pattern: str, replacement: str, expected: str) -> None:
    tag = f"v{release.version(released)}"
    edit(released, name, pattern, replacement)
    assert any(expected in sentence for sentence in release.obstacles(released, tag))


def test_pages_that_install_from_a_clone_clone_the_repository(release: ModuleType, project: Path) -> None:
    for name in release.CLONING:
        page = (project / name).read_text(encoding="utf-8")
        assert page.count(release.IN_A_CLONE) == 1, name
        lines = release.cloned(page, "owner/name", "v1.2.3").splitlines()
        at = lines.index(release.IN_A_CLONE)
        assert lines[at - 2 : at] == ["```sh", "git clone --depth 1 --branch v1.2.3 https://github.com/owner/name && cd name"]


def test_the_notes_are_the_section_of_this_version(release: ModuleType, released: Path) -> None:
    notes = release.notes(released, "owner/name")
    assert notes.startswith("### Breaking")
    assert "\n## " not in notes
    assert re.findall(r"\]\((?!https://)[^)]*\)", notes) == [], "GitHub does not resolve relative links in releases"
    assert f"(https://github.com/owner/name/blob/v{release.version(released)}/docs/upgrading.md#old-and-new-names)" in notes


@pytest.mark.parametrize(
    ("site", "documentation"),
    [
        pytest.param(None, "https://github.com/Acme/pools#readme", id="without a site, the README"),
        pytest.param("https://docs.example.com/pools/", "https://docs.example.com/pools/", id="the published site"),
    ],
)
def test_the_addresses_are_those_of_the_repository_that_releases(release: ModuleType, project: Path, site: str | None, documentation: str) -> None:
    stamped = tomllib.loads(release.stamped((project / "pyproject.toml").read_text(encoding="utf-8"), "Acme/pools", site))
    assert stamped["project"]["urls"] == {
        "Documentation": documentation,
        "Source": "https://github.com/Acme/pools",
        "Changelog": "https://github.com/Acme/pools/blob/main/CHANGELOG.md",
        "Issues": "https://github.com/Acme/pools/issues",
    }


def test_links_of_the_description_lead_to_the_repository(release: ModuleType) -> None:
    text = "[guide](docs/a.md#b), ![picture](docs/p.svg), [other](https://x.y), [here](#c)"
    assert release.with_addresses(text, "acme/pools", "v1.2.3") == (
        "[guide](https://github.com/acme/pools/blob/v1.2.3/docs/a.md#b), "
        "![picture](https://raw.githubusercontent.com/acme/pools/v1.2.3/docs/p.svg), [other](https://x.y), [here](#c)"
    )


@pytest.mark.parametrize("arguments", [[], ["check"], ["stamp", "no-owner"], ["stamp", "a/b c"]])
def test_bad_arguments_show_the_commands(release: ModuleType, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert release.main(arguments) == 2
    assert "release.py stamp OWNER/NAME" in capsys.readouterr().err


def test_actions_are_pinned_by_hash(project: Path) -> None:
    used = [
        (path.name, line.strip())
        for path in sorted((project / ".github" / "workflows").glob("*.yml"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if "uses:" in line
    ]
    assert used
    assert [entry for entry in used if not re.fullmatch(r"- uses: [\w./-]+@[0-9a-f]{40} # v[\d.]+", entry[1])] == []


def test_findings_link_to_the_published_documentation(release: ModuleType, released: Path, project: Path) -> None:
    (released / release.PAGES).parent.mkdir(parents=True)
    shutil.copy(project / release.PAGES, released / release.PAGES)
    release.stamp(released, "Acme/pools", "https://docs.example.com/nodepools/")
    assert 'SITE: Final[str | None] = "https://docs.example.com/nodepools/"' in (released / release.PAGES).read_text(encoding="utf-8")


def test_findings_have_no_page_without_a_published_site(release: ModuleType, released: Path, project: Path) -> None:
    (released / release.PAGES).parent.mkdir(parents=True)
    shutil.copy(project / release.PAGES, released / release.PAGES)
    release.stamp(released, "Acme/pools", None)
    assert (released / release.PAGES).read_text(encoding="utf-8") == (project / release.PAGES).read_text(encoding="utf-8")
    assert "https://github.com/Acme/pools/blob/v" in (released / "README.md").read_text(encoding="utf-8")


def test_the_site_is_published_only_after_the_package(project: Path) -> None:
    jobs = yaml.safe_load((project / ".github/workflows/release.yml").read_text(encoding="utf-8"))["jobs"]
    assert jobs["site"]["needs"] == "build"
    assert jobs["site"]["if"] == "vars.SITE != ''"
    assert jobs["pages"]["needs"] == ["site", "publish"]


@pytest.fixture
def older(project: Path, tmp_path: Path) -> Path:
    """A version of the library that keeps the logs of clusters for another time."""
    folder = tmp_path / "older"
    shutil.copytree(project / "components", folder, ignore=shutil.ignore_patterns("__pycache__"))
    edit(folder, "nodepools/model/eks/cluster.py", r"retention_days: (.*) = 90", r"retention_days: \1 = 30")
    return folder


@pytest.mark.program
def test_what_an_upgrade_of_the_library_does_is_told_for_each_stack(
    release: ModuleType, project: Path, older: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(project / "tools"))
    import library_changes
    from library_changes import Target, table, targets

    assert {one.folder for one in targets(project)} >= {".", "examples/eks-auto", "examples/fleet", "examples/shop"}
    lines = list(table(str(older), [Target("examples/eks-auto", "dev"), Target("examples/aks-pools", "none")]))
    assert lines[:2] == ["| stacks of the repository | what the upgrade does |", "|---|---|"]
    assert lines[2].startswith(
        "| `examples/eks-auto`, `dev` | nothing changes in clusters, pools and what has a table of effects, but in other resources ("
    )
    assert "; changed LogGroup `" in lines[2]
    assert lines[3].startswith("| `examples/aks-pools`, `none` | cannot be planned by the old version: ")
    monkeypatch.setattr(library_changes, "table", lambda *_: lines)
    [sentence] = release.not_told(project, "v0.1.0")
    assert sentence.startswith("docs/upgrading.md lacks 3 lines of what `python tools/library_changes.py v0.1.0`")


def test_without_a_release_there_is_nothing_to_compare_with(release: ModuleType, tmp_path: Path) -> None:
    assert release.last_release(tmp_path) == ""
    assert list(release.not_told(tmp_path, "")) == []


def test_what_users_notice_of_a_version_is_read_in_minutes(project: Path, release: ModuleType) -> None:
    lines = release.notes(project, "Acme/pools").splitlines()
    assert len(lines) <= 80, "join lines about one subject, or shorten them"
    every = (project / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in every if len(line) > 340] == []


def test_the_plugin_of_kubectl_is_installed_by_krew_as_its_manifest_says(release: ModuleType, tmp_path: Path) -> None:
    """Rules of krew for manifests: https://krew.sigs.k8s.io/docs/developer-guide/plugin-manifest/ and naming-guide/ (read 2026-11-29)."""
    archive = tmp_path / "kubectl-nodepools.tar.gz"
    manifest = yaml.safe_load(release.krew("OWNER/NAME", "v0.2.0", archive))
    assert (manifest["apiVersion"], manifest["kind"]) == ("krew.googlecontainertools.github.com/v1alpha2", "Plugin")
    spec, [platform] = manifest["spec"], manifest["spec"]["platforms"]
    assert re.fullmatch(r"[a-z][a-z0-9-]*", manifest["metadata"]["name"])
    assert not manifest["metadata"]["name"].startswith("kube")
    assert re.fullmatch(r"v[0-9]+\.[0-9]+\.[0-9]+", spec["version"])
    assert 0 < len(spec["shortDescription"]) <= 50
    assert spec.keys() <= {"version", "homepage", "shortDescription", "description", "caveats", "platforms"}
    assert platform.keys() == {"selector", "uri", "sha256", "bin"}
    assert platform["sha256"] == hashlib.sha256(archive.read_bytes()).hexdigest()
    assert platform["uri"].endswith(f"/v0.2.0/{archive.name}")
    with tarfile.open(archive) as packed:
        packed.extractall(tmp_path, filter="data")
    assert (tmp_path / "LICENSE").is_file()
    plugin = tmp_path / platform["bin"]
    empty = tmp_path / "bin"
    empty.mkdir()
    shell = shutil.which("sh")
    assert shell is not None
    without = subprocess.run([shell, plugin], env={"PATH": str(empty)}, capture_output=True, text=True, check=False)
    assert (without.returncode, without.stderr.count("pipx install")) == (2, 1)
    (empty / "nodepools").write_text("#!/bin/sh\nprintf '%s|' \"$@\"; exit 3\n")
    (empty / "nodepools").chmod(0o755)
    given = subprocess.run([plugin, "explain", "deploy/a b"], env={"PATH": f"{empty}:/bin:/usr/bin"}, capture_output=True, text=True, check=False)
    assert (given.stdout, given.returncode) == ("explain|deploy/a b|", 3)
