"""The declaration: frozen pydantic models, which need pydantic alone."""
