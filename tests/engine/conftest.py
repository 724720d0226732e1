"""TVM gets its threads before the first test imports it."""

from __future__ import annotations

from engine.records.machine import prepare_environment

prepare_environment()
