"""What reads both sides of `nodepools diff`, and what can therefore explain a difference."""

from importlib.metadata import version

from nodepools.cli.diff.files import Side
from nodepools.data.table_dates import TABLES


def basis(before: Side, after: Side) -> dict[str, object]:
    """The commits of both sides, the version of the library, the days of its tables, and the sides that are plans or states."""
    return {
        "old_commit": before.commit,
        "new_commit": after.commit,
        "library": version("nodepools"),
        "tables": [{"name": table.name, "day": table.day.isoformat()} for table in TABLES],
        "recorded": [side.title for side in (before, after) if side.is_recorded],
        "live": [side.title for side in (before, after) if side.kind == "live"],
    }


def basis_line(before: Side, after: Side) -> str:
    """The same as a sentence."""
    days = [table.day for table in TABLES]
    reader = f"nodepools {version('nodepools')} with tables of {min(days)} to {max(days)} reads both sides"
    if before.kind == "live":
        return (
            f"{reader}; {before.title} is what exists: it differs because an edit is not applied yet, or because something was changed without Pulumi"
        )
    if after.kind == "live":
        return f"{reader}; {after.title} is what exists: these changes were made, with Pulumi or without"
    recorded = [side.title for side in (before, after) if side.is_recorded]
    if recorded:
        return f"{reader}; another version can have written {' and '.join(recorded)}: a change comes from an edit, or from that version"
    return f"{reader}, so every change comes from an edit"
