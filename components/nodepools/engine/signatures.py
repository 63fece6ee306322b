"""Signatures of unknown, secret and other special values in Pulumi's protocol: `sdk/proto` of pulumi/pulumi. Has no dependencies."""

from typing import Final

UNKNOWN: Final = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
"""Stands for an unknown text, and for any unknown value in SDKs that have no other mark."""
UNKNOWNS: Final = frozenset(
    {
        UNKNOWN,
        "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
        "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
        "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
        "030794c1-ac77-496b-92df-f27374a8bd58",
        "e48ece36-62e2-4504-bad9-02848725956a",
        "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
    }
)
"""The marks of all unknown values: text, booleans, numbers, lists, assets, archives and mappings."""
SIGNATURE: Final = "4dabf18193072939515e22adb298388d"
"""The key that makes a mapping a special value; its value says which kind."""
SECRET: Final = "1b47061264138c4ac30d75fd1eb44270"  # noqa: S105  # not a secret: it marks one
RESOURCE: Final = "5cf8f73096256a8f31e491e813e4eb8e"
OUTPUT: Final = "d0e6a833031e9bbcd3f4e8bde6ca49a4"
ASSETS: Final = {"c44067f5952c0a294b673a41bacd8c17": "$asset", "0def7320c3a5731c473e5ecbe6d01bc7": "$archive"}
