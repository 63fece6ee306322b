"""A kubectl that answers from a file: `api-resources`, `config view` and `get`, or fails, hangs or prints rubbish as it is told.

Run as `python fake_kubectl.py CLUSTER.json ARGUMENT…`. The file has `contexts`, `objects` by resource, `forbidden`, and `behaviour`.
"""

import json
import sys
import time
from pathlib import Path

FORBIDDEN = 'Error from server (Forbidden): {0} is forbidden: User "jane" cannot list resource "{0}" in API group "" at the cluster scope'


def main(file: str, *arguments: str) -> str | None:
    """What it prints; `None` if it failed."""
    cluster = json.loads(Path(file).read_text())
    with Path(file).with_suffix(".log").open("a") as log:
        log.write(" ".join(arguments) + "\n")
    words = [word for word in arguments if not word.startswith("--request-timeout")]
    if words[:2] == ["config", "view"]:
        return json.dumps({key: cluster.get(key, []) for key in ("contexts", "clusters", "users")})
    behaviour = cluster.get("behaviour")
    return _answer(cluster, words[2:]) if behaviour is None else _misbehaved(behaviour)  # --context NAME


def _answer(cluster, words):
    if words[0] == "api-resources":
        return "\n".join([*cluster["objects"], "secrets", "configmaps"])
    resource = words[1]
    if resource in cluster.get("forbidden", ()):
        sys.stderr.write(FORBIDDEN.format(resource))
        return None
    named = [one for one in cluster["named"] if f"{one['kind'].lower()}s" == resource.partition("/")[0].partition(".")[0]]
    if "/" in resource:
        return _one(named, resource, words[words.index("--namespace") + 1])
    if "--no-headers" in words:
        return "\n".join(f"{one['metadata']['namespace']} {one['metadata']['name']}" for one in named)
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": cluster["objects"].get(resource, [])})


def _one(named, resource, namespace):
    kind, name = resource.split("/")
    found = [one for one in named if (one["metadata"]["namespace"], one["metadata"]["name"]) == (namespace, name)]
    if not found:
        sys.stderr.write(f'Error from server (NotFound): {kind} "{name}" not found')
        return None
    return json.dumps(found[0])


def _misbehaved(behaviour):
    match behaviour:
        case "hangs":
            time.sleep(600)
        case "rubbish":
            return "Welcome to the corporate proxy\n" * 3
        case "expired":
            sys.stderr.write("error: You must be logged in to the server (Unauthorized)")
        case "unreachable":
            sys.stderr.write("Unable to connect to the server: dial tcp: lookup gone.example.com: no such host")
    return None


if __name__ == "__main__":
    printed = main(*sys.argv[1:])
    if printed is None:
        sys.exit(1)
    sys.stdout.write(printed)
