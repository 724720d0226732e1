"""What every test of a benchmark needs."""

from engine.tvm_env import prepare_environment

prepare_environment()
