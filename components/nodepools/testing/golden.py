"""Golden plans: plans that are stored next to the tests, and compared."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from nodepools.testing.check_result import CheckResult
from nodepools.testing.plan_diff import differences

REWRITE = "--rewrite-golden"
_MOST_LINES = 60


def compared(plan: Mapping[str, object], path: Path) -> CheckResult:
    """Compares `plan` with the one stored at `path`. Writes nothing."""
    advice = f"If the change is intended, run `pytest {REWRITE}`, and review the diff as a change of contract."
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return CheckResult(ok=False, reason=f"golden plan {path} not found: run `pytest {REWRITE}` to store this plan, and review it")
    except (ValueError, IsADirectoryError) as error:
        return CheckResult(ok=False, reason=f"{path} is not a golden plan ({error}): run `pytest {REWRITE}` to store this plan")
    if not _is_plan(stored):
        return CheckResult(ok=False, reason=f"{path} is not a golden plan (it has no resources): run `pytest {REWRITE}` to store this plan")
    lines = differences(cast("Mapping[str, object]", stored), json.loads(_text(plan)))
    if not lines:
        return CheckResult(ok=True, reason=f"the plan equals {path}")
    more = [f"… and {len(lines) - _MOST_LINES} more lines"] if len(lines) > _MOST_LINES else []
    return CheckResult(ok=False, reason="\n".join([f"the plan differs from {path} ({_counted(lines)})", *lines[:_MOST_LINES], *more, advice]))


def stored(plan: Mapping[str, object], path: Path) -> bool:
    """Stores `plan` at `path` atomically; returns whether the file changed."""
    text = _text(plan)
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.new")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)
    return True


def _text(plan: Mapping[str, object]) -> str:
    return json.dumps(plan, indent=1, ensure_ascii=False) + "\n"


def _is_plan(stored: object) -> bool:
    resources = cast("Mapping[str, object]", stored).get("resources") if isinstance(stored, dict) else None
    return isinstance(resources, list) and all(
        isinstance(resource, dict) and {"urn", "type"} <= resource.keys() for resource in cast("list[object]", resources)
    )


def _counted(lines: list[str]) -> str:
    names = {"+": "added", "-": "removed", "~": "changed"}
    numbers = {name: sum(line.startswith(f"{mark} ") for line in lines) for mark, name in names.items()}
    return ", ".join(f"{number} {name}" for name, number in numbers.items() if number) or "outputs changed"
