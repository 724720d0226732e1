"""What an experiment varies, and the cells that come of it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from engine.jobs.steps.steps import parse_plan
from engine.records.settings import Budget, RunSettings
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
class Cell:
    """One run: one of each."""

    model: Model
    target: str
    policy: PolicyChoice
    plan: str
    budget: Budget
    seed: int

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
            steps=parse_plan(self.plan),
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
        all_ = [source, self.target, self.settings.as_dict()]
        text = json.dumps(all_, sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()[:8]


@dataclass(frozen=True, slots=True)
class Experiment:
    """The whole matrix. `jobs` is how many cells run at once."""

    name: str
    models: tuple[Model, ...]
    targets: tuple[str, ...]
    policies: tuple[PolicyChoice, ...]
    plans: tuple[str, ...]
    budgets: tuple[Budget, ...]
    seeds: tuple[int, ...]
    jobs: int = 1

    def __len__(self) -> int:
        axes = (self.models, self.targets, self.policies, self.plans, self.budgets, self.seeds)
        count = 1
        for axis in axes:
            count *= len(axis)
        return count

    def cells(self) -> Iterator[Cell]:
        """All cells, the seeds outermost: what is there early has something of everything."""
        for seed, model, target in product(self.seeds, self.models, self.targets):
            for policy, plan, budget in product(self.policies, self.plans, self.budgets):
                yield Cell(model, target, policy, plan, budget, seed)
