"""A report in each format: the answer first, no line wider than the output, nothing lost."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodepools.cli.output.markdown_report import markdown_lines
from nodepools.cli.output.report import Report, Row, Section, Tone, lines_of
from nodepools.cli.output.safe_text import wrapped
from nodepools.cli.output.text_report import text_lines, width
from nodepools.cli.problem import Problem

POOLS = Section(
    "Pools",
    (
        Row(("✔ fits", "weu/web", "12"), Tone.GOOD, ("first choice",), ("weight 10",)),
        Row(("✘ cannot", "weu/system", "3"), Tone.BAD, ("taint `CriticalAddonsOnly`",), is_detail=True),
        Row(("2 pools are not known",)),
    ),
    ("verdict", "pool", "nodes"),
    frozenset({2}),
)
REPORT = Report("dev", "web fits weu/web", ("pulumi up",), (POOLS, lines_of("Sources", "https://example.com", is_detail=True)))


def plain(report: Report, columns: int = 100, *, details: bool = False) -> list[str]:
    return [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in text_lines(report, columns=columns, details=details)]


def test_the_answer_is_the_first_line_and_the_last_counts_what_is_hidden() -> None:
    assert plain(REPORT) == [
        "dev: web fits weu/web",
        "next: pulumi up",
        "",
        "Pools",
        "  verdict  pool     nodes",
        "  ✔ fits   weu/web     12",
        "    first choice",
        "  2 pools are not known",
        "",
        "--details shows 6 more lines",
    ]


def test_details_are_everything() -> None:
    shown = plain(REPORT, details=True)
    assert "    weight 10" in shown
    assert "  ✘ cannot  weu/system      3" in shown
    assert shown[-2:] == ["Sources", "  https://example.com"]


def test_what_was_not_judged_is_in_the_first_line() -> None:
    problems = (Problem("a.yaml", "is not YAML"), Problem("", "interrupted"))
    assert Report("dev", "fits", problems=problems).first_line == "dev: fits (not complete: 2 problems)"
    assert Report("dev", "fits", problems=problems[:1]).first_line == "dev: fits (not complete: a.yaml: is not YAML)"
    assert Report("dev", "fits", problems=(Problem("a.yaml", "is " * 50),)).first_line == "dev: fits (not complete: 1 problem)"
    assert Report("", "2 of 3 tools are missing").first_line == "2 of 3 tools are missing"


def test_a_table_that_does_not_fit_is_a_list_with_the_names_of_its_columns() -> None:
    assert plain(REPORT, columns=24)[4:6] == ["  ✔ fits  weu/web;", "    nodes: 12"]


def test_a_long_last_column_is_wrapped_below_itself() -> None:
    rows = Section("", (Row(("✘", "weu/web", "a reason " * 12)), Row(("✔", "use1/general", "fits"))))
    lines = plain(Report("dev", "x", sections=(rows,)), columns=60)
    assert lines[2].startswith("  ✘  weu/web       a reason")
    assert lines[3].startswith(" " * 19 + "reason")


WORDS = st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1, max_size=20)
SENTENCES = st.lists(WORDS, min_size=1, max_size=30).map(" ".join)


@st.composite
def sections(draw: st.DrawFn) -> Section:
    count = draw(st.integers(1, 5))
    cells = st.tuples(*[SENTENCES] * count)
    rows = draw(st.lists(st.builds(Row, cells, st.sampled_from(Tone), st.lists(SENTENCES, max_size=2).map(tuple)), min_size=1, max_size=4))
    heads = draw(st.one_of(st.just(()), cells))
    return Section(draw(SENTENCES), tuple(rows), heads, draw(st.sets(st.integers(0, count - 1)).map(frozenset)))


@given(st.lists(sections(), max_size=3).map(tuple), SENTENCES, st.integers(80, 120))
def test_no_line_is_wider_than_the_output_and_no_word_is_lost(found: tuple[Section, ...], answer: str, columns: int) -> None:
    report = Report("dev", answer, sections=found)
    lines = plain(report, columns, details=True)
    assert max(map(len, lines)) <= columns
    shown = " ".join(lines).split()
    for section in found:
        for row in section.rows:
            said = [word for text in (*row.cells, *row.reasons) for word in text.split()]
            assert not {word for word in said if said.count(word) > [part.rstrip(";") for part in shown].count(word)}
    marked = "\n".join(markdown_lines(report))
    assert all(cell in marked for section in found for row in section.rows for cell in (*row.cells, *row.reasons))


def test_words_are_never_broken() -> None:
    long = "x" * 120
    assert wrapped(f"a {long} b", 80) == ["a", long, "b"]


def test_lines_of_a_text_stay_lines() -> None:
    assert wrapped("first\n\nsecond", 80, "  ", "    ") == ["  first", "", "  second"]


@pytest.mark.parametrize(("columns", "expected"), [("90", 90), ("1000", 1000), ("", 100), ("many", 100), ("0", 100)])
def test_the_width_is_that_of_columns_otherwise_100_in_a_pipe(monkeypatch: pytest.MonkeyPatch, columns: str, expected: int) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert width() == expected
