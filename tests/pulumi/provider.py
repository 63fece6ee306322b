"""A cloud that is not there: a resource provider that keeps what it is given, and refuses what Azure refuses of agent pools.

Started by the real engine in the place of azure-native, aws or kubernetes: `python provider.py NAME VERSION ENGINE`. What it does is written
into the file that SIMULATED_LOG names, a line each, after the time. The agent pools that there are stand in a file beside it, for the next run;
another file, `patched`, holds the version to which Azure has patched clusters and pools by itself.
"""

import asyncio
import json
import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pulumi.provider.experimental import provider as protocol
from pulumi.provider.experimental import server
from pulumi.provider.experimental.property_value import Computed, PropertyValue
from versions import Versions  # in the folder of this program

from nodepools.engine.invokes import DEFAULTS as INVOKES
from nodepools.testing.recorder import DEFAULTS as OUTPUTS

NAME, VERSION, *REST = sys.argv[1:]
LOG = Path(os.environ["SIMULATED_LOG"])
POOLS = LOG.with_name("pools.json")
PATCHED = LOG.with_name("patched")
VERSIONS = Versions(LOG.with_name("versions.json"))
VERSIONED = {"ManagedCluster": "kubernetesVersion", "AgentPool": "orchestratorVersion"}
TAKES = 0.3
"""Seconds that an operation on an agent pool takes: long enough to overlap with another, were that one not waited for."""
Properties = dict[str, PropertyValue]


def plain(value: PropertyValue) -> Any:
    held = value.value
    if isinstance(held, Mapping):
        return {key: plain(part) for key, part in held.items()}
    return [plain(part) for part in held] if isinstance(held, list | tuple) else None if isinstance(held, Computed) else held


def lifted(value: Any) -> PropertyValue:
    if isinstance(value, Mapping):
        return PropertyValue({key: lifted(part) for key, part in value.items()})
    return PropertyValue([lifted(part) for part in value] if isinstance(value, list | tuple) else value)


def kept(there: Any, asked: Any) -> bool:
    """What is asked for is there, whatever else the cloud has added."""
    if isinstance(asked, Mapping):
        return isinstance(there, Mapping) and all(key in there and kept(there[key], part) for key, part in asked.items())
    return there == asked


def kind_and_name(urn: str) -> tuple[str, str]:
    _, _, types, name = urn.split("::", 3)
    return types.rpartition("$")[2], name


def state(kind: str, properties: Properties) -> Properties:
    """Azure takes a list of identities and gives a mapping back."""
    identity = plain(properties["identity"]) if "identity" in properties else {}
    listed = identity.get("userAssignedIdentities") if kind.endswith(":ManagedCluster") else None
    if not isinstance(listed, list) or None in listed:
        return properties
    return properties | {"identity": lifted({**identity, "userAssignedIdentities": {one: {} for one in listed}})}


def done(line: str) -> None:
    with LOG.open("a", encoding="utf-8") as log:
        log.write(f"{time.time():.2f} {line}\n")


def pools_beside(cluster: str) -> set[str]:
    """The pools of a cluster that are resources of their own."""
    return set(json.loads(POOLS.read_text()).get(cluster, ())) if POOLS.exists() else set()


def remember(what: str, cluster: str, pool: str) -> None:
    there = json.loads(POOLS.read_text()) if POOLS.exists() else {}
    names = set(there.get(cluster, ())) - {pool} | (set() if what == "delete" else {pool})
    POOLS.write_text(json.dumps({**there, cluster: sorted(names)}))


def patched(kind: str, properties: Properties) -> Properties:
    """After an automatic upgrade Azure answers with the full version where an alias was sent."""
    field = VERSIONED.get(kind.rpartition(":")[2])
    return properties | {field: lifted(PATCHED.read_text())} if field in properties and PATCHED.exists() else properties


def refuse_versions(olds: Properties, news: Properties) -> None:
    """AKS takes an update of a cluster with the versions of all its pools, unchanged or as the control plane's, or of none."""
    new = {pool["name"]: pool.get("orchestratorVersion") for pool in plain(news["agentPoolProfiles"])}
    old = {pool["name"]: pool.get("orchestratorVersion") for pool in plain(olds["agentPoolProfiles"])}
    beside = pools_beside(str(plain(news["resourceName"])))
    changed = any(name in old and old[name] != version for name, version in new.items())
    if any(new.values()) and (not all(new.values()) or (beside and changed)):
        raise RuntimeError('Code="NotAllAgentPoolOrchestratorVersionSpecifiedAndUnchanged": all specified or all unspecified')


VERSION_OF = {"ManagedCluster": ("resourceName", "kubernetesVersion"), "Cluster": ("name", "version")}
"""The arguments with the name and the version of a cluster, by its kind."""


def keep_versions(what: str, kind: str, properties: Properties) -> None:
    """The clouds know the version of everything, and refuse steps that are too large."""
    if kind in VERSION_OF:
        name, version = VERSION_OF[kind]
        cluster = str(plain(properties[name]))
        if what == "delete":
            VERSIONS.delete_cluster(cluster)
        elif version in properties:
            inside = [str(pool["name"]) for pool in plain(properties.get("agentPoolProfiles", lifted([])))]
            VERSIONS.put_cluster(cluster, str(plain(properties[version])), inside)
    elif kind == "AgentPool":
        cluster, pool = str(plain(properties["resourceName"])), str(plain(properties["agentPoolName"]))
        version = plain(properties["orchestratorVersion"]) if "orchestratorVersion" in properties else None
        if what == "delete":
            VERSIONS.delete_pool(cluster, pool)
        else:
            VERSIONS.put_pool(cluster, pool, version)


class Cloud(protocol.Provider):
    """Any cloud."""

    def __init__(self) -> None:
        self.busy: set[str] = set()
        """Clusters of which an agent pool is being changed."""

    async def get_schema(self, _: protocol.GetSchemaRequest) -> protocol.GetSchemaResponse:
        return protocol.GetSchemaResponse(schema=json.dumps({"name": NAME, "version": VERSION}))

    async def check_config(self, request: protocol.CheckRequest) -> protocol.CheckResponse:
        return protocol.CheckResponse(inputs=request.new_inputs, failures=[])

    async def diff_config(self, _: protocol.DiffRequest) -> protocol.DiffResponse:
        return protocol.DiffResponse(changes=False)

    async def configure(self, _: protocol.ConfigureRequest) -> protocol.ConfigureResponse:
        return protocol.ConfigureResponse(accept_secrets=True, supports_preview=True, accept_resources=True, accept_outputs=True)

    async def check(self, request: protocol.CheckRequest) -> protocol.CheckResponse:
        return protocol.CheckResponse(inputs=request.new_inputs, failures=[])

    async def diff(self, request: protocol.DiffRequest) -> protocol.DiffResponse:
        kind, _ = kind_and_name(request.urn)
        new = {key: value for key, value in state(kind, dict(request.new_inputs)).items() if key not in request.ignore_changes}
        return protocol.DiffResponse(changes=not kept(plain(PropertyValue(request.old_state)), plain(PropertyValue(new))))

    async def create(self, request: protocol.CreateRequest) -> protocol.CreateResponse:
        kind, name = kind_and_name(request.urn)
        inputs = dict(request.properties)
        if request.preview:
            return protocol.CreateResponse(resource_id="", properties=state(kind, inputs))
        await self.changes("create", kind, name, inputs)
        more = dict(OUTPUTS[kind](name, {key: plain(value) for key, value in inputs.items()})) if kind in OUTPUTS else {}
        if kind.endswith(":Eip"):
            more["allocationId"] = f"eipalloc-{name}"
        ident = str(more.pop("id", f"simulated-{name}"))
        return protocol.CreateResponse(resource_id=ident, properties={**state(kind, inputs), **{key: lifted(value) for key, value in more.items()}})

    async def update(self, request: protocol.UpdateRequest) -> protocol.UpdateResponse:
        kind, name = kind_and_name(request.urn)
        if not request.preview:
            if kind.endswith(":ManagedCluster"):
                refuse_versions(dict(request.olds), dict(request.news))
            await self.changes("update", kind, name, dict(request.news))
        return protocol.UpdateResponse(properties={**request.olds, **state(kind, dict(request.news))})

    async def delete(self, request: protocol.DeleteRequest) -> None:
        kind, name = kind_and_name(request.urn)
        await self.changes("delete", kind, name, dict(request.properties))

    async def read(self, request: protocol.ReadRequest) -> protocol.ReadResponse:
        kind, _ = kind_and_name(request.urn)
        found = [patched(kind, dict(held)) for held in (request.properties, request.inputs)]
        return protocol.ReadResponse(resource_id=request.resource_id, properties=found[0], inputs=found[1])

    async def invoke(self, request: protocol.InvokeRequest) -> protocol.InvokeResponse:
        answer = INVOKES[request.tok]({key: plain(value) for key, value in request.args.items()}) if request.tok in INVOKES else {}
        return protocol.InvokeResponse(return_value={key: lifted(value) for key, value in answer.items()}, failures=[])

    async def changes(self, what: str, kind: str, name: str, properties: Properties) -> None:
        """Azure answers 409 to a second operation on the agent pools of a cluster."""
        cluster = str(plain(properties["resourceName"])) if kind.endswith(":AgentPool") else ""
        if cluster in self.busy:
            raise RuntimeError(f"409 Conflict: another operation on the agent pools of {cluster} is in progress")
        if cluster:
            self.busy.add(cluster)
            await asyncio.sleep(TAKES)
            self.busy.discard(cluster)
            remember(what, cluster, str(plain(properties["agentPoolName"])))
        keep_versions(what, kind.rpartition(":")[2], properties)
        done(f"{what} {kind} {name}")


if __name__ == "__main__":
    server.main(REST, VERSION, Cloud())
