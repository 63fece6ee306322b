"""Exceptions that code of the user raises: stacks, programs and own rules can raise anything."""


def is_interrupt(error: BaseException) -> bool:
    """Whether a person interrupts the process. A `raise` statement can raise `KeyboardInterrupt`, too, which is a failure like any other."""
    if not isinstance(error, KeyboardInterrupt):
        return False
    from opcode import opmap  # rarely needed

    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is None or trace.tb_frame.f_code.co_code[trace.tb_lasti] != opmap["RAISE_VARARGS"]


def error_text(error: BaseException) -> str:
    """The message of an exception as one line; its `__str__` can raise an exception, too."""
    try:
        return " ".join(str(error).split())
    except BaseException as failure:
        if is_interrupt(failure):
            raise
        return f"its message cannot be read ({type(failure).__name__})"


def described(error: BaseException) -> str:
    """The type and the message of an exception as one line."""
    text = error_text(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
