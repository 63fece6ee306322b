"""The built-in pools off: the same pool, with a class, a role and an access entry of its own."""

from nodepools import AutoMode, EksNodeClass, derive
from stacks import dev

OWN = AutoMode(
    built_in_node_pools=[],
    node_classes={"private": EksNodeClass(create_role=True)},
    node_pools={"default": derive(dev.DEFAULT_POOL, node_class="private")},
)

PLATFORM = derive(dev.PLATFORM, name="own", clusters={"auto": {"network": {"cidr": "10.41.0.0/16"}, "auto_mode": OWN}})
