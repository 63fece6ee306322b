"""The tables of AKS, in the spelling of Azure's API."""
