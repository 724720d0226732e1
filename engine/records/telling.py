"""What the engine says goes on, and why its runs end: all of it, for whoever translates it."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import TypeAlias

Say: TypeAlias = Callable[..., None]
"""Is told a `Doing`, "" where it is over, and the name that it is about where there is one."""

REPLAYED = "replayed"
"""Stands before the reason of a run that is only replayed."""
JOB_QUEUE = "the job queue"
"""Who has a device that a job of the queue is tuned on."""


class Doing(StrEnum):
    """A long step. `{about}` stands for a name that is told with it."""

    READING = "Reading the model"
    IMPORTING = "Importing the model into TVM"
    LOWERING = "Lowering and fusing operators"
    LOOKING = "Looking at its operators"
    SPACES = "Finding design spaces"
    COMPARING = "Comparing the devices"
    WAITING = "Waiting for {about}, which is being tuned on this device"
    UNTUNED = "Compiling and measuring the untuned model"
    REFERENCE = "Measuring {about}"
    PEAK = "Looking up the target's peak speed"
    TUNED = "Compiling and measuring the tuned model"
    FINALS = "Measuring the finalists again"
    SHARING = "Sharing schedules"
    DONORS = "Trying donors"
    POLISHING = "Polishing"
    MERGING = "Merging operators"
    MEMBERS = "Trying members' schedules"
    COMPILING = "Compiling the model with its records"
    WAYS = "Measuring whole schedules in turns"
    NARROWER = "Comparing narrower searches"
    STAGED = "Comparing the schedule with one operator after another"
    CHECKING = "Checking the outputs against {about}"


class RunEnd(StrEnum):
    """Why a run ended that did not fail."""

    TRIALS = "the trials are spent"
    TIME = "the time is spent"
    OBJECTIVE = "the latency objective is met"
    EXHAUSTED = "nothing is left to try"
    PLAN = "the plan is carried out"
    STOPPED = "stopped"
