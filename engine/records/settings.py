"""What a person asks of a run: its budget and its settings."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any

from engine.records.errors import UsageError
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
class Budget:
    """A run ends at the first limit it reaches; None is no limit.

    `trials` counts this run's trials, `seconds` its tuning time without pauses, `latency_s` is
    an objective for the model's estimated latency.
    """

    trials: int | None = None
    seconds: float | None = None
    latency_s: float | None = None

    def __post_init__(self) -> None:
        for name in ("trials", "seconds", "latency_s"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise UsageError(f"A budget of {value} {name} is not above zero.", "Give more.")


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """Effort of one task's search: evolutionary population, its iterations, batch size.

    Its cost model is trained anew with every `model_every` new results, or with `model_growth`
    times those it has learnt from where that is more, as training takes longer with more of them.
    """

    population: int = 32
    iterations: int = 3
    min_unmeasured: int = 16
    batch: int = 16
    model_warmup: int = 16
    model_every: int = 16
    model_growth: float = 0.2


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a run's plan: its kind, its options (`engine.jobs.steps.steps`), trials at most."""

    kind: str = "search"
    options: dict[str, Any] = field(default_factory=dict)
    trials: int | None = None

    def __post_init__(self) -> None:
        if self.trials is not None and self.trials < 1:
            raise UsageError(f"A step of {self.trials} trials does nothing.", "Give more.")


@dataclass(frozen=True, slots=True)
class RunSettings:
    """Everything that defines a run beside the model and its target.

    `wishes` are what `engine.allocation.wishes.Wishes.as_dict` gives, empty for none. The `steps`
    are taken in order, and with `repeat` again until the budget ends or nothing is left to try.
    `devices` are those to spread the measurements over, as a person lists them: "cuda:0,cuda:1";
    empty: the target's own. `cluster` is the address of a Dask scheduler whose workers build.
    """

    budget: Budget = Budget()
    policy: str = "dynatune"
    policy_options: dict[str, Any] = field(default_factory=dict)
    seed: int = 0
    search: SearchSettings = SearchSettings()
    protocol: Protocol = Protocol()
    finalists: int = 3
    wishes: dict[str, Any] = field(default_factory=dict)
    steps: tuple[Step, ...] = (Step(),)
    repeat: bool = False
    devices: str = ""
    cluster: str = ""

    def elsewhere(self, cluster: str = "", devices: str = "") -> RunSettings:
        """The settings with another cluster and other devices: empty is the same, NONE is none."""
        cluster, devices = cluster or self.cluster, devices or self.devices
        return replace(
            self,
            cluster="" if cluster == NONE else cluster,
            devices="" if devices == NONE else devices,
        )

    def as_dict(self) -> dict[str, Any]:
        """The settings, JSON-ready."""
        return asdict(self)

    @staticmethod
    def from_dict(data: dict[str, Any]) -> RunSettings:
        """The settings that `as_dict` gave."""
        nested: dict[str, Any] = {
            "budget": Budget(**data["budget"]),
            "search": SearchSettings(**data["search"]),
            "protocol": Protocol(**data["protocol"]),
        }
        if "steps" in data:
            nested["steps"] = tuple(Step(**step) for step in data["steps"])
        return RunSettings(**{**data, **nested})
