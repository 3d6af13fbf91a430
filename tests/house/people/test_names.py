"""Spellings of one name are equal, and lookalikes of another name are refused with a message."""

from __future__ import annotations

import pytest

from pitbook.house.people.names import (
    confusable_forms,
    has_mark,
    name_error,
    name_key,
    next_mark,
    normalize_name,
)
from pitbook.house.people.roster import NameAdded, Roster, apply_events, dump_roster, load_roster
from pitbook.rules.refusals import Code, Refusal


def roster(*names: str) -> Roster:
    return apply_events(Roster(), [NameAdded(name) for name in names])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("zoe", "ZOE"),
        ("zoe", "ｚｏｅ"),
        ("zoë", "zoe\u0308"),
        ("zoë", "ZOE\u0308"),
        ("Strauß", "STRAUSS"),
        ("O'Brien", "O\u2019Brien"),
        ("Ann-Marie", "Ann\u2011Marie"),
        ("Ann Lee", "Ann  Lee"),
        ("Zoe (2)", "zoe(2)"),
        ("Zoe (2)", "Zoe (02)"),
        ("ﬁona", "Fiona"),
    ],
)
def test_spellings_of_one_name_are_equal(first: str, second: str) -> None:
    assert name_key(first) == name_key(second)
    assert roster(first).resolve_name(second) == first


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("coco", "сосо"),  # Cyrillic throughout.
        ("Pope", "Роре"),
        ("Bob", "ВоЬ"),
        ("Zoe", "Zoë"),
        ("Jose", "José"),
        ("Bernard", "Bemard"),
        ("Alice", "aIice"),
        ("Bill", "Bi1l"),
        ("Oona", "0ona"),
        ("Isil", "Işıl"),
        ("Zoe (2)", "Zoë (2)"),
        ("Zoe", "zoe."),
        ("Zoe", "(zoe)"),
        ("Zoe", "zoe😀"),
        ("Zoe (2)", "zoe, (2)"),
        ("Bob Jr", "Bob Jr."),
        ("Ann Marie", "Ann-Marie"),
        ("Ann Marie", "Annmarie"),
        ("OBrien", "O'Brien"),
        ("Zoe", "ΖΟΕ"),
    ],
)
def test_lookalike_is_refused_with_the_name_and_a_remedy(name: str, other: str) -> None:
    for first, second in ((name, other), (other, name)):
        refusal = roster(first).resolve_name(second)
        assert isinstance(refusal, Refusal)
        assert refusal.code is Code.FORBIDDEN
        assert f'looks like "{first}", who is already known. Write "{first}"' in refusal.message


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Ian", "Lan"),
        ("Iola", "Lola"),
        ("ann", "anna"),
        ("p1", "p10"),
        ("Zoe", "Zoe (2)"),
        ("Zoe (2)", "Zoe (3)"),
        ("Иван", "Ivan"),
        ("王", "玉"),
        ("Zoe", "Chloe"),
    ],
)
def test_different_names_are_distinct(first: str, second: str) -> None:
    assert roster(first).resolve_name(second) == second
    assert not confusable_forms(first) & confusable_forms(second)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("z\u043ee", "mixes Cyrillic and Latin letters. Write each word in one script"),
        ("Αnna", "mixes Greek and Latin letters"),
        ("zoe\ufe0f", "has an invisible character"),
        ("zo\u034fe", "has an invisible character"),
        ("zoe\u3164", "has an invisible character"),
        ("zoe\u200b", "printable text of up to 60 characters without a slash"),
        ("zoe\u202e", "printable text"),
        ("zoe\u00ad", "printable text"),
        ("\ufdfa" * 20, "up to 60 characters"),  # Each stands for eighteen characters.
        ("\u2100", "without a slash"),  # a/c as one character.
        ("z\u0300\u0301\u0302\u0303oe", "has letters with too many accents"),
        ("\u0308zoe", "has letters with too many accents"),
        ("zoe\u20dd", "has letters with too many accents"),
        ("=1+1", "Enter the name the person goes by"),
        ("{{7*7}}", "Enter the name the person goes by"),
        ("+1", "Enter the name the person goes by"),
        ("007", "Enter the name the person goes by"),
        ("-5.00", "Enter the name the person goes by"),
        ("٣", "Enter the name the person goes by"),
        ("1 (2)", "Enter the name the person goes by"),
        ("Zoe (1)", "needs a number in parentheses, as in"),
        ("Zoe (100)", "needs a number in parentheses"),
    ],
)
def test_invalid_names_are_refused(name: str, message: str) -> None:
    assert message in (name_error(name) or "")


@pytest.mark.parametrize(
    "name",
    [
        "Zoë",
        "O'Brien",
        "Adébáyọ̀",
        "王小明",
        "田中 たろう",
        "김철수",
        "محمد",
        "สมชาย",
        "अनिल",
        "Søren",
        "x" * 60,
    ],
)
def test_names_of_many_languages_are_valid(name: str) -> None:
    assert name_error(name) is None
    assert roster().resolve_name(name) == normalize_name(name)


def test_first_recorded_spelling_is_kept() -> None:
    known_names = roster("zoe", "ANN")
    assert [known_names.resolve_name(name) for name in ("Zoe", "ann", "bob")] == [
        "zoe",
        "ANN",
        "bob",
    ]
    assert known_names.knows("zoe")
    assert not known_names.knows("Zoe")


def test_old_ledger_keeps_its_spellings_and_invalid_names() -> None:
    known_names = roster("zoe", "Zoe", "z\u043ee", "a/b")
    for name in ("zoe", "Zoe", "z\u043ee", "a/b"):
        assert known_names.resolve_name(name) == name
    assert known_names.resolve_name("ZOE") == "zoe"
    assert load_roster(dump_roster(known_names)) == known_names._replace(began=True)


def test_mark_distinguishes_two_people_of_one_name() -> None:
    known_names = roster("Zoe", "Zoe (2)")
    refusal = known_names.resolve_name("Zoë")
    assert isinstance(refusal, Refusal)
    assert refusal.message.endswith('"Zoe (3)" for someone else.')
    assert known_names.resolve_name("ZOE (3)") == "ZOE (3)"
    assert next_mark("Zoe (2)", frozenset({"zoe", "zoe (2)"})) == "Zoe (3)"
    assert (has_mark("Zoe (2)"), has_mark("Zoe")) == (True, False)


@pytest.mark.parametrize("name", [".", "..", "-", "*", "(2)", "Zoe (2) (2)", "Zoe (2)(3)"])
def test_a_name_has_a_letter_and_one_mark_at_most(name: str) -> None:
    assert name_error(name) is not None
