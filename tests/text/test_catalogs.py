"""Catalogs are complete: every key used in code exists in every language with its fields."""

from __future__ import annotations

import tomllib

import pytest
from tests.text.catalog_keys import Said, said_in_code

from pitbook.text import languages
from pitbook.text.catalog import (
    AFTER,
    ENGLISH,
    FOLDER,
    LISTS,
    Catalog,
    Placeholder,
    TextAreas,
    Variants,
    load_catalog,
    parse_template,
    placeholders,
)
from pitbook.text.formats import FORMATS

OTHERS = [language_code for language_code in languages() if language_code != ENGLISH]


def fields(book: Catalog, key: str) -> set[str]:
    return {blank.field for blank in placeholders(parse_template(book.texts[key]))}


@pytest.fixture(scope="module")
def used_keys() -> list[Said]:
    return list(said_in_code())


@pytest.mark.long
def test_every_used_key_has_english_text(used_keys: list[Said]) -> None:
    missing = {
        f"{use.place}: {use.key}" for use in used_keys if use.key not in load_catalog("en").texts
    }
    assert not missing


def test_no_unused_english_text(used_keys: list[Said]) -> None:
    assert load_catalog("en").texts.keys() <= {use.key for use in used_keys}


@pytest.mark.parametrize("language", languages())
def test_every_placeholder_has_a_field(language: str, used_keys: list[Said]) -> None:
    book = load_catalog(language)
    for use in used_keys:
        if use.key in book.texts:
            assert fields(book, use.key) <= use.fields, f"{use.place}: {use.key}"


@pytest.mark.long
def test_every_field_is_used_in_some_language(used_keys: list[Said]) -> None:
    for use in used_keys:
        keys = [key for key in load_catalog("en").texts if key.startswith(use.whole)]
        used = {
            name for each in languages() for key in keys for name in fields(load_catalog(each), key)
        }
        assert use.given <= used, f"{use.place}: {use.whole} has no blank for {use.given - used}"


@pytest.mark.parametrize("language", OTHERS)
def test_other_languages_have_the_same_keys(language: str) -> None:
    assert load_catalog(language).texts.keys() == load_catalog("en").texts.keys()


@pytest.mark.parametrize("language", OTHERS)
def test_other_languages_use_the_same_fields(language: str) -> None:
    """A translation may use more fields; the test above checks that code supplies them."""
    ours, theirs = load_catalog("en"), load_catalog(language)
    for key in ours.texts:
        assert fields(ours, key) <= fields(theirs, key), key


@pytest.mark.parametrize("language", languages())
def test_formats_are_known_and_texts_have_no_stray_spaces(language: str) -> None:
    book = load_catalog(language)
    for key, text in book.texts.items():
        assert text == text.strip(), key
        assert "  " not in text, key
        assert "\n" not in text, key
        for blank in placeholders(parse_template(text)):
            if isinstance(blank, Placeholder):
                assert blank.format in (
                    "",
                    "capital",
                    "sentence",
                    "ended",
                    "phrase",
                    AFTER,
                    *FORMATS,
                    *LISTS,
                ), key
                each = fields(book, key) if blank.format == AFTER else ("", *FORMATS)
                assert blank.each in each, key
            else:
                assert isinstance(blank, Variants)
                plural = {case for case in blank.cases if not case.startswith("=")}
                assert blank.kind == "select" or plural <= {"one", "other"}, key


@pytest.mark.parametrize("language", languages())
def test_catalog_file_holds_the_area_it_is_named_for(language: str) -> None:
    for path in (FOLDER / language).iterdir():
        assert list(tomllib.loads(path.read_text(encoding="utf-8"))) == [path.stem], path


def test_second_language_is_a_folder_of_catalogs() -> None:
    assert languages() == ("en", *sorted(path.name for path in FOLDER.iterdir())[1:])
    assert "es" in languages()


def test_area_is_loaded_when_one_of_its_keys_is_used() -> None:
    areas = TextAreas(FOLDER / ENGLISH)
    book = Catalog(areas)
    assert len(areas) == len(list(areas))
    assert "engine.step.has-decided" in book
    assert "engine.step.no-such" not in book
    assert "nowhere.at-all" not in book
    assert book.area("engine").keys() < book.texts.keys()
