"""Rollouts of a change to many stacks: their declaration, their plan, and the function that carries a plan out.

    ROLLOUT = Rollout(name="fleet", waves=[RolloutWave(name="dev", stacks=["dev-*"]), RolloutWave(name="prod", stacks=["prod-*"], soak="24h")])

`nodepools rollout plan` plans it, and `nodepools rollout compile` writes the plan for an engine. The guide is docs/guides/fleets.md.
"""

from nodepools.rollout.plan import Check as Check
from nodepools.rollout.plan import Command as Command
from nodepools.rollout.plan import MustFit as MustFit
from nodepools.rollout.plan import NothingAbove as NothingAbove
from nodepools.rollout.plan import NothingRefused as NothingRefused
from nodepools.rollout.plan import Plan as Plan
from nodepools.rollout.plan import PlannedWave as PlannedWave
from nodepools.rollout.plan import RegionHasVersion as RegionHasVersion
from nodepools.rollout.plan import Rollout as Rollout
from nodepools.rollout.plan import RolloutWave as RolloutWave
from nodepools.rollout.run import require_fit as require_fit
from nodepools.rollout.run import require_open as require_open
from nodepools.rollout.run import run as run
