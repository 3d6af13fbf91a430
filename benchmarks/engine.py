"""Whole rounds through the engine, compared with PokerKit playing whole hands.

Ours is a single-seat Mississippi Stud round: wager, close, five cards dealt, two looked at,
three decisions with a community card after each, settlement. Theirs is a heads-up no-limit
hold'em hand checked down, with everything automated except dealing and the players' actions.
Both run in this process on one thread, up to the payouts. Six seats with side wagers, and hi-lo,
are also measured.
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
    tuple(automation for automation in Automation if automation not in BY_HAND),
    ante_trimming_status=True,
    raw_antes=0,
    raw_blinds_or_straddles=(1, 2),
    min_bet=2,
)

Play = Callable[[tuple[Card, ...]], object]


def main() -> int:
    random.seed(SEED)  # PokerKit shuffles with the same generator.
    deals = [tuple(random.sample(DECK, 40)) for _ in range(DEALS)]
    stud = pitbook.load("catfish-bend/mississippi-stud")
    hi_lo = pitbook.load("catfish-bend/matchem-hi-lo")
    print(f"{DEALS} deals again and again, seed {SEED}, best of {TIMES} runs of {SECONDS} s")
    runs: dict[str, Play] = {
        "PokerKit, heads-up hold'em, checked down": play_pokerkit_hand,
        "Mississippi Stud, one seat": round_player(stud, [1], [], "1x"),
        "Mississippi Stud, six seats, bonus": round_player(
            stud, six_seats(), ["three-card-bonus"], "1x"
        ),
        "Match'em Hi-Lo, one spot": round_player(hi_lo, [1], [], "high"),
        "Match'em Hi-Lo, six spots, bonuses": round_player(
            hi_lo, six_seats(), list(hi_lo.side), "high"
        ),
    }
    rates = {label: rate(play, deals) for label, play in runs.items()}
    pokerkit_rate = next(iter(rates.values()))
    for label, per_second in rates.items():
        print(
            f"{label:<42}{per_second:10,.0f} a second{per_second / pokerkit_rate:8.1f} x PokerKit"
        )
    return verdict(rates["Mississippi Stud, one seat"] / pokerkit_rate)


def verdict(ratio: float) -> int:
    print(f"a stud round is {ratio:.0f} times as fast as a PokerKit hand; it must be {RATIO_MIN}")
    return 0 if ratio >= RATIO_MIN else 1


def six_seats() -> list[int]:
    return list(range(1, 7))


def round_player(sheet: Sheet, seats: Sequence[int], side: Sequence[str], play_name: str) -> Play:
    """A function that plays a round: every seat stays in and makes the same play."""
    main, rule = open_round(sheet).game.main
    opened_round = open_round(sheet)
    bets: list[Action] = [Wager(seat, str(seat), main, rule.min) for seat in seats]
    bets += [
        Wager(seat, str(seat), side_wager, Cents(500)) for seat in seats for side_wager in side
    ]
    hand_size = opened_round.game.hand_size

    def play(deck: tuple[Card, ...]) -> Round:
        cards = iter(deck)
        round_ = opened_round
        for action in bets:
            round_ = apply_action(round_, action)
        round_ = apply_action(round_, Close())
        while round_.phase == "deal":
            round_ = apply_action(round_, Deal(round_.to_deal[0]))
        for seat in seats:
            for _ in range(hand_size):
                round_ = apply_action(round_, Turn(seat, next(cards)))
        for board_size in opened_round.game.turned_by:
            for seat in seats:
                round_ = apply_action(round_, Decide(seat, play_name))
            while len(round_.board) < board_size:
                round_ = apply_action(round_, Turn(BOARD, next(cards)))
        while round_.phase == "settle":
            round_ = apply_action(round_, Settle())
        assert round_.ending == "settled"
        return round_

    return play


def apply_action(round_: Round, action: Action) -> Round:
    next_round = step(round_, action)
    assert isinstance(next_round, Round), next_round
    return next_round


def play_pokerkit_hand(deck: tuple[Card, ...]) -> object:
    """PokerKit's hand: blinds, hole cards, four streets of checks, showdown.

    It deals from its own deck, which is faster than naming cards.
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
    """The best rate of several runs, in plays per second."""
    play(deals[0])
    return max(measure_rate(play, deals) for _ in range(TIMES))


def measure_rate(play: Play, deals: Sequence[tuple[Card, ...]]) -> float:
    start = perf_counter()
    for count, deck in enumerate(cycle(deals), start=1):
        play(deck)
        if (elapsed := perf_counter() - start) >= SECONDS:
            return count / elapsed
    raise AssertionError("the deals never end")


if __name__ == "__main__":
    sys.exit(main())
