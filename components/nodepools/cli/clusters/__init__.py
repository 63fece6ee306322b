"""What commands say of clusters: tables, diagrams, prerequisites, machine types."""
