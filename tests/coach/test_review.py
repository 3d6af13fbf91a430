"""Net is the value before the deal, less cost and short, plus luck, exactly; luck is fair."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, prod
from random import Random

import pytest
from tests.coach.play_rounds import PlayedRound, all_wagers, play_round, random_play, shuffled_deck
from tests.exact.example_sheets import ANYWHERE
from tests.lanes import examples
from tests.rules.plays import play_of
from tests.rules.random_rounds import sampled_sheets
from tests.sheets.samples import AGAINST_THE_DEALER, CMS, MHL, modified_text, sheet_of

from pitbook import load
from pitbook.cards import DECK, Card, cards
from pitbook.coach import review as review_module
from pitbook.coach.review import ResultBreakdown, Review, before_the_deal, review
from pitbook.coach.verdicts import advise_seat
from pitbook.exact.shipped_figures import computed_afresh
from pitbook.exact.side_wagers import side_figures
from pitbook.money import Cents
from pitbook.rules.actions import Absent, Decide, Misdeal, Turn, VoidHand
from pitbook.rules.families.street_stud.sheet import StreetStud
from pitbook.rules.game import Seat, compile_game
from pitbook.rules.payout_caps import apply_payout_caps
from pitbook.rules.round import Round, open_round
from pitbook.rules.settlement_lines import Settlement
from pitbook.rules.stored_rounds import replay
from pitbook.sheets.model import Sheet

# The bonus loses on a fold and shares a low cap with the hand: it affects every decision.
ENTANGLED = (
    ("after_fold = { plays = true", "after_fold = { plays = false"),
    ('pays_max = "25000"', 'pays_max = "300"'),
    ('odds_at_least = "100:1"', 'odds_at_least = "3:1"'),
    ANYWHERE,
)
LONG = set(AGAINST_THE_DEALER) - {"pennsylvania/three-card-poker"}  # Counting takes a while.
REVIEWED = [
    case for case in sampled_sheets("unusual/four-card-hi-lo") if case.values[0].id not in LONG
]
SHEETS = {"plain": load(CMS), "entangled": sheet_of(modified_text(CMS, *ENTANGLED))}
ANTE, BONUS = Cents(1_000), Cents(500)


def review_round(round: PlayedRound, number: int = 1, purse: int | None = None) -> Review:
    return review(round.opened, round.actions, number, purse=purse)


@pytest.mark.long
@pytest.mark.random
@pytest.mark.parametrize("sheet", REVIEWED)
def test_breakdown_adds_up_to_the_net(sheet: Sheet) -> None:
    rng = Random(f"review {sheet.id}")
    total, net = ResultBreakdown(), 0
    for _ in range(examples(6, 12) if isinstance(sheet, StreetStud) else examples(2, 3)):
        seats = [all_wagers(sheet, rng)] * rng.choice((1, 1, 2))
        round = play_round(sheet, seats, shuffled_deck(sheet, rng), random_play(rng))
        for number in range(1, len(seats) + 1):
            hand_review = review_round(round, number)
            assert hand_review.decisions
            assert hand_review.breakdown is not None
            assert adds_up(hand_review.breakdown)
            assert hand_review.breakdown.net == net_of(round.final, number)
            assert all(
                decision.cost >= 0 and decision.shortage_cost == 0
                for decision in hand_review.decisions
            )
            total, net = total + hand_review.breakdown, net + net_of(round.final, number)
    assert adds_up(total)
    assert total.net == net
    assert total.cost > 0


def adds_up(breakdown: ResultBreakdown) -> bool:
    return (
        breakdown.expected
        - breakdown.cost
        - breakdown.absence_cost
        - breakdown.shortage_cost
        + breakdown.luck
        == breakdown.net
    )


def net_of(final: Round, number: int) -> int:
    return next(hand.net for hand in final.settlements if hand.seat == number)


@pytest.mark.long
@pytest.mark.parametrize("sheet", sampled_sheets(*LONG, "unusual/four-card-hi-lo"))
def test_shipped_figures_give_the_value_before_the_deal(
    sheet: Sheet, monkeypatch: pytest.MonkeyPatch
) -> None:
    main, rule = compile_game(sheet).main
    equals = compile_game(sheet).equals
    for small in (True, False):
        stake = rule.min if small else rule.max
        side = {
            name: rule.stake.min if small else rule.stake.max for name, rule in sheet.side.items()
        }
        for wagers in ({}, side):
            bets = ((main, stake), *((wager, stake) for wager in equals))
            seat = Seat(1, "ann", bets, tuple(wagers.items()))
            monkeypatch.setattr(review_module, "_CACHE", {})
            value = before_the_deal(sheet, seat)
            monkeypatch.setattr(review_module, "_CACHE", {})
            with computed_afresh():
                assert before_the_deal(sheet, seat) == value, (stake, wagers)


def test_a_review_of_a_bundled_sheet_at_the_minimum_computes_no_game() -> None:
    code = (
        "import sys; from pitbook import load; from pitbook.coach.review import before_the_deal\n"
        "from pitbook.rules.game import Seat\n"
        f"sheet = load({CMS!r})\n"
        "seat = Seat(1, 'ann', (('ante', sheet.ante.min),), (('three-card-bonus', 500),))\n"
        "assert before_the_deal(sheet, seat).decided < 0\n"
        "assert 'pitbook.exact.methods.choose' not in sys.modules and 'numpy' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# Luck is fair: over all cards that may come, the changes of value add up to zero, so luck
# over a round is not skill, for any player.


@pytest.mark.parametrize("name", ["plain", pytest.param("entangled", marks=pytest.mark.slow)])
def test_hole_cards_have_no_luck_on_average(name: str) -> None:
    sheet = SHEETS[name]
    round, seat = spot(sheet, "2c 2d")
    before = before_the_deal(sheet, seat)
    assert before.separate == (() if name == "entangled" else ("three-card-bonus",))
    worth = sum(best_worth(round, seat._replace(cards=hole)) * ways for hole, ways in hole_cards())
    assert worth / comb(52, 2) == before.decided


def hole_cards() -> Iterator[tuple[tuple[Card, ...], int]]:
    """One pair of hole cards of each kind, and how many are alike; suits do not matter."""
    for first, second in combinations_with_replacement(range(13), 2):
        if first == second:
            yield (Card(4 * first), Card(4 * first + 1)), 6
        else:
            yield (Card(4 * first), Card(4 * second)), 4
            yield (Card(4 * first), Card(4 * second + 1)), 12


@pytest.mark.long
@pytest.mark.parametrize("name", SHEETS)
@pytest.mark.parametrize(
    ("hole", "board", "plays"),
    [("Qs Jd", "", ("1x",)), ("7h 5h", "", ("3x",)), ("7h 5h", "6h", ("1x", "2x"))],
)
def test_board_card_has_no_luck_on_average(
    name: str, hole: str, board: str, plays: tuple[str, ...]
) -> None:
    round, seat = spot(SHEETS[name], hole, board, plays[:-1])
    bet = seat.after_play(play_of(round.game, round.stage, plays[-1]))
    remaining = remaining_deck(hole, board)
    after = [
        best_worth(replace(round, board=(*round.board, card), stage=len(plays)), bet)
        for card in remaining
    ]
    assert sum(after) / len(remaining) == worth_of(round, seat, plays[-1])


@pytest.mark.long
@pytest.mark.parametrize("name", SHEETS)
@pytest.mark.parametrize("play", ["1x", "3x", "fold"])
@pytest.mark.parametrize(("hole", "board"), [("Qs Jd", "Qc 2h"), ("7h 5h", "6h 4h")])
def test_last_card_has_no_luck_on_average(name: str, hole: str, board: str, play: str) -> None:
    round, seat = spot(SHEETS[name], hole, board, ("1x", "2x"))
    bet, remaining = (
        seat.after_play(play_of(round.game, round.stage, play)),
        remaining_deck(hole, board),
    )
    apart = before_the_deal(SHEETS[name], seat).separate
    nets = []
    for card in remaining:
        hand = round.game.settle(bet, (*round.board, card))
        (settled,), _ = apply_payout_caps(round.game.sheet, [hand])
        lines = tuple(line for line in settled.lines if line.wager not in apart)
        nets.append(Settlement(1, lines).net)
    assert Fraction(sum(nets), len(nets)) == worth_of(round, seat, play)


@pytest.mark.long
def test_hi_lo_hand_has_no_luck_on_average() -> None:
    sheet = load(MHL)
    seat = Seat(1, "ann", (("bet", ANTE),), (("matchem-bonus", BONUS), ("poker-bonus", BONUS)))
    round = Round(open_round(sheet).game, phase="play")
    before = before_the_deal(sheet, seat)
    total, ways = Fraction(0), 0
    for ranks in combinations_with_replacement(range(13), 3):
        dealt = prod(comb(24, ranks.count(card_rank)) for card_rank in set(ranks))
        hand = tuple(Card(4 * card_rank) for card_rank in ranks)
        total += best_worth(round, seat._replace(cards=hand)) * dealt
        ways += dealt
    assert total / ways == before.decided
    beside = sum(side_figures(sheet, wager, BONUS).expected * BONUS for wager, _ in seat.side)
    assert before.separate_value == beside


def spot(
    sheet: Sheet, hole: str, board: str = "", plays: tuple[str, ...] = ()
) -> tuple[Round, Seat]:
    """A seat before a decision, with an ante of $10 and a bonus of $5."""
    main, side = (("ante", ANTE),), (("three-card-bonus", BONUS),)
    game = open_round(sheet).game
    seat = Seat(1, "ann", main, side, cards_dealt=2, cards=cards(hole))
    for stage, play in enumerate(plays):
        seat = seat.after_play(play_of(game, stage, play))
    board_cards = cards(board) if board else ()
    return Round(game, phase="play", seats=(seat,), board=board_cards, stage=len(plays)), seat


def remaining_deck(*used: str) -> list[Card]:
    return [card for card in DECK if card not in cards(" ".join(used))]


def best_worth(round: Round, seat: Seat) -> Fraction:
    advice = advise_seat(round, seat)
    return advice.actions[advice.best] * ANTE


def worth_of(round: Round, seat: Seat, play: str) -> Fraction:
    played_play = round.game.play(round.stage, play)
    assert played_play is not None
    return advise_seat(round, seat).actions[played_play] * ANTE


# What is not the player's doing -------------------------------------------------------------------


def test_play_that_chips_do_not_cover_is_no_mistake() -> None:
    """A pair of aces is worth 3x; with three chips left, 1x a street costs nothing."""
    deck = cards("2c 7d 9h As Ad")  # Community first (CMS-4).
    round = play_round(load(CMS), [{"ante": 1_000}], deck, lambda round, seat: "1x")
    rich = review_round(round)
    poor = review_round(round, purse=4_000)
    assert [decision.weighed.best for decision in rich.decisions] == ["3x", "3x", "3x"]
    assert [decision.cost > 0 for decision in rich.decisions] == [True, True, True]
    assert poor.decisions[0].weighed.covered == ("fold", "1x", "2x", "3x")
    assert poor.decisions[2].weighed.covered == ("fold", "1x")
    assert [decision.weighed.best for decision in poor.decisions] == ["1x", "1x", "1x"]
    assert [decision.chips for decision in poor.decisions] == [3_000, 2_000, 1_000]
    assert [decision.cost for decision in poor.decisions] == [0, 0, 0]
    assert rich.breakdown is not None
    assert poor.breakdown is not None
    assert adds_up(poor.breakdown)
    assert poor.breakdown.expected == rich.breakdown.expected
    assert poor.breakdown.shortage_cost > 0 == poor.breakdown.cost


def test_betting_the_last_chips_without_reaching_showdown_is_a_mistake() -> None:
    """One chip is left after the ante: 1x on the flop is a sure loss, the fold after it is not."""
    plays = iter(("1x", "fold"))
    deck = cards("2c 7d 9h Ks Jd")
    round = play_round(load(CMS), [{"ante": 1_000}], deck, lambda *_: next(plays))
    actions = [
        Absent(1, short=True) if isinstance(action, Decide) and action.play == "fold" else action
        for action in round.actions
    ]
    reviewed = review(round.opened, actions, 1, purse=2_000)
    first, second = reviewed.decisions
    assert first.weighed.best == second.play == "fold"
    assert [first.cost, second.cost, second.absence_cost] == [1_000, 0, 0]
    assert not second.chosen
    assert reviewed.breakdown is not None
    assert adds_up(reviewed.breakdown)
    assert [reviewed.breakdown.cost, reviewed.breakdown.absence_cost] == [1_000, 0]
    assert reviewed.breakdown.luck == 0  # Whatever the cards: an immediate fold was the best play.


@pytest.mark.long
@pytest.mark.parametrize("sheet", REVIEWED)
def test_breakdown_adds_up_for_every_purse(sheet: Sheet) -> None:
    """Two spots of one player, if the sheet allows them, share the purse."""
    rng = Random(f"purse {sheet.id}")
    total = ResultBreakdown()
    for _ in range(6 if isinstance(sheet, StreetStud) else 2):
        bets = all_wagers(sheet, rng)
        spots = min(2, sheet.seats.per_player.value)
        # Equal bets placed with the main wager.
        along = bets[sheet.main_id] * len(compile_game(sheet).equals)
        start = (sum(bets.values()) + along) * spots
        purse = start + rng.randrange(6 * start)
        remaining = purse - start

        def pays(round: Round, number: int) -> str:
            nonlocal remaining
            game, seat = round.game, round.seat(number)
            assert seat is not None
            costs = {
                play: seat.cost(play)
                for play in game.allowed_plays(round.stage, seat, *round.common)
            }
            affordable = [
                play
                for play, cost in costs.items()
                if cost <= remaining and game.exceeded_clause(seat, round.stage, play) is None
            ]
            play = rng.choice(affordable)
            remaining -= costs[play]
            return play

        round = play_round(sheet, [bets] * spots, shuffled_deck(sheet, rng), pays, player="ann")
        for number in range(1, spots + 1):
            hand_review = review_round(round, number, purse)
            assert hand_review.breakdown is not None
            assert adds_up(hand_review.breakdown)
            assert all(decision.cost >= 0 for decision in hand_review.decisions)
            total += hand_review.breakdown
    assert adds_up(total)


def test_chips_bought_mid_hand_count_for_later_decisions() -> None:
    round = play_round(load(CMS), [{"ante": 1_000}], cards("2c 7d 9h As Ad"), lambda *_: "1x")
    places = [place for place, action in enumerate(round.actions) if isinstance(action, Decide)]
    bought = dict.fromkeys(range(places[1], len(round.actions)), 10_000)
    reviewed = review(round.opened, round.actions, 1, purse=2_000, bought=bought)
    assert [decision.chips for decision in reviewed.decisions] == [1_000, 10_000, 9_000]
    assert [decision.weighed.best for decision in reviewed.decisions] == ["fold", "3x", "3x"]
    assert reviewed.breakdown is not None
    assert adds_up(reviewed.breakdown)


def test_hand_played_by_the_house_is_no_mistake() -> None:
    round = play_round(load(CMS), [{"ante": 1_000}], cards("2c 7d 9h As Ad"), lambda *_: "fold")
    absent = [Absent(1) if isinstance(action, Decide) else action for action in round.actions]
    reviewed = review(round.opened, absent, 1)
    (decision,) = reviewed.decisions
    assert (decision.play, decision.chosen) == ("fold", False)
    assert decision.cost == 0
    assert decision.absence_cost > 0
    assert reviewed.breakdown is not None
    assert [reviewed.breakdown.absence_cost, reviewed.breakdown.shortage_cost] == [
        decision.absence_cost,
        0,
    ]
    assert adds_up(reviewed.breakdown)


def test_void_round_has_decisions_and_no_reckoning() -> None:
    round = play_round(load(CMS), [{"ante": 1_000}], cards("2c 7d 9h As Ad"), lambda *_: "1x")
    upto = [place for place, action in enumerate(round.actions) if isinstance(action, Decide)][1]
    for mishap in (Misdeal("boxed card"), VoidHand(1, "supervisor")):
        actions = [*round.actions[:upto], mishap]
        reviewed = review(round.opened, actions, 1)
        assert [decision.play for decision in reviewed.decisions] == ["1x"]
        assert reviewed.breakdown is None


def test_unfinished_round_has_decisions_and_no_reckoning() -> None:
    round = play_round(load(CMS), [{"ante": 1_000}], cards("2c 7d 9h As Ad"), lambda *_: "1x")
    upto = [place for place, action in enumerate(round.actions) if isinstance(action, Decide)][2]
    reviewed = review(round.opened, round.actions[:upto], 1)
    assert [(decision.street, decision.board) for decision in reviewed.decisions] == [
        ("flop", ()),
        ("turn", cards("2c")),
    ]
    assert reviewed.breakdown is None


def test_unsupported_spot_is_not_reviewed() -> None:
    """Decided before the cards were looked at."""
    round = play_round(load(CMS), [{"ante": 1_000}], cards("2c 7d 9h As Ad"), lambda *_: "1x")
    looked = [action for action in round.actions if isinstance(action, Turn) and action.place == 1]
    blind = [action for action in round.actions if action not in looked]
    first = next(place for place, action in enumerate(blind) if isinstance(action, Decide))
    actions = [*blind[: first + 1], *looked, *blind[first + 1 :]]
    assert replay(round.opened, actions).settlements == round.final.settlements
    assert review(round.opened, actions, 1) == Review(1, (), None)
