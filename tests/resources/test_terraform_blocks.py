"""Addresses of a plan are found in the files of its configuration: in local modules, at the call of others, and not where nothing has them."""

import pytest

from nodepools.reading.limits import MIB
from nodepools.resources import terraform_blocks
from nodepools.resources.terraform_blocks import Blocks

ROOT = """\
/* resource "azurerm_kubernetes_cluster" "commented" { */
locals {
  text = <<-EOT
    resource "azurerm_kubernetes_cluster" "quoted" {
    }
  EOT
}

module "aks" {
  source = "./modules/aks"
}

module "eks" {
  source  = "terraform-aws-modules/eks/aws"
  version = "21.3.1"
}

module "unset" {}

resource "azurerm_kubernetes_cluster_node_pool" "web" {
  for_each = local.pools
  name     = each.key
  dynamic "upgrade_settings" {
    for_each = [1]
    content {
      max_surge = "33%"
    }
  }
  linux_os_config { swap_file_size_mb = 1 }
}
"""
MODULE = """\
module "inner" {
  source = "../inner"
}
resource azurerm_kubernetes_cluster this {
  default_node_pool {
    vm_size = var.size
  }
}
"""
WEB = 'azurerm_kubernetes_cluster_node_pool.web["a.b[0]"]'


@pytest.fixture
def folder(tmp_path):
    for name, text in {
        "main.tf": ROOT,
        "modules/aks/aks.tofu": MODULE,
        "modules/inner/main.tf": 'resource "aws_eks_cluster" "a" {}',
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("address", "steps", "line"),
    [
        (WEB, (), "main.tf:20:1"),
        (WEB, ("name",), "main.tf:22:3"),
        (WEB, ("upgrade_settings", 0, "max_surge"), "main.tf:23:3"),
        (WEB, ("linux_os_config", 0, "swap_file_size_mb"), "main.tf:29:21"),
        (WEB, ("zones", 0), "main.tf:20:1"),
        ("module.aks.azurerm_kubernetes_cluster.this", ("default_node_pool", 0, "vm_size"), "modules/aks/aks.tofu:6:5"),
        ("module.aks.azurerm_kubernetes_cluster.this.maintenance_window", ("allowed",), "modules/aks/aks.tofu:4:1"),
        ('module.aks["x"].module.inner[0].aws_eks_cluster.a', (), "modules/inner/main.tf:1:1"),
        ('module.eks.module.eks_managed_node_group["web"].aws_eks_node_group.this[0]', (), "main.tf:13:1"),
        ("module.aks.azurerm_kubernetes_cluster.other", (), "main.tf:9:1"),
        ("module.aks.module.gone.aws_eks_cluster.a", (), "main.tf:9:1"),
        ("module.unset.aws_eks_cluster.a", (), "main.tf:18:1"),
        ("module.gone.aws_eks_cluster.a", (), None),
        ("None", (), None),
        ("azurerm_kubernetes_cluster.commented", (), None),
        ("azurerm_kubernetes_cluster.quoted", (), None),
    ],
)
def test_an_address_is_at_its_nearest_block(folder, address, steps, line):
    found = Blocks(folder).position(address, steps)
    assert (str(found).removeprefix(f"{folder}/") if found is not None else None) == line


def test_a_file_that_cannot_be_parsed_is_named_and_others_are_read(folder, monkeypatch):
    (folder / "broken.tf").write_text('resource "aws_eks_cluster" "a" {\n  name = = 3\n}\n')
    (folder / "bytes.tf").write_bytes(b"\xff\xfe")
    blocks = Blocks(folder)
    assert blocks.position("aws_eks_cluster.a") is None
    assert blocks.position(WEB) == blocks.position(WEB) is not None
    said = blocks.without_lines(["aws_eks_cluster.a"])
    assert "(line 2, column" in said
    assert "is not UTF-8 text" in said
    monkeypatch.setattr(terraform_blocks, "_MOST", 100)
    large = Blocks(folder)
    assert large.position(WEB) is None
    assert "has more than 100 characters" in large.without_lines([WEB])


def test_without_a_parser_or_files_the_reason_is_said(folder, tmp_path, monkeypatch):
    (tmp_path / "empty").mkdir()
    assert Blocks(tmp_path / "empty").position(WEB) is None
    assert "`--hcl FOLDER` names" in Blocks(tmp_path / "empty").without_lines([WEB])
    monkeypatch.setattr(terraform_blocks, "find_spec", lambda _: None)
    assert Blocks(folder).position(WEB) is None
    assert "have no line: pip install 'nodepools[terraform]'" in Blocks(folder).without_lines([WEB, "a.b"])


def test_files_are_read_within_the_limits(folder, monkeypatch):
    monkeypatch.setenv(MIB.variable, "1")
    (folder / "main.tf").write_text("#" * (2 * 1024 * 1024))
    blocks = Blocks(folder)
    assert blocks.position(WEB) is None
    assert "is larger than 1 MiB" in blocks.without_lines([WEB])
