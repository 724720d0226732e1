"""Allocation policies compared on recorded runs, on a virtual clock.

`python -m tests.benchmarks.allocation [--json] [--quick] [--steps] [--seeds N] [--policies A,B]`

Replays every tests/data/recordings/*.npz under every policy and seed until the model is within
1 % of the recording's best final latency. Recordings of one model (several search seeds) count
together. --steps adds DynaTune by its paper, with curves mixed in, and without its bonus; --quick
takes the smallest recording and one seed. How often a slot's gain lay in the belief's 80 % range is
told in any case.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from engine.allocation.policies.registry import POLICIES, REPLAY_POLICIES
from engine.allocation.recording import Recording
from engine.replay.recording_file import load_recording
from engine.replay.regret import best_final
from engine.replay.replay import ReplayResult, make_replay_policy, replay
from tests.benchmarks.parts.calibration import Calibration, Slot, calibration, slots_of, table
from tests.benchmarks.parts.figures import Figures, Spread, figures, spread
from tests.benchmarks.parts.report import Goal, Report

RECORDINGS = Path(__file__).parents[1] / "data" / "recordings"
_PROCESSES = 2
_PLAIN = ("sequential", "random", "round-robin", "flops")
_CLEVER = ("gradient", "ansor")
_ANSOR = "ansor"
_OURS, _ORACLE = "dynatune", "oracle"
_LEAST_S = 1e-3


@dataclass(frozen=True, slots=True)
class Contender:
    """A policy with options under the name that the table gives it."""

    title: str
    policy: str
    options: dict[str, Any]


_MIXED = {"form": "relative", "c": 0.1, "pooled": 16.0, "first_pass": False, "per_second": True}
_STEPS = (
    Contender("dynatune: the paper's", "dynatune-paper", {}),
    Contender("dynatune: a curve mixed in", "dynatune-paper", _MIXED),
    Contender("dynatune: without the bonus", _OURS, {"c": 0.0}),
)


@dataclass(frozen=True, slots=True)
class Row:
    """One contender's figures on one model, over all seeds and recordings."""

    title: str
    to_20: Spread
    to_5: Spread
    to_1: Spread
    mean_s: Spread
    regret: Spread
    decision_share: float
    decision_s: float

    def as_dict(self) -> dict[str, Any]:
        """The row, JSON-ready."""
        return {
            "policy": self.title,
            "seconds_to_20_percent": self.to_20.as_dict(),
            "seconds_to_5_percent": self.to_5.as_dict(),
            "seconds_to_1_percent": self.to_1.as_dict(),
            "mean_latency_s": self.mean_s.as_dict(),
            "regret": self.regret.as_dict(),
            "decision_share": self.decision_share,
            "decision_s": self.decision_s,
        }


Model = dict[str, Row]


def play(path: Path, contender: Contender, seed: int) -> ReplayResult:
    """One replay; the slots come back without their scores, which nobody reads here."""
    recording = load_recording(path)
    policy = make_replay_policy(recording, contender.policy, contender.options, seed)
    result = replay(recording, policy, latency_s=1.01 * best_final(recording))
    return replace(result, slots=tuple(replace(s, scores={}, state={}) for s in result.slots))


def compare(paths: Sequence[Path], contenders: Sequence[Contender], seeds: int) -> dict[str, Model]:
    """The rows of every model."""
    models: dict[str, list[Path]] = defaultdict(list)
    for path in paths:
        models[_title(load_recording(path))].append(path)
    with ProcessPoolExecutor(_PROCESSES, get_context("spawn")) as pool:
        asked = {
            (path, contender.title, seed): pool.submit(play, path, contender, seed)
            for path in paths
            for contender in contenders
            for seed in range(seeds)
        }
        results = {key: future.result() for key, future in asked.items()}
    return {model: _rows(members, contenders, seeds, results) for model, members in models.items()}


def _rows(
    paths: Sequence[Path],
    contenders: Sequence[Contender],
    seeds: int,
    results: dict[tuple[Path, str, int], ReplayResult],
) -> Model:
    found: dict[str, list[Figures]] = defaultdict(list)
    horizons: dict[str, list[float]] = defaultdict(list)
    costs: dict[str, list[float]] = defaultdict(list)
    for path in paths:
        recording: Recording = load_recording(path)
        own = {key: result for key, result in results.items() if key[0] == path}
        horizon = max(result.duration_s for result in own.values())
        for (_, title, _), result in own.items():
            found[title].append(figures(recording, result, horizon))
            horizons[title].append(horizon)
            costs[title].append(float(result.decision_s.mean()))
    rows = {}
    for title in (contender.title for contender in contenders):
        column = found[title]
        areas = zip(column, horizons[title], strict=True)
        rows[title] = Row(
            title=title,
            to_20=spread([item.to_20_s for item in column]),
            to_5=spread([item.to_5_s for item in column]),
            to_1=spread([item.to_1_s for item in column]),
            mean_s=spread([item.area_s2 / horizon for item, horizon in areas]),
            regret=spread([item.regret for item in column]),
            decision_share=median(item.decision_share for item in column),
            decision_s=median(costs[title]),
        )
    return rows


def goals(models: dict[str, Model]) -> tuple[Goal, ...]:
    """What the issue asks of DynaTune, as far as its rivals were played."""
    asked = []
    played = set.intersection(*(set(model) for model in models.values()))
    for rival in (name for name in _PLAIN if name in played):
        times = _times(models, rival)
        asked.append(Goal(f"{rival} over dynatune, its worst model", min(times), 1.2, "higher"))
        asked.append(Goal(f"{rival} over dynatune, its best model", max(times), 2.0, "higher"))
    for rival in (name for name in _CLEVER if name in played):
        times = _times(models, rival)
        asked.append(Goal(f"{rival} over dynatune, its worst model", min(times), 1.0, "higher"))
        asked.append(Goal(f"{rival} over dynatune, median model", median(times), 1.2, "higher"))
    if _ORACLE in played:
        behind = median(1 / ratio if ratio else math.inf for ratio in _times(models, _ORACLE))
        asked.append(Goal("dynatune over oracle, median model", behind, 1.3, "lower"))
    share = max(model[_OURS].decision_share for model in models.values())
    asked.append(Goal("dynatune's decisions, part of the time", share, 0.02, "lower"))
    return tuple(asked)


def _times(models: dict[str, Model], rival: str) -> list[float]:
    """How many times as long the rival took to within 5 %, by model."""
    pairs = [(model[rival].to_5.median, model[_OURS].to_5.median) for model in models.values()]
    return [0.0 if math.isinf(ours) else theirs / ours for theirs, ours in pairs]


def sooner(models: dict[str, Model]) -> dict[str, list[float]]:
    """Ansor's time over each contender's to within 20, 5 and 1 %: geometric means over models.

    Of those that came there on every model; nothing where Ansor was not played.
    """
    found = {}
    for title in dict.fromkeys(title for model in models.values() for title in model):
        times = [
            [_reached_s(model[name]) for model in models.values() if name in model]
            for name in (_ANSOR, title)
        ]
        theirs, ours = (np.array(rows) for rows in times)
        if theirs.shape == ours.shape and np.isfinite([theirs, ours]).all():
            found[title] = np.exp(np.log(theirs / ours).mean(axis=0)).tolist()
    return found


def _reached_s(row: Row) -> list[float]:
    return [max(_LEAST_S, reached.median) for reached in (row.to_20, row.to_5, row.to_1)]


def calibrations(paths: Sequence[Path]) -> dict[str, Calibration]:
    """How often what a slot gave lay in the default policy's 80 % range, by model and of all."""
    slots: dict[str, list[Slot]] = defaultdict(list)
    for path in paths:
        recording = load_recording(path)
        slots[_title(recording)] += slots_of(recording)
    every = [slot for own in slots.values() for slot in own]
    rows = {
        name: calibration([slot for slot in own if not slot.first]) for name, own in slots.items()
    }
    rows["all models, later slots"] = calibration([slot for slot in every if not slot.first])
    rows["all models, first slots"] = calibration([slot for slot in every if slot.first])
    return {name: row for name, row in rows.items() if row is not None}


def _title(recording: Recording) -> str:
    return f"{recording.model} on {recording.device}"


def text(report: Report, models: dict[str, Model]) -> str:
    """The report and a table for each model, in Markdown."""
    parts = [replace(report, details={}).as_table()]
    for name, model in models.items():
        parts.append(f"\n### {name}\n\n{_table(model.values())}")
    parts.append(f"\n### Ansor's time over theirs to within 20, 5 and 1 %\n\n{_ratios(report)}")
    parts.append(
        f"\n### What came, and the belief's 80 % range\n\n{table(report.details['calibration'])}"
    )
    return "\n".join(parts)


def _ratios(report: Report) -> str:
    lines = ["| policy | 20 % | 5 % | 1 % |", "|---|---:|---:|---:|"]
    for title, ratios in report.details["ansor_over"].items():
        lines.append(f"| {title} | {' | '.join(f'{ratio:.3f}' for ratio in ratios)} |")
    return "\n".join(lines)


def _table(rows: Iterable[Row]) -> str:
    head = (
        "policy", "s to within 20 %", "s to within 5 %", "s to within 1 %", "mean latency, ms",
        "regret", "ms a decision", "of the time",
    )  # fmt: skip
    lines = [head, ("---",) + ("---:",) * (len(head) - 1)]
    lines += [
        (
            row.title, _cell(row.to_20), _cell(row.to_5), _cell(row.to_1), _cell(row.mean_s, 1e3),
            _cell(row.regret), f"{row.decision_s * 1e3:.2f}", f"{row.decision_share:.2%}",
        )
        for row in rows
    ]  # fmt: skip
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(value: Spread, scale: float = 1.0) -> str:
    if math.isinf(value.median):
        return "never"
    middle, low, high = (f"{part * scale:.4g}" for part in (value.median, value.low, value.high))
    return middle if low == high else f"{middle} ({low} to {high})"


def run(
    paths: Sequence[Path], names: Sequence[str], seeds: int, steps: bool
) -> tuple[Report, dict[str, Model]]:
    """Compare, and judge."""
    contenders = [Contender(name, name, {}) for name in names]
    if steps:
        ours = names.index(_OURS)
        contenders[ours:ours] = _STEPS
    models = compare(paths, contenders, seeds)
    details = {
        "seeds": seeds,
        "recordings": [path.name for path in paths],
        "models": {
            name: [row.as_dict() for row in model.values()] for name, model in models.items()
        },
        "ansor_over": sooner(models),
        "calibration": {name: row.as_dict() for name, row in calibrations(paths).items()},
    }
    return Report("allocation", goals(models), details), models


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quick", action="store_true", help="a short form, for a smoke test")
    parser.add_argument("--steps", action="store_true", help="DynaTune part by part, too")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--policies", default=",".join([*POLICIES, *REPLAY_POLICIES]))
    parser.add_argument("--recordings", type=Path, default=RECORDINGS, metavar="FOLDER")
    options = parser.parse_args()
    paths = sorted(options.recordings.glob("*.npz"), key=lambda path: path.stat().st_size)
    if not paths:
        parser.error(f"no recordings in {options.recordings}; make some with record.py")
    names = options.policies.split(",")
    unknown = set(names) - set(POLICIES) - set(REPLAY_POLICIES)
    if unknown or _OURS not in names:
        parser.error(f"no policy {', '.join(unknown)}" if unknown else f"{_OURS} must take part")
    if options.quick:
        paths, options.seeds = paths[:1], 1
    report, models = run(paths, names, options.seeds, options.steps)
    print(json.dumps(report.as_dict()) if options.json else text(report, models))


if __name__ == "__main__":
    main()
