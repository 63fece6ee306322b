"""What the edits between two declarations or plans do: effect, nodes, pace and order of each. Facts: docs/facts."""
