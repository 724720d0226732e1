"""How a missing package is to be had; the frozen program holds its own and takes up no other."""

from __future__ import annotations

import sys


def install_todo(package: str, extra: str = "") -> str:
    """What to do where a package is missing: one of its own, or those of an extra of ours."""
    ours = f"'tunewright[{extra}]'" if extra else "tunewright"
    if getattr(sys, "frozen", False):
        return f"This program takes up no packages: use Tunewright from pip install {ours}."
    return f"Install it with: pip install {ours if extra else package}."
