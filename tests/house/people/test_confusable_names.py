"""A name in another script that reads as a Latin one is refused (UTS #39)."""

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
from pitbook.house.people.roster import NameAdded, Roster, apply_events
from pitbook.house.people.roster_store import get_persons
from pitbook.rules.refusals import Code, Refusal


def roster(*names: str) -> Roster:
    return apply_events(Roster(), [NameAdded(name) for name in names])


ONE_SCRIPT_LOOKALIKES = [  # Each in one script; the Latin name need not be on record.
    ("раура", "Cyrillic", "paypa"),
    ("Роре", "Cyrillic", "Pope"),
    ("сосо", "Cyrillic", "coco"),
    ("ВоЬ", "Cyrillic", "Bob"),
    ("ΖΟΕ", "Greek", "ZOE"),
    ("ꓮꓠꓠ", "Lisu", "ANN"),
    ("Сёсё", "Cyrillic", "Cece"),  # Accents are dropped, as everywhere.
    ("Роре Хосе", "Cyrillic", "Pope Xoce"),
    ("Роре (2)", "Cyrillic", "Pope (2)"),
]


@pytest.mark.parametrize(("name", "script", "reads"), ONE_SCRIPT_LOOKALIKES)
def test_name_of_latin_lookalikes_is_refused(name: str, script: str, reads: str) -> None:
    message = name_error(name)
    assert message is not None
    assert message.startswith(f'"{name}" uses {script} letters that look like Latin "{reads}"')
    assert "Write it in Latin letters, or add another name in" in message
    refusal = roster().resolve_name(name)
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.message) == (Code.FORBIDDEN, message)


MIXED = [
    ("раураl", "Cyrillic and Latin letters. Write each word"),
    ("Роре Smith", "Cyrillic and Latin letters. Write the whole name in one script"),
    ("Anna Иванова", "Cyrillic and Latin letters. Write the whole name in one script"),
    ("Νίκος Иванов", "Cyrillic and Greek letters. Write"),
    ("Zoe 1\u0662", "digits of several scripts"),
    ("d\u0665ra", "Latin letters with the digit \u0665. Use"),
    ("d\u07c0ra", "Latin letters with the digit \u07c0. Use"),
    ("car\u0661", "Latin letters with the digit \u0661. Use 0 to 9"),
    ("car\U0001e8c7", "Latin letters with the digit \U0001e8c7. Use"),
    ("d\u3007ra", "Latin letters with the digit \u3007. Use"),
    ("Zoe \u096a", "Latin letters with the digit \u096a. Use"),
]


@pytest.mark.parametrize(("name", "message"), MIXED)
def test_letters_and_digits_of_several_scripts(name: str, message: str) -> None:
    assert f"mixes {message}" in (name_error(name) or "")


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
def test_genuine_names_in_other_scripts_are_accepted(name: str) -> None:
    assert name_error(name) is None


@pytest.mark.parametrize(
    ("first", "other"),
    [("גיל", "גל"), ("אורי", "אור"), ("דוד", "דויד"), ("סמר", "سمر"), ("سمر", "سمير")],
)
def test_different_right_to_left_names_are_distinct(first: str, other: str) -> None:
    assert roster(first).resolve_name(other) == other


def test_recorded_names_keep_working(tmp_path: Path) -> None:
    known_names = roster("Роре", "Anna Иванова", "Сара", "Zo\u0665")
    for name, is_known in (("Роре", "Роре"), ("САРА", "Сара"), ("anna Иванова", "Anna Иванова")):
        assert known_names.resolve_name(name) == is_known
    assert known_names.resolve_name("zo\u0665") == "Zo\u0665"
    assert isinstance(known_names.resolve_name("Pope"), Refusal)  # It looks like a name on record.
    with fast_folder(tmp_path) as folder:
        persons = get_persons(folder.ledger)
        persons.catch_up()
        assert isinstance(persons.recent().resolve_name("Роре"), Refusal)


def test_every_lookalike_of_unicodes_table_is_refused() -> None:
    """Names of letters that Unicode's table calls alike are refused."""
    from confusable_homoglyphs import confusables

    from pitbook.house.people.names import _latin_lookalike, _script

    wrongly = []
    single = [
        letter for letter in confusables.confusables_data if len(letter) == 1 and letter.isalpha()
    ]
    for letter in single:
        if _script(letter) not in ("CYRILLIC", "GREEK") or normalize_name(letter) != letter:
            continue  # A letter that is normalized is recorded in its normal form.
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


SEEN_APART = {"s\u02dbcelpum", "sice\uffe8pum"}  # These are recorded with other signs.


def test_lookalikes_of_recorded_names_are_refused() -> None:
    """The table writes right-to-left text between invisible marks."""
    from confusable_homoglyphs import confusables

    known_names = roster("dora", "sicelpum")
    lookalikes = {
        name.replace(str(alike["c"]), sign.strip("\u200e"))
        for sign, like in confusables.confusables_data.items()
        for alike in like
        for name in ("dora", "sicelpum")
        if alike["c"] in name
    }
    assert len(lookalikes) > 300
    persons = {"dora", "sicelpum"}
    answers = {lookalike: known_names.resolve_name(lookalike) for lookalike in lookalikes}
    new = {
        lookalike
        for lookalike, who in answers.items()
        if who not in persons and isinstance(who, str)
    }
    assert new == SEEN_APART


@pytest.mark.parametrize("sign", ["\u02bb", "\u02c8", "\u02d0", "\u0640", "\u30fc"])
def test_common_signs_do_not_distinguish_names(sign: str) -> None:
    """It counts as a letter, but does not tell names apart."""
    assert "Write it in Latin letters, or add another name in" in str(
        mixed_script_error(f"\u0420\u043e\u0440\u0435{sign}")
    )
    assert confusable_forms("Bob") & confusable_forms(f"Bob{sign}")


def test_coptic_lookalikes_are_refused() -> None:
    assert "Coptic letters that look like Latin" in str(mixed_script_error("ⲂⲞⲂ"))
    assert confusable_forms("bob") & confusable_forms("ⲂⲞⲂ") & confusable_forms("ⲃⲟⲃ")
