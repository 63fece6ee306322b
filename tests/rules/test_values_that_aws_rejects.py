"""Values that AWS certainly rejects, or with which no node is launched: each kind with its relatives, next to those that it accepts."""

import re
from base64 import b64encode

import pytest

from nodepools import EksNodePool, ExistingEksNetwork, Platform, Requirement, StackOutput, derive
from nodepools.eks import AccessEntry, AddOn, CertificateBundle, IdentityProvider, IngressClass, PodIdentity, PodRole, StorageClass
from nodepools.model.base import Model
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import aks, auto_mode, eks, platform
from tests.rules.conftest import DAY

CODES = re.compile("EKS(008|035|068|08[34]|100|132|147|17[89]|19[0-7]|21[0-2])|KAR04[03]")
ROLE_ARN, OTHER = "arn:aws:iam::111122223333:role/team/web", "arn:aws:iam::444455556666:role/web"
USER, GROUP, BOUNDARY = (f"arn:aws:iam::111122223333:{one}" for one in ("user/ada", "group/devs", "policy/limit"))
KMS = "arn:aws:kms:us-east-1:111122223333:key/1234abcd"
OWN = {"id": "111122223333"}
PEOPLE = IdentityProvider(name="people", issuer_url="https://login.example.com/realms/a", client_id="kubernetes")
OUTPUT = StackOutput("org/a/b", "id")
ZONE, PEM = "topology.kubernetes.io/zone", b"-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"
ARCH, CAPACITY, SYSTEM = "kubernetes.io/arch", "karpenter.sh/capacity-type", "kubernetes.io/os"


def told(declared: Model) -> list[str]:
    return [f"{found.code} {found.path}" for found in check(declared, today=DAY) if CODES.fullmatch(found.code)]


def entry(principal: str = ROLE_ARN, **fields: object) -> AccessEntry:
    return AccessEntry.model_validate({"principal": principal, **fields})


def auto(*requirements: tuple[str, str, list[str]], **fields: object) -> EksNodePool:
    required = [Requirement.model_validate(dict(zip(("key", "operator", "values"), one, strict=True))) for one in requirements]
    return EksNodePool.model_validate({"requirements": required, **fields})


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        pytest.param(eks(cluster_role=ROLE_ARN, node_role=ROLE_ARN, permissions_boundary=BOUNDARY, secrets_key=KMS), [], id="each of its kind"),
        pytest.param(
            eks(cluster_role=USER, node_role=BOUNDARY, permissions_boundary=ROLE_ARN, secrets_key=ROLE_ARN),
            ["EKS191 cluster_role", "EKS191 node_role", "EKS191 permissions_boundary", "EKS191 secrets_key"],
            id="each of another kind",
        ),
        pytest.param(eks(admins=[ROLE_ARN, USER, GROUP]), ["EKS191 admins[2]"], id="a group as admin"),
        pytest.param(eks(admins=["arn:aws:iam::111122223333:root"]), [], id="the account"),
        pytest.param(PEOPLE, [], id="an identity provider"),
        pytest.param(derive(PEOPLE, issuer_url=OUTPUT), [], id="an identity provider whose URL is not known yet"),
        pytest.param(derive(PEOPLE, issuer_url="https://login.example.com/?realm=a"), ["EKS210 issuer_url"], id="a query in the URL of a provider"),
        pytest.param(derive(PEOPLE, issuer_url="login.example.com"), ["EKS210 issuer_url"], id="a provider without a scheme"),
        pytest.param(derive(PEOPLE, username_prefix="a:system:"), ["EKS211 username_prefix"], id="a prefix of Kubernetes inside a prefix"),
        pytest.param(derive(PEOPLE, username_prefix="-"), [], id="no prefix of user names"),
        pytest.param(derive(PEOPLE, groups_claim="groups"), ["EKS212 groups_prefix"], id="groups without a prefix"),
        pytest.param(derive(PEOPLE, groups_claim="groups", groups_prefix="oidc:"), [], id="groups with a prefix"),
        pytest.param(entry(user_name="{{SessionName}}"), ["EKS197 user_name"], id="a session without a colon"),
        pytest.param(entry(user_name="ada-{{SessionNameRaw}}:x"), ["EKS197 user_name"], id="a colon after it"),
        pytest.param(entry(user_name="ada:{{SessionName}}"), [], id="a colon before it"),
        pytest.param(entry(policies=[{"name": f"AmazonEKS{one}Policy"} for one in ("PodIdentity", "SecretAdmin")]), [], id="newer policies"),
        pytest.param(
            entry(policies=[{"name": "AmazonEKSViewPolicy", "namespaces": ["team-*", "Shop"]}]),
            ["EKS196 policies[0].namespaces[1]"],
            id="a namespace that cannot exist, next to a pattern",
        ),
        pytest.param(
            PodIdentity(namespace="shop.web", service_account="web_app", policies=["AmazonS3ReadOnlyAccess"]),
            ["EKS196 namespace", "EKS196 service_account"],
            id="a service account that cannot exist",
        ),
        pytest.param(PodIdentity(namespace="shop", service_account="web.app", policies=["AmazonS3ReadOnlyAccess"]), [], id="a service account"),
        pytest.param(
            AddOn(namespace="kube_system", pod_identity={"Agent": PodRole(role=ROLE_ARN)}),
            ["EKS196 pod_identity.Agent", "EKS196 namespace"],
            id="an add-on",
        ),
        pytest.param(StorageClass(name="Auto_EBS"), ["EKS196 name"], id="a storage class"),
        pytest.param(IngressClass(name="ALB"), ["EKS196 name"], id="an ingress class"),
        pytest.param(IngressClass(name="a" * 254), ["EKS196 name"], id="a long name"),
        pytest.param(CertificateBundle(name="ca", data=b64encode(PEM).decode()), [], id="a certificate"),
        pytest.param(
            auto_mode({"web": auto((ZONE, "In", ["us-east-1g", "us-east-1a"]), (ZONE, "NotIn", ["us-east-1h"]))}),
            ["EKS194 auto_mode.node_pools.web.requirements[0].values[0]"],
            id="a zone beyond those of the region",
        ),
        pytest.param(auto_mode({"web": auto((ZONE, "In", ["us-east-1-bos-1a", "us-east-1f"]))}), [], id="a local zone"),
        pytest.param(auto((ZONE, "In", ["us-east-1g"])), [], id="a zone of an unknown region"),
        pytest.param(eks(access_entries={"a": entry(GROUP)}), ["EKS191 access_entries.a.principal"], id="the entry of a group"),
        pytest.param(eks(access_entries={"a": entry(USER, type="EC2_LINUX")}), ["EKS191 access_entries.a.principal"], id="a user as node"),
        pytest.param(eks(account=OWN, cluster_role=OTHER), ["EKS191 cluster_role"], id="the role of another account"),
        pytest.param(eks(account=OWN, permissions_boundary="arn:aws:iam::aws:policy/PowerUserAccess"), [], id="a policy of AWS as boundary"),
        pytest.param(
            eks(
                account=OWN, pod_identities={"a": {"namespace": "a", "service_account": "b", "role": ROLE_ARN, "target_role": OTHER}}, admins=[OTHER]
            ),
            [],
            id="what can be in another account",
        ),
        pytest.param(
            eks(pod_identities={"a": {"namespace": "a", "service_account": "b", "role": USER}}), ["EKS191 pod_identities.a.role"], id="pods of a user"
        ),
        pytest.param(eks(security_group_ids=[f"sg-{number}" for number in range(6)]), ["EKS132 security_group_ids"], id="six security groups"),
        pytest.param(
            eks(network=ExistingEksNetwork(vpc_id="shop", private_subnet_ids=["subnet-1", "b"], control_plane_subnet_ids=["c", "subnet-2"])),
            ["EKS132 network.vpc_id", "EKS132 network.private_subnet_ids[1]", "EKS132 network.control_plane_subnet_ids[0]"],
            id="names of a network",
        ),
        pytest.param(
            eks(network=ExistingEksNetwork(vpc_id="vpc-1", private_subnet_ids=["subnet-1", "subnet-1"])),
            ["EKS008 network.private_subnet_ids"],
            id="one subnet twice",
        ),
        pytest.param(eks(network=ExistingEksNetwork(vpc_id=OUTPUT, private_subnet_ids=[OUTPUT, OUTPUT])), [], id="a network whose ids are not known"),
        pytest.param(
            eks(network={"endpoints": ["com.amazonaws.us-west-2.sts", "s3", "com.amazonaws.us-east-1.s3", "com.amazonaws.us-east-1.ecr.api"]}),
            ["EKS192 network.endpoints[0]", "EKS192 network.endpoints[2]"],
            id="endpoints",
        ),
        pytest.param(
            eks(region="eu-west-1", network={"zones": ["euw1-az1", "euw1-az4"]}), ["EKS194 network.zones[1]"], id="the fourth of three zones"
        ),
        pytest.param(eks(region="ca-central-1", network={"zones": ["ca-central-1a", "ca-central-1d"]}), [], id="a letter that is left over"),
        pytest.param(
            eks(cluster_policies=["arn:aws:iam::aws:policy/AmazonEKSClusterPolicy"], node_policies=["A", "arn:aws:iam::aws:policy/A"]),
            ["EKS147 cluster_policies[0]", "EKS147 node_policies[1]"],
            id="a policy by its name and by its ARN",
        ),
        pytest.param(eks(tags={"Environment": "dev", "environment": "dev"}), ["EKS190 tags.environment"], id="a key in two cases"),
        pytest.param(eks(tags={"Environment": "dev", "environment": "dev"}, cluster_role=ROLE_ARN), [], id="without a new role"),
        pytest.param(
            eks(tags={"team (web)": "a", "owner": "b; c", "Größe": "1.5 m²"}), ['EKS190 tags["team (web)"]', "EKS190 tags.owner"], id="characters"
        ),
        pytest.param(platform(weu=aks(), use1=eks()), [], id="the tags of a platform"),
        pytest.param(Platform.model_validate({**platform(use1=eks()).model_dump(), "tags": {"a": "b#c"}}), ["EKS190 tags.a"], id="its own tags"),
        pytest.param(Platform.model_validate({**platform(weu=aks()).model_dump(), "tags": {"a": "b#c"}}), [], id="tags of a platform in Azure"),
        pytest.param(entry(type="EC2_LINUX", policies=[{"name": "AmazonEKSViewPolicy"}]), ["EKS083 policies"], id="policies of nodes"),
        pytest.param(entry(type="EC2_LINUX", policies=[{"name": "AmazonEKSAutoNodePolicy"}]), ["EKS084 type"], id="the policy of other nodes"),
        pytest.param(entry(policies=[{"name": "AmazonEKSVeiwPolicy"}]), ["EKS193 policies[0].name"], id="a misspelt access policy"),
        pytest.param(entry(policies=[{"name": "AmazonSagemakerHyperpodClusterPolicy"}]), [], id="an access policy of SageMaker"),
        pytest.param(
            eks(add_ons={"metrics-server": {"version": "0.7.2"}}), ["EKS178 add_ons.metrics-server.version"], id="a version without its form"
        ),
        pytest.param(eks(add_ons={"metrics-server": {"version": "v0.7.2-eksbuild.1"}}), [], id="a version in its form"),
        pytest.param(
            auto(("eks.amazonaws.com/instance-gpu-count", "In", ["8"]), limits={"nvidia.com/gpu": 4}),
            ['EKS068 limits["nvidia.com/gpu"]'],
            id="fewer GPUs than a node has",
        ),
        pytest.param(auto(("eks.amazonaws.com/instance-gpu-count", "In", ["8"]), limits={"nvidia.com/gpu": 8}), [], id="the GPUs of one node"),
        pytest.param(auto(limits={"nvidia.com/gpu": 1}), [], id="a limit on GPUs in a pool of any type"),
        pytest.param(auto((ARCH, "NotIn", ["amd64"]), (ARCH, "NotIn", ["arm64"])), ["KAR043 requirements[0]"], id="no architecture is left"),
        pytest.param(auto((ARCH, "DoesNotExist", [])), ["KAR043 requirements[0]"], id="no architecture"),
        pytest.param(auto((ARCH, "NotIn", ["arm64"]), (CAPACITY, "NotIn", ["spot"])), [], id="some are left"),
        pytest.param(
            auto(labels={ARCH: "x86_64", CAPACITY: "Spot", SYSTEM: "windows"}),
            [f'KAR043 labels["{ARCH}"]', f'KAR043 labels["{CAPACITY}"]', f'KAR043 labels["{SYSTEM}"]'],
            id="labels that no node has",
        ),
        pytest.param(auto(labels={"beta.kubernetes.io/arch": "x86"}), ['KAR043 labels["beta.kubernetes.io/arch"]'], id="a deprecated label"),
        pytest.param(auto((ARCH, "In", ["amd64"]), labels={ARCH: "arm64"}), [f'KAR040 labels["{ARCH}"]'], id="a contradiction"),
    ],
)
def test_a_value_that_a_cloud_rejects_is_told(declared: Model, expected: list[str]) -> None:
    assert told(declared) == expected
