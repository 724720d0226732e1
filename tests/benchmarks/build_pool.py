"""Candidates built a second by the build pool, against MetaSchedule's own LocalBuilder; and by two
and four workers of Dask's on this machine, each with one core, where that is installed."""

from __future__ import annotations

import os
import time
from contextlib import ExitStack
from importlib.util import find_spec
from typing import Any
from unittest.mock import patch

from engine.measure.build_pool import BuildPool
from engine.measure.remote.cluster_builder import ClusterBuilder
from engine.measure.remote.cluster_link import CPU, workers_with
from engine.measure.remote.given import VARIABLE
from engine.measure.runner import BuildRequest
from engine.records.machine import prepare_environment, usable_cores
from engine.workers.artifacts import ArtifactFolder, scratch
from tests.benchmarks.parts.report import Goal, Report, main
from tests.engine.jobs.live_cluster import WORKER, address_of, client_of, dask, until

WORKERS = 2
CLUSTERS = (2, 4)
CANDIDATES = 16
QUICK_CANDIDATES = 4
# Stock's own limit of 30 s is too short for its start-up on busy cores: it loses every candidate.
STOCK_TIMEOUT_S = 300.0


def run(quick: bool) -> Report:
    """Build the same candidates both ways, each with `WORKERS` workers."""
    prepare_environment()
    target = _target()
    modules = candidates(target, QUICK_CANDIDATES if quick else CANDIDATES)
    ready_s, ours_s, ours_lost = _with_pool(modules, target)
    stock_s, stock_lost = _with_stock(modules, target)
    clusters = {
        f"{count} workers": dict(
            zip(("seconds", "lost"), with_cluster(modules, target, count), strict=True)
        )
        for count in (CLUSTERS if find_spec("distributed") else ())
    }
    ours = (len(modules) - ours_lost) / ours_s
    stock = max(1, len(modules) - stock_lost) / stock_s
    return Report(
        "build_pool",
        (
            Goal("candidates a second, ours / LocalBuilder's", ours / stock, 8.0, "higher"),
            Goal("candidates lost", float(ours_lost), 0.0, "lower"),
        ),
        {
            "candidates": len(modules),
            "workers": WORKERS,
            "ours_s": ours_s,
            "ours_ready_s": ready_s,
            "stock_s": stock_s,
            "stock_lost": stock_lost,
            "dask": clusters,
        },
    )


def _target() -> Any:
    import tvm

    return tvm.target.Target({"kind": "llvm", "num-cores": usable_cores()})


def candidates(target: Any, count: int) -> list[Any]:
    """Schedules that MetaSchedule proposes for a small convolution with ReLU, by a fixed seed."""
    import tvm
    from tvm import te, topi
    from tvm.s_tir import meta_schedule

    data = te.placeholder((1, 7, 7, 16), name="data")
    weight = te.placeholder((3, 3, 16, 16), name="weight")
    result = topi.nn.relu(topi.nn.conv2d_nhwc(data, weight, 1, 1, 1))
    function = te.create_prim_func([data, weight, result]).with_attr("global_symbol", "main")
    context = meta_schedule.TuneContext(
        tvm.IRModule({"main": function}),
        target=target,
        space_generator="post-order-apply",
        search_strategy="replay-trace",
        task_name="conv2d",
        rand_state=1,
        num_threads=1,
    )
    spaces = context.generate_design_space()
    context.pre_tuning(max_trials=count, num_trials_per_iter=count, design_spaces=spaces)
    return [candidate.sch.mod for candidate in context.generate_measure_candidates()]


def _with_pool(modules: list[Any], target: Any) -> tuple[float, float, int]:
    """Seconds until the pool is ready, seconds for all candidates, candidates lost."""
    import tvm

    folder = ArtifactFolder()
    began = time.perf_counter()
    pool = BuildPool(WORKERS)
    pool.wait_ready()
    ready = time.perf_counter()
    target_json = tvm.ir.save_json(target)
    futures = [
        pool.submit(BuildRequest(tvm.ir.save_json(module), target_json, folder.fresh()))
        for module in modules
    ]
    lost = sum(future.result().error is not None for future in futures)
    done = time.perf_counter()
    pool.close()
    folder.close()
    return ready - began, done - ready, lost


def with_cluster(modules: list[Any], target: Any, workers: int) -> tuple[float, int]:
    """Seconds for all candidates on so many of Dask's workers here, candidates lost."""
    import tvm

    target_json, folder = tvm.ir.save_json(target), ArtifactFolder()
    with scratch() as place, ExitStack() as stack:
        file = place / "scheduler.json"
        words = ("scheduler", "--port", "0", f"--scheduler-file={file}")
        stack.enter_context(dask(place, *words))
        address = until(lambda: address_of(file))
        stack.enter_context(patch.dict(os.environ, {VARIABLE: address.partition("://")[2]}))
        for _ in range(workers):
            stack.enter_context(dask(place, "worker", address, *WORKER, "cpu=1"))
        client = until(lambda: client_of(address))
        stack.callback(client.close)
        until(lambda: len(workers_with(client, CPU)) == workers)
        builder = ClusterBuilder(address)
        stack.callback(builder.close)
        builder.wait_ready()
        began = time.perf_counter()
        futures = [
            builder.submit(BuildRequest(tvm.ir.save_json(module), target_json, folder.fresh()))
            for module in modules
        ]
        lost = sum(future.result().error is not None for future in futures)
        seconds = time.perf_counter() - began
    folder.close()
    return seconds, lost


def _with_stock(modules: list[Any], target: Any) -> tuple[float, int]:
    """Seconds for all candidates, candidates lost."""
    from tvm.s_tir.meta_schedule.builder import BuilderInput, LocalBuilder

    builder = LocalBuilder(max_workers=WORKERS, timeout_sec=STOCK_TIMEOUT_S)
    began = time.perf_counter()
    results = builder.build([BuilderInput(module, target) for module in modules])
    seconds = time.perf_counter() - began
    return seconds, sum(result.error_msg is not None for result in results)


if __name__ == "__main__":
    main(run)
