"""A parent process with busy workers, for tests of what becomes of them."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

from engine.measure.build_pool import BuildPool
from engine.measure.local_runner import LocalRunner
from engine.measure.runner import RunRequest
from engine.workers.artifacts import ArtifactFolder
from tests.engine.measure import hooks, kernels

with Path(sys.argv[1]).open("a") as log:
    log.write("main ran\n")


def main() -> None:
    """Build and measure; then keep a build and a measurement busy until somebody kills us."""
    signal.signal(signal.SIGINT, lambda *_: None)
    folder = ArtifactFolder(Path(sys.argv[2]))
    pool, runner = BuildPool(2, work=hooks.build_or_misbehave), LocalRunner()
    print("starting", flush=True)
    paths = []
    for text in (kernels.add(), kernels.endless()):
        built = pool.submit(kernels.request(text, folder.fresh())).result()
        assert built.artifact is not None, built.error_text
        paths.append(built.artifact)
    good, endless = (RunRequest(path, kernels.ARGS, kernels.QUICK) for path in paths)
    print("measured", runner.submit(good).result().error, flush=True)
    runner.submit(endless)
    pool.submit(kernels.request(hooks.HANG, folder.fresh()))
    print("busy", flush=True)
    while True:
        signal.pause()


main()
