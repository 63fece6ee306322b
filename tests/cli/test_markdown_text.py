"""Text of a user is not read as markdown, as a parser of CommonMark sees it."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from nodepools.cli.output.markdown_report import escaped

PIECES = ["@org/team", "![p](http://evil/x)", "[a](http://evil)", "![a][b]", "`", "``", "|", "<img src=x>", "a", " ", "\n", "\\"]
LIVE = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


def inline(text: str) -> list[tuple[str, str]]:
    [block] = [token for token in MarkdownIt("commonmark").parse(text) if token.type == "inline"]
    return [(child.type, child.content) for child in block.children or ()]


@given(LIVE)
def test_an_escaped_text_mentions_nobody_and_shows_no_image(text: str) -> None:
    clean = escaped(text)
    assert "\n" not in clean
    assert not re.search(r"@\w|!\[[^\]]*\][(\[]|(?<!\\)\|", clean)
    kinds = {kind for kind, _ in inline(f"x{clean}")}
    assert not kinds & {"image", "link_open", "html_inline"}


@pytest.mark.parametrize("text", ["`pool` of 5 nodes", "a [1]", "a → b", 'labels["x/y"]', "100 %"])
def test_ordinary_texts_stay(text: str) -> None:
    assert escaped(text) == text
    assert escaped("a\nb") == "a b"
