"""Built-in pools off: the same NodePool, with its own NodeClass, role and access entry."""

from nodepools import AutoMode, EksNodeClass, derive
from stacks import dev

OWN = AutoMode(
    built_in_node_pools=[],
    node_classes={"private": EksNodeClass(create_role=True)},
    node_pools={"default": derive(dev.DEFAULT_POOL, node_class="private")},
)

PLATFORM = derive(dev.PLATFORM, name="own", clusters={"auto": {"network": {"cidr": "10.41.0.0/16"}, "auto_mode": OWN}})
