"""Built-in roles of Azure. Source of the ids: https://learn.microsoft.com/azure/role-based-access-control/built-in-roles (2025-06-30)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

ROLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "AcrPull": "7f951dda-4ed3-4680-a7ca-43fe172d538d",
        "Azure Kubernetes Service RBAC Cluster Admin": "b1ff04bb-8a4e-4dc4-8eb5-8693973ce19b",
        "Container Registry Repository Reader": "b93aa761-3e63-49ed-ac28-beffa264f7ac",
        "Contributor": "b24988ac-6180-42a0-ab88-20f7382dd24c",
        "DNS Zone Contributor": "befefa01-2a29-4197-83a8-272ff33ce314",
        "Key Vault Certificate User": "db79e9a7-68ee-4b58-9aeb-b90e7c24fcba",
        "Key Vault Contributor": "f25e0fa2-a7c8-4377-a976-54943a77a395",
        "Key Vault Crypto User": "12338af0-0e69-4776-bea7-57ae8d297424",
        "Key Vault Secrets User": "4633458b-17de-408a-b874-0445c86b69e6",
        "Managed Identity Operator": "f1a07417-d97a-45cb-824c-7a7467783830",
        "Network Contributor": "4d97b98b-1d4f-4787-a291-c67834d212e7",
        "Private DNS Zone Contributor": "b12aa53e-6015-4669-85d0-8515ebb3ae7f",
        "Reader": "acdd72a7-3385-48ef-bd42-f606fba81ae7",
        "Storage Account Contributor": "17d1049b-9a84-46fb-8f53-869881c3d3ab",
        "Storage Blob Data Contributor": "ba92f5b4-2d11-453d-a403-e96b0029c9fe",
    }
)
"""The id of a role definition by the name of the role."""
