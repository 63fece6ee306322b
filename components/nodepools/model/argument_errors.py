"""Error messages for arguments that are not a declaration."""

from collections.abc import Mapping

from nodepools.model.ref import is_output


def misplaced(function: str, expected: str, argument: object) -> str:
    """One line: what `function` accepts, what it got, and what to write."""
    return f"{function} accepts {expected}, not {described(argument)}"


def described(argument: object) -> str:
    """Describes `argument` for an error message."""
    if argument is None:
        return "None"
    if is_output(argument):
        return "a pulumi.Output: a declaration is plain data, and only references in it, such as ids, can be Outputs"
    if isinstance(argument, Mapping):
        return "a dict: pass its fields with two asterisks, as in AksClusterArgs(**fields)"
    if isinstance(argument, type):
        return f"the class {argument.__name__}: call it with its fields"
    return f"{'an' if type(argument).__name__[0] in 'aeiouAEIOU' else 'a'} {type(argument).__name__}"
