"""The fixtures of nodepools: `stack_graph` runs the program."""

pytest_plugins = ["nodepools.testing.fixtures"]
