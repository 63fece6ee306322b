"""`--cloud`: asks `az` or `aws` about the cluster of `--context`, with the user's own login. All commands only read.

The readers of `--existing` read the answers.
"""

import json
import re
import shutil
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Never

from nodepools.cli.command_run import CommandRun
from nodepools.cli.inputs.input_files import source, texts_in_memory
from nodepools.cli.inputs.kubectl import EXPIRED, Context, at_once, cluster_file, context_of, last_line, printed
from nodepools.cli.problem import Problem, usage_error
from nodepools.model.steps import mapping, sequence
from nodepools.model.values import dataclass
from nodepools.reading.bounded_input import LISTED_MIB, TextError

_INSTALL: Final = {"az": "https://learn.microsoft.com/cli/azure/install-azure-cli", "aws": "https://docs.aws.amazon.com/cli/"}
_LOGIN: Final = {"az": "az login", "aws": "aws sso login"}
_HOSTS: Final = ((re.compile(r"\.azmk8s\.(io|us)$|\.cx\.prod\.service\.azk8s\.cn$"), "az"), (re.compile(r"\.eks\.amazonaws\.com(\.cn)?$"), "aws"))
_PROVIDER_ID: Final = re.compile(rb'"providerID":\s*"((?:azure|aws):///[^"\\]+)"')
_AZURE_NODE: Final = re.compile(r"azure:///subscriptions/(?P<subscription>[^/]+)/resourcegroups/(?P<group>[^/]+)/", re.IGNORECASE)
_ARN: Final = re.compile(r"arn:aws[a-z-]*:eks:(?P<region>[a-z0-9-]+):[0-9]{12}:cluster/(?P<name>[A-Za-z0-9_-]+)")
_EKS_HOST: Final = re.compile(r"[^.]+\.[^.]+\.(?P<region>[a-z0-9-]+)\.eks\.amazonaws\.com(\.cn)?")
_NAMES_CLUSTER: Final = ("--cluster-name", "--cluster-id", "-i")
"""Options of programs that get tokens of EKS."""
_FORBIDDEN: Final = re.compile(r"AuthorizationFailed|does not have authorization|AccessDenied|UnauthorizedOperation|not authorized to perform")
_NO_LOGIN: Final = re.compile(
    r"az login|Unable to locate credentials|InvalidClientTokenId|UnrecognizedClient|sso login|config profile \(.*\) could not be found|refresh failed"
)
_UNREACHABLE: Final = re.compile(r"Could not connect|Max retries exceeded|establish a new connection|Failed to resolve|timed out", re.IGNORECASE)
_ALL_PAGES: Final = ("--output", "json")


@dataclass(frozen=True, slots=True)
class _Ask:
    """A command, and what is not known without its answer."""

    file: str
    """The name of its answer among the texts of the cluster."""
    arguments: tuple[str, ...]
    unknown: str

    @property
    def name(self) -> str:
        """The command without its options."""
        words = self.arguments
        return " ".join(words[: next((number for number, word in enumerate(words) if word.startswith("-")), len(words))])

    def answer(self) -> bytes | str:
        """What it prints, or why it fails."""
        found = printed(self.arguments, self.name)
        return f"`{self.name}` did not print JSON" if isinstance(found, bytes) and found.lstrip()[:1] not in (b"{", b"[") else found


@dataclass(slots=True)
class _Cloud:
    """What a cloud said about the cluster of a context."""

    context: Context
    run: CommandRun
    texts: dict[Path, bytes]

    def decisive(self, ask: _Ask) -> object:
        """The value of an answer without which no other command can run.

        Raises:
            InputError: there is none.
        """
        answer = ask.answer()
        if isinstance(answer, str):
            _fail(f"{_reason(ask.arguments[0], answer)}: {ask.unknown} is not known")
        return _value(answer)

    def more(self, asks: Sequence[_Ask]) -> list[object]:
        """The values of answers. What fails is a problem, with what is therefore not known."""
        found: list[object] = []
        for ask, answer in zip(asks, at_once(_Ask.answer, asks), strict=True):
            if isinstance(answer, bytes):
                self.texts[cluster_file(self.context, ask.file)] = answer
                found.append(_value(answer))
            else:
                self.run.problems.append(Problem("--cloud", f"`{ask.name}`: {_reason(ask.arguments[0], answer)}: {ask.unknown} is not known"))
        return found

    def add(self, file: str, value: object) -> None:
        """Adds an answer that is already read."""
        self.texts[cluster_file(self.context, file)] = json.dumps(value).encode()


@contextmanager
def with_cloud(name: str, paths: list[Path], run: CommandRun) -> Generator[list[Path]]:
    """The given paths, those of the cluster of a context among them, and what its cloud says, which commands read as files during the `with` block.

    Raises:
        InputError: it is not certain which cluster it is, or its cloud does not answer.
    """
    context = context_of(name)
    ids = list(_provider_ids(cluster_file(context, "nodes")))
    tool = _tool(context, ids)
    if shutil.which(tool) is None:
        _fail(f"needs `{tool}` on PATH: install it ({_INSTALL[tool]}), or pass its output with `--existing`")
    cloud = _Cloud(context, run, {})
    if tool == "az":
        _ask_azure(cloud, ids)
    else:
        _ask_aws(cloud)
    with texts_in_memory(cloud.texts):
        yield [*paths, *cloud.texts]


def _provider_ids(nodes: Path) -> Iterator[str]:
    """The ids of the nodes that were read. None, if they may not be listed."""
    try:
        with source(nodes, LISTED_MIB) as found:
            text = found.data()
    except TextError:
        return
    yield from dict.fromkeys(match.decode(errors="replace") for match in _PROVIDER_ID.findall(text))


def _tool(context: Context, ids: Sequence[str]) -> str:
    """The tool of the cloud that the cluster is in."""
    tools = {"az" if one.startswith("azure:") else "aws" for one in ids} or {tool for host, tool in _HOSTS if host.search(context.host)}
    if len(tools) != 1:
        _fail(f"neither the ids of its nodes nor its API server (`{context.host}`) say whether `{context.name}` is in Azure or AWS")
    return tools.pop()


def _ask_azure(cloud: _Cloud, ids: Iterable[str]) -> None:
    """The cluster whose API server is that of the context or whose node resource group has the nodes, its pools, vCPUs and subnets."""
    places = {(match["subscription"], match["group"].lower()) for one in ids if (match := _AZURE_NODE.match(one)) is not None}
    subscription = sorted({of for of, _ in places})[:1]
    account, host, groups = [part for one in subscription for part in ("--subscription", one)], cloud.context.host, {group for _, group in places}

    def ask(file: str, command: str, *options: str, unknown: str) -> _Ask:
        return _Ask(file, ("az", *command.split(), *options, *account, *_ALL_PAGES), unknown)

    every = cloud.decisive(ask("", "aks list", unknown="which cluster of Azure it is"))
    own = [one for one in map(mapping, sequence(every)) if _is_at(one, host) or str(one.get("nodeResourceGroup")).lower() in groups]
    if len(own) != 1:
        where = f"subscription `{subscription[0]}`" if subscription else "the subscription of `az account show`"
        has = f"{len(own)} clusters" if own else "no cluster"
        _fail(f"`az aks list` has {has} with the API server `{host}`, or with these nodes, in {where}")
    [shown] = own
    name, group, location = (str(shown.get(key)) for key in ("name", "resourceGroup", "location"))
    cloud.add("az-aks-show", shown)
    pools = [mapping(pool) for pool in sequence(shown.get("agentPoolProfiles"))]
    subnets = sorted({str(of) for pool in pools for key in ("vnetSubnetId", "vnetSubnetID", "podSubnetId", "podSubnetID") if (of := pool.get(key))})
    of_cluster = ("--resource-group", group, "--cluster-name", name)
    asks = [
        ask("az-aks-nodepool-list", "aks nodepool list", *of_cluster, unknown="what its pools can have"),
        ask(f"az-vm-list-usage-{location}-{''.join(subscription)}", "vm list-usage", "--location", location, unknown="which vCPUs are available"),
    ]
    if subnets:
        command = ("az", "network", "vnet", "subnet", "show", "--ids", *subnets, *_ALL_PAGES)  # ids name their subscription
        asks.append(_Ask("az-network-vnet-subnet-show", command, "which addresses are free"))
    cloud.more(asks)


def _is_at(shown: Mapping[str, object], host: str) -> bool:
    return bool(host) and host in {str(shown.get(key)).lower() for key in ("fqdn", "privateFqdn", "azurePortalFqdn")}


def _ask_aws(cloud: _Cloud) -> None:
    """The cluster that the context names, its node groups with their launch templates, its quotas and the subnets of its VPC."""
    context = cloud.context
    name, region = _eks_name(context)
    rest = ("--region", region, *(("--profile", context.profile) if context.profile else ()), *_ALL_PAGES)

    def ask(file: str, command: str, *options: str, unknown: str) -> _Ask:
        return _Ask(file, ("aws", *command.split(), *options, *rest), unknown)

    answer = mapping(cloud.decisive(ask("", "eks describe-cluster", "--name", name, unknown="what the cluster is"))).get("cluster")
    shown, endpoint = mapping(answer), str(mapping(answer).get("endpoint"))
    if _EKS_HOST.fullmatch(context.host) and context.host not in endpoint.lower():
        _fail(f"`{name}` in {region} is another cluster: its API server is `{endpoint}`, and that of `{context.name}` is `{context.host}`")
    cloud.add("aws-eks-describe-cluster", {"cluster": answer})
    listed = cloud.decisive(ask("", "eks list-nodegroups", "--cluster-name", name, unknown="which node groups it has"))
    groups = sequence(mapping(listed).get("nodegroups"))
    vpc = str(mapping(shown.get("resourcesVpcConfig")).get("vpcId"))
    quotas = "service-quotas list-service-quotas"
    found = cloud.more(
        [
            *(
                ask(
                    f"aws-eks-describe-nodegroup-{group}",
                    "eks describe-nodegroup",
                    *("--cluster-name", name, "--nodegroup-name", str(group)),
                    unknown=f"what node group `{group}` can have",
                )
                for group in groups
            ),
            *(ask(f"aws-quotas-{service}", quotas, "--service-code", service, unknown=f"which quotas {service} has") for service in ("ec2", "vpc")),
            ask("aws-ec2-describe-subnets", "ec2 describe-subnets", "--filters", f"Name=vpc-id,Values={vpc}", unknown="which addresses are free"),
        ]
    )
    templates = [mapping(mapping(mapping(one).get("nodegroup")).get("launchTemplate")) for one in found]
    cloud.more(
        [
            ask(
                f"aws-launch-template-{template['id']}-{template.get('version')}",
                "ec2 describe-launch-template-versions",
                *("--launch-template-id", str(template["id"]), "--versions", str(template.get("version"))),
                unknown=f"which machines launch template `{template.get('name')}` has",
            )
            for template in templates
            if template.get("id")
        ]
    )


def _eks_name(context: Context) -> tuple[str, str]:
    """The name and the region of the cluster, as `aws eks update-kubeconfig` and `eksctl` write them."""
    if (arn := _ARN.fullmatch(context.cluster)) is not None:
        return arn["name"], arn["region"]
    options = dict(zip(context.login, context.login[1:], strict=False))
    name = next((options[option] for option in _NAMES_CLUSTER if option in options), None)
    host = _EKS_HOST.fullmatch(context.host)
    region = options.get("--region", host["region"] if host is not None else None)
    if name is None or region is None:
        _fail(f"the kubeconfig does not say which cluster of EKS `{context.name}` is: write the context with `aws eks update-kubeconfig`")
    return name, region


def _value(answer: bytes) -> object:
    try:
        return json.loads(answer)
    except (ValueError, RecursionError):
        return None  # the reader of the text says where and why


def _reason(tool: str, error: str) -> str:
    """Why a command failed, and what to do."""
    line = last_line(error)
    if _FORBIDDEN.search(error):
        return f"you may not ask for it ({line})"
    if _NO_LOGIN.search(error) or EXPIRED.search(error):
        return f"the login of `{tool}` has expired or is not valid ({line}): run `{_LOGIN[tool]}`"
    return f"the cloud cannot be reached ({line})" if _UNREACHABLE.search(error) else line


def _fail(message: str) -> Never:
    usage_error(f"--cloud: {message}")
