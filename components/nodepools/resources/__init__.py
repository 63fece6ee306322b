"""The rules of declarations, asked of the resources of any Pulumi program."""
