"""Faults for workers, which see nothing of what a test patches in its own process."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from engine.judge import watching
from engine.models.rewriting.emit import Emitter
from engine.models.rewriting.rules import RULES
from engine.records.source import ModelSource
from engine.records.words import Say
from engine.targets.targets import TargetSpec


def compile_wrongly(
    say: Say,
    source: ModelSource,
    target: TargetSpec,
    inputs: Mapping[str, np.ndarray],
    names: Sequence[str],
    folder: Path,
) -> watching.Watched:
    """With Sums that subtract; it crashes where "crash" is watched."""
    if "crash" in names:
        os.abort()

    def rule(emit: Emitter) -> None:
        emit("Sub", emit.input(0), emit.input(1), out=emit.output(0))

    RULES["", "Sum"] = rule
    return watching.compile_watched(source, target, inputs, names, folder)
