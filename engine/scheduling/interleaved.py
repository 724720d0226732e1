"""Interleaved: the stages of all jobs fill the machine, and no measurement is disturbed."""

from __future__ import annotations

from dataclasses import dataclass

from engine.records.errors import UsageError
from engine.records.options import Checked, Real
from engine.records.sentences import Sentence
from engine.records.stage import Job, Needs, Stage
from engine.scheduling.ordered import OrderedPolicy
from engine.scheduling.policy import Waiting
from engine.scheduling.queues import Rank


@dataclass(frozen=True)
class InterleavedOptions(Checked):
    """How long a stage that waits for cores is passed by others, in seconds.

    Until it has waited `gather_s`, nothing is held back for it: several measurements that need
    all cores come together meanwhile. After `patience_s` nothing passes it any more.
    """

    gather_s: Real = 2.0
    patience_s: Real = 30.0

    def require_sense(self) -> None:
        """A stage is patient for as long as it gathers, at least."""
        if self.gather_s > self.patience_s:
            raise UsageError(
                Sentence(
                    "Seconds to gather of {gather:g} and patience of {patience:g} do not fit.",
                    gather=self.gather_s,
                    patience=self.patience_s,
                ),
                "Give as much patience as gathering or more.",
            )


class Interleaved(OrderedPolicy):
    """What keeps a device busy goes first, then the jobs in their order.

    A stage that waits for a device stands aside. One that waits for cores holds back those behind
    it, except brief ones while a long one runs.
    """

    name = "interleaved"
    title = "Interleaved"
    work_conserving = True

    @dataclass(frozen=True)
    class Options(InterleavedOptions):
        """How long a stage that waits for cores is passed by others."""

    def _own_rank(self, stage: Stage, now_s: float) -> Rank:
        return stage.urgency, stage.order

    def _rank(self, job: Job, needs: Needs, own: Rank) -> Rank:
        return job.priority, not needs.devices, job.place, *own

    def _holds(self, blocked: Waiting, now_s: float) -> bool:
        return now_s - blocked.since_s >= float(self.options.gather_s)

    def _may_any_pass(self, group: str, blocked: list[Waiting], now_s: float) -> bool:
        patient = all(now_s - item.since_s < self.options.patience_s for item in blocked)
        return patient and super()._may_any_pass(group, blocked, now_s)

    def _may_pass(self, stage: Stage, group: str, blocked: list[Waiting], now_s: float) -> bool:
        return stage.brief and self._leaves_devices(stage, blocked)

    @staticmethod
    def _leaves_devices(stage: Stage, blocked: list[Waiting]) -> bool:
        """Whether the stage takes no device that a blocked one needs, too."""
        wanted = {device for item in blocked for device in item.stage.needs.devices}
        return wanted.isdisjoint(stage.needs.devices)
