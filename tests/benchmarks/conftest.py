"""What every test of a benchmark needs."""

from engine.records.tvm_env import prepare_environment

prepare_environment()
