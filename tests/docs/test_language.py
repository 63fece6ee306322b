"""Pages are written in plain American English."""

import pytest

from tests.language import BRITISH, IDIOMS, avoided


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("`us-east-1x` is no zone of us-east-1", "is no"),
        ("Of these sizes none is to be had", "to be had"),
        ("A DaemonSet beside the pod requests 100m", "beside"),
        ("The pool is made anew", "anew"),
        ("Karpenter replaces nodes\nof its own accord", "of its own accord"),
        ("The value is passed over", "passed over"),
        ("The label goes with the taint", "goes with"),
        ("A pod that wants 4 CPUs", "wants"),
        ("A pool has 100 nodes at the most", "at the most"),
        ("The day to judge for", "judge"),
        ("Overrides are laid over what is sent", "laid over"),
        ("Azure refuses two at once", "refuses"),
        ("Nobody drains the pool", "Nobody"),
        ("in place of a stack", "in place of"),
        ("Azure rejects it, or else waits", "else"),
        ("policies of your organisation", "organisation"),
        ("The default behaviour", "behaviour"),
        ("A modelled field", "modelled"),
        ("The run was cancelled", "cancelled"),
        ("Under this licence", "licence"),
    ],
)
def test_an_avoided_phrase_is_found(text: str, phrase: str):
    assert phrase in [row.split(" → ")[0] for row in avoided(text)]


@pytest.mark.parametrize(
    "text",
    [
        "There is no pool `web`",
        "The pool is no longer declared",
        "`us-east-1x` is not a zone of us-east-1",
        "The field `behaviour` of a file `docs/colour.md` is what someone else wrote, and nothing else",
        "See https://example.org/beside/anew",
        "Pass the file to `check`; the organization cancels it",
        "PDB stands for PodDisruptionBudget",
    ],
)
def test_plain_english_is_left_alone(text: str):
    assert avoided(text) == []


def test_every_row_says_what_to_write():
    assert all(row.use for row in (*IDIOMS, *BRITISH))
