"""Addresses of a plan are found in the files of its configuration: in local modules, at the call of others, and not where nothing has them."""

import pytest

from nodepools.reading.bounded_input import MIB
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


LOCALS = """\
locals {
  size     = "Standard_D4ds_v5"
  again    = local.size
  made     = "${var.family}_v5"
  labels   = { tier = "web" }
  merged   = merge(local.labels, { tier = "shop" })
  round    = local.trip
  trip     = local.round
  given    = local.pools
  pools = {
    web = {
      vm_size = local.again
      "zones" = ["1"]
      labels  = { tier = "web" }
    }
    db = local.db
    computed = merge(local.db, { vm_size = "a" })
  }
  db     = { vm_size = "Standard_D2ds_v5" }
  dotted = { "a.b" = { "c.d" = "Standard_D2ds_v5" } }
  twice = { web = { vm_size = "a" }, web = { vm_size = "b" } }
  keyed = { (var.name) = { vm_size = "a" }, web = { vm_size = "b" } }
}
"""
RESOURCE = """\
resource "azurerm_kubernetes_cluster_node_pool" "this" {
  for_each    = FOR_EACH
  vm_size     = VALUE
  node_labels = VALUE
  upgrade_settings {
    max_surge = VALUE
  }
}
"""
THIS = "azurerm_kubernetes_cluster_node_pool.this"
INSTANCE = f'{THIS}["web"]'
ARGUMENT = "main.tf:3:3"


def at(folder, address, *steps):
    found = Blocks(folder).position(address, steps)
    assert found is not None
    return str(found).removeprefix(f"{folder}/")


@pytest.fixture
def declared(tmp_path):
    """Writes a pool whose arguments have this value, next to the local values."""

    def write(value, for_each="local.pools", **files):
        for name, text in {"main.tf": RESOURCE.replace("VALUE", value).replace("FOR_EACH", for_each), "locals.tf": LOCALS, **files}.items():
            (tmp_path / name).write_text(text)
        return tmp_path

    return write


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ("local.size", "locals.tf:2:3"),
        ('"${local.size}"', "locals.tf:2:3"),
        ("local.again", "locals.tf:2:3"),
        ("local.made", "locals.tf:4:3"),
        ("local.merged", "locals.tf:6:3"),
        ("local.db.vm_size", "locals.tf:19:14"),
        ('local.pools["web"].vm_size', "locals.tf:2:3"),
        ("local.pools.db.vm_size", "locals.tf:19:14"),
        ('local.dotted["a.b"]["c.d"]', "locals.tf:20:24"),
        ("each.value.vm_size", "locals.tf:2:3"),
        ('each.value["zones"]', "locals.tf:13:7"),
        ("each.value", "locals.tf:11:5"),
    ],
)
def test_a_value_of_locals_is_at_its_definition(declared, value, line):
    folder = declared(value)
    assert at(folder, INSTANCE, "vm_size") == line
    assert at(folder, INSTANCE, "upgrade_settings", 0, "max_surge") == line


@pytest.mark.parametrize(
    "value",
    [
        *("local.gone", "var.size", "each.key", "each.value.gone", "local.pools.gone.vm_size", "local.pools.computed.vm_size", "local.merged.tier"),
        *('"${local.size}s"', '"x${local.size}"', "upper(local.size)", "local.size == 1 ? 2 : 3", "[local.size]", "local.pools[0].vm_size"),
        *("local.twice.web.vm_size", "local.keyed.web.vm_size", "local.pools[var.name].vm_size", "local.size.inside", "local.pools.*.vm_size"),
    ],
)
def test_a_value_that_is_made_of_others_is_at_its_argument(declared, value):
    assert at(declared(value), INSTANCE, "vm_size") == ARGUMENT


@pytest.mark.parametrize(
    ("for_each", "address", "line"),
    [
        ("local.given", INSTANCE, "locals.tf:2:3"),
        ("{ web = { vm_size = local.size } }", INSTANCE, "locals.tf:2:3"),
        ("local.pools", f'module.local["db"].{INSTANCE}', "locals.tf:2:3"),
        ("local.pools", f'{THIS}["db"]', "locals.tf:19:14"),
        ("local.pools", f'{THIS}["gone"]', ARGUMENT),
        ("local.pools", f'{THIS}["computed"]', ARGUMENT),
        ("local.pools", f"{THIS}[0]", ARGUMENT),
        ("local.pools", THIS, ARGUMENT),
        ("local.merged", INSTANCE, ARGUMENT),
        ("toset(local.pools)", INSTANCE, ARGUMENT),
        ("local.round", INSTANCE, ARGUMENT),
        ("local.twice", INSTANCE, ARGUMENT),
        ("local.keyed", INSTANCE, ARGUMENT),
    ],
)
def test_each_instance_has_its_element(declared, for_each, address, line):
    folder = declared("each.value.vm_size", for_each, **{"call.tf": 'module "local" {\n  source = "./"\n}\n'})
    assert at(folder, address, "vm_size") == line


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ("local.labels", "locals.tf:5:16"),
        ("each.value.labels", "locals.tf:14:19"),
        ("local.merged", "locals.tf:6:3"),
        ("{ tier = local.size }", "locals.tf:2:3"),
        ("{ other = 1 }", "main.tf:4:3"),
    ],
)
def test_an_entry_of_a_mapping_is_where_it_is_written(declared, value, line):
    assert at(declared(value), INSTANCE, "node_labels", "tier") == line
    assert at(declared(value), INSTANCE, "node_labels", "tier", 0).startswith(line.partition(":")[0])


def test_values_that_refer_to_each_other_end(declared):
    assert at(declared("local.round"), INSTANCE, "vm_size").startswith("locals.tf:")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("more.tf", 'locals {\n  size = "other"\n}\n'),
        ("locals.tofu", 'locals {\n  size = "other"\n}\n'),
        ("bad.tf", "locals {\n  size = = 3\n}\n"),
    ],
)
def test_a_local_value_that_another_file_can_define_is_not_certain(declared, name, text):
    assert at(declared("local.size", **{name: text}), INSTANCE, "vm_size") == ARGUMENT
    assert at(declared("local.db.vm_size", **{name: text}), INSTANCE, "vm_size") == "locals.tf:19:14"


def test_a_large_file_can_define_any_local_value(declared, monkeypatch):
    folder = declared("local.size", **{"large.tf": "#" * 5000})
    monkeypatch.setattr(terraform_blocks, "_MOST", 4000)
    assert at(folder, INSTANCE, "vm_size") == ARGUMENT


@pytest.mark.parametrize("name", ["override.tf", "main_override.tf.json", "sizes_override.tofu"])
def test_files_that_override_others_leave_the_block(declared, name):
    assert at(declared("local.size", **{name: "{}" if name.endswith("json") else "locals {}"}), INSTANCE, "vm_size") == "main.tf:1:1"


def test_json_syntax_has_no_lines(declared):
    folder = declared("local.json", **{"more.tf.json": '{"locals": {"json": "x"}, "resource": {"aws_eks_cluster": {"a": {}}}}'})
    assert at(folder, INSTANCE, "vm_size") == ARGUMENT
    assert Blocks(folder).position("aws_eks_cluster.a") is None


def test_several_blocks_of_one_name_are_at_their_resource(tmp_path):
    (tmp_path / "main.tf").write_text('resource "aws_eks_node_group" "web" {\n  taint {\n    key = "a"\n  }\n  taint {\n    key = "b"\n  }\n}\n')
    assert at(tmp_path, "aws_eks_node_group.web", "taint", 1, "key") == "main.tf:1:1"


def test_a_module_has_its_own_local_values(tmp_path):
    (tmp_path / "inner").mkdir()
    (tmp_path / "main.tf").write_text('module "aks" {\n  source = "./inner"\n}\nlocals {\n  size = "outer"\n}\n')
    (tmp_path / "inner" / "main.tf").write_text(RESOURCE.replace("VALUE", "local.size") + 'locals {\n  size = "inner"\n}\n')
    assert at(tmp_path, f"module.aks.{INSTANCE}", "vm_size") == "inner/main.tf:10:3"
