"""What a person calls the sources of trials; without Qt, so that the command line can use it."""

from __future__ import annotations

from engine.measure.trial import Source

_WORDS = {
    Source.SEARCH: "search",
    Source.SHARED: "shared",
    Source.TRANSFERRED: "transferred",
    Source.DROPLET: "polished",
}


def source_word(source: Source) -> str:
    """What a person calls a source."""
    return _WORDS[source]
