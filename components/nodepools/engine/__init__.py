"""The embedded engine: runs a Pulumi program without the Pulumi CLI and records what it registers, its registration plan."""
