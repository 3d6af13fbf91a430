"""The product's sentences: plurals and articles are right for every value of a placeholder."""

from __future__ import annotations

import re
from functools import cache

import pytest
from docs.sentences import sentences

PLURAL = re.compile(r"\}s(?![\w'])|\(s\)")
NAMED = re.compile(r"(?<![\w{])(?:a|an|An) \{([^{}]*)\}")
# Placeholders whose values always fit the article.
FITTING_NAMES = {"kind", "role", "result", "outcome(line)", "about", "cards"}


@cache
def source_sentences() -> list[tuple[str, int, str]]:
    return [sentence for sentence in sentences() if sentence[0].startswith("src")]


@pytest.mark.long
def test_sentences_are_found() -> None:
    assert source_sentences()


def test_no_plural_is_formed_with_s() -> None:
    assert [sentence for sentence in source_sentences() if PLURAL.search(sentence[2])] == []


def test_no_article_precedes_a_placeholder() -> None:
    matches = [
        (sentence, match[1])
        for sentence in source_sentences()
        for match in NAMED.finditer(sentence[2])
    ]
    assert [sentence for sentence, placeholder in matches if placeholder not in FITTING_NAMES] == []
