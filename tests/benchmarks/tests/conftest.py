"""What every test of a benchmark needs."""

from engine.records.machine import prepare_environment

prepare_environment()
