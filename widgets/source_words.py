"""What a person calls the sources of trials, as the views import it."""

from __future__ import annotations

from engine import words
from engine.measure.trial import Source
from widgets.language import tr


def source_word(source: Source) -> str:
    """What a person calls a source."""
    return tr(words.source_word(source))
