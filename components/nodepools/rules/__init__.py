"""What can be wrong with a declaration: rules, the faults they find, and shape errors in the same form."""
