"""An az or aws that answers from a file, or fails, hangs or prints rubbish as it is told.

Run as `python fake_cloud.py ANSWERS.json TOOL ARGUMENT…`. The file has `answers` and `failures` by command, such as `aks list`, and `behaviour` for
all commands.
"""

import json
import sys
import time
from pathlib import Path

ERRORS = {
    "forbidden-az": "ERROR: (AuthorizationFailed) The client 'jane' does not have authorization to perform action 'read'",
    "forbidden-aws": "An error occurred (UnauthorizedOperation) when calling the operation: You are not authorized to perform this operation.",
    "expired-az": "AADSTS700082: The refresh token has expired due to inactivity.\nTo re-authenticate, please run: az login",
    "expired-aws": "Error when retrieving token from sso: Token has expired and refresh failed",
    "unreachable-az": "HTTPSConnectionPool(host='management.azure.com', port=443): Max retries exceeded with url: /subscriptions",
    "unreachable-aws": 'Could not connect to the endpoint URL: "https://eks.eu-west-1.amazonaws.com/clusters/shop"',
}


def main(file: str, tool: str, *arguments: str) -> str | None:
    """What it prints; `None` if it failed."""
    told = json.loads(Path(file).read_text())
    with Path(file).with_suffix(".log").open("a") as log:
        log.write(f"{tool} {' '.join(arguments)}\n")
    name = " ".join(arguments[: next(number for number, word in enumerate(arguments) if word.startswith("-"))])
    named = next((key for key in told["answers"] if key.startswith(name) and all(word in arguments for word in key.split())), name)
    behaviour = told.get("behaviour") or told.get("failures", {}).get(named)
    if behaviour == "hangs":
        time.sleep(600)
    if behaviour == "rubbish":
        return "Welcome to the corporate proxy\n"
    if behaviour is not None:
        sys.stderr.write(ERRORS[f"{behaviour}-{tool}"])
        return None
    return json.dumps(told["answers"][named])


if __name__ == "__main__":
    printed = main(*sys.argv[1:])
    if printed is None:
        sys.exit(1)
    sys.stdout.write(printed)
