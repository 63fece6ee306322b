"""What can be wrong with a declaration: rules, the findings they find, and shape errors in the same form."""
