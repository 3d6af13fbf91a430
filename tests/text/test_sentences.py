"""A sentence is usable as English text and can be translated."""

from __future__ import annotations

import copy
import datetime
import json
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.text import Sentence, capital, in_language, say
from pitbook.text.catalog import Catalog, Placeholder, Variants, parse_template

FORMAT = {
    "thousands": ".",
    "decimal": ",",
    "numbers": ["null", "eins"],
    "months": [f"M{month}" for month in range(1, 13)],
    "day": "{day}. {month} {year}",
    "lists": {"and": {"word": "und"}, "or": {"word": "oder"}},
    "currencies": {"USD": {"sign": "$", "whole": "ein ganzer Dollar"}},
}

MELTING = {
    **FORMAT,
    "lists": {"and": {"word": "y", "instead": "e", "before": ["i"]}, "or": {"word": "o"}},
    "contracted": {" a el ": " al ", " de el ": " del "},
}


def fill_template(text: str, **fields: object) -> str:
    return Catalog({"format": FORMAT, "test": {"one": text}}).text("test.one", fields)


def test_sentence_behaves_as_text() -> None:
    sentence = say("engine.step.has-decided", seat=3)
    assert sentence == "Seat 3 has already acted. Wait for the next decision."
    assert isinstance(sentence, str)
    assert (sentence.key, sentence.fields) == ("engine.step.has-decided", {"seat": 3})
    assert json.dumps([sentence]) == '["Seat 3 has already acted. Wait for the next decision."]'
    assert {sentence, "Seat 3 has already acted. Wait for the next decision."} == {sentence}


def test_sentence_without_fields_is_cached() -> None:
    assert say("engine.step.no-card-now") is say("engine.step.no-card-now")


def pickle_roundtrip(sentence: str) -> str:
    again: str = pickle.loads(pickle.dumps(sentence))
    return again


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, pickle_roundtrip])
def test_copied_sentence_keeps_its_key(again: Callable[[str], str]) -> None:
    sentence = say("engine.step.has-decided", seat=3)
    assert again(sentence) == sentence
    assert (
        in_language(again(sentence), "es") == "El puesto 3 ya decidió. Espere la próxima decisión."
    )


def test_nested_sentences_are_in_the_same_language() -> None:
    place = say("engine.place.common", place="community", title="community")
    sentence = say("engine.step.deal-order", place=place)
    assert sentence == "The next card goes to the community cards."
    assert in_language(sentence, "es") == "La siguiente carta va a las cartas comunitarias."
    assert (
        in_language(capital(sentence), "es") == "La siguiente carta va a las cartas comunitarias."
    )


def test_sentence_of_a_catalog_starts_with_a_capital_inside_another() -> None:
    refusal = say("engine.wagers.nobody-there", seat=3)
    wrapped = say("nights.night.float-first", why=refusal)
    assert wrapped == "Seat 3 is empty. Add an opening bank first."
    assert in_language(wrapped, "es").startswith("El puesto 3 está vacío. ")


def test_adjacent_words_contract() -> None:
    sentence = say("engine.step.deal-order", place=say("engine.place.seat", seat=2))
    assert in_language(sentence, "es") == "La siguiente carta va al puesto 2."


def test_plain_text_is_left_unchanged() -> None:
    assert in_language("Ace of Clubs", "es") == "Ace of Clubs"
    assert in_language(Sentence("bare"), "es") == "bare"
    assert capital("ace") == "Ace"
    assert type(in_language(say("engine.step.no-card-now"), "en")) is str


def test_missing_translations_fall_back_to_english() -> None:
    assert in_language(Sentence("only English", "no.such.key"), "es") == "only English"


def test_unknown_language_falls_back_to_english() -> None:
    with pytest.raises(ValueError, match='there is no catalog of "xx"'):
        in_language(say("engine.step.no-card-now"), "xx")


def test_unknown_key_raises() -> None:
    with pytest.raises(KeyError):
        say("no.such.key")


@pytest.mark.parametrize(
    ("text", "fields", "words"),
    [
        ("{a, money}", {"a": 123456}, "$1.234,56"),
        ("{a, money}", {"a": -500}, "-$5"),
        ("{a, whole}", {"a": 100}, "ein ganzer Dollar"),
        ("{a, count} {a}", {"a": 1234}, "1.234 1234"),
        ("{a, number} {b, number}", {"a": 1, "b": 2}, "eins 2"),
        ("{a, card} {b, cards}", {"a": 0, "b": (51, 50)}, "2c As Ah"),
        ("{a, day}", {"a": datetime.date(2018, 3, 12)}, "12. M3 2018"),
        ("{a, and} {a, or} {a, comma}", {"a": ("x", "y", "z")}, "x, y und z x, y oder z x, y, z"),
        ("{a, either} {a, both}", {"a": (1, 2, 3)}, "1 oder 2 oder 3 1 und 2 und 3"),
        ("{a, and, money}", {"a": (100, 250)}, "$1 und $2,50"),
        ("{a, capital}, {a}", {"a": "ante"}, "Ante, ante"),
        ("{a, sentence} {b, sentence}", {"a": "zoe left", "b": "Done?"}, "zoe left. Done?"),
        ("{a}: {b, ended}", {"a": "x", "b": "is y"}, "x: is y."),
        ("{a}: {b, ended}", {"a": "x", "b": "Is y."}, "x: Is y."),
        ("{a, phrase} ({b})", {"a": "It is so.", "b": "OMS-1"}, "It is so (OMS-1)"),
        ("{a} and {b, after, a}", {"a": "pays 6:1", "b": "pays 9:1"}, "pays 6:1 and 9:1"),
        ("{a} and {b, after, a}", {"a": "pays 6:1", "b": "pushes"}, "pays 6:1 and pushes"),
        ("{a, plural, =0 {none} one {one} other {{a} of it}}", {"a": 0}, "none"),
        ("{a, plural, =0 {none} one {one} other {{a} of it}}", {"a": 1}, "one"),
        ("{a, plural, =0 {none} one {one} other {{a} of it}}", {"a": 2}, "2 of it"),
        ("{a, select, win {wins {b, money}} other {lost}}!", {"a": "win", "b": 100}, "wins $1!"),
        ("{a, select, win {wins {b, money}} other {lost}}!", {"a": "void", "b": 100}, "lost!"),
        ("it's {a}'s", {"a": "Ann"}, "it's Ann's"),
    ],
)
def test_placeholders_are_filled(text: str, fields: dict[str, object], words: str) -> None:
    assert fill_template(text, **fields) == words


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "a } b",
        "{A}",
        "{a, select, x {y}}",
        "{a, select, x {y} other {z}",
        "{a, plural, other {z",
    ],
)
def test_malformed_placeholders_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"brace|closed|other|not a valid placeholder"):
        parse_template(text)


def test_template_is_split_into_parts() -> None:
    assert parse_template("a {b, or, money} {c, plural, other {d}}") == (
        "a ",
        Placeholder("b", "or", "money"),
        " ",
        Variants("c", "plural", {"other": ("d",)}),
    )


def test_refusal_is_translated_when_read() -> None:
    broken = refuse(Code.NOT_NOW, "no.such.key", "X-1")
    assert (broken.code, broken.clause) == (Code.NOT_NOW, "X-1")
    with pytest.raises(KeyError):
        str(broken)
    with pytest.raises(AttributeError):
        broken.reason  # type: ignore[attr-defined]  # noqa: B018


def test_refusal_by_key_equals_refusal_by_message() -> None:
    refusal = refuse(Code.UNKNOWN_SEAT, "engine.wagers.nobody-there", "X-1", seat=3)
    plain = Refusal(Code.UNKNOWN_SEAT, "Seat 3 is empty.", "X-1")
    assert refusal == plain
    assert (str(refusal), repr(refusal), hash(refusal)) == (str(plain), repr(plain), hash(plain))
    assert pickle.loads(pickle.dumps(refusal)) == plain
    assert in_language(refusal.message, "es") == "El puesto 3 está vacío."


NAMES = ["Ana de el Mar", "el", "el Paso", "a", "de", "Luz de", "vi a el 3", "x a el y de el z "]


@pytest.mark.parametrize("name", NAMES)
def test_user_text_never_contracts_with_ours(name: str) -> None:
    sentence = say("web.tables.watches", name=name)
    assert name in in_language(sentence, "es")
    within = say("form.capital", text=say("form.capital", text=sentence))
    assert name[1:] in in_language(within, "es")
    melting: dict[str, Any] = {
        "format": MELTING,
        "a": {
            "bare": "{name}",
            "around": "vino de {name} el lunes a {name} el martes",
            "all": "de {names, and} y de {names, comma, quoted}",
        },
    }
    words = Catalog(melting)
    assert words.text("a.bare", {"name": name}) == name
    around = words.text("a.around", {"name": name})
    assert around == f"vino de {name} el lunes a {name} el martes"
    both = words.text("a.all", {"names": [name, "Irene"]})
    assert both == f'de {name} e Irene y de "{name}", "Irene"'


def test_our_own_words_still_contract() -> None:
    melting: dict[str, Any] = {
        "format": MELTING,
        "a": {"one": "va a {what, select, seat {el puesto {n}} other {la casa}} de {own}"},
    }
    words = Catalog(melting)
    given = {"what": "seat", "n": 3, "own": Sentence("el crupier ", "a.b")}
    assert words.text("a.one", given) == "va al puesto 3 del crupier "
