"""A part of the benchmark: what it found, what failed, when it must end, and how it tries."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from tests.benchmarks.fused.device import Device, Op, difference
from tests.benchmarks.fused.kernels import Kernel, Scope

T = TypeVar("T")

# Words of errors after which a process can use its device no more.
_LOST = (
    "ILLEGAL",
    "LAUNCH_FAILED",
    "illegal",
    "unspecified launch",
    "MISALIGNED",
    "misaligned",
)
_NEVER_US = 1e9


class Part:
    """A part's results, written after each step, so that a fault or a hang loses little."""

    def __init__(self, path: Path, until: float, scope: Scope) -> None:
        self.path, self.until, self.scope = path, until, scope
        self.data: dict[str, Any] = {"errors": {}, "skipped": []}

    def save(self) -> None:
        """Write what there is."""
        new = self.path.with_suffix(".new")
        new.write_text(json.dumps(self.data))
        new.replace(self.path)

    def late(self, spare_s: float) -> bool:
        """Whether less than that is left."""
        return time.time() > self.until - spare_s

    def guarded(self, what: str, step: Callable[[], T]) -> T | None:
        """What a step gives; None where it fails. Ends the process if the device is lost."""
        try:
            return step()
        except Exception as error:
            self.data["errors"][what] = f"{type(error).__name__}: {error}"[:300]
            if any(word in str(error) for word in _LOST):
                self.save()
                raise SystemExit("The context is lost.") from None
            return None

    def try_all(
        self,
        device: Device,
        variants: list[dict[str, Any]],
        what: str,
        instances: Iterable[Kernel],
        op_of: Callable[[Any], Op],
        out: Any,
        want: Any,
        *,
        spare_s: float,
        replays: int,
    ) -> None:
        """Add to `variants` each instance's largest difference from what is wanted, and times."""

        def one(instance: Kernel) -> None:
            op = op_of(instance)
            out.fill_(math.nan)
            device.torch.cuda.synchronize()
            op.launch(0)
            device.stream.synchronize()
            row: dict[str, Any] = {
                "config": instance,
                "blocks": math.prod(op.grid),
                "diff": difference(out, want),
            }
            row["us"] = device.timed(lambda: op.launch(0), 40, replays)
            row["us_pdl"] = self.guarded(
                f"{what} {tuple(instance)} pdl",
                lambda: device.timed(lambda: op.launch(1), 40, replays),
            )
            variants.append(row)

        for instance in instances:
            name = f"{what} {tuple(instance)}"
            if self.late(spare_s):
                self.data["skipped"].append(name)
            else:
                self.guarded(name, partial(one, instance))


def choose(row: dict[str, Any], bound: float) -> None:
    """Complete a row by the fastest of its variants that are right, with and without PDL."""
    good = [found for found in row["variants"] if found["diff"] < bound]
    row["wrong"] = len(row["variants"]) - len(good)
    if good:
        row["best"] = min(good, key=lambda found: float(found["us"]))
        row["best_pdl"] = min(good, key=lambda found: float(found["us_pdl"] or _NEVER_US))
