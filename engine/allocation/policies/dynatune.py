"""DynaTune: the slot goes where it may shorten the whole model most."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from engine.allocation.forecast import Forecast, Situation
from engine.allocation.policies.belief_policy import BeliefOptions, BeliefPolicy, Pick
from engine.allocation.wording import short
from engine.records.options import one_of

FORMS = ("relative", "share", "paper")

_MS = 1e3
_QUICK_MODEL_S = 1e-3


class DynaTune(BeliefPolicy):
    """Upper confidence bounds over Bayesian beliefs (Zhang, Li, Wang and Li, ICLR 2021).

    Task k occurs w times in the model, its latency is l, the model's is M = sum of w l. One more
    slot is expected to take away the part g of l, give or take s. Of t slots so far it had c. The
    slot goes to the largest u; in the form

        paper      u = w l g [ms] + sqrt(C ln t / c), with a tenth of C where M was under 1 ms
        share      u = (w l / M) (g + sqrt(C ln t / c))
        relative   u = (w l / M) min(1, g + s sqrt(C ln t / c))

    The first is the paper's, with its C of 2. Its terms have different units, so its C depends on
    the model; and where the second term is near 1 and the gains are hundredths of a ms, it is all
    that counts: every task gets the same number of slots, as by round robin. The second has no
    units, and no task can have a bonus beyond what it is of the model; but the root is again
    larger than any g, so slots are given by share and not by belief. The third scales the root by
    what the belief is unsure of: the reward of a slot has standard deviation s, not 1, and that is
    what a confidence bound is made of. One C serves every model and device, and a small one: an
    arm that is not drawn does not change, and that little is known of it is in g already.

    In the paper g is the expected improvement by the task's own curve. A curve that is flat so far
    says that it stays flat, while searches improve in jumps: over the recorded runs what it
    expects and what came are all but unrelated. So g is mixed with what slots gave in this run,

        g = c / (c + P) g_curve + P / (c + P) h A / (c (1 + d))

    where P is `pooled`, d how many slots in a row brought no better schedule, A what slots took
    away over the sum of their 1 / (c (1 + d)), of all tasks, then the class, then the task itself
    (`pooled.Pool`), and h how many times as long the task takes as its class does at its size
    (`peers.headrooms`): gains follow all three in proportion. A first slot has the mean of first
    slots for A / (c (1 + d)).

    With `per_second` the relative forms are multiplied by the mean seconds of a slot over those
    expected of the task's next one (`paces.Paces`): a gain a second, not a slot.
    """

    name = "dynatune"
    title = "DynaTune"

    @dataclass(frozen=True)
    class Options(BeliefOptions):
        """How beliefs are held, the form of the bound, and how much being unsure counts (C)."""

        form: Annotated[str, one_of(*FORMS)] = "relative"
        c: Annotated[float, Meta(ge=0, le=1_000_000)] = 0.1

    def pick(self, forecasts: Sequence[Forecast], situation: Situation) -> Pick:
        """The task with the largest upper confidence bound, the lowest index among equals."""
        terms = [self.terms(forecast, situation) for forecast in forecasts]
        bounds = [gain + bonus for gain, bonus in terms]
        best = max(range(len(forecasts)), key=lambda row: (bounds[row], -row))
        greedy = max(range(len(forecasts)), key=lambda row: terms[row][0])
        chosen = forecasts[best]
        why = (
            ""
            if terms[best][0] >= terms[greedy][0]
            else (f"; task {forecasts[greedy].view.index} promises more, but is better known")
        )
        columns = {
            "bonus": [short(bonus) for _, bonus in terms],
            "ucb": [short(bound) for bound in bounds],
        }
        return Pick(chosen, why, columns)

    def terms(self, forecast: Forecast, situation: Situation) -> tuple[float, float]:
        """The bound's two terms, the gain and the bonus, in the units of the form."""
        tries = max(1, forecast.view.slots)
        root = math.sqrt(self.options.c * math.log(max(2, situation.slots)) / tries)
        if self.options.form == "paper":
            scale = math.sqrt(0.1) if situation.untuned_s < _QUICK_MODEL_S else 1.0
            return _MS * forecast.gain_s, scale * root
        part = forecast.pace * forecast.cost_s / situation.latency_s
        bonus = root if self.options.form == "share" else forecast.spread * root
        if self.options.form == "relative":
            bonus = min(bonus, 1.0 - forecast.gain)
        return part * forecast.gain, part * bonus
