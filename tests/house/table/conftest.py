"""Every refusal in these tests must exist in every language."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pitbook.rules import refusals
from pitbook.rules.refusals import Refusal
from pitbook.text import in_language, languages, say

_TOLD: set[str] = set()


@pytest.fixture(scope="module", autouse=True)
def _every_refusal_in_every_language() -> Iterator[None]:
    make_refusal = refusals._make_refusal

    def told_too(code: Any, key: str, clause: str | None, fields: dict[str, Any]) -> Refusal:
        if key not in _TOLD:
            _TOLD.add(key)
            sentence = say(key, **fields)
            texts = [in_language(sentence, language) for language in languages()]
            assert texts[0] == sentence
            assert len(set(texts)) == len(texts), f"{key} is not told in every language: {texts}"
        return make_refusal(code, key, clause, fields)

    refusals._make_refusal = told_too
    yield
    refusals._make_refusal = make_refusal
