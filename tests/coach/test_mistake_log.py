"""Scores, the mistake log, and the schedule of misplayed hands."""

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
from tests.coach.play_rounds import play_round
from tests.sheets.samples import CMS

from pitbook import load
from pitbook.cards import cards
from pitbook.coach.mistake_log import COLUMNS, Filters, LoggedDecision, csv_of
from pitbook.coach.review import ResultBreakdown, review
from pitbook.coach.trends import Score, render_breakdown, score
from pitbook.coach.verdicts import SheetReference
from pitbook.drills import misplayed
from pitbook.drills.misplayed import RandomBelow, misplayed_hands, pick_due_decision
from pitbook.drills.progress import AnsweredItem
from pitbook.money import Cents

SHEET: SheetReference = {"id": CMS, "title": "Mississippi Stud", "hash": "aa"}
NOW = datetime(2026, 1, 10, 9, tzinfo=UTC)
DECK = "2c 7d 9h As Ad"  # Community first (CMS-4): a pair of aces on three blanks.


def logged_decisions(play: str = "1x", deck: str = DECK) -> list[LoggedDecision]:
    """The decisions of a round with one play throughout; 3x is best with aces."""
    round = play_round(load(CMS), [{"ante": 1_000}], cards(deck), lambda *_: play)
    decisions = review(round.opened, round.actions, 1).decisions
    return [
        LoggedDecision(
            decision, "t", f"t-{place}", f"2026-01-0{place + 1}", SHEET, 1, (), False, False
        )
        for place, decision in enumerate(decisions)
    ]


def test_score_counts_decisions_and_their_cost() -> None:
    total = score([Fraction(0), Fraction(250), Fraction(0), Fraction(1, 3)])
    assert total == Score(4, 2, Fraction(751, 3))
    assert total.accuracy == Fraction(1, 2)
    assert total.sentence() == "Best play in 2 of 4 decisions; the others cost $2.50."
    assert total.document()["accuracy"] == "2/4"
    assert total.document()["accuracy_text"] == "50.0%"
    assert total.document()["cost"] == {
        "exact": "751/300",
        "dollars": "2.50",
        "text": "$2.50",
    }


def test_no_decisions_have_no_accuracy() -> None:
    assert score([]).sentence() is None
    assert score([]).document()["accuracy"] is None
    assert score([Fraction(0)]).sentence() == "Best play in 1 of 1 decision."
    assert render_breakdown(ResultBreakdown()) is None


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        (
            (2, -500, 120, 0, -3380, -4000),
            "$40 down after 2 rounds: best play was expected to lose $5, "
            "$1.20 was lost to mistakes, luck cost $33.80.",
        ),
        (
            (1, -500, 0, 300, 800, 0),
            "Even after 1 round: best play was expected to lose $5, $3 was lost for lack of chips, "
            "luck added $8.",
        ),
        (
            (1, -500, 0, 0, 2500, 2000),
            "$20 up after 1 round: best play was expected to lose $5, luck added $25.",
        ),
    ],
)
def test_result_is_one_sentence(parts: tuple[int, ...], sentence: str) -> None:
    rounds, *cents = parts
    assert render_breakdown(ResultBreakdown(rounds, *map(Fraction, cents))) == sentence


def test_play_weighed_first_is_the_first_pick() -> None:
    decision = replace(logged_decisions("3x")[0], tried=("1x", "2x"), advised=True)
    assert decision.first_pick == "1x"
    assert decision.cost == 0
    assert decision.first_pick_cost > 0
    assert decision.worst_cost == decision.first_pick_cost
    document = decision.document()
    assert (document["play"], document["best"], document["is_best"]) == ("3x", "3x", True)
    assert (document["first"], document["tried"], document["mistake"]) == ("1x", ["1x", "2x"], True)


def test_log_filters() -> None:
    decisions = logged_decisions("1x") + logged_decisions("3x")
    decisions[1] = replace(decisions[1], advised=True)
    decisions[2] = replace(decisions[2], arranged=True)

    def remaining(**wanted: object) -> list[str]:
        filters = Filters()._replace(**wanted)  # type: ignore[arg-type]
        return [
            f"{decision.decision.street} {decision.decision.play}"
            for decision in decisions
            if filters.matches(decision)
        ]

    assert len(remaining()) == 6
    assert remaining(sheet=CMS, mistakes=True) == ["flop 1x", "turn 1x", "river 1x"]
    assert remaining(sheet="another/one") == []
    assert remaining(street="turn") == ["turn 1x", "turn 3x"]
    assert remaining(advised=True) == ["turn 1x"]
    assert remaining(arranged=False, mistakes=True) == ["flop 1x", "turn 1x"]
    dear = max(decision.cost for decision in decisions)
    assert remaining(least=Cents(int(dear))) == [
        f"{decision.decision.street} 1x" for decision in decisions if decision.cost >= int(dear)
    ]
    assert remaining(least=Cents(int(dear) + 1)) == []


def test_log_exports_as_csv() -> None:
    text = csv_of([replace(decision, table="=cmd()") for decision in logged_decisions("1x")])
    rows = list(csv.DictReader(io.StringIO(text)))
    assert tuple(rows[0]) == COLUMNS
    assert [row["street"] for row in rows] == ["flop", "turn", "river"]
    assert rows[1]["cards"] == "As Ad"
    assert rows[1]["board"] == "2c"
    assert rows[1]["wagers"] == "ante 10.00 flop 10.00"
    assert (rows[1]["play"], rows[1]["best"], rows[1]["advised"]) == ("1x", "3x", "no")
    assert Fraction(rows[1]["cost exact"]) * 100 == logged_decisions("1x")[1].cost
    assert rows[0]["table"] == "'=cmd()"


def pick_due(
    decisions: Sequence[LoggedDecision], pick: RandomBelow, now: datetime = NOW
) -> LoggedDecision | None:
    return pick_due_decision(misplayed_hands(decisions), now, pick)


def played_on(decision: LoggedDecision, day: float) -> LoggedDecision:
    return replace(decision, at=(NOW + timedelta(days=day)).isoformat())


def test_costly_hands_are_picked_in_proportion_to_cost() -> None:
    """Tries every number below the sum of the weights: each hand has its exact share."""
    decisions = logged_decisions("1x")[:2]
    weights = [decision.worst_cost for decision in decisions]
    scale = 0

    def size(bound: int) -> int:
        nonlocal scale
        scale = bound
        return 0

    assert pick_due(decisions, size) is decisions[0]
    share = Fraction(weights[0], sum(weights))
    edge = int(share * scale)
    assert pick_due(decisions, lambda _: edge - 1) is decisions[0]
    assert pick_due(decisions, lambda _: edge) is decisions[1]
    assert pick_due(decisions, lambda bound: bound - 1) is decisions[1]


def test_misplayed_hand_is_due_until_played_well() -> None:
    (wrong, *_), (right, *_) = logged_decisions("1x"), logged_decisions("3x")
    wrong, right = played_on(wrong, 0), played_on(right, 1)
    later = NOW + timedelta(days=1, minutes=1)
    assert pick_due([wrong], lambda _: 0) is wrong
    assert pick_due([wrong, right], lambda _: 0, later) is None
    assert pick_due([right, played_on(wrong, 2)], lambda _: 0, later) is not None
    assert pick_due([right], lambda _: 0, later) is None
    assert pick_due([], lambda _: 0) is None


def test_misplayed_hand_follows_the_fsrs_schedule() -> None:
    """Table plays and drill answers form one schedule, the same as fsrs gives."""
    (wrong, *_), (right, *_) = logged_decisions("1x"), logged_decisions("3x")
    card, scheduler, times = Card(card_id=1, due=NOW), Scheduler(enable_fuzzing=False), [NOW]
    card, _ = scheduler.review_card(card, Grade.Again, NOW)
    decisions, answers, gaps = [played_on(wrong, 0)], list[AnsweredItem](), list[timedelta]()
    for number in range(6):
        (hand,) = misplayed_hands(decisions, answers)
        assert hand.card == card
        assert number == 0 or not hand.is_due(card.due - timedelta(seconds=1))
        assert hand.is_due(card.due)
        gaps.append(card.due - times[-1])
        times.append(card.due)
        card, _ = scheduler.review_card(card, Grade.Good, times[-1])
        if number % 2:
            decisions.append(replace(right, at=times[-1].isoformat()))
        else:
            answers.append(answer_to(wrong, times[-1]))
    assert gaps[2:] == sorted(gaps[2:])  # The better it is known, the later it comes back.
    assert times[-1] - NOW > timedelta(weeks=4)


def answer_to(decision: LoggedDecision, when: datetime) -> AnsweredItem:
    sheet, seed = decision.sheet, misplayed.spot_seed(decision)
    of = (sheet["id"], sheet["hash"], misplayed.KIND, seed, 1, None, "a", "a", True)
    return AnsweredItem(*of, 4_000, 0, when.isoformat())
