"""A page in Spanish: how to switch to it, and what English is left on it."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect
from tests.browser.page_build import FRONTEND, ROOT, script
from tests.browser.player import keep_settings

from pitbook.text.catalog import Part, Variants, parse_template

PAGE = FRONTEND / "src" / "words"
HOUSE = ROOT / "src" / "pitbook" / "text" / "catalogs"
WORD = re.compile(r"\b[^\W\d_]{2,}\b")  # Whole words only: a hash has letters between digits.
PICTURES = "PITBOOK_PICTURES"
SIZES = ((360, 740), (1366, 657))
TAG = re.compile(r"</?[a-z]+>")


def speak_spanish(page: Page) -> None:
    """Switch the page to Spanish in its settings."""
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("radio", name="Español").check()
    expect(page.locator("html")).to_have_attribute("lang", "es")
    page.keyboard.press("Escape")


def in_spanish(page: Page, **settings: object) -> None:
    """Store Spanish as the language chosen before."""
    keep_settings(page, language="es", **settings)


def english_left(page: Page, names: Iterable[str] = ()) -> list[str]:
    """Texts of the page with words that only English has, ignoring these names."""
    longest = sorted((*names, "Pitbook"), key=len, reverse=True)
    texts_shown: list[str] = page.evaluate(script("page_texts"))
    return [
        text
        for text in dict.fromkeys(texts_shown)
        if words(remove_names(text, longest)) & only_english()
    ]


def resize(page: Page, width: int, height: int) -> None:
    """Resize the window and wait until scripted layout has followed."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(
        "async () => { for (const _ of [1, 2, 3]) await new Promise(requestAnimationFrame) }"
    )


def assert_all_spanish(page: Page, name: str, names: Iterable[str]) -> None:
    """Assert that nothing is in English and nothing overflows, at desktop and phone size."""
    english = english_left(page, names)
    assert english == [], f"{name}: {english}"
    for width, height in SIZES:
        resize(page, width, height)
        for what in ("overflow", "spilled_text"):
            assert page.evaluate(script(what)) == [], f"{what}: {name} at {width}x{height}"
        if folder := os.environ.get(PICTURES):
            _save_pictures(page, Path(folder), f"{name}-{width}x{height}")


def _save_pictures(page: Page, folder: Path, name: str) -> None:
    page.emulate_media(color_scheme="light")
    page.screenshot(path=folder / f"{name}-light.png", full_page=True)
    page.emulate_media(color_scheme="dark")
    page.screenshot(path=folder / f"{name}-dark.png", full_page=True)


def remove_names(text: str, names: Iterable[str]) -> str:
    """The text without names."""
    for name in names:
        text = text.replace(name, " ")
    return text


@cache
def only_english() -> frozenset[str]:
    """Words of the English catalogs that no Spanish text has."""
    english, spanish = (
        frozenset().union(*map(words, texts(language))) for language in ("en", "es")
    )
    return frozenset(english - spanish)


def words(text: str) -> set[str]:
    """The words of a text, in lower case."""
    return {word.lower() for word in WORD.findall(text)}


def texts(language: str) -> Iterator[str]:
    """The texts of a language's catalogs, without placeholders."""
    for file in sorted((PAGE / language).glob("*.json")):
        yield from _catalog_texts(json.loads(file.read_text(encoding="utf-8")))
    for file in sorted((HOUSE / language).glob("*.toml")):
        yield from _catalog_texts(tomllib.loads(file.read_text(encoding="utf-8")))


def _catalog_texts(texts: Any) -> Iterator[str]:
    if isinstance(texts, str):
        yield from _literal_parts(parse_template(TAG.sub("", texts)))
    elif isinstance(texts, dict | list):
        for text in texts.values() if isinstance(texts, dict) else texts:
            yield from _catalog_texts(text)


def _literal_parts(parts: Iterable[Part]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, str):
            yield part
        elif isinstance(part, Variants):
            for case in part.cases.values():
                yield from _literal_parts(case)
