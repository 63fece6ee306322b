"""Golden plans: a plan that is stored beside the tests, and compared."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from nodepools.testing.answer import Answer
from nodepools.testing.plan_diff import differences

REWRITE = "--rewrite-golden"
_MOST_LINES = 60


def compared(plan: Mapping[str, object], path: Path) -> Answer:
    """Whether `plan` is the one that is stored at `path`, and what differs. Nothing is written."""
    advice = f"If it is meant: pytest {REWRITE}, and review the difference as a change of contract."
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Answer(yes=False, why=f"there is no golden plan {path}. To store this one: pytest {REWRITE}, and review it.")
    except (ValueError, IsADirectoryError) as error:
        return Answer(yes=False, why=f"{path} is no golden plan: {error}. To store this one: pytest {REWRITE}.")
    if not _is_plan(stored):
        return Answer(yes=False, why=f"{path} is no golden plan: it has no resources. To store this one: pytest {REWRITE}.")
    lines = differences(cast("Mapping[str, object]", stored), json.loads(_text(plan)))
    if not lines:
        return Answer(yes=True, why=f"the plan is {path}")
    more = [f"… and {len(lines) - _MOST_LINES} lines more"] if len(lines) > _MOST_LINES else []
    return Answer(yes=False, why="\n".join([f"the plan is not {path} ({_counted(lines)})", *lines[:_MOST_LINES], *more, advice]))


def stored(plan: Mapping[str, object], path: Path) -> bool:
    """Stores `plan` at `path`; whether that changed anything. What is written is complete, or nothing is."""
    text = _text(plan)
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.new")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)
    return True


def _text(plan: Mapping[str, object]) -> str:
    return json.dumps(plan, indent=1, ensure_ascii=False) + "\n"


def _is_plan(stored: object) -> bool:
    resources = cast("Mapping[str, object]", stored).get("resources") if isinstance(stored, dict) else None
    return isinstance(resources, list) and all(isinstance(one, dict) and {"urn", "type"} <= one.keys() for one in cast("list[object]", resources))


def _counted(lines: list[str]) -> str:
    names = {"+": "added", "-": "removed", "~": "changed"}
    numbers = {name: sum(line.startswith(f"{mark} ") for line in lines) for mark, name in names.items()}
    return ", ".join(f"{number} {name}" for name, number in numbers.items() if number) or "outputs changed"
