"""Scores, the mistake log and the spots that come back: what is counted, and what is not."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest
from fsrs import Card, Scheduler
from fsrs import Rating as Grade
from tests.coach.play_rounds import played
from tests.sheets.samples import CMS

from pitbook import load
from pitbook.cards import cards
from pitbook.coach.log import COLUMNS, Filters, Logged, csv_of
from pitbook.coach.review import Reckoning, review
from pitbook.coach.trends import Score, reckoning_told, score
from pitbook.coach.values import SheetMet
from pitbook.drills import misplayed
from pitbook.drills.misplayed import Pick, due_hand, misplayed_hands
from pitbook.drills.progress import AnsweredItem
from pitbook.money import Cents

SHEET: SheetMet = {"id": CMS, "title": "Mississippi Stud", "hash": "aa"}
NOW = datetime(2026, 1, 10, 9, tzinfo=UTC)
DECK = "2c 7d 9h As Ad"  # Community first (CMS-4): a pair of aces on three blanks.


def logged(play: str = "1x", deck: str = DECK) -> list[Logged]:
    """A round in which one play was made throughout, 3x being best with aces."""
    round = played(load(CMS), [{"ante": 1_000}], cards(deck), lambda *_: play)
    found = review(round.opened, round.actions, 1).decisions
    return [
        Logged(one, "t", f"t-{place}", f"2026-01-0{place + 1}", SHEET, 1, (), False, False)
        for place, one in enumerate(found)
    ]


def test_a_score_counts_decisions_and_what_they_gave_away() -> None:
    found = score([Fraction(0), Fraction(250), Fraction(0), Fraction(1, 3)])
    assert found == Score(4, 2, Fraction(751, 3))
    assert found.accuracy == Fraction(1, 2)
    assert found.told() == "Best play in 2 of 4 decisions; the others gave away $2.50."
    assert found.document()["accuracy"] == "2/4"
    assert found.document()["accuracy_text"] == "50.0%"
    assert found.document()["cost"] == {
        "exact": "751/300",
        "dollars": "2.50",
        "text": "$2.50",
    }


def test_nothing_has_no_accuracy() -> None:
    assert score([]).told() is None
    assert score([]).document()["accuracy"] is None
    assert score([Fraction(0)]).told() == "Best play in 1 of 1 decision."
    assert reckoning_told(Reckoning()) is None


@pytest.mark.parametrize(
    ("parts", "told"),
    [
        (
            (2, -500, 120, 0, -3380, -4000),
            "$40 down after 2 rounds: $5 was to be lost by best play, $1.20 was given away, "
            "luck took $33.80.",
        ),
        (
            (1, -500, 0, 300, 800, 0),
            "Even after 1 round: $5 was to be lost by best play, $3 was lost for want of chips, "
            "luck brought $8.",
        ),
        (
            (1, -500, 0, 0, 2500, 2000),
            "$20 up after 1 round: $5 was to be lost by best play, luck brought $25.",
        ),
    ],
)
def test_a_result_in_one_sentence(parts: tuple[int, ...], told: str) -> None:
    rounds, *cents = parts
    assert reckoning_told(Reckoning(rounds, *map(Fraction, cents))) == told


def test_what_was_weighed_first_is_the_first_choice() -> None:
    one = replace(logged("3x")[0], tried=("1x", "2x"), advised=True)
    assert one.first == "1x"
    assert one.cost == 0
    assert one.first_cost > 0
    assert one.missed == one.first_cost
    document = one.document()
    assert (document["play"], document["best"], document["is_best"]) == ("3x", "3x", True)
    assert (document["first"], document["tried"], document["mistake"]) == ("1x", ["1x", "2x"], True)


def test_filters() -> None:
    every = logged("1x") + logged("3x")
    every[1] = replace(every[1], advised=True)
    every[2] = replace(every[2], arranged=True)

    def left(**wanted: object) -> list[str]:
        filters = Filters()._replace(**wanted)  # type: ignore[arg-type]
        return [f"{one.decision.street} {one.decision.play}" for one in every if filters.takes(one)]

    assert len(left()) == 6
    assert left(sheet=CMS, mistakes=True) == ["flop 1x", "turn 1x", "river 1x"]
    assert left(sheet="another/one") == []
    assert left(street="turn") == ["turn 1x", "turn 3x"]
    assert left(advised=True) == ["turn 1x"]
    assert left(arranged=False, mistakes=True) == ["flop 1x", "turn 1x"]
    dear = max(one.cost for one in every)
    assert left(least=Cents(int(dear))) == [
        f"{one.decision.street} 1x" for one in every if one.cost >= int(dear)
    ]
    assert left(least=Cents(int(dear) + 1)) == []


def test_the_log_as_a_file() -> None:
    text = csv_of([replace(one, table="=cmd()") for one in logged("1x")])
    rows = list(csv.DictReader(io.StringIO(text)))
    assert tuple(rows[0]) == COLUMNS
    assert [row["street"] for row in rows] == ["flop", "turn", "river"]
    assert rows[1]["cards"] == "As Ad"
    assert rows[1]["board"] == "2c"
    assert rows[1]["wagers"] == "ante 10.00 flop 10.00"
    assert (rows[1]["play"], rows[1]["best"], rows[1]["advised"]) == ("1x", "3x", "no")
    assert Fraction(rows[1]["cost exact"]) * 100 == logged("1x")[1].cost
    assert rows[0]["table"] == "'=cmd()"


def due(decisions: Sequence[Logged], pick: Pick, now: datetime = NOW) -> Logged | None:
    return due_hand(misplayed_hands(decisions), now, pick)


def at(one: Logged, day: float) -> Logged:
    return replace(one, at=(NOW + timedelta(days=day)).isoformat())


def test_costly_hands_come_back_more_often() -> None:
    """Every number below the sum of the weights is tried: each hand has its exact share."""
    made = logged("1x")[:2]
    weights = [one.missed for one in made]
    scale = 0

    def size(bound: int) -> int:
        nonlocal scale
        scale = bound
        return 0

    assert due(made, size) is made[0]
    share = Fraction(weights[0], sum(weights))
    edge = int(share * scale)
    assert due(made, lambda _: edge - 1) is made[0]
    assert due(made, lambda _: edge) is made[1]
    assert due(made, lambda bound: bound - 1) is made[1]


def test_a_misplayed_hand_is_due_until_it_is_played_well() -> None:
    (wrong, *_), (right, *_) = logged("1x"), logged("3x")
    wrong, right = at(wrong, 0), at(right, 1)
    later = NOW + timedelta(days=1, minutes=1)
    assert due([wrong], lambda _: 0) is wrong
    assert due([wrong, right], lambda _: 0, later) is None
    assert due([right, at(wrong, 2)], lambda _: 0, later) is not None
    assert due([right], lambda _: 0, later) is None
    assert due([], lambda _: 0) is None


def test_a_misplayed_hand_comes_back_over_weeks_as_the_package_says() -> None:
    """Reviews at a table and answers in drills make one schedule, that of fsrs itself."""
    (wrong, *_), (right, *_) = logged("1x"), logged("3x")
    card, own, times = Card(card_id=1, due=NOW), Scheduler(enable_fuzzing=False), [NOW]
    card, _ = own.review_card(card, Grade.Again, NOW)
    decisions, answers, gaps = [at(wrong, 0)], list[AnsweredItem](), list[timedelta]()
    for number in range(6):
        (hand,) = misplayed_hands(decisions, answers)
        assert hand.card == card
        assert number == 0 or not hand.is_due(card.due - timedelta(seconds=1))
        assert hand.is_due(card.due)
        gaps.append(card.due - times[-1])
        times.append(card.due)
        card, _ = own.review_card(card, Grade.Good, times[-1])
        if number % 2:
            decisions.append(replace(right, at=times[-1].isoformat()))
        else:
            answers.append(answer_to(wrong, times[-1]))
    assert gaps[2:] == sorted(gaps[2:])  # The better it is known, the later it comes back.
    assert times[-1] - NOW > timedelta(weeks=4)


def answer_to(one: Logged, when: datetime) -> AnsweredItem:
    sheet, seed = one.sheet, misplayed.seed_of(one)
    of = (sheet["id"], sheet["hash"], misplayed.KIND, seed, 1, None, "a", "a", True)
    return AnsweredItem(*of, 4_000, 0, when.isoformat())
