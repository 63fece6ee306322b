"""What every code means, whatever finds it: rules, shapes, objects."""

from nodepools.rules.objects import OBJECTS
from nodepools.rules.registry import all_rules
from nodepools.rules.words import SHAPES


def described(code: str) -> str:
    """One sentence, what the code asks for or what it says."""
    if code in SHAPES:
        return SHAPES[code]
    return OBJECTS[code][1] if code in OBJECTS else all_rules()[code].summary
