"""Messages: code names a key and its fields, and catalogues supply the text. Not public."""

from __future__ import annotations

from pitbook.text.catalogue import languages
from pitbook.text.sentences import (
    Sentence,
    average,
    capital,
    in_currency,
    in_language,
    locale_of,
    say,
    sentence_of,
    sentences_in,
    subkeys,
)

__all__ = [
    "Sentence",
    "average",
    "capital",
    "in_currency",
    "in_language",
    "languages",
    "locale_of",
    "say",
    "sentence_of",
    "sentences_in",
    "subkeys",
]
