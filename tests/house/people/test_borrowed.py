"""A name in the letters of another script that reads as a Latin one is nobody's (UTS #39)."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.house.web.conftest import fast_folder

from pitbook.house.people.names import (
    confusable_forms,
    mixed_script_error,
    name_error,
    normalize_name,
)
from pitbook.house.people.roster import NameAdded, Roster, apply_events, get_persons
from pitbook.rules.refusals import Code, Refusal


def roster(*names: str) -> Roster:
    return apply_events(Roster(), [NameAdded(name) for name in names])


WHOLE = [  # Each in one script throughout; nobody of the Latin name need be on record.
    ("раура", "Cyrillic", "paypa"),
    ("Роре", "Cyrillic", "Pope"),
    ("сосо", "Cyrillic", "coco"),
    ("ВоЬ", "Cyrillic", "Bob"),
    ("ΖΟΕ", "Greek", "ZOE"),
    ("ꓮꓠꓠ", "Lisu", "ANN"),
    ("Сёсё", "Cyrillic", "Cece"),  # Accents are left out, as everywhere.
    ("Роре Хосе", "Cyrillic", "Pope Xoce"),
    ("Роре (2)", "Cyrillic", "Pope (2)"),
]


@pytest.mark.parametrize(("name", "script", "reads"), WHOLE)
def test_letters_that_all_look_like_latin_ones(name: str, script: str, reads: str) -> None:
    said = name_error(name)
    assert said is not None
    assert said.startswith(f'"{name}" is written in {script} letters that all look like Latin ones')
    assert f'and reads "{reads}"' in said
    assert "write it in Latin letters, or with a further name" in said
    refused = roster().resolve_name(name)
    assert isinstance(refused, Refusal)
    assert (refused.code, refused.message) == (Code.FORBIDDEN, said)


MIXED = [
    ("раураl", "Cyrillic and Latin letters in one word"),
    ("Роре Smith", "Cyrillic and Latin letters; write the whole name in one script"),
    ("Anna Иванова", "Cyrillic and Latin letters; write the whole name in one script"),
    ("Νίκος Иванов", "Cyrillic and Greek letters; write"),
    ("Zoe 1\u0662", "digits of several scripts; write them in one"),
    ("d\u0665ra", "Latin letters and the digit \u0665; write"),
    ("d\u07c0ra", "Latin letters and the digit \u07c0; write"),
    ("car\u0661", "Latin letters and the digit \u0661; write digits as 0 to 9"),
    ("car\U0001e8c7", "Latin letters and the digit \U0001e8c7; write"),
    ("d\u3007ra", "Latin letters and the digit \u3007; write"),
    ("Zoe \u096a", "Latin letters and the digit \u096a; write"),
]


@pytest.mark.parametrize(("name", "said"), MIXED)
def test_letters_and_digits_of_several_scripts(name: str, said: str) -> None:
    assert f"mixes {said}" in (name_error(name) or "")


@pytest.mark.parametrize(
    "name",
    [
        *("Иван", "Ева", "Соня Рома", "Сара Иванова", "Νίκος", "Άννα Παππά", "Јован", "Հայկ"),
        *(
            "סם",
            "רות",
            "محمد",
            "王小明",
            "ジョー",
            "Anna 王",
            "김 Anna",
            "สมชาย",
            "Zoe 12",
            "زيد ١٢",
        ),
    ],
)
def test_names_that_are_their_own_stay_names(name: str) -> None:
    assert name_error(name) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [("גיל", "גל"), ("אורי", "אור"), ("דוד", "דויד"), ("סמר", "سمر"), ("سمر", "سمير")],
)
def test_names_from_right_to_left_that_differ_are_two(one: str, other: str) -> None:
    assert roster(one).resolve_name(other) == other


def test_names_on_record_are_read_and_played_under_as_before(tmp_path: Path) -> None:
    known = roster("Роре", "Anna Иванова", "Сара", "Zo\u0665")
    for name, is_known in (("Роре", "Роре"), ("САРА", "Сара"), ("anna Иванова", "Anna Иванова")):
        assert known.resolve_name(name) == is_known
    assert known.resolve_name("zo\u0665") == "Zo\u0665"
    assert isinstance(
        known.resolve_name("Pope"), Refusal
    )  # As before: it looks like one on record.
    with fast_folder(tmp_path) as folder:
        persons = get_persons(folder.ledger)
        persons.catch_up()
        assert isinstance(persons.recent().resolve_name("Роре"), Refusal)


def test_every_letter_that_is_taken_for_a_latin_one_is_found_in_the_table() -> None:
    """Whatever the table of Unicode calls alike: the name of such letters is refused."""
    from confusable_homoglyphs import confusables

    from pitbook.house.people.names import _latin_lookalike, _script

    wrongly = []
    single = [one for one in confusables.confusables_data if len(one) == 1 and one.isalpha()]
    for letter in single:
        if _script(letter) not in ("CYRILLIC", "GREEK") or normalize_name(letter) != letter:
            continue  # What is written in another way goes on record in that way.
        reads = _latin_lookalike(letter)
        if reads and mixed_script_error(letter * 2) is None:
            wrongly.append(letter)
        if (
            reads
            and len(reads) == 1
            and not confusable_forms(letter * 2) & confusable_forms(reads * 2)
        ):
            wrongly.append(f"{letter} and {reads} do not look alike")
    assert wrongly == []


SEEN_APART = {"s\u02dbcelpum", "sice\uffe8pum"}  # On record these are written with other signs.


def test_whatever_is_taken_for_a_letter_of_a_name_on_record_is_refused() -> None:
    """The table writes what runs from right to left between marks that show nothing."""
    from confusable_homoglyphs import confusables

    known = roster("dora", "sicelpum")
    made = {
        name.replace(str(one["c"]), sign.strip("\u200e"))
        for sign, like in confusables.confusables_data.items()
        for one in like
        for name in ("dora", "sicelpum")
        if one["c"] in name
    }
    assert len(made) > 300
    persons = {"dora", "sicelpum"}
    answers = {one: known.resolve_name(one) for one in made}
    new = {one for one, who in answers.items() if who not in persons and isinstance(who, str)}
    assert new == SEEN_APART


@pytest.mark.parametrize("sign", ["\u02bb", "\u02c8", "\u02d0", "\u0640", "\u30fc"])
def test_a_sign_of_every_script_makes_no_other_name(sign: str) -> None:
    """It counts as a letter, and says nothing of the others."""
    assert "all look like Latin ones" in str(mixed_script_error(f"\u0420\u043e\u0440\u0435{sign}"))
    assert confusable_forms("Bob") & confusable_forms(f"Bob{sign}")


def test_coptic_letters_are_seen_as_what_they_look_like() -> None:
    assert "Coptic letters that all look like Latin ones" in str(mixed_script_error("ⲂⲞⲂ"))
    assert confusable_forms("bob") & confusable_forms("ⲂⲞⲂ") & confusable_forms("ⲃⲟⲃ")
