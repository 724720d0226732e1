"""What a person calls the sources of trials, as the views import it."""

from __future__ import annotations

from engine.words import source_word

__all__ = ["source_word"]
