"""What a person declares: frozen values that need pydantic alone."""
