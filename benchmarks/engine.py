"""Whole rounds through the engine, compared with PokerKit playing whole hands.

Ours is a single-seat Mississippi Stud round: wager, close, five cards dealt, two looked at,
three decisions with a community card after each, settlement. Theirs is a heads-up no-limit
hold'em hand checked down, with everything automated except dealing and the players' actions.
Both run in this process on one thread, up to the payouts. Our actions are written down and played
in one call, as a stored round is replayed. One seat step by step, six seats with side wagers, and
hi-lo are also measured.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import cycle, pairwise
from time import process_time

from pokerkit import Automation, NoLimitTexasHoldem

import pitbook
from pitbook.cards import DECK, Card
from pitbook.money import Cents
from pitbook.rules.actions import BOARD, Action, Close, Deal, Decide, Settle, Turn, Wager
from pitbook.rules.round import Round, open_round
from pitbook.rules.step import play_actions, step
from pitbook.sheets.model import Sheet

SEED = 52
DEALS = 100
SECONDS = 0.4
TIMES = 5
RATIO_MIN = 90

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
    print(
        f"{DEALS} deals again and again, seed {SEED}, best of {TIMES} runs of {SECONDS} s CPU time"
    )
    one_seat = round_script(stud, [1], [], "1x")
    six_seats = round_script(stud, range(1, 7), ["three-card-bonus"], "1x")
    one_spot = round_script(hi_lo, [1], [], "high")
    six_spots = round_script(hi_lo, range(1, 7), list(hi_lo.side), "high")
    runs: dict[str, Play] = {
        "PokerKit, heads-up hold'em, checked down": play_pokerkit_hand,
        "Mississippi Stud, one seat": round_player(one_seat, stud),
        "Mississippi Stud, one seat, step by step": step_player(one_seat, stud),
        "Mississippi Stud, six seats, bonus": round_player(six_seats, stud),
        "Match'em Hi-Lo, one spot": round_player(one_spot, hi_lo),
        "Match'em Hi-Lo, six spots, bonuses": round_player(six_spots, hi_lo),
    }
    rates = best_rates(runs, deals)
    pokerkit_rate = next(iter(rates.values()))
    for label, per_second in rates.items():
        print(
            f"{label:<42}{per_second:10,.0f} a second{per_second / pokerkit_rate:8.1f} x PokerKit"
        )
    return verdict(rates["Mississippi Stud, one seat"] / pokerkit_rate)


def verdict(ratio: float) -> int:
    print(f"a stud round is {ratio:.0f} times as fast as a PokerKit hand; it must be {RATIO_MIN}")
    return 0 if ratio >= RATIO_MIN else 1


Script = Callable[[tuple[Card, ...]], list[Action]]


def round_script(sheet: Sheet, seats: Sequence[int], side: Sequence[str], play_name: str) -> Script:
    """A function that writes down a round: every seat stays in and makes the same play."""
    opened_round = open_round(sheet)
    game, (main, rule) = opened_round.game, opened_round.game.main
    bets: list[Action] = [Wager(seat, str(seat), main, rule.min) for seat in seats]
    bets += [
        Wager(seat, str(seat), side_wager, Cents(500)) for seat in seats for side_wager in side
    ]
    closed = play_all(opened_round, [*bets, Close()])
    opening = [*bets, Close(), *(Deal(place) for place in closed.to_deal)]
    decisions = [Decide(seat, play_name) for seat in seats]
    payments = [Settle() for _ in sheet.settlement.passes for _ in seats]

    own_places = [seat for seat in seats for _ in range(game.hand_size)]
    board_sizes = (0, *game.turned_by)
    board_places = [[BOARD] * (after - before) for before, after in pairwise(board_sizes)]

    def script(deck: tuple[Card, ...]) -> list[Action]:
        cards = iter(deck)
        actions = [*opening, *map(Turn, own_places, cards)]
        for places in board_places:
            actions += decisions
            actions += map(Turn, places, cards)
        actions += payments
        return actions

    return script


def round_player(script: Script, sheet: Sheet) -> Play:
    """A function that writes a round down and plays it to its end."""
    opened_round = open_round(sheet)

    def play(deck: tuple[Card, ...]) -> Round:
        round_ = play_all(opened_round, script(deck))
        assert round_.ending == "settled"
        return round_

    return play


def step_player(script: Script, sheet: Sheet) -> Play:
    """The same, with a frozen round after every action."""
    opened_round = open_round(sheet)

    def play(deck: tuple[Card, ...]) -> Round:
        round_ = opened_round
        for action in script(deck):
            next_round = step(round_, action)
            assert isinstance(next_round, Round), next_round
            round_ = next_round
        assert round_.ending == "settled"
        return round_

    return play


def play_all(round_: Round, actions: list[Action]) -> Round:
    final_round = play_actions(round_, actions)
    assert isinstance(final_round, Round), final_round
    return final_round


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


def best_rates(runs: Mapping[str, Play], deals: Sequence[tuple[Card, ...]]) -> dict[str, float]:
    """The best rates of several runs, in plays per second of CPU time.

    The plays take turns, so that a busy moment slows all alike.
    """
    rates = dict.fromkeys(runs, 0.0)
    for _ in range(TIMES):
        for label, play in runs.items():
            rates[label] = max(rates[label], measure_rate(play, deals))
    return rates


def measure_rate(play: Play, deals: Sequence[tuple[Card, ...]]) -> float:
    play(deals[0])
    start = process_time()
    for count, deck in enumerate(cycle(deals), start=1):
        play(deck)
        if not count % len(deals) and (elapsed := process_time() - start) >= SECONDS:
            return count / elapsed
    raise AssertionError("the deals never end")


if __name__ == "__main__":
    sys.exit(main())
