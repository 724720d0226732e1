"""DynaTune: the slot goes where it may shorten the whole model most."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from engine.allocation.belief_policy import BeliefOptions, BeliefPolicy, Pick
from engine.allocation.forecast import Forecast, Situation
from engine.allocation.wording import short
from engine.errors import UsageError

FORMS = ("relative", "share", "paper")

_MS = 1e3
_QUICK_MODEL_S = 1e-3


class DynaTune(BeliefPolicy):
    """Upper confidence bounds over Bayesian beliefs (Zhang, Li, Wang and Li, ICLR 2021).

    Task k occurs w times in the model, its latency is l, the model's is M = sum of w l. Its belief
    expects one more slot to take away the part g of l, give or take s. Of t slots so far it had c.
    The slot goes to the largest u; in the form

        paper      u = w l g [ms] + sqrt(C ln t / c), with a tenth of C where M was under 1 ms
        share      u = (w l / M) (g + sqrt(C ln t / c))
        relative   u = (w l / M) min(1, g + s sqrt(C ln t / c))

    The first is the paper's. Its terms have different units, so its C depends on the model; and
    where the second term is near 1 and the gains are hundredths of a ms, it is all that counts:
    every task gets the same number of slots, as by round robin. The second has no units, and no
    task can have a bonus beyond what it is of the model; but the root is again larger than any g,
    so slots are given by share and not by belief. The third scales the root by what the belief is
    unsure of: the reward of a slot has standard deviation s, not 1, and that is what a confidence
    bound is made of. A task that has converged loses its bonus with its spread, and one C serves
    every model and device.

    With `per_second` the relative forms are multiplied by the mean seconds of a slot over those
    of the task's: a gain a second, not a slot.
    """

    name = "dynatune"
    title = "DynaTune"

    @dataclass(frozen=True)
    class Options(BeliefOptions):
        """How beliefs are held, the form of the bound, and how much being unsure counts (C)."""

        form: str = "relative"
        c: float = 2.0

        def __post_init__(self) -> None:
            if self.form not in FORMS:
                raise UsageError(
                    f"DynaTune has no form {self.form!r}.", f"Choose one of {', '.join(FORMS)}."
                )
            self.settings()

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
