"""Two sheets compared: nothing that differs goes untold, and all of it can be read aloud."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest
from pydantic import ValidationError
from tests.sheets.samples import (
    CMS,
    IDS,
    LAS,
    MHL,
    OMS,
    STAX,
    UNUSUAL,
    changed,
    text_of,
    with_value,
)

from pitbook.sheets import check_structure as structure
from pitbook.sheets.diff import LEFT_OUT, Difference, diff
from pitbook.sheets.digest import digest
from pitbook.sheets.families import models
from pitbook.sheets.findings import errors
from pitbook.sheets.load import read_sheet
from pitbook.sheets.model import Sheet
from pitbook.sheets.schema import schema


def sheet(text: str) -> Sheet:
    reading = read_sheet(text, "sheet.toml")
    assert reading.sheet is not None, reading.findings
    return reading.sheet


def told(a: str, b: str) -> list[str]:
    return [one.words for one in diff(sheet(a), sheet(b))]


def changes(sheet_id: str, *swaps: tuple[str, str]) -> list[str]:
    """What is told when a sheet is compared with itself, changed in one place and renamed."""
    other = ('venue = "', 'venue = "New ')
    return told(text_of(sheet_id), changed(sheet_id, other, *swaps))[1:]


@pytest.mark.parametrize("sheet_id", IDS)
def test_sheet_does_not_differ_from_itself(sheet_id: str) -> None:
    assert told(text_of(sheet_id), text_of(sheet_id)) == []


def test_clauses_notes_and_ids_are_no_rules() -> None:
    swaps = (('clause = "CMS-9"', 'clause = "X-1"'), ("note = ", 'note = "New." # '))
    text = changed(CMS, *swaps, (f'id = "{CMS}"', 'id = "a/b"'))
    assert told(text_of(CMS), text) == []


def test_venues_tell_two_sheets_apart() -> None:
    assert (
        "The Ante is $5 to $500 at Catfish Bend Casino II and $2 to $4 at Oceanfront Gaming."
        in told(text_of(CMS), text_of(OMS))
    )


def test_titles_tell_sheets_of_one_venue_apart() -> None:
    assert told(text_of(LAS), text_of(STAX)) == [
        'The two sheets are "Louisiana Stud" and "Louisiana Stud, STAX required".',
        'The 5 Card Poker STAX is optional in "Louisiana Stud" '
        'and required in "Louisiana Stud, STAX required".',
    ]


def test_days_tell_versions_of_one_sheet_apart() -> None:
    later = changed(CMS, ("effective = 2018-03-12", "effective = 2024-01-01"), ('"6:1"', '"5:1"'))
    assert told(text_of(CMS), later) == [
        "The two sheets are the version of 12 March 2018 and the version of 1 January 2024.",
        "Flush pays 6:1 in the version of 12 March 2018 and 5:1 in the version of 1 January 2024.",
    ]


def test_ids_or_places_tell_the_rest_apart() -> None:
    other = changed(CMS, ('"6:1"', '"5:1"'))
    assert told(text_of(CMS), other) == [
        "Flush pays 6:1 in the first sheet and 5:1 in the second sheet."
    ]
    renamed = other.replace(f'id = "{CMS}"', 'id = "my/stud"', 1)
    assert told(text_of(CMS), renamed) == [f"Flush pays 6:1 in {CMS} and 5:1 in my/stud."]


HERE, NEW = "at Catfish Bend Casino II", "at New Catfish Bend Casino II"


@pytest.mark.parametrize(
    ("swap", "words"),
    [
        (('"500:1"', '"250:1"'), f"Royal flush pays 500:1 {HERE} and 250:1 {NEW}."),
        (('pair-6-10 = "push"', ""), f"Pair of sixes to tens pushes {HERE} and loses {NEW}."),
        (("pair-6-10", "pair-7-10"), f"Pair of sixes pushes {HERE} and loses {NEW}."),
        (("pair-6-10", "pair-3-10"), f"Pair of threes to fives loses {HERE} and pushes {NEW}."),
        (
            ('"30:1"', '"25:1"'),
            f"On the 3 Card Bonus, three of a kind pays 30:1 {HERE} and 25:1 {NEW}.",
        ),
        (("bets = [1, 2, 3]", "bets = [1, 2]"), "(Flop bet)"),
        (
            ("count = 6", "count = 7"),
            f"The table has six positions {HERE} and seven positions {NEW}.",
        ),
        (
            ("plays = true", "plays = false"),
            f"The 3 Card Bonus stays in action after a fold {HERE} and is lost with a fold {NEW}.",
        ),
        (
            ('pays_max = "25000"', 'pays_max = "50000"'),
            "pay at most $50,000, shared pro rata; every other win is paid in full.",
        ),
        (
            ('result = "forfeit"', 'result = "warn"'),
            f"forfeits every wager on it; {NEW}, giving or taking hand information, by showing",
        ),
        (
            ('is = "resume"', 'is = "agree-or-dead"'),
            f"an interrupted round is resumed where it stopped; {NEW}, an interrupted round is",
        ),
    ],
)
def test_one_change_is_told_in_one_sentence(swap: tuple[str, str], words: str) -> None:
    (sentence,) = changes(CMS, swap)
    assert words in sentence


def test_line_of_another_name_for_the_same_hands_is_no_difference() -> None:
    split = ('pair-6-10 = "push"', 'pair-6-8 = "push"\npair-9-10 = "push"')
    assert changes(CMS, split) == []


def test_suited_pair_is_told_once() -> None:
    sentences = changes(MHL, ('suited-pair = "3:1"', 'suited-pair = "4:1"'))
    assert sentences == [
        "On the Poker Bonus, suited pair pays 3:1 at Catfish Bend Casino "
        "and 4:1 at New Catfish Bend Casino."
    ]


def test_several_matches_pay_in_the_plural() -> None:
    (words,) = changes(MHL, ('match-4 = "30:1"', 'match-4 = "25:1"'))
    assert words.startswith("On the Match'em Bonus, four matches pay 30:1 at Catfish Bend Casino ")


def test_rule_that_only_one_sheet_has() -> None:
    first = sheet(text_of(OMS))
    (limit,) = (one for one in diff(first, sheet(text_of(CMS))) if one.path == ("single_bet_max",))
    assert limit.words == (
        "At Oceanfront Gaming, no single bet, raise or re-raise is above $4; "
        "at Catfish Bend Casino II, nothing is said of it."
    )
    assert (limit.a, limit.b) == ("4.00", None)


def test_side_wager_that_only_one_sheet_offers() -> None:
    found = diff(sheet(text_of(LAS)), sheet(text_of(CMS)))
    assert [one.words for one in found if one.path[0] == "side"] == [
        "Only Louisiana Stud offers the 3-UP Bonus ($1 to $100).",
        "Only Louisiana Stud offers the 5 Card Poker STAX ($1 to $100).",
        "Only Catfish Bend Casino II offers the 3 Card Bonus ($1 to $100).",
    ]


def test_two_families_are_compared_in_what_both_have() -> None:
    found = diff(sheet(text_of(CMS)), sheet(text_of(MHL)))
    assert found[0].path == ("family",)
    assert "not compared" in found[0].words
    fields = {one.path[0] for one in found}
    assert {"seats", "deck", "side", "limits", "irregularities"} <= fields
    assert not fields & {"streets", "points", "declare", "dealer", "deal", "fold", "main"}


PAIRS = [(a, b) for a in IDS for b in IDS]


@pytest.mark.long
@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_sentences_are_whole_and_the_same_from_both_sides(a: str, b: str) -> None:
    there, back = (
        diff(sheet(text_of(a)), sheet(text_of(b))),
        diff(sheet(text_of(b)), sheet(text_of(a))),
    )
    for one in there:
        assert one.words.endswith(".")
        assert one.words[0].isupper()
        assert "  " not in one.words
        assert "None" not in one.words
    assert sorted(map(sides, there)) == sorted(sides(one, swapped=True) for one in back)


def sides(one: Difference, *, swapped: bool = False) -> str:
    a, b = (one.b, one.a) if swapped else (one.a, one.b)
    return f"{one.heading} {a} {b}"


def leaves(part: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(part, dict | list):
        items = part.items() if isinstance(part, dict) else enumerate(part)
        for step, value in items:
            if step not in (*LEFT_OUT, "id", "family"):
                yield from leaves(value, (*path, step))
    else:
        yield path


def other_values(value: Any) -> list[Any]:
    """Values to try in a field's place; the first that makes a sound structure is taken."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1]
    if isinstance(value, str):
        looks_like = (
            ODDS if ":" in value else ("17",) if value[:1].isdigit() else KIN.get(value, ())
        )
        return list(dict.fromkeys([*looks_like, "Other words", "7:3", "17"]))
    return [value.replace(year=2001)]


def enums(part: Any) -> Iterator[list[str]]:
    """The words of every field that has a choice of them."""
    if isinstance(part, dict):
        yield sorted(one for one in part.get("enum", ()) if isinstance(one, str))
    for inner in (
        part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    ):
        yield from enums(inner)


CHOICES = list(enums(schema()))
WORDS = sorted({word for words in CHOICES for word in words})
KIN = {word: sorted({*chain(*(one for one in CHOICES if word in one))}) for word in WORDS}
ODDS = ("push", "7:3")


def made_with(document: dict[str, Any], path: tuple[Any, ...], value: Any) -> Sheet | None:
    new = with_value(document, path, value)
    try:
        made = models()[new["family"]].model_validate(new)
    except ValidationError:
        return None
    return None if errors(structure.check_structure(made)) else made


ALL = [*IDS, *(path.name for path in sorted(UNUSUAL.glob("*.toml")))]


@pytest.mark.slow_cases(
    "bets-withdrawn.toml",
    "four-card-hi-lo.toml",
    "louisiana-stud/standard",
    "oceanfront/mississippi-stud",
)
@pytest.mark.long
@pytest.mark.parametrize("name", ALL)
def test_every_value_that_can_change_is_told(name: str) -> None:
    text = text_of(name) if name in IDS else (UNUSUAL / name).read_text()
    original, document = sheet(text), tomllib.loads(text)
    before = digest(original)
    paths = list(leaves(document))
    tried = 0
    for path in paths:
        inner: Any = document
        for step in path:
            inner = inner[step]
        made = (made_with(document, path, new) for new in other_values(inner) if new != inner)
        new = next((one for one in made if one and digest(one) != before), None)
        if new is None:
            continue
        tried += 1
        found = diff(original, new)
        assert found, f"{path} changed from {inner!r} and nobody said so"
        assert len({one.words for one in found}) == len(found)
    assert tried > 0.7 * len(paths)
