"""How the evaluation of a rule can end without a value."""


class RuleSyntaxError(Exception):
    """The text of a rule is not an expression. The API server rejects a CRD that has it."""


class EvaluationError(Exception):
    """The evaluation fails, as it does in the API server, which then rejects the object."""


class NotCheckedError(Exception):
    """The rule cannot be evaluated here: it calls an unknown function, or needs more than the limits allow."""


class MismatchError(NotCheckedError):
    """No variant of a function fits the types of the arguments. In the API server, this happens only for values whose type the CRD leaves open."""


class CostLimitError(EvaluationError):
    """The rule, or all rules of the object, cost more than the API server allows."""
