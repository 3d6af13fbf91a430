"""Whole rounds through the engine, against PokerKit playing whole hands.

Ours is a single-seat Mississippi Stud round: wager, close, five cards dealt, two looked at, three
decisions with a community card after each, settlement. Theirs is a heads-up no-limit hold'em hand
checked down, with everything automated but dealing and the players' actions. Both run in this one
process on one thread and reach the money. Six seats with side wagers and hi-lo stand beside.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Sequence
from itertools import cycle
from time import perf_counter

from pokerkit import Automation, NoLimitTexasHoldem

import pitbook
from pitbook.cards import DECK, Card
from pitbook.money import Cents
from pitbook.rules.actions import BOARD, Action, Close, Deal, Decide, Settle, Turn, Wager
from pitbook.rules.round import Round, open_round
from pitbook.rules.step import step
from pitbook.sheets.model import Sheet

SEED = 52
DEALS = 100
SECONDS = 0.4
TIMES = 5
RATIO_MIN = 40

BY_HAND = (Automation.HOLE_DEALING, Automation.BOARD_DEALING)
HOLDEM = NoLimitTexasHoldem(
    tuple(one for one in Automation if one not in BY_HAND),
    ante_trimming_status=True,
    raw_antes=0,
    raw_blinds_or_straddles=(1, 2),
    min_bet=2,
)

Play = Callable[[tuple[Card, ...]], object]


def main() -> int:
    random.seed(SEED)  # PokerKit shuffles by the same luck.
    deals = [tuple(random.sample(DECK, 40)) for _ in range(DEALS)]
    stud = pitbook.load("catfish-bend/mississippi-stud")
    hi_lo = pitbook.load("catfish-bend/matchem-hi-lo")
    print(f"{DEALS} deals again and again, seed {SEED}, best of {TIMES} runs of {SECONDS} s")
    runs: dict[str, Play] = {
        "PokerKit, heads-up hold'em, checked down": checked_down,
        "Mississippi Stud, one seat": round_of(stud, [1], [], "1x"),
        "Mississippi Stud, six seats, bonus": round_of(stud, six(), ["three-card-bonus"], "1x"),
        "Match'em Hi-Lo, one spot": round_of(hi_lo, [1], [], "high"),
        "Match'em Hi-Lo, six spots, bonuses": round_of(hi_lo, six(), list(hi_lo.side), "high"),
    }
    rates = {label: rate(play, deals) for label, play in runs.items()}
    theirs = next(iter(rates.values()))
    for label, a_second in rates.items():
        print(f"{label:<42}{a_second:10,.0f} a second{a_second / theirs:8.1f} x PokerKit")
    return verdict(rates["Mississippi Stud, one seat"] / theirs)


def verdict(ratio: float) -> int:
    print(f"a stud round is {ratio:.0f} times as fast as a PokerKit hand; it must be {RATIO_MIN}")
    return 0 if ratio >= RATIO_MIN else 1


def six() -> list[int]:
    return list(range(1, 7))


def round_of(sheet: Sheet, seats: Sequence[int], side: Sequence[str], word: str) -> Play:
    """A function that plays a round of this sheet: every seat stays in and takes one play."""
    main, rule = open_round(sheet).game.main
    opened = open_round(sheet)
    bets: list[Action] = [Wager(seat, str(seat), main, rule.min) for seat in seats]
    bets += [Wager(seat, str(seat), one, Cents(500)) for seat in seats for one in side]
    hand_size = opened.game.hand_size

    def play(dealt: tuple[Card, ...]) -> Round:
        cards = iter(dealt)
        round = opened
        for action in bets:
            round = done(round, action)
        round = done(round, Close())
        while round.phase == "deal":
            round = done(round, Deal(round.to_deal[0]))
        for seat in seats:
            for _ in range(hand_size):
                round = done(round, Turn(seat, next(cards)))
        for turned in opened.game.turned_by:
            for seat in seats:
                round = done(round, Decide(seat, word))
            while len(round.board) < turned:
                round = done(round, Turn(BOARD, next(cards)))
        while round.phase == "settle":
            round = done(round, Settle())
        assert round.ending == "settled"
        return round

    return play


def done(round: Round, action: Action) -> Round:
    after = step(round, action)
    assert isinstance(after, Round), after
    return after


def checked_down(dealt: tuple[Card, ...]) -> object:
    """PokerKit's hand: blinds, hole cards, four streets of checks, showdown.

    It deals from its own deck, which it likes better than cards named from outside.
    """
    state = HOLDEM(raw_starting_stacks=(200, 200), player_count=2)
    state.deal_hole(2)
    state.deal_hole(2)
    for street in range(4):
        if street:
            state.deal_board()
        state.check_or_call()
        state.check_or_call()
    assert not state.status
    return state


def rate(play: Play, deals: Sequence[tuple[Card, ...]]) -> float:
    """The most plays a second of several runs."""
    play(deals[0])
    return max(one_rate(play, deals) for _ in range(TIMES))


def one_rate(play: Play, deals: Sequence[tuple[Card, ...]]) -> float:
    start = perf_counter()
    for played, dealt in enumerate(cycle(deals), start=1):
        play(dealt)
        if (taken := perf_counter() - start) >= SECONDS:
            return played / taken
    raise AssertionError("the deals never end")


if __name__ == "__main__":
    sys.exit(main())
