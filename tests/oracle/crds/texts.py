"""Texts that people write, by what they are meant for: those that a pattern takes, and those beside them that it refuses."""

import re

_SUBNET = "/providers/Microsoft.Network/virtualNetworks/v/subnets"
GROUPS: tuple[tuple[str, ...], ...] = (
    (*("", " ", "!", "a", "A", "0", "a b", "a/b", "a.b/c", "A.b/c", "/a", "a/", "a/b/c", "-a", "a-", "a_b", "A.b-c_d", "a\n", "ä", "٣"), "x" * 64),
    ("1s", "1h", "1d", "1h30m", "30m1h", "1h 30m", "1.5h", "h", "٣h", "1h\n", "Never", "never", "-1h", "+1h", "1h30", "1H", "0s", "1ms"),
    ("8h30m", "8h", "90m", "8h30m0s", "0h0m", "8h0m30s", "30s", "8h0s", "30m8h", "8h30", "8h\n", "1d", "٣h"),
    ("0", "5", "050", "0%", "5%", "99%", "100%", "101%", "%", "-5%", "1.5%", "5%\n", "5 %", "٣%"),
    (
        *("@daily", "@hourly", "@every 2h", "@Daily", "daily", "0 9 * * *", "0 9 * *", "0 9 * * mon-fri", "0  9 * * *", "0\t9\t*\t*\t*"),
        *("0\u00a09\u00a0*\u00a0*\u00a0*", "0\v9\v*\v*\v*", "", "nine"),
    ),
    (
        "1",
        "-1",
        "+1",
        "1.5",
        ".5",
        "5.",
        ".",
        "1Gi",
        "1Mi",
        "1k",
        "1K",
        "1E",
        "1Ei",
        "1m",
        "1e3",
        "1e+3",
        "1e1.5",
        "1e",
        "50MB",
        "٣",
        "1 Gi",
        "1Gi\n",
        "",
    ),
    ("50Mi", "50MB", "50", "1K", "1k", "0Mi", "00Mi", "1.5Mi", "-1Mi", "+1Mi", "٣Mi", "Mi", "50Mi\n", "50 Mi", "1e3", "1Ei"),
    (
        *("1Gi", "0Gi", "01Gi", "1.5Gi", "1gi", "1Mi", "100", "80Gi\n", "٣Gi", *("Ti", "T", "G", "Gi")),
        *(f"{size}{unit}" for size in (9999, 10000, 49999, 58999, 59000, 59001, 60000) for unit in ("Gi",)),
        *(f"{size}G" for size in (9999, 10000, 59999, 63999, 64000, 64001, 70000)),
        *(f"{size}Ti" for size in range(1, 61)),
        *(f"{size}T" for size in (1, 9, 10, 18, 19, 59, 60, 63, 64, 65, 70, 100)),
    ),
    ("subnet-1", "subnet-0123456789abcdef0", "subnet-", "Subnet-1", "subnet_1", "subnet-A", "xsubnet-1", "subnet-1 "),
    ("sg-1", "sg-0123456789abcdef0", "sg-", "Sg-1", "sg_1", "sg-A", "xsg-1", "sg-1/x"),
    ("eks.amazonaws.com", "eks.amazonaws.com/v1", "/", "a/b"),
    ("32768 60999", "1024  60999", "1024", "1024-60999", "a b", "1024 60999 ", " 1024 60999", "٣ ٣", "1024 60999\n", "1024,60999", ""),
    (
        *(".", "..", "example.com", "example.com.", ".example.com", "a..b", "a_b.c", "_a.b", "a_.b", "a b.c", "*.example.com", "EXAMPLE.com", "a\n"),
        *("-a.b", "a-.b", "ä.b", "1.2", "x" * 63, "x" * 64, f"{'x' * 63}.y", f"{'x' * 64}.y", ".".join(["x" * 63] * 3)),
    ),
    (
        *(f"/subscriptions/s/resourceGroups/g{_SUBNET}/{rest}" for rest in ("s", "", "s/t", "S t", "s/")),
        *(f"/subscriptions/s/resourceGroups/{group}{_SUBNET}/s" for group in ("g.", "ä", "(g)", "a.b", "g" * 90, "g" * 91, "")),
        f"/subscriptions/s/resourcegroups/g{_SUBNET.lower()}/s",
        f"/subscriptions//resourceGroups/g{_SUBNET}/s",
        f"subscriptions/s/resourceGroups/g{_SUBNET}/s",
        *("subnet", ""),
    ),
)


def taken(pattern: str, text: str) -> bool:
    """As Go reads a pattern: `$` is the very end, and `\\d` a digit of ASCII."""
    return re.search(re.sub(r"\$$", r"\\Z", pattern), text, re.ASCII) is not None


def near(pattern: str) -> list[str]:
    """Texts of the kinds that are for it, where it takes some and refuses others, and a few that are hardly ever right."""
    taken_of = {group: sum(taken(pattern, text) for text in group) for group in GROUPS}
    first, second, *_ = sorted(GROUPS, key=lambda group: min(taken_of[group], len(group) - taken_of[group]), reverse=True)
    return list(dict.fromkeys((*first, *second, *GROUPS[0][:3])))
