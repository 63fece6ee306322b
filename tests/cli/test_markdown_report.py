"""A report as Markdown: what matters is visible, the rest behind clicks, and a comment is never too long."""

from nodepools.cli.output.markdown_report import markdown_lines
from nodepools.cli.output.report import Report, Row, Section, lines_of


def markdown(*sections: Section) -> str:
    return "\n".join(markdown_lines(Report("dev", "fits", ("nodepools check",), sections)))


def visible(text: str) -> str:
    """What is read without a click."""
    return text.partition("<details>")[0]


def test_the_answer_is_first_and_what_to_do_second():
    assert markdown().splitlines() == ["**dev: fits**", "", "* next: nodepools check"]


def test_rows_are_visible_and_details_are_folded():
    rows = (Row(("a", "1"), reasons=("because",), details=("in detail",)), Row(("b", "2"), is_detail=True))
    shown = markdown(Section("Pools", rows, ("pool", "nodes")), lines_of("Prices of `az`", "of 2026", is_detail=True))
    assert "**Pools**\n\n| pool | nodes |  |\n|---|---|---|\n| a | 1 | because |" in visible(shown)
    assert "in detail" not in visible(shown)
    assert "<details><summary>Pools: 1 more row</summary>\n\n| pool | nodes |\n|---|---|\n| b | 2 |\n\n* a, 1\n  * in detail\n" in shown
    assert "<details><summary>Prices of <code>az</code></summary>\n\n* of 2026\n" in shown


def test_about_twenty_rows_are_visible():
    shown = markdown(Section("", tuple(Row((f"pool{number}", "x")) for number in range(30))))
    assert visible(shown).count("| pool") == 20
    assert "<summary>10 more rows</summary>" in shown
    assert shown.count("| pool") == 30


def test_a_comment_is_not_longer_than_github_accepts():
    long = [lines_of(f"Section {number}", *["x" * 1000] * 15) for number in range(9)]
    shown = markdown(*long)
    assert len(shown) < 65_000
    assert shown.splitlines()[-1] == "5 more parts do not fit into a comment: run the command, or use `--format json`"


def test_a_task_has_a_box_and_its_details_below_it():
    tasks = Section("Steps", (Row(("1", "run it"), details=("3 nodes",)), Row(("2", "wait"))), is_checklist=True)
    assert list(markdown_lines(Report("dev", "blocked", sections=(tasks,)))) == [
        "**dev: blocked**",
        "",
        "**Steps**",
        "",
        "* [ ] 1 run it",
        "  * 3 nodes",
        "* [ ] 2 wait",
    ]
