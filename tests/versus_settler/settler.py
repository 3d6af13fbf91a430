"""Each game's wagers paid by its rules, wager by wager, as a dealer does with all cards open.

Amounts are cents. A result is what a wager comes to beside its stake: won, lost (less than nothing)
or 0 where it goes back. Wagers that a player did not make, or took back, have none; a bonus that is
paid on another wager's stake has one only where it is won.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

from tests.versus_settler.hands import ACE, KING, QUEEN, TEN, Value, at_least, best, kind

Odds = int | Fraction
Table = Mapping[str, Odds]
Results = dict[str, int]
HALF_AGAIN = Fraction(3, 2)


class Hand(NamedTuple):
    """The final state of a seat: its cards, the dealer's, the community cards, its bets and
    plays.
    """

    hole: tuple[int, ...]
    dealer: tuple[int, ...]
    board: tuple[int, ...]
    bets: Mapping[str, int]
    plays: tuple[str, ...]

    @property
    def folded(self) -> bool:
        return "fold" in self.plays

    def play_multiple(self) -> int:
        """The multiple of the ante raised by a play."""
        return sum(int(play[:-1]) for play in self.plays if play.endswith("x"))


def compare_values(player_value: Value, dealer_value: Value) -> int:
    return (player_value > dealer_value) - (player_value < dealer_value)


def times(stake: int, odds: Odds) -> int:
    won = stake * Fraction(odds)
    assert won.denominator == 1
    return int(won)


def by_table(hand: Hand, wager: str, table: Table, name: str) -> Results:
    """A wager settled by its pay table alone; unlisted hands lose."""
    stake = hand.bets.get(wager, 0)
    if not stake:
        return {}
    return {wager: times(stake, table[name]) if name in table else -stake}


def lost(hand: Hand, *wagers: str) -> Results:
    """Wagers lost with a fold, if they were made."""
    return {wager: -hand.bets[wager] for wager in wagers if hand.bets.get(wager)}


# The dealer has three cards ----------------------------------------------------------------------

PAIR_PLUS: Table = {
    "mini-royal": 40,
    "straight-flush": 40,
    "three": 30,
    "straight": 6,
    "flush": 3,
    "pair": 1,
}
SIX_CARD: Table = {
    "royal": 1000,
    "straight-flush": 200,
    "four": 50,
    "full-house": 25,
    "flush": 20,
    "straight": 10,
    "three": 5,
}
ANTE_BONUS: Table = {"mini-royal": 5, "straight-flush": 5, "three": 4, "straight": 1}


def three_card_poker(hand: Hand) -> Results:
    """58 Pa. Code 649a."""
    ante, player_value = hand.bets.get("ante", 0), best(hand.hole, 3)
    player_kind = kind(player_value, 3)
    results: Results = {}
    if not ante:
        return by_table(hand, "pair-plus", PAIR_PLUS, player_kind)
    if hand.bets.get("six-card-bonus"):
        six = kind(best(hand.hole + hand.dealer, 5), 5)
        results |= by_table(hand, "six-card-bonus", SIX_CARD, six)
    if hand.folded:
        return results | lost(hand, "ante", "pair-plus")
    results |= by_table(hand, "pair-plus", PAIR_PLUS, player_kind)
    if player_kind in ANTE_BONUS:
        results["ante-bonus"] = times(ante, ANTE_BONUS[player_kind])
    dealer = best(hand.dealer, 3)
    if not at_least(dealer, 3, "high", QUEEN):
        return results | {"ante": ante, "play": 0}
    ahead = compare_values(player_value, dealer)
    return results | {"ante": ahead * ante, "play": ahead * ante}


BLIND_OF_THREE: Table = {
    "mini-royal": 100,
    "straight-flush": 8,
    "three": 6,
    "straight": HALF_AGAIN,
    "flush": 1,
}


def ultimate_three_card_poker(hand: Hand) -> Results:
    """Below queen high only the Ante pushes."""
    if hand.folded:
        return lost(hand, "ante", "blind")
    ante, player_value, dealer = hand.bets["ante"], best(hand.hole, 3), best(hand.dealer, 3)
    ahead = compare_values(player_value, dealer)
    qualifies = at_least(dealer, 3, "high", QUEEN)
    blind = times(ante, BLIND_OF_THREE.get(kind(player_value, 3), 0)) if ahead > 0 else ahead * ante
    return {
        "ante": ahead * ante if qualifies else 0,
        "blind": blind,
        "play": ahead * ante * hand.play_multiple(),
    }


# Five cards --------------------------------------------------------------------------------------

RAISE: Table = {
    "royal": 100,
    "straight-flush": 50,
    "four": 20,
    "full-house": 7,
    "flush": 5,
    "straight": 4,
    "three": 3,
    "two-pair": 2,
}


def caribbean_stud(hand: Hand) -> Results:
    """The Raise is two Antes."""
    if hand.folded:
        return lost(hand, "ante")
    ante, player_value, dealer = hand.bets["ante"], best(hand.hole, 5), best(hand.dealer, 5)
    if not at_least(dealer, 5, "high", ACE, KING):
        return {"ante": ante, "raise": 0}
    ahead = compare_values(player_value, dealer)
    odds = RAISE.get(kind(player_value, 5), 1) if ahead > 0 else ahead
    return {"ante": ahead * ante, "raise": times(2 * ante, odds)}


BLIND: Table = {
    "royal": 500,
    "straight-flush": 50,
    "four": 10,
    "full-house": 3,
    "flush": HALF_AGAIN,
    "straight": 1,
}
TRIPS: Table = {
    "royal": 50,
    "straight-flush": 40,
    "four": 30,
    "full-house": 8,
    "flush": 7,
    "straight": 4,
    "three": 3,
}


def ultimate_texas_holdem(hand: Hand) -> Results:
    """58 Pa. Code 653a."""
    ante, player_value = hand.bets["ante"], best(hand.hole + hand.board, 5)
    player_kind = kind(player_value, 5)
    if hand.folded:
        return lost(hand, "ante", "blind") | by_table(hand, "trips", TRIPS, player_kind)
    dealer = best(hand.dealer + hand.board, 5)
    ahead = compare_values(player_value, dealer)
    blind = times(ante, BLIND.get(player_kind, 0)) if ahead > 0 else ahead * ante
    return {
        "ante": ahead * ante if at_least(dealer, 5, "pair") else 0,
        "blind": blind,
        "play": ahead * ante * hand.play_multiple(),
        **by_table(hand, "trips", TRIPS, player_kind),
    }


CALLED: Table = {"royal": 100, "straight-flush": 20, "four": 10, "full-house": 3, "flush": 2}


def casino_holdem(hand: Hand) -> Results:
    """The Call is two Antes; the Ante is paid by the table."""
    if hand.folded:
        return lost(hand, "ante")
    ante, player_value = hand.bets["ante"], best(hand.hole + hand.board, 5)
    dealer = best(hand.dealer + hand.board, 5)
    by_hand = times(ante, CALLED.get(kind(player_value, 5), 1))
    if not at_least(dealer, 5, "pair", 2):
        return {"ante": by_hand, "call": 0}
    ahead = compare_values(player_value, dealer)
    return {"ante": by_hand if ahead > 0 else ahead * ante, "call": ahead * 2 * ante}


# Four cards --------------------------------------------------------------------------------------

SUPER_BONUS: Table = {
    "four-aces": 200,
    "four": 30,
    "straight-flush": 15,
    "three": 2,
    "flush": HALF_AGAIN,
    "straight": 1,
}
QUEENS_UP: Table = {
    "four-aces": 50,
    "four": 50,
    "straight-flush": 40,
    "three": 8,
    "flush": 4,
    "straight": 3,
    "two-pair": 2,
    "pair": 1,
}


def crazy_4_poker(hand: Hand) -> Results:
    """58 Pa. Code 657a."""
    ante, player_value = hand.bets["ante"], best(hand.hole, 4)
    player_kind = kind(player_value, 4)
    up = player_kind if player_kind != "pair" or player_value[1][0] >= QUEEN else "less"
    side = by_table(hand, "queens-up", QUEENS_UP, up)
    if hand.folded:
        return lost(hand, "ante", "super-bonus", "queens-up")
    dealer = best(hand.dealer, 4)
    ahead, raised = compare_values(player_value, dealer), ante * hand.play_multiple()
    qualifies = at_least(dealer, 4, "high", KING)
    bonus = (
        times(ante, SUPER_BONUS[player_kind])
        if player_kind in SUPER_BONUS
        else min(ahead, 0) * ante
    )
    return {
        "ante": ahead * ante if qualifies else 0,
        "play": ahead * raised if qualifies else raised,
        "super-bonus": bonus,
        **side,
    }


AUTOMATIC: Table = {"four-aces": 25, "four": 25, "straight-flush": 20, "three": 2}
ACES_UP: Table = {
    "four-aces": 50,
    "four": 50,
    "straight-flush": 40,
    "three": 8,
    "flush": 5,
    "straight": 4,
    "two-pair": 3,
    "pair": 1,
}


def four_card_poker(hand: Hand) -> Results:
    """58 Pa. Code 641a: the dealer has six cards and always plays; ties win for the player."""
    ante, player_value = hand.bets["ante"], best(hand.hole, 4)
    player_kind = kind(player_value, 4)
    up = player_kind if player_kind != "pair" or player_value[1][0] == ACE else "less"
    if hand.folded:
        return lost(hand, "ante", "aces-up")
    ahead = 1 if player_value >= best(hand.dealer, 4) else -1
    bonus = {"ante-bonus": times(ante, AUTOMATIC[player_kind])} if player_kind in AUTOMATIC else {}
    return {
        "ante": ahead * ante,
        "play": ahead * ante * hand.play_multiple(),
        **bonus,
        **by_table(hand, "aces-up", ACES_UP, up),
    }


# One card, and a pay table alone -----------------------------------------------------------------


def casino_war(hand: Hand) -> Results:
    """A tie is a war, or half is surrendered; a tie in the war wins."""
    ante, player_rank, dealer = hand.bets["ante"], hand.hole[0] // 4, hand.dealer[0] // 4
    tie = hand.bets.get("tie", 0)
    side = {"tie": 10 * tie if player_rank == dealer else -tie} if tie else {}
    if player_rank != dealer:
        return {"ante": ante if player_rank > dealer else -ante, **side}
    if "surrender" in hand.plays:
        return {"ante": -(ante // 2), **side}
    won = hand.hole[1] // 4 >= hand.dealer[1] // 4
    return {"ante": 0 if won else -ante, "raise": ante if won else -ante, **side}


RIDE: Table = {
    "royal": 1000,
    "straight-flush": 200,
    "four": 50,
    "full-house": 11,
    "flush": 8,
    "straight": 5,
    "three": 3,
    "two-pair": 2,
}


def let_it_ride(hand: Hand) -> Results:
    """58 Pa. Code 643a: two of three bets may have been withdrawn."""
    player_value = best(hand.hole + hand.board, 5)
    odds = RIDE.get(kind(player_value, 5), 1 if at_least(player_value, 5, "pair", TEN) else -1)
    stays = ["ante"]
    stays += [
        bet for bet, play in zip(("bet-1", "bet-2"), hand.plays, strict=True) if play == "ride"
    ]
    side = by_table(hand, "three-card-bonus", PAIR_PLUS, kind(best(hand.hole, 3), 3))
    return {bet: times(hand.bets["ante"], odds) for bet in stays} | side


STREETS: Table = {
    "royal": 500,
    "straight-flush": 100,
    "four": 40,
    "full-house": 10,
    "flush": 6,
    "straight": 4,
    "three": 3,
    "two-pair": 2,
}


def mississippi_stud(hand: Hand) -> Results:
    """58 Pa. Code 655a: the bonus depends on the board and survives a fold."""
    ante, streets = hand.bets["ante"], ("3rd-street", "4th-street", "5th-street")
    side: Results = {}
    if hand.bets.get("three-card-bonus"):
        side = by_table(hand, "three-card-bonus", PAIR_PLUS, kind(best(hand.board, 3), 3))
    stakes = {"ante": ante}
    for street, play in zip(streets, hand.plays, strict=False):
        if play != "fold":
            stakes[street] = int(play[:-1]) * ante
    if hand.folded:
        return {wager: -stake for wager, stake in stakes.items()} | side
    player_value = best(hand.hole + hand.board, 5)
    pair = player_value[1][0] if kind(player_value, 5) == "pair" else -1
    less = 1 if pair > TEN else 0 if pair >= 4 else -1
    odds = STREETS.get(kind(player_value, 5), less)
    return {wager: times(stake, odds) for wager, stake in stakes.items()} | side


SETTLERS: dict[str, Callable[[Hand], Results]] = {
    "pennsylvania/three-card-poker": three_card_poker,
    "pennsylvania/ultimate-texas-holdem": ultimate_texas_holdem,
    "pennsylvania/let-it-ride": let_it_ride,
    "pennsylvania/crazy-4-poker": crazy_4_poker,
    "pennsylvania/four-card-poker": four_card_poker,
    "pennsylvania/mississippi-stud": mississippi_stud,
    "classic/caribbean-stud": caribbean_stud,
    "classic/casino-holdem": casino_holdem,
    "classic/ultimate-three-card-poker": ultimate_three_card_poker,
    "classic/casino-war": casino_war,
}
