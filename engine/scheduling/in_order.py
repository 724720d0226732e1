"""In order: by priority, then arrival; a blocked stage holds back all behind it."""

from __future__ import annotations

from engine.records.stage import Job, Needs, Stage
from engine.scheduling.ordered import OrderedPolicy
from engine.scheduling.queues import Rank


class InOrder(OrderedPolicy):
    """What one run alone has always had.

    Only brief stages pass a blocked one, and only while a long one runs, which it waits for
    anyway.
    """

    name = "in-order"
    title = "In order of arrival"
    waits_for_device = True

    def _own_rank(self, stage: Stage, now_s: float) -> Rank:
        return stage.urgency, stage.order

    def _rank(self, job: Job, needs: Needs, own: Rank) -> Rank:
        return job.priority, *own
