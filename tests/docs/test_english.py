"""The product's sentences, all of them: plurals and articles fit whatever fills a blank."""

from __future__ import annotations

import re
from functools import cache

import pytest
from docs.sentences import sentences

PLURAL = re.compile(r"\}s(?![\w'])|\(s\)")
NAMED = re.compile(r"(?<![\w{])(?:a|an|An) \{([^{}]*)\}")
# Words that begin as the article has it, whatever fills the blank.
SETTLED = {"kind", "role", "result", "outcome(line)"}


@cache
def said() -> list[tuple[str, int, str]]:
    return [one for one in sentences() if one[0].startswith("src")]


@pytest.mark.long
def test_there_is_something_to_read() -> None:
    assert said()


def test_no_plural_is_made_by_an_s() -> None:
    assert [one for one in said() if PLURAL.search(one[2])] == []


def test_no_article_stands_before_any_word() -> None:
    found = [(one, match[1]) for one in said() for match in NAMED.finditer(one[2])]
    assert [one for one, word in found if word not in SETTLED] == []
