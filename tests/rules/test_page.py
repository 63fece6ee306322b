"""docs/rules.md says what the registry says."""

import subprocess
import sys


def test_the_page_of_rules_is_current(project):
    code = "import sys; sys.path.insert(0, 'tools'); import rules; sys.stdout.write(rules.page())"
    made = subprocess.run([sys.executable, "-c", code], cwd=project, capture_output=True, text=True, check=True)
    assert made.stdout == (project / "docs" / "rules.md").read_text(), "python tools/rules.py rewrites it"
