"""What a command reads: files, folders, stacks, manifests."""
