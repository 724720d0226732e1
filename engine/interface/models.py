"""What a person writes for a model, and the budget of who named none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import cast

from engine.models.samples import SAMPLES
from engine.records.addresses import is_remote
from engine.records.errors import Hint, UsageError
from engine.records.formats import is_project
from engine.records.precision import DEFAULT_PRECISION, known_precision
from engine.records.sentences import Sentence
from engine.records.settings import Budget, RunSettings
from engine.records.source import ModelSource, Precision
from engine.storage.failures import from_os

DEFAULT_SECONDS = 600.0


def find_model(text: str) -> ModelSource:
    """A file, or else a sample, by what a person wrote."""
    path = Path(text)
    if is_project(path):
        raise UsageError(
            Sentence("{path} is a project, not a model.", path=path.name),
            "Go on with it instead.",
            Hint.RESUME,
        )
    try:
        if path.exists():
            return ModelSource("file", str(path.absolute()))
    except OSError as error:
        raise from_os(error, path) from error
    names = [sample.name for sample in SAMPLES]
    if text in names:
        return ModelSource("sample", text)
    raise UsageError(
        Sentence("There is neither a file nor a sample model '{text}'.", text=text),
        Sentence("Check the path, or choose a sample: {names}.", names=", ".join(names)),
    )


def model_source(
    text: str,
    shapes: Mapping[str, tuple[int, ...]],
    values: Mapping[str, float],
    precision: str = DEFAULT_PRECISION,
    without_reference: bool = False,
) -> ModelSource:
    """`find_model` with what else a person said of the model; UsageError for a precision that there
    is none of."""
    known = cast("Precision", known_precision(precision))
    return replace(
        find_model(text),
        shapes=dict(shapes),
        values=dict(values),
        precision=known,
        without_reference=without_reference,
    )


def settled(settings: RunSettings) -> RunSettings:
    """The settings with a budget: ten minutes where they have none. UsageError for a policy that
    does not exist, before a model is read."""
    from engine.allocation.policies.registry import make_policy

    make_policy(settings.policy, settings.policy_options, settings.seed)
    if settings.budget != Budget():
        return settings
    return replace(settings, budget=Budget(seconds=DEFAULT_SECONDS))


def device_target(device: str | None, target: str, devices: str = "") -> str:
    """The target's text, with the device that it is on before it: the first of `devices`, where
    nothing else is said."""
    first = devices.partition(",")[0].strip()
    if is_remote(first):
        device = device or first
    elif first and target == "auto":
        target = first
    return f"{device} {target}" if device else target
