"""Each table of the clouds has a date in one place, and old tables are told."""

import re
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path

import pytest

import nodepools.data
from nodepools.data.table_files import OLD, TABLES, day_of, table_day
from nodepools.data.version_support import AKS_SUPPORT, EKS_SUPPORT, SupportTable

FOLDER = Path(nodepools.data.__file__).parent
TOOLS = FOLDER.parents[2] / "tools"
DAY = max(table.day for table in TABLES).isoformat()
LATER = (max(table.day for table in TABLES) + OLD + timedelta(days=1)).isoformat()
WITHOUT_A_DATE = {
    "__init__.py": "empty",
    "aks_images.py": "reads its tables",
    "argument_types.py": "reads its table",
    "azure_vm_sizes.py": "reads its table",
    "eks_instance_types.py": "reads its table",
    "karpenter_releases.py": "reads its table",
    "limits.py": "each limit has its own",
    "regions.py": "reads its tables",
    "table_files.py": "reads tables, and has their dates",
    "version_support.py": "reads its tables",
}


def test_every_file_is_a_table_with_a_date_or_reads_one():
    files = {path.name for path in FOLDER.iterdir() if path.is_file()}
    assert files == {table.file for table in TABLES} | WITHOUT_A_DATE.keys()


def test_the_date_of_a_text_file_is_in_its_first_line():
    """So that the tool that writes the file also writes the date."""
    assert [table.name for table in TABLES if (table.edited is None) is not table.file.endswith(".txt")] == []
    for table in TABLES:
        if table.edited is None:
            head = (FOLDER / table.file).read_text(encoding="utf-8").partition("\n")[0]
            assert re.findall(r"20[0-9]{2}-[0-9]{2}-[0-9]{2}", head) == [table.day.isoformat()], table.name


def test_a_file_without_a_date_is_named(tmp_path, monkeypatch):
    (tmp_path / "table.txt").write_text("# a source\n")
    monkeypatch.setattr("nodepools.data.table_files._FOLDER", tmp_path)
    with pytest.raises(ValueError, match=r"table\.txt: the first line has no day"):
        day_of("table.txt")


def test_each_table_has_a_tool_of_its_own_and_each_tool_a_table():
    """A tool that writes a file or compares it with its source is in the table of tables."""
    tools = {path.name for kind in ("fold", "compare") for path in TOOLS.glob(f"{kind}_*.py")}
    assert sorted(table.tool for table in TABLES) == sorted(tools)


def test_tools_write_no_code_and_what_aks_has_and_retires_is_data():
    written = {table.file for table in TABLES if table.is_written}
    assert [file for file in written if file.endswith(".py")] == []
    assert {table.file for table in TABLES if not table.is_written and table.file.endswith(".txt")} == {"aks_images.txt", "aks_retirements.txt"}


@pytest.mark.parametrize("table", TABLES, ids=[table.tool for table in TABLES])
def test_a_tool_says_what_it_reads(table):
    text = (TOOLS / table.tool).read_text(encoding="utf-8")
    assert f"`python tools/{table.tool} " in text
    assert table.is_written or table.tool == "compare_eks_prices.py" or "Needs a human eye" in text


@pytest.mark.parametrize(("days", "is_old"), [(0, False), (OLD.days, False), (OLD.days + 1, True)])
def test_a_table_is_old_after_200_days(days, is_old):
    day = table_day("azure_prices.txt")
    [table] = [table for table in TABLES if table.file == "azure_prices.txt"]
    assert table.is_old(day + timedelta(days)) is is_old
    assert table.age(day + timedelta(days)) == days


@pytest.mark.parametrize("table", [AKS_SUPPORT, EKS_SUPPORT], ids=["AKS", "EKS"])
def test_versions_follow_each_other_and_end_in_that_order(table: SupportTable):
    minors = [row.minor for row in table.rows]
    assert minors == list(range(minors[0], minors[0] + len(minors)))
    ends = [row.standard_end for row in table.rows if row.standard_end is not None]
    assert ends == sorted(ends)
    assert all(row.extended_end > row.standard_end for row in table.rows if row.standard_end is not None and row.extended_end is not None)
    assert all(row.source.startswith("https://") and row.read >= date(2026, 8, 21) for row in table.rows)


@pytest.mark.parametrize(
    ("version", "standard", "extended"),
    [
        pytest.param("1.35", date(2027, 3, 27), date(2028, 3, 27), id="a version with both ends"),
        pytest.param("1.37", None, None, id="a version whose ends are not announced"),
        pytest.param("1.35.4", date(2027, 3, 27), date(2028, 3, 27), id="a patch version"),
        pytest.param("1.99", None, None, id="a version that is not in the table"),
        pytest.param("latest", None, None, id="not a version"),
    ],
)
def test_an_end_that_is_not_known_is_none(version, standard, extended):
    assert (EKS_SUPPORT.end(version), EKS_SUPPORT.end(version, extended=True)) == (standard, extended)


@pytest.mark.parametrize(("day", "status", "last"), [(DAY, 0, f"0 of {len(TABLES)} tables are older than 200 days"), (LATER, 1, f"{len(TABLES)} of")])
def test_the_scheduled_job_fails_when_a_table_is_old(day, status, last):
    done = subprocess.run([sys.executable, TOOLS / "old_tables.py", day], capture_output=True, text=True, check=False)
    assert (done.returncode, last in done.stdout) == (status, True)
    assert done.stdout.count("days old; source: ") == status * len(TABLES)


def test_the_scheduled_job_runs_a_target_of_make():
    workflow = (TOOLS.parent / ".github/workflows/tables.yml").read_text(encoding="utf-8")
    assert "schedule:" in workflow
    assert "run: make tables" in workflow
    assert "tools/old_tables.py" in (TOOLS.parent / "Makefile").read_text(encoding="utf-8")
