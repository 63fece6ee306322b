"""Ids of resources in Azure, as declarations of tests name them."""

from typing import Final

_GROUP: Final = "/subscriptions/s/resourceGroups/g/providers"
ADDRESS, PREFIX = f"{_GROUP}/Microsoft.Network/publicIPAddresses/a", f"{_GROUP}/Microsoft.Network/publicIPPrefixes/p"
SUBNET: Final = f"{_GROUP}/Microsoft.Network/virtualNetworks/v/subnets/s"
NEAR, HOSTS = f"{_GROUP}/Microsoft.Compute/proximityPlacementGroups/n", f"{_GROUP}/Microsoft.Compute/hostGroups/h"
RESERVED: Final = f"{_GROUP}/Microsoft.Compute/capacityReservationGroups/r"
WORKSPACE: Final = f"{_GROUP}/Microsoft.OperationalInsights/workspaces/w"
