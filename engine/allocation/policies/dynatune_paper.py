"""DynaTune by its paper: curves drawn by a sampler, and the paper's bound."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from engine.allocation.curve_belief import CurveSettings
from engine.allocation.curve_forecast import CurveForecaster
from engine.allocation.forecast import Forecast, Situation
from engine.allocation.policies.belief_policy import BeliefOptions
from engine.allocation.policies.dynatune import DynaTune
from engine.records.options import one_of

FORMS = ("paper", "share", "relative")

_MS = 1e3
_QUICK_MODEL_S = 1e-3


class DynaTunePaper(DynaTune):
    """Upper confidence bounds over fitted curves (Zhang, Li, Wang and Li, ICLR 2021).

    Task k occurs w times in the model, its latency is l, the model's is M = sum of w l. One more
    slot is expected to take away the part g of l by the task's own curve, give or take s. Of t
    slots so far it had c. The slot goes to the largest u; in the form

        paper      u = w l g [ms] + sqrt(C ln t / c), with a tenth of C where M was under 1 ms
        share      u = (w l / M) (g + sqrt(C ln t / c))
        relative   u = (w l / M) min(1, g + s sqrt(C ln t / c))

    The first is the paper's, with its C of 2. Its terms have different units, so its C depends on
    the model; and where the second term is near 1 and the gains are hundredths of a ms, it is all
    that counts: every task gets the same number of slots, as by round robin. The second has no
    units, and no task can have a bonus beyond what it is of the model; but the root is again
    larger than any g. The third scales the root by what the belief is unsure of.

    A curve that is flat so far says that it stays flat, while searches improve in jumps. With
    `pooled` P above 0, g is c / (c + P) that of the curve and P / (c + P) that of `DynaTune`,
    which `peers` scales. With `per_second` the forms without units count a second, not a slot.
    """

    name = "dynatune-paper"
    title = "DynaTune (paper)"
    wants_peak = True

    @dataclass(frozen=True)
    class Options(CurveSettings, BeliefOptions):
        """How curves are believed in, the form of the bound, how much being unsure counts (C)."""

        form: Annotated[str, one_of(*FORMS)] = "paper"
        c: Annotated[float, Meta(ge=0, le=1_000_000)] = 2.0
        pooled: Annotated[float, Meta(ge=0, le=1_000_000)] = 0.0
        first_pass: bool = True
        per_second: bool = False

        def curves(self) -> CurveSettings:
            """What the curves need of it."""
            return CurveSettings(self.family, self.walkers, self.steps, self.samples, self.jump)

    def make_forecaster(self) -> CurveForecaster:
        given = self.options
        return CurveForecaster(
            given.curves(), given.pooled, given.per_second, self.seed, peers=given.peers
        )

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
