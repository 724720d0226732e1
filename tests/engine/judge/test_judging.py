"""What counts as a wrong answer, and what only looks like one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from engine.deploy.compare import SINGLE
from engine.judge import judging
from engine.judge.draws import NORMAL, Draw
from engine.judge.judging import Outputs, Terms, judge
from engine.models.readers import Answer, Arrays
from engine.records.errors import ModelError, TuningError
from engine.records.network import Judged, Verdict

TERMS = Terms(SINGLE)
NAN, INF = float("nan"), float("inf")


@dataclass(frozen=True)
class Judge:
    """A reference that computes y of x."""

    compute: Callable[[np.ndarray], np.ndarray]
    name: str = "The judge"

    def answers(self, draws: Sequence[Arrays]) -> list[Answer]:
        return [{"y": self.compute(inputs["x"])} for inputs in draws]

    def latency(self, inputs: Arrays, threads: int) -> tuple[float, ...]:
        return ()


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "run_fresh", lambda call, *args: call(*args))


def verdict(
    compute: Callable[[np.ndarray], np.ndarray],
    ours: np.ndarray | list[float] | str | None,
    x: list[float] | np.ndarray,
    name: str = "a draw",
    *,
    terms: Terms = TERMS,
) -> Verdict:
    """On one draw of x, of float32."""
    given = np.asarray(x, np.float32)
    draw = Draw(name, 0, {"x": given}, bool(np.isfinite(given).all()))
    found: Outputs | str | None
    found = ours if ours is None or isinstance(ours, str) else {"y": np.asarray(ours, np.float32)}
    (one,) = judge(Judge(compute), [draw], [found], terms).verdicts
    return one


def test_an_answer_that_agrees_tells_its_largest_difference() -> None:
    one = verdict(lambda x: x, [1.0, 2.0001], [1, 2])
    assert not one.wrong
    assert one.difference == pytest.approx(1e-4, rel=0.01)


def test_a_wrong_answer_tells_the_output_and_both_values() -> None:
    one = verdict(lambda x: x, [1.0, 10.0], [1, 6])
    assert one.wrong
    assert (one.output, one.ours, one.theirs) == ("y", "10", "6")
    assert one.difference is None
    assert "y differs from The judge's by 4" in one.note


@pytest.mark.parametrize("value", [NAN, INF, -INF])
def test_what_is_not_finite_must_be_where_the_reference_has_it(value: float) -> None:
    assert not verdict(lambda x: x, [value, 1], [value, 1]).wrong
    assert verdict(lambda x: x, [0, 1], [value, 1]).wrong
    assert verdict(np.abs, [0, value], [0, 1]).wrong
    other = INF if np.isnan(value) else -value
    assert verdict(lambda x: x, [other, 1], [value, 1]).wrong


def test_an_overflow_that_the_reference_has_too_is_no_difference() -> None:
    def square(x: np.ndarray) -> np.ndarray:
        with np.errstate(over="ignore"):
            return np.asarray(x * x)

    assert not verdict(square, [INF, 1], [1e30, 1]).wrong


def test_where_winograd_is_used_what_is_not_finite_may_reach_farther_and_is_never_lost() -> None:
    spread = Terms(SINGLE, spreads=True)
    x = [NAN, 1, 2]
    assert not verdict(lambda x: x, [NAN, NAN, 2], x, terms=spread).wrong
    assert verdict(lambda x: x, [0, NAN, 2], x, terms=spread).wrong
    assert verdict(lambda x: x, [NAN, NAN, 3], x, terms=spread).wrong
    assert verdict(lambda x: x, [1, NAN, 2], [1, 1, 2], terms=spread).wrong


def pooled(x: np.ndarray) -> np.ndarray:
    """The largest of each three, as a processor's instruction has it: NaN lets the next one win."""
    best = np.full(len(x) // 3, -np.inf, x.dtype)
    for value in x.reshape(-1, 3).T:
        best = np.where(best > value, best, value)
    return best


@pytest.mark.parametrize("window", [[NAN, 1, 0], [5, NAN, 1], [5, 1, NAN], [NAN, NAN, NAN]])
@pytest.mark.parametrize("answer", [NAN, 5, 1, -INF])
def test_where_windows_are_pooled_what_nan_reaches_is_undefined(
    window: list[float], answer: float
) -> None:
    pools, x = Terms(SINGLE, pools=True), [*window, 1, 2, 0]
    assert not verdict(pooled, [answer, 2], x, terms=pools).wrong
    assert verdict(pooled, [answer, 3], x, terms=pools).wrong
    assert verdict(pooled, [2, 3], [1, 2, 0, 1, 2, 0], terms=pools).wrong
    assert verdict(pooled, [7, 2], x).wrong


def less_mean(x: np.ndarray) -> np.ndarray:
    return np.asarray(1e4 * (x - x.mean()))


def test_digits_that_the_reference_loses_as_well_may_be_lost() -> None:
    x = 1000 + np.random.default_rng(0).standard_normal(256).astype(np.float32) * np.float32(0.02)
    ours = less_mean(x) + 1  # a tenth of the last place of 1000, times 10,000
    assert not verdict(less_mean, ours, x).wrong
    assert verdict(less_mean, ours, x, NORMAL).wrong
    assert verdict(less_mean, less_mean(x) + 50, x).wrong


def test_a_wrong_answer_on_stable_values_stays_wrong() -> None:
    assert verdict(lambda x: x * 2, [1000.0, 2003.0], [500, 1000]).wrong


def test_ties_that_the_reference_breaks_by_the_last_place_may_break_otherwise() -> None:
    x = np.full((4, 8), 1000, np.float32)
    draw = Draw("a draw", 0, {"x": x})

    def largest(x: np.ndarray) -> np.ndarray:
        return np.asarray(np.argmax(x, axis=1))

    ours = {"y": np.array([7, 3, 2, 1])}
    (one,) = judge(Judge(largest), [draw], [ours], TERMS).verdicts
    assert not one.wrong
    (one,) = judge(Judge(lambda x: np.array([1, 2, 3, 4])), [draw], [ours], TERMS).verdicts
    assert one.wrong


def test_whole_numbers_made_of_what_is_not_finite_are_not_compared() -> None:
    draw = Draw("some NaN", 0, {"x": np.array([NAN], np.float32)}, finite=False)
    told = Judge(lambda x: np.array([-(2**31)], np.int32))
    (one,) = judge(told, [draw], [{"y": np.array([0], np.int32)}], TERMS).verdicts
    assert not one.wrong


@pytest.mark.parametrize("ours", [np.zeros((2, 1), np.float32), None])
def test_an_output_of_another_shape_is_wrong(ours: np.ndarray | None) -> None:
    draw = Draw("a draw", 0, {"x": np.zeros(2, np.float32)})
    found = {} if ours is None else {"y": ours}
    (one,) = judge(Judge(lambda x: x), [draw], [found], TERMS).verdicts
    assert one.wrong
    assert one.output == "y"


@pytest.mark.parametrize("x", [0.5, NAN], ids=["finite", "not finite"])
@pytest.mark.parametrize("dtype", ["float32", "float16", "float64", "int64", "uint8", "bool"])
@pytest.mark.parametrize("shape", [(), (1,), (2, 3), (0,)], ids=str)
def test_answers_of_every_rank_and_type_are_judged(
    shape: tuple[int, ...], dtype: str, x: float
) -> None:
    def compute(x: np.ndarray) -> np.ndarray:
        return np.full(shape, np.nan_to_num(x[0]) > 0.2, dtype)

    given = np.full(4, x, np.float32)
    theirs, finite = compute(given), bool(np.isfinite(x))
    other = ~theirs if dtype == "bool" else theirs + 5  # small integers may be off by one
    for ours, wrong in ((theirs, False), (other, True)):
        draw = Draw("a draw", 0, {"x": given}, finite)
        (one,) = judge(Judge(compute), [draw], [{"y": ours.astype(dtype)}], TERMS).verdicts
        judged = finite or theirs.dtype.kind not in "iu"
        assert one.wrong is (wrong and theirs.size > 0 and judged)


def test_a_module_that_dies_is_wrong_and_one_without_time_is_not() -> None:
    died = verdict(lambda x: x, "The module does not run. Its process died (SIGFPE).", [1])
    assert died.wrong
    assert "SIGFPE" in died.note
    late = verdict(lambda x: x, None, [1])
    assert not late.wrong
    assert "too long" in late.note


def test_a_draw_that_the_reference_cannot_run_is_told_and_left_out() -> None:
    class Refusing(Judge):
        def answers(self, draws: Sequence[Arrays]) -> list[Answer]:
            return [ModelError("Integer division by zero.") for _ in draws]

    draw = Draw("a draw", 0, {"x": np.zeros(2, np.float32)})
    judged = judge(Refusing(lambda x: x), [draw], [{"y": np.zeros(2)}], TERMS)
    assert judged.wrong is None
    assert judged.verdicts[0].note == "Integer division by zero."


def test_a_reference_that_dies_on_one_draw_answers_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def run(call: object, reference: Judge, draws: Sequence[Arrays]) -> list[Answer]:
        if any((inputs["x"] == 0).any() for inputs in draws):
            raise TuningError("Its process died (SIGFPE).")
        return reference.answers(draws)

    monkeypatch.setattr(judging, "run_fresh", run)
    given = [Draw(str(x), 0, {"x": np.array([x], np.float32)}) for x in (1, 0, 2)]
    found = [{"y": draw.inputs["x"]} for draw in given]
    judged = judge(Judge(lambda x: x), given, found, TERMS)
    assert [one.difference for one in judged.verdicts] == [0, None, 0]
    assert "SIGFPE" in judged.verdicts[1].note
    assert judged.wrong is None


def test_without_a_reference_nothing_is_judged() -> None:
    draw = Draw("a draw", 0, {"x": np.zeros(2, np.float32)})
    judged = judge(None, [draw], [{"y": np.zeros(2)}], TERMS)
    assert (judged.reference, judged.verdicts, judged.wrong) == ("", (), None)


def test_a_judgement_comes_back_from_plain_data() -> None:
    judged = Judged("ONNX Runtime", (Verdict("zeros", 0, 0.5), Verdict("x", 1, None, "?", True)))
    assert Judged.from_dict(judged.as_dict()) == judged
