"""Properties are tried on machines that do other things too: no example has a deadline."""

from hypothesis import settings

settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")
