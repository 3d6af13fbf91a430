"""A name written in many ways is one; what looks like another's is refused with a sentence."""

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
    ("one", "other"),
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
def test_one_person_however_it_is_written(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)
    assert roster(one).resolve_name(other) == one


@pytest.mark.parametrize(
    ("one", "other"),
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
def test_a_look_alike_is_refused_and_told_of_whom_and_what_to_do(one: str, other: str) -> None:
    for first, second in ((one, other), (other, one)):
        said = roster(first).resolve_name(second)
        assert isinstance(said, Refusal)
        assert said.code is Code.FORBIDDEN
        assert f'looks like "{first}", who is on record: write "{first}"' in said.message


@pytest.mark.parametrize(
    ("one", "other"),
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
def test_names_that_differ_are_two(one: str, other: str) -> None:
    assert roster(one).resolve_name(other) == other
    assert not confusable_forms(one) & confusable_forms(other)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("z\u043ee", "mixes Cyrillic and Latin letters in one word; write it in one script"),
        ("Αnna", "mixes Greek and Latin letters"),
        ("zoe\ufe0f", "cannot be seen"),
        ("zo\u034fe", "cannot be seen"),
        ("zoe\u3164", "cannot be seen"),
        ("zoe\u200b", "printable text of at most 60 characters, without a slash"),
        ("zoe\u202e", "printable text"),
        ("zoe\u00ad", "printable text"),
        ("\ufdfa" * 20, "at most 60 characters"),  # Each is eighteen.
        ("\u2100", "without a slash"),  # a/c in one letter.
        ("z\u0300\u0301\u0302\u0303oe", "heap of accents"),
        ("\u0308zoe", "heap of accents"),
        ("zoe\u20dd", "heap of accents"),
        ("=1+1", "has no letter in it; write the name that the person goes by"),
        ("{{7*7}}", "has no letter in it"),
        ("+1", "has no letter in it"),
        ("007", "has no letter in it"),
        ("-5.00", "has no letter in it"),
        ("٣", "has no letter in it"),
        ("1 (2)", "has no letter in it"),
        ("Zoe (1)", 'no mark that tells two people apart; as in "Zoe (2)"'),
        ("Zoe (100)", "no mark"),
    ],
)
def test_names_that_are_nobodys(name: str, said: str) -> None:
    assert said in (name_error(name) or "")


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
def test_names_of_the_world_are_names(name: str) -> None:
    assert name_error(name) is None
    assert roster().resolve_name(name) == normalize_name(name)


def test_the_first_spelling_on_record_is_the_persons_name() -> None:
    known = roster("zoe", "ANN")
    assert [known.resolve_name(one) for one in ("Zoe", "ann", "bob")] == ["zoe", "ANN", "bob"]
    assert known.knows("zoe")
    assert not known.knows("Zoe")


def test_an_old_book_keeps_its_spellings_apart_and_its_odd_names() -> None:
    known = roster("zoe", "Zoe", "z\u043ee", "a/b")
    for name in ("zoe", "Zoe", "z\u043ee", "a/b"):
        assert known.resolve_name(name) == name
    assert known.resolve_name("ZOE") == "zoe"
    assert load_roster(dump_roster(known)) == known._replace(began=True)


def test_a_mark_tells_two_people_of_one_name_apart() -> None:
    known = roster("Zoe", "Zoe (2)")
    said = known.resolve_name("Zoë")
    assert isinstance(said, Refusal)
    assert said.message.endswith('"Zoe (3)" if it is another person')
    assert known.resolve_name("ZOE (3)") == "ZOE (3)"
    assert next_mark("Zoe (2)", frozenset({"zoe", "zoe (2)"})) == "Zoe (3)"
    assert (has_mark("Zoe (2)"), has_mark("Zoe")) == (True, False)


@pytest.mark.parametrize("name", [".", "..", "-", "*", "(2)", "Zoe (2) (2)", "Zoe (2)(3)"])
def test_a_name_has_a_letter_and_one_mark_at_most(name: str) -> None:
    assert name_error(name) is not None
