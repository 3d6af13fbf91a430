"""Net is worth before the deal less cost and short, plus luck, exactly; and luck is fair."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, prod
from random import Random

import pytest
from tests.coach.play_rounds import Played, all_wagers, any_play, played, shuffled
from tests.exact.kit import ANYWHERE
from tests.lanes import examples
from tests.played import play_of
from tests.rules.rounds.play import sampled_sheets
from tests.sheets.samples import AGAINST_THE_DEALER, CMS, MHL, changed, sheet_of

from pitbook import load
from pitbook.cards import DECK, Card, cards
from pitbook.coach.review import Reckoning, Review, before_the_deal, review
from pitbook.coach.verdicts import advised
from pitbook.exact.side_wagers import side_figures
from pitbook.money import Cents
from pitbook.rules.actions import Absent, Decide, Misdeal, Turn, VoidHand
from pitbook.rules.families.street_stud.sheet import StreetStud
from pitbook.rules.game import Seat, compile_game
from pitbook.rules.limits import apply_limits
from pitbook.rules.round import Round, open_round
from pitbook.rules.settlement import Settlement
from pitbook.rules.stored import replay
from pitbook.sheets.model import Sheet

# The bonus dies with a fold, and shares a low cap with the hand: it bears on every decision.
ENTANGLED = (
    ("after_fold = { plays = true", "after_fold = { plays = false"),
    ('pays_max = "25000"', 'pays_max = "300"'),
    ('odds_at_least = "100:1"', 'odds_at_least = "3:1"'),
    ANYWHERE,
)
LONG = set(AGAINST_THE_DEALER) - {"pennsylvania/three-card-poker"}  # Counting takes a while.
REVIEWED = [
    one for one in sampled_sheets("unusual/four-card-hi-lo") if one.values[0].id not in LONG
]
SHEETS = {"plain": load(CMS), "entangled": sheet_of(changed(CMS, *ENTANGLED))}
ANTE, BONUS = Cents(1_000), Cents(500)


def reviewed(round: Played, number: int = 1, purse: int | None = None) -> Review:
    return review(round.opened, round.actions, number, purse=purse)


@pytest.mark.long
@pytest.mark.random
@pytest.mark.parametrize("sheet", REVIEWED)
def test_skill_luck_and_expectation_add_up_to_the_net(sheet: Sheet) -> None:
    luck = Random(f"review {sheet.id}")
    total, net = Reckoning(), 0
    for _ in range(examples(6, 12) if isinstance(sheet, StreetStud) else examples(2, 3)):
        seats = [all_wagers(sheet, luck)] * luck.choice((1, 1, 2))
        round = played(sheet, seats, shuffled(sheet, luck), any_play(luck))
        for number in range(1, len(seats) + 1):
            found = reviewed(round, number)
            assert found.decisions
            assert found.reckoning is not None
            assert adds_up(found.reckoning)
            assert found.reckoning.net == net_of(round.final, number)
            assert all(one.cost >= 0 and one.short == 0 for one in found.decisions)
            total, net = total + found.reckoning, net + net_of(round.final, number)
    assert adds_up(total)
    assert total.net == net
    assert total.cost > 0


def adds_up(one: Reckoning) -> bool:
    return one.expected - one.cost - one.absent - one.short + one.luck == one.net


def net_of(final: Round, number: int) -> int:
    return next(one.net for one in final.settlements if one.seat == number)


# Luck is fair: at every point where cards come, what they change adds up to nothing over all of
# them. What it adds up to over a round is therefore no skill, whoever plays it.


@pytest.mark.parametrize("name", ["plain", pytest.param("entangled", marks=pytest.mark.slow)])
def test_hole_cards_change_nothing_on_average(name: str) -> None:
    sheet = SHEETS[name]
    round, seat = spot(sheet, "2c 2d")
    before = before_the_deal(sheet, seat)
    assert before.apart == (() if name == "entangled" else ("three-card-bonus",))
    worth = sum(best_worth(round, seat._replace(cards=hole)) * ways for hole, ways in hole_cards())
    assert worth / comb(52, 2) == before.decided


def hole_cards() -> Iterator[tuple[tuple[Card, ...], int]]:
    """One pair of cards of each kind, and how many are like it: suits do not matter."""
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
def test_a_card_of_the_board_changes_nothing_on_average(
    name: str, hole: str, board: str, plays: tuple[str, ...]
) -> None:
    round, seat = spot(SHEETS[name], hole, board, plays[:-1])
    bet = seat.made(play_of(round.game, round.stage, plays[-1]))
    left = rest(hole, board)
    after = [
        best_worth(round._replace(board=(*round.board, card), stage=len(plays)), bet)
        for card in left
    ]
    assert sum(after) / len(left) == worth_of(round, seat, plays[-1])


@pytest.mark.long
@pytest.mark.parametrize("name", SHEETS)
@pytest.mark.parametrize("play", ["1x", "3x", "fold"])
@pytest.mark.parametrize(("hole", "board"), [("Qs Jd", "Qc 2h"), ("7h 5h", "6h 4h")])
def test_the_last_card_changes_nothing_on_average(
    name: str, hole: str, board: str, play: str
) -> None:
    round, seat = spot(SHEETS[name], hole, board, ("1x", "2x"))
    bet, left = seat.made(play_of(round.game, round.stage, play)), rest(hole, board)
    apart = before_the_deal(SHEETS[name], seat).apart
    nets = []
    for card in left:
        hand = round.game.settle(bet, (*round.board, card))
        (settled,), _ = apply_limits(round.game.sheet, [hand])
        lines = tuple(line for line in settled.lines if line.wager not in apart)
        nets.append(Settlement(1, lines).net)
    assert Fraction(sum(nets), len(nets)) == worth_of(round, seat, play)


@pytest.mark.long
def test_a_hand_of_hi_lo_changes_nothing_on_average() -> None:
    sheet = load(MHL)
    seat = Seat(1, "ann", (("bet", ANTE),), (("matchem-bonus", BONUS), ("poker-bonus", BONUS)))
    round = Round(open_round(sheet).game, phase="play")
    before = before_the_deal(sheet, seat)
    found, ways = Fraction(0), 0
    for ranks in combinations_with_replacement(range(13), 3):
        dealt = prod(comb(24, ranks.count(one)) for one in set(ranks))
        hand = tuple(Card(4 * one) for one in ranks)
        found += best_worth(round, seat._replace(cards=hand)) * dealt
        ways += dealt
    assert found / ways == before.decided
    beside = sum(side_figures(sheet, wager, BONUS).expected * BONUS for wager, _ in seat.side)
    assert before.beside == beside


def spot(
    sheet: Sheet, hole: str, board: str = "", plays: tuple[str, ...] = ()
) -> tuple[Round, Seat]:
    """A seat before a decision, with an ante of $10 and a bonus of $5."""
    main, side = (("ante", ANTE),), (("three-card-bonus", BONUS),)
    game = open_round(sheet).game
    seat = Seat(1, "ann", main, side, laid=2, cards=cards(hole))
    for stage, play in enumerate(plays):
        seat = seat.made(play_of(game, stage, play))
    shown = cards(board) if board else ()
    return Round(game, phase="play", seats=(seat,), board=shown, stage=len(plays)), seat


def rest(*known: str) -> list[Card]:
    return [card for card in DECK if card not in cards(" ".join(known))]


def best_worth(round: Round, seat: Seat) -> Fraction:
    advice = advised(round, seat)
    return advice.actions[advice.best] * ANTE


def worth_of(round: Round, seat: Seat, play: str) -> Fraction:
    made = round.game.play(round.stage, play)
    assert made is not None
    return advised(round, seat).actions[made] * ANTE


# What is not the player's doing -------------------------------------------------------------------


def test_what_cannot_be_paid_for_is_no_mistake() -> None:
    """A pair of aces is worth 3x; with three chips left, 1x a street gives nothing away."""
    deck = cards("2c 7d 9h As Ad")  # Community first (CMS-4).
    round = played(load(CMS), [{"ante": 1_000}], deck, lambda round, seat: "1x")
    rich = reviewed(round)
    poor = reviewed(round, purse=4_000)
    assert [one.weighed.best for one in rich.decisions] == ["3x", "3x", "3x"]
    assert [one.cost > 0 for one in rich.decisions] == [True, True, True]
    assert poor.decisions[0].weighed.covered == ("fold", "1x", "2x", "3x")
    assert poor.decisions[2].weighed.covered == ("fold", "1x")
    assert [one.weighed.best for one in poor.decisions] == ["1x", "1x", "1x"]
    assert [one.chips for one in poor.decisions] == [3_000, 2_000, 1_000]
    assert [one.cost for one in poor.decisions] == [0, 0, 0]
    assert rich.reckoning is not None
    assert poor.reckoning is not None
    assert adds_up(poor.reckoning)
    assert poor.reckoning.expected == rich.reckoning.expected
    assert poor.reckoning.short > 0 == poor.reckoning.cost


def test_the_last_chips_thrown_after_a_hand_are_a_mistake() -> None:
    """One chip is left beside the ante: 1x on the flop is a sure loss, the fold then is not."""
    plays = iter(("1x", "fold"))
    deck = cards("2c 7d 9h Ks Jd")
    round = played(load(CMS), [{"ante": 1_000}], deck, lambda *_: next(plays))
    short = [
        Absent(1, short=True) if isinstance(one, Decide) and one.play == "fold" else one
        for one in round.actions
    ]
    found = review(round.opened, short, 1, purse=2_000)
    first, second = found.decisions
    assert first.weighed.best == second.play == "fold"
    assert [first.cost, second.cost, second.absent] == [1_000, 0, 0]
    assert not second.chosen
    assert found.reckoning is not None
    assert adds_up(found.reckoning)
    assert [found.reckoning.cost, found.reckoning.absent] == [1_000, 0]
    assert found.reckoning.luck == 0  # Whatever the cards: a fold at once was all there was.


@pytest.mark.long
@pytest.mark.parametrize("sheet", REVIEWED)
def test_it_adds_up_for_every_purse(sheet: Sheet) -> None:
    """Two spots of one player, where the sheet has them, share what is left."""
    luck = Random(f"purse {sheet.id}")
    total = Reckoning()
    for _ in range(6 if isinstance(sheet, StreetStud) else 2):
        bets = all_wagers(sheet, luck)
        spots = min(2, sheet.seats.per_player.value)
        along = bets[sheet.main_id] * len(
            compile_game(sheet).equals
        )  # What goes with the main wager.
        start = (sum(bets.values()) + along) * spots
        purse = start + luck.randrange(6 * start)
        left = purse - start

        def pays(round: Round, number: int) -> str:
            nonlocal left
            game, seat = round.game, round.seat(number)
            assert seat is not None
            costs = {one: seat.cost(one) for one in game.may(round.stage, seat, *round.common)}
            able = [
                one
                for one, cost in costs.items()
                if cost <= left and game.too_much(seat, round.stage, one) is None
            ]
            play = luck.choice(able)
            left -= costs[play]
            return play

        round = played(sheet, [bets] * spots, shuffled(sheet, luck), pays, player="ann")
        for number in range(1, spots + 1):
            found = reviewed(round, number, purse)
            assert found.reckoning is not None
            assert adds_up(found.reckoning)
            assert all(one.cost >= 0 for one in found.decisions)
            total += found.reckoning
    assert adds_up(total)


def test_chips_bought_in_mid_hand_count_from_then_on() -> None:
    round = played(load(CMS), [{"ante": 1_000}], cards("2c 7d 9h As Ad"), lambda *_: "1x")
    places = [place for place, one in enumerate(round.actions) if isinstance(one, Decide)]
    bought = dict.fromkeys(range(places[1], len(round.actions)), 10_000)
    found = review(round.opened, round.actions, 1, purse=2_000, bought=bought)
    assert [one.chips for one in found.decisions] == [1_000, 10_000, 9_000]
    assert [one.weighed.best for one in found.decisions] == ["fold", "3x", "3x"]
    assert found.reckoning is not None
    assert adds_up(found.reckoning)


def test_a_hand_that_the_house_plays_is_nobodys_mistake() -> None:
    round = played(load(CMS), [{"ante": 1_000}], cards("2c 7d 9h As Ad"), lambda *_: "fold")
    absent = [Absent(1) if isinstance(one, Decide) else one for one in round.actions]
    found = review(round.opened, absent, 1)
    (one,) = found.decisions
    assert (one.play, one.chosen) == ("fold", False)
    assert one.cost == 0
    assert one.absent > 0
    assert found.reckoning is not None
    assert [found.reckoning.absent, found.reckoning.short] == [one.absent, 0]
    assert adds_up(found.reckoning)


def test_a_void_round_has_decisions_and_no_luck() -> None:
    round = played(load(CMS), [{"ante": 1_000}], cards("2c 7d 9h As Ad"), lambda *_: "1x")
    upto = [place for place, one in enumerate(round.actions) if isinstance(one, Decide)][1]
    for mishap in (Misdeal("boxed card"), VoidHand(1, "supervisor")):
        actions = [*round.actions[:upto], mishap]
        found = review(round.opened, actions, 1)
        assert [one.play for one in found.decisions] == ["1x"]
        assert found.reckoning is None


def test_a_round_in_play_has_decisions_and_no_luck() -> None:
    round = played(load(CMS), [{"ante": 1_000}], cards("2c 7d 9h As Ad"), lambda *_: "1x")
    upto = [place for place, one in enumerate(round.actions) if isinstance(one, Decide)][2]
    found = review(round.opened, round.actions[:upto], 1)
    assert [(one.street, one.board) for one in found.decisions] == [
        ("flop", ()),
        ("turn", cards("2c")),
    ]
    assert found.reckoning is None


def test_a_spot_that_no_mathematics_knows_is_left_alone() -> None:
    """Decided before the cards were looked at."""
    round = played(load(CMS), [{"ante": 1_000}], cards("2c 7d 9h As Ad"), lambda *_: "1x")
    looked = [one for one in round.actions if isinstance(one, Turn) and one.place == 1]
    blind = [one for one in round.actions if one not in looked]
    first = next(place for place, one in enumerate(blind) if isinstance(one, Decide))
    actions = [*blind[: first + 1], *looked, *blind[first + 1 :]]
    assert replay(round.opened, actions).settlements == round.final.settlements
    assert review(round.opened, actions, 1) == Review(1, (), None)
