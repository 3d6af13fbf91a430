"""The seat of a sentence comes from its fields, in any language."""

from __future__ import annotations

import re
from functools import cache

import pytest
from tests.transcripts.scenarios import endings, play_ending

import pitbook
from pitbook.cards import card
from pitbook.house.ledger import fact_codec
from pitbook.house.table import facts, transfers
from pitbook.house.table.explain import fact_sentences, seat_of
from pitbook.house.table.facts import (
    CANNOT_READ,
    FLOOR_GOES_ON,
    STOPPED,
    ReversedLine,
    SettlementReversed,
)
from pitbook.money import Cents
from pitbook.rules.actions import BOARD
from pitbook.rules.narration import transcript
from pitbook.sheets.library import BUNDLED
from pitbook.text import Sentence, in_language

NAMED = re.compile(r"(?:Seat|The hand of seat) (\d+)\b")  # As English begins what is of one seat.
SHEETS = sorted(
    path.relative_to(BUNDLED).with_suffix("").as_posix() for path in BUNDLED.rglob("*.toml")
)
load = cache(pitbook.load)
CASES = [(sheet, ending) for sheet in SHEETS for ending in endings(load(sheet))]


@pytest.mark.parametrize(("sheet", "ending"), CASES)
def test_sentence_belongs_to_the_seat_it_begins_with(sheet: str, ending: str) -> None:
    sentences = transcript(*play_ending(load(sheet), ending))
    named = [int(match[1]) if (match := NAMED.match(line)) else None for line in sentences]
    assert [seat_of(line) for line in sentences] == named
    assert any(seat is not None for seat in named)


def test_plain_text_belongs_to_no_seat() -> None:
    assert seat_of("Seat 1 does something.") is None


FACTS = [
    (facts.SeatSeed(2, "mine"), ["Seat 2 adds a seed to the shuffle."]),
    (facts.CoachAdvice(2, "Fold."), ['Coach to seat 2: "Fold."']),
    (facts.Undone(2), ["Seat 2 undoes its last bet change."]),
    (facts.Ready(2, "Ana", on=True), ["Seat 2 is ready."]),
    (facts.Ready(2, "Ana", on=False), ["Seat 2 asks for more time."]),
    (
        facts.Interrupted(STOPPED, ("Ana", "Bea", "Cleo")),
        [
            "Play stopped: server restart.",
            "Asked whether to finish the hand: Ana, Bea and Cleo.",
        ],
    ),
    (
        facts.Interrupted("fire alarm", ()),
        ["Play stopped: fire alarm.", "The floor supervisor is asked whether to continue."],
    ),
    (facts.Interrupted("fire alarm", None), ["Play stopped: fire alarm."]),
    (facts.Agreed("Ana", finish=True), ["Ana agrees to finish the hand."]),
    (facts.Agreed("Ana", finish=False), ["Ana declines to finish the hand."]),
    (facts.Resumed(STOPPED), ["Play resumed: server restart."]),
    (
        facts.Corrected(BOARD, 1, mistyped=card("Qh"), card=card("Jh"), why="x"),
        ["Card 1 of the board corrected from Qh to Jh: x."],
    ),
    (
        facts.Corrected(3, 2, mistyped=card("Qh"), card=card("Jh"), why="x"),
        ["Card 2 of seat 3 corrected from Qh to Jh: x."],
    ),
    (facts.Coach(on=True), []),
]


@pytest.mark.parametrize(("fact", "sentences"), FACTS)
def test_fact_texts(fact: fact_codec.Fact, sentences: list[str]) -> None:
    assert fact_sentences(fact) == sentences
    for line in fact_sentences(fact):
        assert isinstance(line, Sentence)
        assert in_language(line, "es") != line


def test_house_reasons_are_translated_and_typed_ones_kept() -> None:
    (ours,), (theirs,) = (fact_sentences(facts.Resumed(why)) for why in (STOPPED, "fire alarm"))
    assert in_language(ours, "es") == "Juego reanudado: reinicio del servidor."
    assert in_language(theirs, "es") == "Juego reanudado: fire alarm."
    (unread,) = fact_sentences(facts.Interrupted(CANNOT_READ, None))
    assert ": el jefe de mesa no puede reconstruir la mano" in in_language(unread, "es")
    (floors,) = fact_sentences(facts.Resumed(FLOOR_GOES_ON))
    assert in_language(floors, "es").endswith(": el jefe de mesa reanudó el juego.")


def line(result: str, stake: int, wins: int = 0, short: int = 0) -> ReversedLine:
    return ReversedLine(1, "ante", Cents(stake), result, Cents(wins), Cents(short))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("lines", "sentences"),
    [
        ([line("push", 500)], ["The settlement of seat 1 is reversed."]),
        (
            [line("win", 500, 1500)],
            ["The settlement of seat 1 is reversed. $15 returns to the rack."],
        ),
        ([line("lose", 500)], ["The settlement of seat 1 is reversed. $5 returns to the player."]),
        (
            [line("win", 500, 1500, 250), line("lose", 500)],
            [
                "The settlement of seat 1 is reversed. $15 returns to the rack. "
                "$5 returns to the player.",
                "Seat 1 is $2.50 short. The house covers the difference.",
            ],
        ),
    ],
)
def test_reversal_sentences(lines: list[ReversedLine], sentences: list[str]) -> None:
    assert (
        list(transfers.reversal_sentences(SettlementReversed("t-000001", True, tuple(lines))))
        == sentences
    )
