from nodepools.model.aks.agent_pool import AgentPool as AgentPool
from nodepools.model.karpenter import NodePool as NodePool
from nodepools.rules.engine.finding import PartFinding as PartFinding
from nodepools.rules.engine.own_rules import rule as rule
from nodepools.rules.engine.registry import finding as finding
