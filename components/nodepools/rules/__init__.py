"""Rules, the findings that they report, and schema errors as findings."""
