"""TVM gets its threads before the first test imports it."""

from __future__ import annotations

from engine.records.tvm_env import prepare_environment

prepare_environment()
