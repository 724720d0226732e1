"""What an experiment varies, and the cells that come of it."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from itertools import product
from typing import Any

from engine.jobs.steps.steps import parse_plan
from engine.records.settings import NONE, Budget, RunSettings, SearchSettings
from engine.records.source import ModelSource
from engine.records.words import budget_text

_LONGEST_PART = 24


@dataclass(frozen=True, slots=True)
class Model:
    """A model under the name that the results use; `sha256` is that of a file's own bytes."""

    name: str
    source: ModelSource
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class PolicyChoice:
    """A policy with its options, under the name that the results use."""

    name: str
    policy: str
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SearchChoice:
    """The effort of a task's search, under the name that the results use."""

    name: str = "standard"
    settings: SearchSettings = SearchSettings()


@dataclass(frozen=True, slots=True)
class Conditions:
    """How cells share the machine: which stage starts, how many run at once, and on how many cores;
    None is as without it. Cells of one seed and the same conditions, where they have any, are a
    round, which has the machine to itself."""

    scheduling: PolicyChoice | None = None
    concurrency: int | None = None
    cores: int | None = None

    @property
    def words(self) -> tuple[str, str, str]:
        """Each as a text, empty for None."""
        counts = (str(each or "") for each in (self.concurrency, self.cores))
        return (self.scheduling.name if self.scheduling else "", *counts)  # type: ignore[return-value]


FURTHER = ("search", "devices", "scheduling", "concurrency", "cores")
"""Axes that a table shows where they vary."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One run: one of each. `devices` are as `RunSettings` has them."""

    model: Model
    target: str
    policy: PolicyChoice
    plan: str
    budget: Budget
    seed: int
    search: SearchChoice = SearchChoice()
    devices: str = ""
    conditions: Conditions = Conditions()

    @property
    def further(self) -> tuple[str, ...]:
        """Its place on the axes of `FURTHER`, in a person's words."""
        return (self.search.name, self.devices or NONE, *self.conditions.words)

    @property
    def round(self) -> tuple[int, str, str, str] | None:
        """What its round has in common: seed and conditions in words; None where it has none."""
        words = self.conditions.words
        return (self.seed, *words) if any(words) else None

    @property
    def group(self) -> tuple[str, str, str, str, str]:
        """What cells have in common that differ in their seeds only."""
        return (
            self.model.name,
            self.target,
            self.policy.name,
            self.plan,
            budget_text(self.budget),
        )

    @property
    def settings(self) -> RunSettings:
        return RunSettings(
            self.budget,
            self.policy.policy,
            self.policy.options,
            self.seed,
            self.search.settings,
            steps=parse_plan(self.plan),
            devices=self.devices,
        )

    @property
    def name(self) -> str:
        """A file's name: what a person looks for, and a digest of all that decides the result, so
        that a cell whose model or settings were changed is another one."""
        words = (self.model.name, self.target, self.policy.name, f"seed{self.seed}")
        parts = (re.sub(r"[^\w.-]+", "-", word)[:_LONGEST_PART].strip("-.") for word in words)
        return "_".join([*filter(None, parts), self._digest])

    @property
    def _digest(self) -> str:
        source = self.model.source.as_dict()
        source["location"] = self.model.sha256 or source["location"]  # folders may be moved
        all_: list[Any] = [source, self.target, self.settings.as_dict()]
        if self.round is not None:
            all_.append(asdict(self.conditions))
        text = json.dumps(all_, sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()[:8]


@dataclass(frozen=True, slots=True)
class Experiment:
    """The whole matrix. `jobs` is how many cells run at once where `concurrency` does not say."""

    name: str
    models: tuple[Model, ...]
    targets: tuple[str, ...]
    policies: tuple[PolicyChoice, ...]
    plans: tuple[str, ...]
    budgets: tuple[Budget, ...]
    seeds: tuple[int, ...]
    jobs: int = 1
    searches: tuple[SearchChoice, ...] = (SearchChoice(),)
    devices: tuple[str, ...] = ("",)
    scheduling: tuple[PolicyChoice | None, ...] = (None,)
    concurrency: tuple[int | None, ...] = (None,)
    cores: tuple[int | None, ...] = (None,)

    def __len__(self) -> int:
        return math.prod(map(len, (self.seeds, *self._conditions, *self._of_cells)))

    def cells(self) -> Iterator[Cell]:
        """All cells, the seeds outermost: what is there early has something of everything. Those of
        a round come together."""
        for seed, *shared in product(self.seeds, *self._conditions):
            conditions = Conditions(*shared)
            for model, target, policy, plan, budget, search, devices in product(*self._of_cells):
                yield Cell(model, target, policy, plan, budget, seed, search, devices, conditions)

    @property
    def _conditions(self) -> tuple[tuple[Any, ...], ...]:
        return self.scheduling, self.concurrency, self.cores

    @property
    def _of_cells(self) -> tuple[tuple[Any, ...], ...]:
        return (
            *(self.models, self.targets, self.policies, self.plans, self.budgets),
            *(self.searches, self.devices),
        )
