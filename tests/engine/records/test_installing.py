"""What is said where a package is missing."""

from __future__ import annotations

import sys

import pytest

from engine.records.errors import install_todo


@pytest.mark.parametrize(
    ("package", "extra", "wanted"),
    [("tornado", "", "pip install tornado"), ("torch", "pt2", "pip install 'tunewright[pt2]'")],
)
def test_pip_is_named_where_it_could_help(package: str, extra: str, wanted: str) -> None:
    assert install_todo(package, extra) == f"Install it with: {wanted}."


@pytest.mark.parametrize(("package", "extra"), [("tornado", ""), ("torch", "pt2")])
def test_the_frozen_program_asks_nobody_to_install_into_it(
    package: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    said = install_todo(package, extra)
    assert "takes up no packages" in said and "tunewright" in said and "Install it" not in said
