"""Words come last: code says a key and its fields, and catalogues have the text. Not public."""

from __future__ import annotations

from pitbook.text.catalogue import languages
from pitbook.text.sentences import (
    Sentence,
    average,
    capital,
    in_currency,
    in_language,
    parts_of,
    say,
    sentence_of,
    sentences_in,
    speech,
)

__all__ = [
    "Sentence",
    "average",
    "capital",
    "in_currency",
    "in_language",
    "languages",
    "parts_of",
    "say",
    "sentence_of",
    "sentences_in",
    "speech",
]
