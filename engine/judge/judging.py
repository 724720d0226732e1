"""Compares what a compiled module answers with what runs its file, draw by draw."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.deploy.compare import Tolerance, largest_difference
from engine.judge.draws import NORMAL, Draw
from engine.judge.worst import worst
from engine.models.readers import Answer, Arrays, Reference
from engine.records.errors import ExportError, ModelError, TuningError
from engine.records.network import Judged, Verdict
from engine.records.sentences import Sentence
from engine.workers.fresh import run_fresh

_NUDGES = 3  # how often the reference is asked again on inputs that are hardly others
_NUDGE = 2.0**-21  # of each number: four of the last places of float32
_FILLS = (4.0, -4.0)  # for what is not finite
_SLACK = 4.0  # how many times as far as the reference moves a module may be off

Outputs = dict[str, np.ndarray]


@dataclass(frozen=True, slots=True)
class Terms:
    """What is no difference: rounding up to `tolerance`; with `spreads` what is not finite may
    reach farther than in the file, as Winograd's kernels have it; with `pools` what NaN reaches is
    undefined: of a window that has one ONNX Runtime gives NaN where it stands last, else the
    largest of what comes after it."""

    tolerance: Tolerance
    spreads: bool = False
    pools: bool = False


def judge(
    reference: Reference | None,
    draws: Sequence[Draw],
    found: Sequence[Outputs | str | None],
    terms: Terms,
) -> Judged:
    """The verdict on each draw, of which `found` has the module's answer, the sentence of why it
    has none, or None where there was no time. Blocks; the reference runs in fresh processes.

    Raises ModelError where the reference cannot load the file.
    """
    if reference is None:
        return Judged("")
    expected = _answers(reference, [draw.inputs for draw in draws])
    verdicts = [
        _verdict(draw, ours, theirs, terms, reference.name)
        for draw, ours, theirs in zip(draws, found, expected, strict=True)
    ]
    again = [at for at, one in enumerate(verdicts) if one.wrong and _may_move(one)]
    others = {at: list(_nudged(draws[at])) for at in again}
    filled = {at: list(_filled(draws[at])) if terms.pools else [] for at in again}
    nudged = [inputs for at in again for inputs in (*others[at], *filled[at])]
    answers = iter(_answers(reference, nudged) if nudged else [])
    for at in again:
        moved = [next(answers) for _ in others[at]]
        without = [next(answers) for _ in filled[at]]
        ours, theirs = found[at], expected[at]
        assert isinstance(ours, dict) and isinstance(theirs, dict)
        slack = _slack(theirs, moved)
        for name, reached in _reached(theirs, without).items():
            slack[name] = np.where(reached, np.inf, slack[name])
        verdicts[at] = _verdict(draws[at], ours, theirs, terms, reference.name, slack)
    return Judged(reference.name, tuple(verdicts))


def _may_move(verdict: Verdict) -> bool:
    """Whether another tolerance may change the verdict: that of the first draw is fixed."""
    return verdict.draw != NORMAL and bool(verdict.output)


def _verdict(
    draw: Draw,
    ours: Outputs | str | None,
    theirs: Answer,
    terms: Terms,
    name: str,
    slack: Mapping[str, np.ndarray] | None = None,
) -> Verdict:
    blank = Verdict(draw.name, draw.seed)
    if isinstance(theirs, ModelError):
        return replace(blank, note=theirs.what)
    if ours is None:
        return replace(blank, note=Sentence("The module took too long for the draws before."))
    if isinstance(ours, str):
        return replace(blank, note=ours, wrong=True)
    compared = {key: array for key, array in theirs.items() if _compared(draw, array)}
    free = _free(ours, compared, draw, terms, slack or {})
    differences = []
    for key, array in compared.items():
        try:
            one = {key: array}
            differences.append(largest_difference(ours, one, terms.tolerance, name, free))
        except ExportError as error:
            return _wrong(blank, error.what, key, ours, array, terms)
    return replace(blank, difference=max(differences, default=0.0))


def _compared(draw: Draw, array: np.ndarray) -> bool:
    """Whole numbers out of what is not finite are undefined."""
    return draw.finite or array.dtype.kind not in "iu"


def _wrong(
    blank: Verdict, what: str, key: str, ours: Outputs, theirs: np.ndarray, terms: Terms
) -> Verdict:
    wrong = replace(blank, note=what, wrong=True, output=key)
    at = worst(key, ours[key], theirs, terms.tolerance) if key in ours else None
    if at is None or ours[key].shape != theirs.shape:
        return wrong
    return replace(wrong, ours=f"{at.ours:.6g}", theirs=f"{at.theirs:.6g}")


def _free(
    ours: Outputs, theirs: Outputs, draw: Draw, terms: Terms, slack: Mapping[str, np.ndarray]
) -> dict[str, np.ndarray]:
    """The slack of each output; none where ours may be infinite or NaN in other places, too."""
    free = dict(slack)
    if draw.finite or not terms.spreads:
        return free
    for key, array in theirs.items():
        if key in ours and ours[key].shape == array.shape and array.dtype.kind not in "biu":
            wide = np.where(np.isfinite(ours[key].astype(np.float64)), 0.0, np.inf)
            free[key] = np.maximum(wide, free.get(key, 0.0))
    return free


def _nudged(draw: Draw) -> Iterator[Outputs]:
    """The draw's inputs with the last places of their floats changed at random."""
    for number in range(_NUDGES):
        random = np.random.default_rng((draw.seed, number))
        yield {
            name: array if array.dtype.kind in "biu" else _nudge(array, random)
            for name, array in draw.inputs.items()
        }


def _filled(draw: Draw) -> Iterator[Outputs]:
    """The draw's inputs with numbers of either sign in place of what is not finite."""
    if draw.finite:
        return
    for number in _FILLS:
        yield {
            name: np.where(np.isfinite(array), array, array.dtype.type(number))
            if array.dtype.kind not in "biu"
            else array
            for name, array in draw.inputs.items()
        }


def _reached(theirs: Outputs, without: Sequence[Answer]) -> dict[str, np.ndarray]:
    """By output, which elements are others where the inputs are finite."""
    known = [answer for answer in without if not isinstance(answer, ModelError)]
    return {
        name: np.any([~_same(array, answer[name]) for answer in known], axis=0)
        for name, array in theirs.items()
        if known
    }


def _same(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    one, other = a.astype(np.float64), b.astype(np.float64)
    return np.asarray((one == other) | (np.isnan(one) & np.isnan(other)))


def _nudge(array: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """At least one place of the type itself: float16 has none as small as float32's."""
    import ml_dtypes

    least = float(ml_dtypes.finfo(array.dtype).eps)  # type: ignore[no-untyped-call]
    size = max(_NUDGE, least) if array.dtype.itemsize < 8 else _NUDGE
    wide = array.astype(np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        moved = wide * (1 + size * random.uniform(-1, 1, array.shape))
        return np.where(np.isfinite(wide), moved, wide).astype(array.dtype)


def _slack(theirs: Outputs, moved: Sequence[Answer]) -> dict[str, np.ndarray]:
    """How far elements may be off because the reference itself moves so far: without bound where it
    is finite on one side only, or where whole numbers flip."""
    slack: dict[str, np.ndarray] = {}
    for name, array in theirs.items():
        base = array.astype(np.float64)
        far = np.zeros(array.shape)
        for answer in moved:
            if isinstance(answer, ModelError):
                continue
            other = answer[name].astype(np.float64)
            with np.errstate(invalid="ignore"):
                step = np.where(_same(array, other), 0.0, np.abs(other - base))
            far = np.asarray(np.maximum(far, np.where(np.isnan(step), np.inf, step)))
        if array.dtype.kind in "biu":
            slack[name] = np.where(far > 0, np.inf, 0.0)
            continue
        finite = far[np.isfinite(far)]
        usual = float(np.sqrt(np.mean(finite**2))) if finite.size else 0.0
        slack[name] = _SLACK * np.maximum(far, usual)
    return slack


def _answers(reference: Reference, draws: Sequence[Arrays]) -> list[Answer]:
    """The reference's answers, from one process, or one for each where that one dies."""
    try:
        return run_fresh(_ask, reference, draws)
    except TuningError:
        return [_answer(reference, inputs) for inputs in draws]


def _answer(reference: Reference, inputs: Arrays) -> Answer:
    try:
        (answer,) = run_fresh(_ask, reference, [inputs])
    except TuningError as error:
        return ModelError(
            Sentence(
                "{reference} does not run the model here. {what}",
                reference=reference.name,
                what=error.what,
            )
        )
    return answer


def _ask(reference: Reference, draws: Sequence[Arrays]) -> list[Answer]:
    return reference.answers(draws)
