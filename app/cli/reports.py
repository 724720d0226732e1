"""What the commands answer about a project: the JSON fields and the same for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from app.cli.output import Reply, table
from app.cli.timeline import found_in, inference_data
from engine.history.boards import BoardRange, board_range
from engine.history.figure import figure_of
from engine.history.figure_words import doubts_text, notes_text, word_of
from engine.history.history import History
from engine.records.formats import reference_of
from engine.records.precision import DEFAULT_PRECISION, title_of
from engine.records.settings import RunState
from engine.records.snapshot import Figure, RunInfo, ShapeInfo, Snapshot
from engine.records.trial import Measured
from engine.records.units import (
    UNKNOWN,
    format_duration,
    format_ratio,
    format_seconds,
    format_share,
    format_work,
)
from engine.records.words import budget_text, disturbance_text

NOTHING_RUN = "new"


def run_reply(snapshot: Snapshot, wall_s: float) -> Reply:
    """The outcome of the last run; `wall_s` is what the whole command took."""
    history, run = History(snapshot), snapshot.runs[-1]
    figure = figure_of(snapshot, history)
    data = {
        "project": snapshot.path,
        "model": snapshot.model_name,
        "target": snapshot.target,
        "precision": snapshot.precision,
        "state": run.state.value,
        "reason": run.reason,
        "tasks": len(snapshot.tasks),
        "trials": len(snapshot.trials),
        "run_trials": run.trials,
        "errors": _errors(history),
        "untuned_latency_s": snapshot.untuned_latency_s,
        "tuned_latency_s": _tuned_s(snapshot, figure),
        "estimated_latency_s": history.now_s(),
        "figure": figure_data(figure),
        "reference_latency_s": snapshot.reference_latency_s,
        "coverage": float(history.share_tuned()),
        "wall_s": wall_s,
        **_shapes_data(snapshot),
    }
    return Reply(data, _run_text(snapshot, history, figure, wall_s))


def info_reply(snapshot: Snapshot) -> Reply:
    """Everything about a project that fits a page."""
    history = History(snapshot)
    figure, board = figure_of(snapshot, history), board_range(snapshot.trials)
    data = {
        "project": snapshot.path,
        "model": snapshot.model_name,
        "source": snapshot.model_source,
        "target": snapshot.target,
        "precision": snapshot.precision,
        "state": state_of(snapshot),
        "tasks": [
            {
                "name": task.name,
                "weight": task.weight,
                "flops": task.flops,
                "trials": history.trials(task.index),
                "best_latency_s": history.best(task.index),
                "untuned_latency_s": task.untuned_latency_s,
                "errors": history.errors(task.index),
                "commonest_error": history.commonest_error(task.index),
                "share": history.share(task.index),
                "tuned": history.record(task.index) is not None,
                "state": history.state(task.index).value,
                "why_failed": history.why_failed(task.index),
            }
            for task in snapshot.tasks
        ],
        "trials": len(snapshot.trials),
        "errors": _errors(history),
        "board": board.as_dict() if board else None,
        "untuned_latency_s": snapshot.untuned_latency_s,
        "tuned_latency_s": _tuned_s(snapshot, figure),
        "estimated_latency_s": history.now_s(),
        "figure": figure_data(figure),
        "reference_latency_s": snapshot.reference_latency_s,
        "coverage": float(history.share_tuned()),
        "elapsed_s": snapshot.elapsed_s,
        "runs": [_run_data(run) for run in snapshot.runs],
        "exports": [{"dir": item.dir, "at": item.at} for item in snapshot.exports],
        **_shapes_data(snapshot),
    }
    return Reply(data, _info_text(snapshot, history, figure))


def measured_reply(snapshot: Snapshot) -> Reply:
    """The latencies of the whole model, after they were measured again."""
    figure = figure_of(snapshot)
    data = {
        "project": snapshot.path,
        "untuned_latency_s": snapshot.untuned_latency_s,
        "tuned_latency_s": _tuned_s(snapshot, figure),
        "reference_latency_s": snapshot.reference_latency_s,
        "figure": figure_data(figure),
        "inference": inference_data(found_in(snapshot)),
    }
    return Reply(data, "\n\n".join([table(latency_rows(snapshot, figure)), *_doubts(figure)]))


def _shapes_data(snapshot: Snapshot) -> dict[str, Any]:
    """The shapes of a set with their latencies, nothing for one shape."""
    if not snapshot.shapes:
        return {}
    return {
        "shapes": [
            {
                "label": shape.label,
                "frequency": shape.frequency,
                "occurrences": {
                    snapshot.tasks[task].name: count
                    for task, count in sorted(shape.occurrences().items())
                },
                "untuned_latency_s": alone.untuned_latency_s,
                "figure": figure_data(figure_of(alone)),
                "reference_latency_s": alone.reference_latency_s,
            }
            for shape, alone in _shapes(snapshot)
        ]
    }


def _shapes(snapshot: Snapshot) -> Iterator[tuple[ShapeInfo, Snapshot]]:
    return ((shape, snapshot.of_shape(place)) for place, shape in enumerate(snapshot.shapes))


def _shape_table(snapshot: Snapshot) -> list[str]:
    """A line for each shape of a set, and their mean, which is what the figures above are."""
    if not snapshot.shapes:
        return []
    reference = reference_of(snapshot.model_source)
    rows = [("shape", "frequency", "tasks", "untuned", "tuned", reference)]
    for shape, alone in _shapes(snapshot):
        figure = figure_of(alone)
        rows.append((
            shape.label,
            str(shape.frequency),
            str(len(shape.occurrences())),
            format_seconds(alone.untuned_latency_s),
            format_seconds(figure.latency_s if figure.tuned else None),
            format_seconds(alone.reference_latency_s),
        ))  # fmt: skip
    return [table(rows, frozenset(range(1, 6)))]


def _tuned_s(snapshot: Snapshot, figure: Figure) -> float | None:
    """The measured latency with the schedules of now; that of the last run where there are none."""
    if figure.tuned or not snapshot.runs:
        return figure.measured_s
    return snapshot.runs[-1].tuned_latency_s


def _doubts(figure: Figure) -> list[str]:
    """A paragraph, where there is something to say."""
    return [text] if (text := doubts_text(figure)) else []


def _difference(largest: float | None) -> str:
    return "not compared: there is no reference" if largest is None else f"{largest:.3g}"


def export_reply(
    project: str,
    directory: str,
    manifest: dict[str, Any],
    precision: str = DEFAULT_PRECISION,
    wheel: str | None = None,
) -> Reply:
    found = _exported(manifest)
    mark = f", disturbed: {disturbance_text(found)}" if found and found.disturbed else ""
    data = {
        "dir": directory,
        "project": project,
        "tuned_latency_s": manifest["latency_s"],
        "spread_s": manifest["latency_spread_s"],
        "load": manifest["latency_load"],
        "disturbed": found is not None and found.disturbed,
        "left_out": manifest["left_out"],
        "reference_latency_s": manifest["reference_latency_s"],
        "max_abs_diff": manifest["max_abs_diff"],
        "precision": precision,
        "coverage": manifest["coverage"],
        "schedule": manifest["schedule"],
        "sha256": manifest["sha256"],
        "wheel": wheel,
        **(
            {"shapes": manifest["shapes"], "pads": manifest["pads"]} if "shapes" in manifest else {}
        ),
    }
    rows = [
        ("exported to", directory),
        ("latency", f"{format_seconds(manifest['latency_s'])}{mark}" if found else _NOT_MEASURED),
        (manifest["reference"] or "reference", format_seconds(manifest["reference_latency_s"])),
        *_precision_rows(precision),
        ("largest difference", _difference(manifest["max_abs_diff"]) if found else _NOT_COMPARED),
        *([("left out", manifest["left_out"])] if manifest["left_out"] else []),
        ("tuned share of latency", format_share(manifest["coverage"])),
        *_kept_rows(manifest["tasks"]),
        *_schedule_rows(manifest["schedule"]),
        *_exported_shapes(manifest),
        ("SHA-256", manifest["sha256"]),
        ("run it with", f"python {directory}/run.py"),
        *([("install it with", f"pip install {wheel}")] if wheel else []),
    ]
    return Reply(data, table(rows))


def _exported_shapes(manifest: dict[str, Any]) -> list[tuple[str, ...]]:
    """The latency of each shape of a set, and which inputs are padded to them."""
    rows: list[tuple[str, ...]] = []
    for one in manifest.get("shapes", []):
        rows.append((one["label"], format_seconds(one["latency_s"])))
    pads = ", ".join(f"{name} with {value:g}" for name, value in manifest.get("pads", {}).items())
    return [*rows, ("padded", pads)] if pads else rows


_NOT_MEASURED = "not measured: its device was not there"
_NOT_COMPARED = "not compared: its device was not there"


def _exported(manifest: dict[str, Any]) -> Measured | None:
    """What an export measured; None where its device was not there."""
    if manifest["latency_s"] is None:
        return None
    throttled = bool((manifest["board"] or {}).get("throttled"))
    how = manifest["latency_spread_s"], manifest["latency_load"]
    return Measured(manifest["latency_s"], *how, throttled=throttled)


def _kept_rows(tasks: list[dict[str, Any]]) -> list[tuple[str, ...]]:
    """Which tasks have their untuned kernels although they were tuned."""
    names = [task["name"] for task in tasks if task["note"]]
    return [("untuned, as no slower", ", ".join(names))] if names else []


def _schedule_rows(schedule: dict[str, Any] | None) -> list[tuple[str, ...]]:
    """Whether the export carries the project's schedule, where there is one."""
    if schedule is None:
        return []
    if not schedule["used"]:
        return [("schedule", f"not used: {schedule['reason']}")]
    before, now = schedule["sequential_latency_s"], schedule["latency_s"]
    text = f"{schedule['stages']:,} stages, {format_ratio(before / now)} as fast as sequential"
    return [("schedule", text)]


def state_of(snapshot: Snapshot) -> str:
    """The state of the last run, "new" where there was none."""
    return snapshot.runs[-1].state.value if snapshot.runs else NOTHING_RUN


def _errors(history: History) -> int:
    return sum(history.errors(task.index) for task in history.tasks)


def _run_data(run: RunInfo) -> dict[str, Any]:
    return {
        "id": run.id,
        "state": run.state.value,
        "reason": run.reason,
        "policy": run.settings.policy,
        "seed": run.settings.seed,
        "budget": {
            "trials": run.settings.budget.trials,
            "seconds": run.settings.budget.seconds,
            "latency_s": run.settings.budget.latency_s,
        },
        "trials": run.trials,
        "elapsed_s": run.elapsed_s,
        "started_at": run.started_at,
        "ended_at": run.ended_at,
        "tuned_latency_s": run.tuned_latency_s,
    }


def _run_text(snapshot: Snapshot, history: History, figure: Figure, wall_s: float) -> str:
    run = snapshot.runs[-1]
    ended = run.state is RunState.FINISHED
    reason = f" ({run.reason})" if run.reason not in ("", run.state.value) else ""
    rows = [("state", f"{run.state}{reason}"), *latency_rows(snapshot, figure)]
    rows += [
        ("trials", f"{len(snapshot.trials):,} ({_errors(history)} failed)"),
        ("tasks", f"{len(snapshot.tasks)}"),
        ("tuned share of latency", format_share(history.share_tuned())),
        ("took", format_duration(wall_s)),
        ("project", snapshot.path),
        ("go on with", f"tunewright {'export' if ended else 'resume'} {snapshot.path}"
                       f"{' -o FOLDER' if ended else ''}"),
    ]  # fmt: skip
    return "\n\n".join([table(rows), *_doubts(figure), *_shape_table(snapshot)])


def latency_rows(snapshot: Snapshot, figure: Figure) -> list[tuple[str, ...]]:
    """Untuned, tuned and the reference, with how many times faster the tuned module is; of a set
    of shapes their means."""
    now_s = figure.latency_s
    reference_s, tuned = snapshot.reference_latency_s, figure.tuned

    def faster(than: float | None) -> str:
        of = "the tuned latency" if tuned else "the untuned latency"
        return f" ({format_ratio(than / now_s)} {of})" if than and now_s else ""

    reference = reference_of(snapshot.model_source)
    weighted = [("shapes", f"{len(snapshot.shapes)}; latencies are their mean by frequency")]
    untuned_s, speedup = snapshot.untuned_latency_s, figure.speedup
    gain = f" ({format_ratio(speedup)} the tuned latency)" if untuned_s and speedup else ""
    return [
        *(weighted if snapshot.shapes else []),
        ("untuned", f"{format_seconds(untuned_s)}{gain}"),
        ("tuned", latency_text(figure) if tuned else f"{UNKNOWN} (nothing is)"),
        (reference, f"{format_seconds(reference_s)}{faster(reference_s)}"),
    ]


def latency_text(figure: Figure) -> str:
    """The latency with what it is: "4.31 ms ± 0.4 %, measured"."""
    spread = ""
    if figure.measured and figure.basis and figure.basis.spread_s and figure.latency_s:
        spread = f" ± {format_share(figure.basis.spread_s / figure.latency_s)}"
    return f"{format_seconds(figure.latency_s)}{spread}, {word_of(figure) or 'not known'}"


def figure_data(figure: Figure) -> dict[str, Any]:
    """The figure for programs; latencies in seconds."""
    basis = figure.basis
    return {
        "latency_s": figure.latency_s,
        "kind": word_of(figure),
        "speedup": figure.speedup,
        "spread_s": basis.spread_s if basis and figure.measured else None,
        "load": basis.load if basis and figure.measured else None,
        "disturbed": figure.disturbed,
        "kernels_s": figure.sum_s,
        "notes": notes_text(figure),
    }


def _info_text(snapshot: Snapshot, history: History, figure: Figure) -> str:
    run = snapshot.runs[-1] if snapshot.runs else None
    head = [
        ("project", snapshot.path),
        ("model", f"{snapshot.model_name} ({snapshot.model_source})"),
        ("target", snapshot.target),
        *_precision_rows(snapshot.precision),
        ("state", state_of(snapshot) + (f" ({run.reason})" if run and run.reason else "")),
        *latency_rows(snapshot, figure),
        ("trials", f"{len(snapshot.trials):,} ({_errors(history)} failed) "
                   f"in {format_duration(snapshot.elapsed_s)}"),
        *_board_rows(board_range(snapshot.trials)),
        *((f"run {item.id}", f"{item.state}, {item.trials} trials, "
                             f"budget {budget_text(item.settings.budget)}")
          for item in snapshot.runs),
        *(("export", item.dir) for item in snapshot.exports),
    ]  # fmt: skip
    failed = [
        f"{task.name} failed: {why.rstrip('.')}."
        for task in snapshot.tasks
        if (why := history.why_failed(task.index))
    ]
    kept = [
        f"{task.name} keeps its untuned kernel: no schedule measured faster."
        for task in snapshot.tasks
        if history.stays_untuned(task.index)
    ]
    shapes = _shape_table(snapshot)
    tables = [table(head), *_doubts(figure), *shapes, _task_table(snapshot, history)]
    return "\n\n".join([*tables, *failed, *kept])


def _board_rows(found: BoardRange | None) -> list[tuple[str, str]]:
    """What the board said of itself: "48 to 71 °C, 1,500 MHz, throttled in 3 of 40 trials"."""
    if found is None:
        return []
    parts = [
        f"{low:,} {unit}" if low == high else f"{low:,} to {high:,} {unit}"
        for span, unit in ((found.celsius, "°C"), (found.mhz, "MHz"))
        if span is not None
        for low, high in [span]
    ]
    parts.append(f"throttled in {found.throttled:,} of {found.trials:,} trials")
    return [("board", ", ".join(parts))]


def _precision_rows(precision: str) -> list[tuple[str, str]]:
    """Where it is not that of most files."""
    return [] if precision == DEFAULT_PRECISION else [("precision", title_of(precision))]


def _task_table(snapshot: Snapshot, history: History) -> str:
    rows = [("task", "weight", "work", "trials", "failed", "untuned", "best", "share")]
    shares = history.shares()
    occurring = [task for task in snapshot.tasks if task.weight or task.merged]  # in this shape
    for task in sorted(occurring, key=lambda item: -shares.get(item.index, 0.0)):
        kind = history.commonest_error(task.index)
        failed = f"{history.errors(task.index)}" + (f" ({kind})" if kind else "")
        rows.append((
            task.name,
            str(task.weight),
            format_work(task.flops) if task.flops else UNKNOWN,
            str(history.trials(task.index)),
            failed,
            format_seconds(task.untuned_latency_s),
            format_seconds(history.best(task.index)),
            format_share(history.share(task.index)),
        ))  # fmt: skip
    return table(rows, frozenset(range(1, 8)))
