"""Azure regions in names."""


def region_word(location: str) -> str:
    """`westeurope` for `West Europe`, which Azure accepts as a region but not in a name."""
    return location.replace(" ", "").lower()
