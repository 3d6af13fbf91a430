"""A page in Spanish: how somebody gets there, and what is left of English on it."""

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
from tests.browser.built import FRONTEND, ROOT, script
from tests.browser.player import keep_settings

from pitbook.text.templates import Part, Variants, parsed

PAGE = FRONTEND / "src" / "words"
HOUSE = ROOT / "src" / "pitbook" / "text" / "catalogues"
WORD = re.compile(r"\b[^\W\d_]{2,}\b")  # Whole ones: a hash has letters between its digits.
PICTURES = "PITBOOK_PICTURES"
SIZES = ((360, 740), (1366, 657))
TAG = re.compile(r"</?[a-z]+>")


def speak_spanish(page: Page) -> None:
    """The switch in the settings, as somebody uses it who finds the page in English."""
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("radio", name="Español").check()
    expect(page.locator("html")).to_have_attribute("lang", "es")
    page.keyboard.press("Escape")


def in_spanish(page: Page, **settings: object) -> None:
    """A browser whose owner chose Spanish before."""
    keep_settings(page, language="es", **settings)


def english_left(page: Page, names: Iterable[str] = ()) -> list[str]:
    """What the page says with a word that only English has; names as they are written aside."""
    longest = sorted((*names, "Pitbook"), key=len, reverse=True)
    said: list[str] = page.evaluate(script("said"))
    return [one for one in dict.fromkeys(said) if words(without(one, longest)) & only_english()]


def resized(page: Page, width: int, height: int) -> None:
    """Another size of the window, once all that is laid out by a script has followed it."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(
        "async () => { for (const _ of [1, 2, 3]) await new Promise(requestAnimationFrame) }"
    )


def read_whole(page: Page, name: str, names: Iterable[str]) -> None:
    """Nothing is left in English, and nothing sticks out, at a desk's size and at a phone's."""
    left = english_left(page, names)
    assert left == [], f"{name}: {left}"
    for width, height in SIZES:
        resized(page, width, height)
        for what in ("overflow", "spilled"):
            assert page.evaluate(script(what)) == [], f"{what}: {name} at {width}x{height}"
        if folder := os.environ.get(PICTURES):
            _drawn(page, Path(folder), f"{name}-{width}x{height}")


def _drawn(page: Page, folder: Path, name: str) -> None:
    page.emulate_media(color_scheme="light")
    page.screenshot(path=folder / f"{name}-light.png", full_page=True)
    page.emulate_media(color_scheme="dark")
    page.screenshot(path=folder / f"{name}-dark.png", full_page=True)


def without(text: str, names: Iterable[str]) -> str:
    """The text where names are left out."""
    for name in names:
        text = text.replace(name, " ")
    return text


@cache
def only_english() -> frozenset[str]:
    """Words of the English catalogues, the page's and the house's, that no Spanish text has."""
    english, spanish = (frozenset().union(*map(words, texts(one))) for one in ("en", "es"))
    return frozenset(english - spanish)


def words(text: str) -> set[str]:
    """The words of a text, in small letters."""
    return {one.lower() for one in WORD.findall(text)}


def texts(language: str) -> Iterator[str]:
    """What a language's catalogues say, between their blanks."""
    for file in sorted((PAGE / language).glob("*.json")):
        yield from _said(json.loads(file.read_text(encoding="utf-8")))
    for file in sorted((HOUSE / language).glob("*.toml")):
        yield from _said(tomllib.loads(file.read_text(encoding="utf-8")))


def _said(given: Any) -> Iterator[str]:
    if isinstance(given, str):
        yield from _plain(parsed(TAG.sub("", given)))
    elif isinstance(given, dict | list):
        for one in given.values() if isinstance(given, dict) else given:
            yield from _said(one)


def _plain(parts: Iterable[Part]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, str):
            yield part
        elif isinstance(part, Variants):
            for case in part.cases.values():
                yield from _plain(case)
