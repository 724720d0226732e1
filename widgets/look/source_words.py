"""What a person calls the sources of trials, as the views import it."""

from __future__ import annotations

from engine.records import words
from engine.records.trial import Source
from widgets.look.language import tr


def source_word(source: Source) -> str:
    """What a person calls a source."""
    return tr(words.source_word(source))
