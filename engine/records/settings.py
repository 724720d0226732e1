"""What a person asks of a run: its budget and its settings."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Annotated, Any

from msgspec import Meta

from engine.records.errors import UsageError
from engine.records.options import Checked, Count, Positive, made
from engine.records.sentences import Sentence
from engine.records.trial import Protocol

NONE = "none"
"""As the cluster of a run that goes on: build here. As its devices: the target's own."""


class RunState(StrEnum):
    """The life of a run. INTERRUPTED is what a reopened file calls a run that was killed."""

    PREPARING = "preparing"
    RUNNING = "running"
    PAUSED = "paused"
    STOPPING = "stopping"
    STOPPED = "stopped"
    FINISHED = "finished"
    INTERRUPTED = "interrupted"
    FAILED = "failed"

    @property
    def active(self) -> bool:
        """Whether the engine still works on, or holds, this run."""
        return self in (RunState.PREPARING, RunState.RUNNING, RunState.PAUSED, RunState.STOPPING)


@dataclass(frozen=True, slots=True)
class Budget(Checked, what=Sentence("A budget")):
    """A run ends at the first limit it reaches; None is no limit.

    `trials` counts this run's trials, `seconds` its tuning time without pauses, `latency_s` is
    an objective for the latency of the model as a whole.
    """

    trials: Count | None = None
    seconds: Positive | None = None
    latency_s: Positive | None = None


@dataclass(frozen=True, slots=True)
class SearchSettings(Checked, what=Sentence("A search")):
    """Effort of one task's search: evolutionary population, its iterations, batch size.

    Its cost model is trained anew with every `model_every` new results, or with `model_growth`
    times those it has learnt from where that is more, as training takes longer with more of them.
    A slot begins with the best schedules of `peers` other tasks of the class, of those that
    are new to its task; a task's first slot with those of twice as many.
    """

    population: Annotated[int, Meta(ge=1, le=100_000)] = 32
    iterations: Annotated[int, Meta(ge=1, le=1000)] = 3
    min_unmeasured: Annotated[int, Meta(ge=1, le=100_000)] = 16
    batch: Annotated[int, Meta(ge=1, le=10_000)] = 16
    model_warmup: Annotated[int, Meta(ge=0, le=1_000_000)] = 16
    model_every: Annotated[int, Meta(ge=1, le=1_000_000)] = 16
    model_growth: Annotated[float, Meta(ge=0, le=100)] = 0.2
    peers: Annotated[int, Meta(ge=0, le=1000)] = 1


@dataclass(frozen=True, slots=True)
class Step(Checked, what=Sentence("A step")):
    """A step of a run's plan: its kind, its options (`engine.jobs.steps.steps`), trials at most."""

    kind: str = "search"
    options: dict[str, Any] = field(default_factory=dict)
    trials: Count | None = None


@dataclass(frozen=True, slots=True)
class RunSettings(Checked, what=Sentence("A run")):
    """Everything that defines a run beside the model and its target.

    `wishes` are what `engine.allocation.wishes.Wishes.as_dict` gives, empty for none. The `steps`
    are taken in order, and with `repeat` again until the budget ends or nothing is left to try.
    `devices` are those to spread the measurements over, as a person lists them: "cuda:0,cuda:1";
    empty: the target's own. `cluster` is the address of a Dask scheduler whose workers build.
    With `despite` a model is tuned whose untuned module answers wrongly. With `starter` a search
    begins with what the starter library, and the user's own, know of tasks of the same class.
    """

    budget: Budget = Budget()
    policy: str = "dynatune"
    policy_options: dict[str, Any] = field(default_factory=dict)
    seed: int = 0
    search: SearchSettings = SearchSettings()
    protocol: Protocol = Protocol()
    finalists: Annotated[int, Meta(ge=0, le=1000)] = 3
    wishes: dict[str, Any] = field(default_factory=dict)
    steps: tuple[Step, ...] = (Step(),)
    repeat: bool = False
    devices: str = ""
    cluster: str = ""
    despite: bool = False
    starter: bool = True

    def elsewhere(self, cluster: str = "", devices: str = "") -> RunSettings:
        """The settings with another cluster and other devices: empty is the same, NONE is none."""
        cluster, devices = cluster or self.cluster, devices or self.devices
        return replace(
            self,
            cluster="" if cluster == NONE else cluster,
            devices="" if devices == NONE else devices,
        )

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def from_dict(data: dict[str, Any]) -> RunSettings:
        """The settings that `as_dict` gave; UsageError where they make no sense."""
        if not isinstance(data, dict) or not set(data) >= _OLDEST:
            raise UsageError("These are no settings of a run.", "Give all of them.")
        return made(RunSettings, _as_now(data))

    def require_sense(self) -> None:
        """A run has a plan."""
        if not self.steps:
            raise UsageError("A plan has no steps.", "Name one.")


_OLDEST = {"budget", "search", "protocol"}  # what all versions have stored
_CURVES = {"family", "form", "jump", "pooled", "samples", "steps", "walkers"}
_WITH_CURVES = {
    "form": "relative", "c": 0.1, "first_pass": False, "per_second": True, "pooled": 16.0,
}  # fmt: skip


def _as_now(data: dict[str, Any]) -> dict[str, Any]:
    """Settings that may be of a version in which every belief was mixed with a curve.

    Who had said how `dynatune` fits its curves gets the policy that has them now, as it was; other
    policies have done without curves since.
    """
    policy, options = data.get("policy", "dynatune"), data.get("policy_options")
    if not isinstance(options, dict) or not _CURVES & set(options):
        return data
    if policy == "dynatune":
        return {**data, "policy": "dynatune-paper", "policy_options": _WITH_CURVES | options}
    if policy in ("epsilon-greedy", "softmax"):
        kept = {name: value for name, value in options.items() if name not in _CURVES}
        return {**data, "policy_options": kept}
    return data
