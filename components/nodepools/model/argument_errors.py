"""Error messages for arguments that are not a declaration."""

from collections.abc import Mapping

from nodepools.model.ref import is_output


def misplaced(what: str, wanted: str, given: object) -> str:
    """One line: what `what` accepts, what it got, and what to write."""
    return f"{what} takes {wanted}, not {described(given)}"


def described(given: object) -> str:
    """Describes `given` for an error message."""
    if given is None:
        return "None"
    if is_output(given):
        return "a pulumi.Output: a declaration is plain data, and only references in it, such as ids, can be Outputs"
    if isinstance(given, Mapping):
        return "a dict: pass its fields with two asterisks, as in AksClusterArgs(**fields)"
    if isinstance(given, type):
        return f"the class {given.__name__}: call it with its fields"
    return f"{'an' if type(given).__name__[0] in 'aeiouAEIOU' else 'a'} {type(given).__name__}"
