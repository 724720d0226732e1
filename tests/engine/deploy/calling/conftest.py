"""The interface in C."""

from __future__ import annotations

import shutil

import pytest

from tests.engine.deploy.calling.native import Native, built


@pytest.fixture(scope="session")
def native(tmp_path_factory: pytest.TempPathFactory) -> Native:
    """It, compiled once."""
    if shutil.which("gcc") is None:
        pytest.skip("there is no gcc here")
    return built(tmp_path_factory.mktemp("native") / "libtunewright.so")
