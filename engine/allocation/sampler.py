"""Curves drawn from the posterior, by emcee's affine-invariant ensemble sampler."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.allocation.curves import Family
from engine.allocation.fitting import NOISE, Points

Floats: TypeAlias = NDArray[np.float64]

_BALL = 1e-3
_TRIES = 20


@dataclass(frozen=True, slots=True)
class Chain:
    """What the sampler did: `theta` (steps, walkers, k), its mean acceptance fraction."""

    theta: Floats
    acceptance: float


def log_posterior(family: Family, points: Points) -> Callable[[Floats], Floats]:
    """The log of prior times likelihood of curves (walkers, k), up to a constant: (walkers,).

    The prior is uniform within the family's bounds, zero for a curve that at the horizon lies
    below the best measured or above the ceiling. The noise is Gaussian of unknown size,
    integrated out under an inverse-gamma prior worth one point of `NOISE` times the best.
    """
    count = len(points.x)
    log_x = np.log(np.append(points.x, points.horizon))
    measured, best, ceiling = points.y, points.best, points.ceiling
    floor = (NOISE * best) ** 2
    lower, upper = family.lower, family.upper
    curve_of, scale = family.log_curve, -0.5 * (count + 1)

    def log_probability(theta: Floats) -> Floats:
        curve = curve_of(theta, log_x)
        off = curve[:, :-1] - measured
        end = curve[:, -1]
        inside = ((theta >= lower) & (theta <= upper)).all(1) & (end >= best) & (end <= ceiling)
        misfit = np.log(floor + np.einsum("ij,ij->i", off, off))
        return np.where(inside, scale * misfit, -np.inf)

    return log_probability


def sample(
    family: Family, points: Points, start: Floats, walkers: int, steps: int, seed: list[int]
) -> Chain | None:
    """A chain from a tight Gaussian ball at `start` (k,); None where no ball fits the prior.

    The same arguments give the same chain.
    """
    random = np.random.RandomState(np.random.MT19937(np.random.SeedSequence(seed)))
    posterior = log_posterior(family, points)
    with np.errstate(all="ignore"):
        ball = _ball(family, posterior, start, walkers, random)
        if ball is None:
            return None
        sampler = _ensemble(posterior, walkers, len(start), steps, random)
        sampler.random_state = random.get_state()
        sampler.run_mcmc(ball, steps, skip_initial_state_check=True)
    return Chain(sampler.get_chain(), float(sampler.acceptance_fraction.mean()))


def _ball(
    family: Family,
    posterior: Callable[[Floats], Floats],
    start: Floats,
    walkers: int,
    random: Any,
) -> Floats | None:
    """Starting points (walkers, k) near `start`, all of them inside the prior."""
    width = _BALL * np.maximum(np.abs(start), 0.01 * (family.upper - family.lower))
    for shrink in (1.0, 0.1, 0.01):
        cloud = start + shrink * width * random.randn(_TRIES * walkers, len(start))
        allowed = cloud[np.isfinite(posterior(cloud))]
        if len(allowed) >= walkers:
            return np.asarray(allowed[:walkers])
    return None


def _ensemble(
    posterior: Callable[[Floats], Floats], walkers: int, dimensions: int, steps: int, random: Any
) -> Any:
    """emcee's sampler for one chain of so many steps, without what it does at each step beside.

    It copies the random state, checks every coordinate and loops over the walkers in Python,
    which together take twice as long as the likelihood. `walkers` is even.
    """
    from emcee import EnsembleSampler
    from emcee.moves import Move
    from emcee.state import State

    class Ensemble(EnsembleSampler):  # type: ignore[misc]
        """A sampler whose chain is made at once."""

        @property
        def random_state(self) -> None:
            """Kept by nobody."""

        @random_state.setter
        def random_state(self, state: Any) -> None:
            EnsembleSampler.random_state.fset(self, state)

        def compute_log_prob(self, coords: Floats) -> tuple[Floats, None]:
            """The log probability of each walker; the function never answers NaN."""
            return posterior(coords), None

    class Stretch(Move):  # type: ignore[misc]
        """Goodman and Weare's stretch move, a = 2: half of the walkers at a time, as one array.

        What chance decides is drawn for all the steps at once.
        """

        def __init__(self, random: Any) -> None:
            half = walkers // 2
            self._orders = random.rand(steps, walkers).argsort(axis=1)
            draws = random.rand(3, steps, 2, half)
            self._stretches = 0.5 * (draws[0] + 1.0) ** 2
            self._partners = (draws[1] * half).astype(np.int64)
            volume = (dimensions - 1) * np.log(self._stretches)
            self._hurdles = np.log(draws[2]) - volume
            self._step = 0

        def propose(self, model: Any, state: Any) -> tuple[Any, NDArray[np.bool_]]:
            """One step of every walker."""
            step, half = self._step, walkers // 2
            self._step += 1
            coords, log_prob = state.coords.copy(), state.log_prob.copy()
            accepted = np.zeros(walkers, bool)
            order = self._orders[step]
            halves = order[:half], order[half:]
            for turn, (moving, others) in enumerate((halves, halves[::-1])):
                anchors = coords[others[self._partners[step, turn]]]
                stretch = self._stretches[step, turn][:, None]
                proposed = anchors - (anchors - coords[moving]) * stretch
                found = posterior(proposed)
                taken = found - log_prob[moving] > self._hurdles[step, turn]
                rows = moving[taken]
                coords[rows], log_prob[rows] = proposed[taken], found[taken]
                accepted[rows] = True
            return State(coords, log_prob=log_prob), accepted

    return Ensemble(walkers, dimensions, posterior, vectorize=True, moves=Stretch(random))
