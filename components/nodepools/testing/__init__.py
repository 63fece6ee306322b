"""Tests of Pulumi programs without a cloud: runs one under recording mocks, and answers questions about what it registered.

graph = testing.run(program)
assert graph.deletes("NodePool/dev-use1-compute").before("NodeClass/dev-use1-private")
assert graph.one("Provider/dev-weu-*").secret("kubeconfig")
"""

from nodepools.testing.graph import Graph as Graph
from nodepools.testing.graph import Order as Order
from nodepools.testing.node import Node as Node
from nodepools.testing.properties import UNKNOWN as UNKNOWN
from nodepools.testing.properties import Properties as Properties
from nodepools.testing.runner import run as run
from nodepools.testing.waves import Waves as Waves
