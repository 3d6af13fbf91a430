"""A sheet's hash depends on its rules only, not on its formatting."""

from __future__ import annotations

import datetime
import json
import os
import random
import re
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from tests.lanes import examples
from tests.sheets.samples import (
    CMS,
    IDS,
    LAS,
    MHL,
    OMS,
    document_of,
    modified_text,
    sheet_of,
    text_of,
    toml_text,
    with_value,
)

from pitbook.rules.families.street_stud.sheet import StreetStud
from pitbook.sheets.family_registry import models
from pitbook.sheets.hashes import APPROVAL_DETAILS, canonical_json, digest, packet_digest

GOLDEN = Path(__file__).parent.parent / "golden" / "hashes.json"
# Texts about the rules, and fields for papers only.
NON_RULES = ("note", "source", "ours", "procedures", "notices", "filing", *APPROVAL_DETAILS)
ORDERED = ("side", "pays")
WORDS = (  # Allowed values of enumerated fields.
    *("automatic", "hand", "no-game", "house-blackjack", "each-round", "cut-card", "none"),
    *("high", "high-or-low", "highest", "first-listed", "lower-seat", "higher-seat", "unknown"),
    *("void", "warn", "forfeit", "giver", "giver-and-taker", "every-wager", "live-wagers"),
    *("last-seat-settled", "first-seat-settled", "plays", "void-hand", "void-round", "resume"),
    *("agree-or-dead", "smallest-bet", "largest-bet", "fold", "if-needed", "always", "bet"),
    *("round", "ace-then-highest", "player", "dealer", "push", "hole", "community", "pays"),
    *("prose", "left-to-right", "right-to-left", "dealer-match", "players"),
)
Step = str | int


def hash_of(text: str) -> str:
    return digest(sheet_of(text))


def hash_if_sound(document: dict[str, Any]) -> str | None:
    """The hash of a document, or None if its types are invalid."""
    model = models().get(document.get("family", ""))
    try:
        return digest(model.model_validate(document)) if model else None
    except ValidationError:
        return None


def leaves(part: Any, path: tuple[Step, ...] = ()) -> Iterator[tuple[tuple[Step, ...], Any]]:
    if isinstance(part, dict | list):
        steps: Any = part.items() if isinstance(part, dict) else enumerate(part)
        for step, inner in steps:
            yield from leaves(inner, (*path, step))
    else:
        yield path, part


def other_values(value: Any) -> Iterator[Any]:
    """Similar values: one more, one less, the other choices."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value - 1, value + 1)
    elif isinstance(value, datetime.date):
        yield from (value - datetime.timedelta(1), value + datetime.timedelta(1))
    elif re.fullmatch(r"[0-9]+", value):
        yield from (str(int(value) + 1), f"{value}.01")
    elif re.fullmatch(r"[0-9]+:1", value):
        yield from (f"{int(value[:-2]) + 1}:1", value.replace(":1", ":2"), "push")
    elif value in WORDS:
        yield from (word for word in WORDS if word != value)
    else:
        yield from (f"{value}x", f"{value} x", "1:1")


def is_not_a_rule(path: tuple[Step, ...]) -> bool:
    return any(step in NON_RULES for step in path)


@pytest.mark.slow_cases("louisiana-stud/standard", "oceanfront/mississippi-stud")
@pytest.mark.long
@pytest.mark.parametrize("sheet", IDS)
def test_every_single_change_of_a_rule_changes_the_hash_or_is_refused(sheet: str) -> None:
    document = document_of(sheet)
    before = hash_if_sound(document)
    hashes, accepted = {before}, 0
    for path, value in leaves(document):
        for other in other_values(value):
            after = hash_if_sound(with_value(document, path, other))
            if is_not_a_rule(path):
                assert after in (before, None), path
            elif after is not None:
                assert after not in hashes, (path, other)
                hashes.add(after)
                accepted += 1
    assert accepted > 200


@pytest.mark.parametrize("sheet", IDS)
def test_leaving_out_a_rule_changes_the_hash_unless_it_says_the_default(sheet: str) -> None:
    document = document_of(sheet)
    before = hash_if_sound(document)
    same = [
        ".".join(map(str, (*path, name)))
        for path, part in tables(document)
        for name in part
        if not is_not_a_rule((*path, name))
        if hash_if_sound(without_field(document, path, name)) == before
    ]
    defaults = {
        *(f"payouts.{payout_field}" for payout_field in document["payouts"]),
        *("payouts", "best_play", "best_play.ties", "absent", "limits.0.posted"),
        *("irregularities.misdeal", "irregularities.misdeal_over_offence"),
        *("irregularities.early_card", "irregularities.exposed_card"),
        *("irregularities.fouled_deck", "irregularities.interruption"),
        *("fold.board_when_all_fold", "fold.shown", "declare.absent_high_at", "double.within_max"),
        "dealer.equal_points",
    }
    assert set(same) <= defaults
    assert len(same) >= 10


def without_field(document: dict[str, Any], path: tuple[Step, ...], name: str) -> dict[str, Any]:
    part: Any = document
    for step in path:
        part = part[step]
    remaining = {key: value for key, value in part.items() if key != name}
    return dict(with_value(document, path, remaining))


def tables(part: Any, path: tuple[Step, ...] = ()) -> Iterator[tuple[tuple[Step, ...], Any]]:
    if isinstance(part, dict):
        yield path, part
        for name, inner in part.items():
            yield from tables(inner, (*path, name))
    elif isinstance(part, list):
        for number, inner in enumerate(part):
            yield from tables(inner, (*path, number))


@pytest.mark.parametrize("sheet", IDS)
def test_white_space_comments_and_line_ends_change_nothing(sheet: str) -> None:
    text = text_of(sheet)
    spread = re.sub(r"^(\w[\w-]*) = ", r"  \1\t=   ", text, flags=re.MULTILINE)
    assert spread != text
    assert hash_of("# The rules.\n\n" + spread.replace("\n", "  # here\n")) == hash_of(text)
    assert hash_of(text.replace("\n", "\r\n")) == hash_of(text)


@pytest.mark.parametrize("sheet", IDS)
def test_notes_and_the_source_change_nothing(sheet: str) -> None:
    text = text_of(sheet)
    bare = re.sub(r"""^note = ["'].*["']\n|, note = "[^"]*\"""", "", text, flags=re.MULTILINE)
    assert "note" not in bare
    other = re.sub(r'^document = ".*"', 'document = "Another copy"', bare, flags=re.MULTILINE)
    assert other != bare
    assert hash_of(other) == hash_of(text)


def shuffle_fields(part: Any, dice: Any, name: Step = "") -> Any:
    """The same tables with fields in another order, except wagers and pay lines."""
    if isinstance(part, list):
        return [shuffle_fields(element, dice) for element in part]
    if not isinstance(part, dict):
        return part
    fields = [(key, shuffle_fields(value, dice, key)) for key, value in part.items()]
    if name not in ORDERED:
        dice.shuffle(fields)
    return dict(fields)


@pytest.mark.long
@settings(max_examples=examples(25, 400))
@given(sheet=st.sampled_from(IDS), seed=st.integers(0, 2**32))
def test_the_order_of_fields_changes_nothing(sheet: str, seed: int) -> None:
    dice = random.Random(seed)
    assert hash_of(toml_text(shuffle_fields(document_of(sheet), dice))) == hash_of(text_of(sheet))


@pytest.mark.parametrize("name", ["side", "pays"])
def test_the_order_of_wagers_and_pay_lines_changes_the_hash(name: str) -> None:
    document = deepcopy(document_of(LAS))
    table = document["main"] if name == "pays" else document
    table[name] = dict(reversed(table[name].items()))
    assert hash_of(toml_text(document)) != hash_of(text_of(LAS))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('min = "5"', 'min = "5.00"'),
        ('min = "5"', 'min = "005"'),
        ("decks = 1", "decks = 1\nfallback_times = 1"),
        ("posted = true\n", ""),
        ("decks = 1", "decks = 0x1"),
        ('title = "Ante"', "title = 'Ante'"),
        ("per_player = { is = 1, ", 'per_player = { "is" = 1, '),
    ],
)
def test_equivalent_toml_has_the_same_hash(old: str, new: str) -> None:
    assert hash_of(modified_text(CMS, (old, new))) == hash_of(text_of(CMS))


def test_a_new_optional_field_changes_nothing() -> None:
    class Later(StreetStud):
        """A format with one more field, absent in current sheets."""

        jackpot: bool = False

    assert digest(Later.model_validate(document_of(OMS))) == hash_of(text_of(OMS))
    with_it = Later.model_validate({**document_of(OMS), "jackpot": True})
    assert digest(with_it) != hash_of(text_of(OMS))


@pytest.mark.parametrize("sheet", IDS)
def test_paper_fields_change_the_packet_hash_only(sheet: str) -> None:
    before = sheet_of(text_of(sheet))
    steps = {"steps": ["Wash the cards."], "clause": "House 1"}
    for extra_fields in (
        {"procedures": {"shuffle": steps}},
        {"notices": [{"text": "No smoking.", "clause": "House 2"}]},
        {"filing": {"sponsor": "River House"}},
    ):
        after = sheet_of(toml_text({**document_of(sheet), **extra_fields}))
        assert digest(after) == digest(before)
        assert packet_digest(after) != packet_digest(before)


def test_canonical_json_is_one_line_of_ascii_with_cents_and_odds() -> None:
    line = canonical_json(sheet_of(modified_text(MHL, ('title = "Bet"', 'title = "Bet ♠"'))))
    assert line.isascii()
    assert "\n" not in line
    meaning_json = json.loads(line)
    assert list(meaning_json) == sorted(meaning_json)
    assert (meaning_json["bet"]["min"], meaning_json["main"]["pays"][0]) == (500, ["low", "1:1"])
    assert "payouts" not in meaning_json
    assert "source" not in meaning_json


def test_hashes_of_bundled_sheets_are_as_recorded() -> None:
    """To accept a change, run PITBOOK_GOLDEN=write make test and review the diff."""
    current = {sheet: hash_of(text_of(sheet)) for sheet in IDS}
    if os.environ.get("PITBOOK_GOLDEN") == "write":
        GOLDEN.write_text(json.dumps(current, indent=1) + "\n", encoding="utf-8")
    assert current == json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert len(set(current.values())) == len(IDS)
