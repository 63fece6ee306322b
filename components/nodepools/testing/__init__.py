"""Tests of Pulumi programs without a cloud: runs a program with mocks that record what it registers, and checks the result.

    graph = testing.run(program)
    assert graph.deletes("NodePool/dev-use1-compute").before("NodeClass/dev-use1-private")
    assert graph.one("Provider/dev-weu-*").secret("kubeconfig")

For pytest: `pytest_plugins = ["nodepools.testing.fixtures"]`. The guide is docs/guides/testing.md.
"""

from nodepools.testing.capacity import must_fit as must_fit
from nodepools.testing.graph import Golden as Golden
from nodepools.testing.graph import Graph as Graph
from nodepools.testing.graph import Order as Order
from nodepools.testing.graph import Stacks as Stacks
from nodepools.testing.graph import Waves as Waves
from nodepools.testing.node import CheckResult as CheckResult
from nodepools.testing.node import Node as Node
from nodepools.testing.program import Program as Program
from nodepools.testing.properties import UNKNOWN as UNKNOWN
from nodepools.testing.properties import NoSuchPropertyError as NoSuchPropertyError
from nodepools.testing.properties import NoSuchResourceError as NoSuchResourceError
from nodepools.testing.properties import Plain as Plain
from nodepools.testing.properties import Properties as Properties
from nodepools.testing.properties import Secret as Secret
from nodepools.testing.recorder import OutputFixture as OutputFixture
from nodepools.testing.recorder import UnknownCallError as UnknownCallError
from nodepools.testing.runner import run as run
