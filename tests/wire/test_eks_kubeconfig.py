"""The kubeconfig says how to log in, and holds no secret of its own."""

import json
from typing import Any

import pytest

from nodepools.wire.eks.cluster import kubeconfig


def read(**account: str) -> dict[str, Any]:
    return json.loads(kubeconfig("dev-use1", "https://api.example", "bWFkZSB1cA==", "us-east-1", **account))


def login(config: dict[str, Any]) -> dict[str, Any]:
    [user] = config["users"]
    return user["user"]["exec"]


def test_it_leads_to_one_cluster() -> None:
    config = read()
    [cluster], [context], [user] = config["clusters"], config["contexts"], config["users"]
    assert cluster["cluster"] == {"server": "https://api.example", "certificate-authority-data": "bWFkZSB1cA=="}
    assert context["context"] == {"cluster": cluster["name"], "user": user["name"]}
    assert config["current-context"] == context["name"]


def test_the_aws_cli_logs_in_and_asks_nobody() -> None:
    asked = login(read())
    assert asked["command"] == "aws"
    assert asked["apiVersion"] == "client.authentication.k8s.io/v1beta1"
    assert asked["interactiveMode"] == "Never"


@pytest.mark.parametrize(
    ("account", "more"),
    [
        pytest.param({}, [], id="as the environment says"),
        pytest.param({"profile": "prod"}, ["--profile", "prod"], id="with a profile"),
        pytest.param({"role_arn": "arn:aws:iam::111122223333:role/ci"}, ["--role-arn", "arn:aws:iam::111122223333:role/ci"], id="through a role"),
        pytest.param({"role_arn": "r", "profile": "p"}, ["--role-arn", "r", "--profile", "p"], id="through a role, from a profile"),
    ],
)
def test_it_logs_in(account: dict[str, str], more: list[str]) -> None:
    assert login(read(**account))["args"] == ["eks", "get-token", "--cluster-name", "dev-use1", "--region", "us-east-1", "--output", "json", *more]
