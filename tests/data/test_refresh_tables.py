"""The monthly job: tables with a public repository are refreshed from it, and a source that is damaged, gone or old writes nothing."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import nodepools.data
from nodepools.data.table_files import TABLES

FOLDER = Path(nodepools.data.__file__).parent
TOOLS = FOLDER.parents[2] / "tools"
CALENDAR = """[#kubernetes-release-calendar]
|===
|Kubernetes version
|Upstream release
|Amazon EKS release
|End of standard support
|End of extended support

|`1.38`
|December 1, 2026
|January 20, 2027
|March 2028
|March 2029

|`1.37`
|August 1, 2026
|September 20, 2026
|November 20, 2027
|November 20, 2028
{rows}
|===
"""
KNOWN = "\n|`1.36`\n|a day\n|another\n|August 2, 2027 \n|August 2, 2028\n"
MATRIX = "| Kubernetes |{}|\n|---|\n| karpenter |{}|\n"
OLDEST = ["0.37", "1.0.5", "1.2", "1.5", "1.6", "1.9", "1.13", "1.15", "1.18"]
DOCS, KARPENTER = "awsdocs/amazon-eks-user-guide", "aws/karpenter-provider-aws"
PAGES = {
    (DOCS, "latest/ug/versioning/kubernetes-versions.adoc"): CALENDAR.format(rows=KNOWN),
    (KARPENTER, "website/content/en/docs/upgrading/compatibility.md"): MATRIX.format(
        "|".join(f" 1.{minor} " for minor in range(30, 39)), "|".join(f" \\>= {one} " for one in OLDEST)
    ),
    ("boto/botocore", "botocore/data/partitions.json"): '{"partitions": [{"id": "aws", "regions": {"aws-global": {}, "us-east-1": {}}}]}',
}
CALENDAR_PAGE, MATRIX_PAGE, _ = PAGES
LATER = "2027-01-03"


def git(folder: Path, *arguments: str, day: str = "2027-01-02") -> None:
    when = f"{day}T12:00:00+00:00"
    who = {f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER") for what, value in (("NAME", "a"), ("EMAIL", "a@b.c"), ("DATE", when))}
    subprocess.run(["git", "-C", folder, *arguments], check=True, capture_output=True, env={**os.environ, **who})


class Site:
    """Repositories that a test writes, and a copy of the tables."""

    def __init__(self, place: Path) -> None:
        self.sources, self.data = place / "sources", place / "data"
        shutil.copytree(FOLDER, self.data)

    def write(self, repository: str, path: str, text: str, *, day: str = "2027-01-02", tag: str | None = None) -> None:
        folder = self.sources / repository
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
        git(folder, "init", "--quiet", "--initial-branch=main")
        git(folder, "add", "--all")
        git(folder, "commit", "--quiet", "--allow-empty", "--message=pages", day=day)
        if tag is not None:
            git(folder, "tag", tag)

    def refresh(self) -> tuple[int, str]:
        arguments = [sys.executable, TOOLS / "refresh_tables.py", self.sources.as_uri(), self.data]
        done = subprocess.run(arguments, capture_output=True, text=True, check=False)
        assert done.stderr == ""
        return done.returncode, done.stdout

    def part(self, file: str) -> str:
        """What the report says about a table."""
        _, report = self.refresh()
        found, *_ = [part for part in report.split("### ") if f"(`{file}`)" in part.partition("\n")[0]]
        return found.partition("\n\n")[2].strip()

    def changed(self) -> set[str]:
        return {path.name for path in FOLDER.iterdir() if path.is_file() and path.read_bytes() != (self.data / path.name).read_bytes()}


@pytest.fixture
def site(tmp_path: Path) -> Site:
    made = Site(tmp_path)
    for (repository, path), text in PAGES.items():
        made.write(repository, path, text, tag="1.44.9" if repository == "boto/botocore" else None)
    return made


def test_rows_are_added_and_the_day_is_that_of_the_commit(site: Site) -> None:
    assert site.part("eks_versions.txt").splitlines() == ["```diff", "-1.37 - -", "+1.37 2027-11-20 2028-11-20", "+1.38 - -", "```"]
    head, *_ = (site.data / "eks_versions.txt").read_text(encoding="utf-8").splitlines()
    assert (head.startswith("# awsdocs/amazon-eks-user-guide @ "), head.endswith(", 2027-01-02: release calendar")) == (True, True)
    assert "1.38 1.18" in (site.data / "karpenter_versions.txt").read_text(encoding="utf-8").splitlines()


def test_the_same_source_writes_the_same_bytes(site: Site) -> None:
    site.refresh()
    first = {path.name: path.read_bytes() for path in site.data.iterdir() if path.is_file()}
    assert (site.part("eks_versions.txt"), site.part("karpenter_versions.txt")) == ("No row differs.", "No row differs.")
    assert {path.name: path.read_bytes() for path in site.data.iterdir() if path.is_file()} == first


@pytest.mark.parametrize(
    ("repository", "path", "text", "day", "reason"),
    [
        pytest.param(*CALENDAR_PAGE, "<html>429 Too many requests</html>", LATER, "has no release calendar", id="another answer"),
        pytest.param(*MATRIX_PAGE, PAGES[MATRIX_PAGE][:40], LATER, "has no matrix of Kubernetes and Karpenter", id="the first half of it"),
        pytest.param(*MATRIX_PAGE, MATRIX.format(" 1.38 ", " 1.18 "), LATER, "7 of 8 rows are missing in it: 1.30", id="most rows are gone"),
        pytest.param(*CALENDAR_PAGE, PAGES[CALENDAR_PAGE], "2024-12-18", "its source is of 2024-12-18, and the table of 2026-", id="an old copy"),
    ],
)
def test_a_damaged_source_writes_nothing(tmp_path: Path, repository: str, path: str, text: str, day: str, reason: str) -> None:
    site = Site(tmp_path)
    site.write(repository, path, text, day=day)
    code, report = site.refresh()
    assert (code, reason in report, site.changed()) == (1, True, set())


def test_a_region_table_that_lost_its_partitions_is_not_written(site: Site) -> None:
    assert "rows are missing in it: aws-cn, aws-eusc" in site.part("aws_regions.txt")
    assert "aws_regions.txt" not in site.changed()


def test_one_damaged_source_does_not_stop_the_others(site: Site) -> None:
    site.write(KARPENTER, "website/content/en/docs/upgrading/compatibility.md", "")
    code, report = site.refresh()
    assert (code, site.changed(), "**Not refreshed:** fatal: " in report) == (1, {"eks_versions.txt"}, True)


def test_the_newest_tag_is_read_by_its_numbers(tmp_path: Path) -> None:
    site, folder = Site(tmp_path), "kubernetes/client/models"
    pod = "class V1Pod:\n    openapi_types: Types = {}\n    attribute_map: Types = {}\n"
    for tag, kinds in (("v9.0.0", ""), ("v38.0.0", pod), ("v39.0.0-beta", "")):
        site.write("kubernetes-client/python", f"{folder}/pod.py", kinds, tag=tag)
    reason = "no models of CronJob, DaemonSet, Deployment, Job, ReplicaSet, ReplicationController, StatefulSet: "
    assert site.part("kubernetes_fields.txt").startswith(f"**Not refreshed:** {reason}")
    git(site.sources / "kubernetes-client/python", "tag", "--delete", "v38.0.0", "v9.0.0")
    assert "no tag matches" in site.part("kubernetes_fields.txt")


def test_what_people_edit_is_compared_and_not_written(tmp_path: Path) -> None:
    site = Site(tmp_path)
    page = "| OS SKU | Supported Kubernetes versions |\n|--|--|\n| Ubuntu | 1.33 to 1.99 |\n"
    site.write("MicrosoftDocs/azure-aks-docs", "articles/aks/upgrade-os-version.md", page)
    assert site.part("aks_images.txt").startswith("```diff\n")
    assert site.changed() == set()


def test_every_source_belongs_to_a_table() -> None:
    text = (TOOLS / "refresh_tables.py").read_text(encoding="utf-8")
    tools = set(re.findall(r'^    "((?:fold|compare)_[a-z_]+\.py)": Source\(', text, re.MULTILINE))
    assert tools <= {table.tool for table in TABLES}
    assert len(tools) == 9
