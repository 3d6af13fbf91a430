"""Comparison of two sheets: every difference is described in readable sentences."""

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
    modified_text,
    text_of,
    with_value,
)

from pitbook.sheets import check_structure as structure
from pitbook.sheets.diff import IGNORED_FIELDS, Difference, find_differences
from pitbook.sheets.family_registry import models, schema
from pitbook.sheets.findings import errors
from pitbook.sheets.hashes import digest
from pitbook.sheets.load import read_sheet
from pitbook.sheets.model import Sheet


def parse_sheet(text: str) -> Sheet:
    reading = read_sheet(text, "sheet.toml")
    assert reading.sheet is not None, reading.findings
    return reading.sheet


def difference_words(a: str, b: str) -> list[str]:
    return [difference.words for difference in find_differences(parse_sheet(a), parse_sheet(b))]


def changes_of(sheet_id: str, *swaps: tuple[str, str]) -> list[str]:
    """The differences of a sheet from a renamed copy with one change."""
    other = ('venue = "', 'venue = "New ')
    return difference_words(text_of(sheet_id), modified_text(sheet_id, other, *swaps))[1:]


@pytest.mark.parametrize("sheet_id", IDS)
def test_sheet_does_not_differ_from_itself(sheet_id: str) -> None:
    assert difference_words(text_of(sheet_id), text_of(sheet_id)) == []


def test_clauses_notes_and_ids_are_ignored() -> None:
    swaps = (('clause = "CMS-9"', 'clause = "X-1"'), ("note = ", 'note = "New." # '))
    text = modified_text(CMS, *swaps, (f'id = "{CMS}"', 'id = "a/b"'))
    assert difference_words(text_of(CMS), text) == []


def test_venues_tell_two_sheets_apart() -> None:
    assert (
        "The Ante is $5 to $500 at Catfish Bend Casino II and $2 to $4 at Oceanfront Gaming."
        in difference_words(text_of(CMS), text_of(OMS))
    )


def test_titles_tell_sheets_of_one_venue_apart() -> None:
    assert difference_words(text_of(LAS), text_of(STAX)) == [
        'The two sheets are "Louisiana Stud" and "Louisiana Stud, STAX required".',
        'The 5 Card Poker STAX is optional in "Louisiana Stud" '
        'and required in "Louisiana Stud, STAX required".',
    ]


def test_days_tell_versions_of_one_sheet_apart() -> None:
    later = modified_text(
        CMS, ("effective = 2018-03-12", "effective = 2024-01-01"), ('"6:1"', '"5:1"')
    )
    assert difference_words(text_of(CMS), later) == [
        "The two sheets are the version of March 12, 2018 and the version of January 1, 2024.",
        "Flush pays 6:1 in the version of March 12, 2018 "
        "and 5:1 in the version of January 1, 2024.",
    ]


def test_ids_or_places_tell_the_rest_apart() -> None:
    other = modified_text(CMS, ('"6:1"', '"5:1"'))
    assert difference_words(text_of(CMS), other) == [
        "Flush pays 6:1 in the first sheet and 5:1 in the second sheet."
    ]
    renamed = other.replace(f'id = "{CMS}"', 'id = "my/stud"', 1)
    assert difference_words(text_of(CMS), renamed) == [
        f"Flush pays 6:1 in {CMS} and 5:1 in my/stud."
    ]


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
            f"The table shall have six positions {HERE} and have seven positions {NEW}.",
        ),
        (
            ("plays = true", "plays = false"),
            f"shall remain in action after a fold {HERE} and be lost with a fold {NEW}.",
        ),
        (
            ('pays_max = "25000"', 'pays_max = "50000"'),
            "exceed $50,000, shared pro rata; all other winning wagers shall be paid in full.",
        ),
        (
            ('result = "forfeit"', 'result = "warn"'),
            f"forfeit every wager on it. A{NEW[1:]}, giving or receiving information about a hand,",
        ),
        (
            ('is = "resume"', 'is = "agree-or-dead"'),
            f"an interrupted round shall be resumed where it stopped. A{NEW[1:]}, an interrupted",
        ),
    ],
)
def test_one_change_gives_one_sentence(swap: tuple[str, str], words: str) -> None:
    (sentence,) = changes_of(CMS, swap)
    assert words in sentence


def test_differently_named_lines_for_the_same_hands_are_equal() -> None:
    split = ('pair-6-10 = "push"', 'pair-6-8 = "push"\npair-9-10 = "push"')
    assert changes_of(CMS, split) == []


def test_suited_pair_is_reported_once() -> None:
    sentences = changes_of(MHL, ('suited-pair = "3:1"', 'suited-pair = "4:1"'))
    assert sentences == [
        "On the Poker Bonus, suited pair pays 3:1 at Catfish Bend Casino "
        "and 4:1 at New Catfish Bend Casino."
    ]


def test_several_matches_pay_in_the_plural() -> None:
    (words,) = changes_of(MHL, ('match-4 = "30:1"', 'match-4 = "25:1"'))
    assert words.startswith("On the Match'em Bonus, four matches pay 30:1 at Catfish Bend Casino ")


def test_rule_that_only_one_sheet_has() -> None:
    first = parse_sheet(text_of(OMS))
    (limit,) = (
        difference
        for difference in find_differences(first, parse_sheet(text_of(CMS)))
        if difference.path == ("single_bet_max",)
    )
    assert limit.words == (
        "At Oceanfront Gaming, no single bet, raise or re-raise may exceed $4. "
        "At Catfish Bend Casino II, there is no such rule."
    )
    assert (limit.a, limit.b) == ("4.00", None)


def test_side_wager_that_only_one_sheet_offers() -> None:
    differences = find_differences(parse_sheet(text_of(LAS)), parse_sheet(text_of(CMS)))
    assert [difference.words for difference in differences if difference.path[0] == "side"] == [
        "Only Louisiana Stud offers the 3-UP Bonus ($1 to $100).",
        "Only Louisiana Stud offers the 5 Card Poker STAX ($1 to $100).",
        "Only Catfish Bend Casino II offers the 3 Card Bonus ($1 to $100).",
    ]


def test_two_families_are_compared_by_common_fields() -> None:
    differences = find_differences(parse_sheet(text_of(CMS)), parse_sheet(text_of(MHL)))
    assert differences[0].path == ("family",)
    assert "not compared" in differences[0].words
    fields = {difference.path[0] for difference in differences}
    assert {"seats", "deck", "side", "limits", "irregularities"} <= fields
    assert not fields & {"streets", "points", "declare", "dealer", "deal", "fold", "main"}


PAIRS = [(a, b) for a in IDS for b in IDS]


@pytest.mark.long
@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_sentences_are_whole_and_the_same_from_both_sides(a: str, b: str) -> None:
    forward, backward = (
        find_differences(parse_sheet(text_of(a)), parse_sheet(text_of(b))),
        find_differences(parse_sheet(text_of(b)), parse_sheet(text_of(a))),
    )
    for difference in forward:
        assert difference.words.endswith(".")
        assert difference.words[0].isupper()
        assert "  " not in difference.words
        assert "None" not in difference.words
    assert sorted(map(sides, forward)) == sorted(
        sides(difference, swapped=True) for difference in backward
    )


def sides(difference: Difference, *, swapped: bool = False) -> str:
    a, b = (difference.b, difference.a) if swapped else (difference.a, difference.b)
    return f"{difference.heading} {a} {b}"


def leaves(part: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(part, dict | list):
        items = part.items() if isinstance(part, dict) else enumerate(part)
        for step, value in items:
            if step not in (*IGNORED_FIELDS, "id", "family"):
                yield from leaves(value, (*path, step))
    else:
        yield path


def other_values(value: Any) -> list[Any]:
    """Candidate values for a field; the first that gives a valid structure is used."""
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
    """The allowed words of every enumerated field."""
    if isinstance(part, dict):
        yield sorted(
            enum_value for enum_value in part.get("enum", ()) if isinstance(enum_value, str)
        )
    for inner in (
        part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    ):
        yield from enums(inner)


CHOICES = list(enums(schema()))
WORDS = sorted({word for words in CHOICES for word in words})
KIN = {
    word: sorted({*chain(*(choice_words for choice_words in CHOICES if word in choice_words))})
    for word in WORDS
}
ODDS = ("push", "7:3")


def validated_with(document: dict[str, Any], path: tuple[Any, ...], value: Any) -> Sheet | None:
    new = with_value(document, path, value)
    try:
        changed_sheet = models()[new["family"]].model_validate(new)
    except ValidationError:
        return None
    return None if errors(structure.check_structure(changed_sheet)) else changed_sheet


ALL = [*IDS, *(path.name for path in sorted(UNUSUAL.glob("*.toml")))]


@pytest.mark.slow_cases(
    "bets-withdrawn.toml",
    "four-card-hi-lo.toml",
    "louisiana-stud/standard",
    "oceanfront/mississippi-stud",
)
@pytest.mark.long
@pytest.mark.parametrize("name", ALL)
def test_every_possible_change_is_reported(name: str) -> None:
    text = text_of(name) if name in IDS else (UNUSUAL / name).read_text()
    original, document = parse_sheet(text), tomllib.loads(text)
    before = digest(original)
    paths = list(leaves(document))
    tried = 0
    for path in paths:
        inner: Any = document
        for step in path:
            inner = inner[step]
        candidates = (
            validated_with(document, path, new) for new in other_values(inner) if new != inner
        )
        new = next(
            (candidate for candidate in candidates if candidate and digest(candidate) != before),
            None,
        )
        if new is None:
            continue
        tried += 1
        differences = find_differences(original, new)
        assert differences, f"{path} changed from {inner!r} and nobody said so"
        assert len({difference.words for difference in differences}) == len(differences)
    assert tried > 0.7 * len(paths)
