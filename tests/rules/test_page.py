"""The pages of rules say what the registry says."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(("page", "made"), [("rules.md", "page"), ("rule-changes.md", "changes")])
def test_a_page_of_rules_is_current(project, page, made):
    code = f"import sys; sys.path.insert(0, 'tools'); import rules; sys.stdout.write(rules.{made}())"
    made = subprocess.run([sys.executable, "-c", code], cwd=project, capture_output=True, text=True, check=True)
    assert made.stdout == (project / "docs" / page).read_text(), "python tools/rules.py rewrites it"
