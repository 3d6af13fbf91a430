"""Catalogues are whole: every key that code says is there, in every language, with its fields."""

from __future__ import annotations

import tomllib

import pytest
from tests.text.said import Said, said_in_code

from pitbook.text import languages
from pitbook.text.catalogue import ENGLISH, FOLDER, Catalogue, TextAreas, catalogue
from pitbook.text.formats import FORMATS
from pitbook.text.templates import AFTER, LISTS, Blank, Variants, blanks, parsed

OTHERS = [one for one in languages() if one != ENGLISH]


def fields(book: Catalogue, key: str) -> set[str]:
    return {one.field for one in blanks(parsed(book.texts[key]))}


@pytest.fixture(scope="module")
def said() -> list[Said]:
    return list(said_in_code())


@pytest.mark.long
def test_every_key_that_is_said_has_its_english(said: list[Said]) -> None:
    missing = {f"{one.place}: {one.key}" for one in said if one.key not in catalogue("en").texts}
    assert not missing


def test_no_english_is_left_that_nobody_says(said: list[Said]) -> None:
    assert catalogue("en").texts.keys() <= {one.key for one in said}


@pytest.mark.parametrize("language", languages())
def test_every_blank_has_a_field(language: str, said: list[Said]) -> None:
    book = catalogue(language)
    for one in said:
        if one.key in book.texts:
            assert fields(book, one.key) <= one.fields, f"{one.place}: {one.key}"


@pytest.mark.long
def test_every_field_has_a_blank_in_some_language(said: list[Said]) -> None:
    for one in said:
        keys = [key for key in catalogue("en").texts if key.startswith(one.whole)]
        used = {
            name for each in languages() for key in keys for name in fields(catalogue(each), key)
        }
        assert one.given <= used, f"{one.place}: {one.whole} has no blank for {one.given - used}"


@pytest.mark.parametrize("language", OTHERS)
def test_another_language_has_the_same_keys(language: str) -> None:
    assert catalogue(language).texts.keys() == catalogue("en").texts.keys()


@pytest.mark.parametrize("language", OTHERS)
def test_another_language_fills_in_the_same_fields(language: str) -> None:
    """It may ask for more, as for whose a card is; the test above knows what code gives."""
    ours, theirs = catalogue("en"), catalogue(language)
    for key in ours.texts:
        assert fields(ours, key) <= fields(theirs, key), key


@pytest.mark.parametrize("language", languages())
def test_formats_are_known_and_no_blank_space_is_left_over(language: str) -> None:
    book = catalogue(language)
    for key, text in book.texts.items():
        assert text == text.strip(), key
        assert "  " not in text, key
        assert "\n" not in text, key
        for one in blanks(parsed(text)):
            if isinstance(one, Blank):
                assert one.format in ("", "capital", AFTER, *FORMATS, *LISTS), key
                each = fields(book, key) if one.format == AFTER else ("", *FORMATS)
                assert one.each in each, key
            else:
                assert isinstance(one, Variants)
                plural = {case for case in one.cases if not case.startswith("=")}
                assert one.kind == "select" or plural <= {"one", "other"}, key


@pytest.mark.parametrize("language", languages())
def test_a_file_holds_the_area_that_it_is_named_for(language: str) -> None:
    for path in (FOLDER / language).iterdir():
        assert list(tomllib.loads(path.read_text(encoding="utf-8"))) == [path.stem], path


def test_a_second_language_is_a_folder_of_files() -> None:
    assert languages() == ("en", *sorted(path.name for path in FOLDER.iterdir())[1:])
    assert "es" in languages()


def test_an_area_is_read_when_one_of_its_keys_is_said() -> None:
    areas = TextAreas(FOLDER / ENGLISH)
    book = Catalogue(areas)
    assert len(areas) == len(list(areas))
    assert "engine.step.has-decided" in book
    assert "engine.step.no-such" not in book
    assert "nowhere.at-all" not in book
    assert book.area("engine").keys() < book.texts.keys()
