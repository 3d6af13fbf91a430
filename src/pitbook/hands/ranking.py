"""Ranks hands of two to five cards, and finds the best hand within up to seven."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import prod
from typing import NamedTuple

from pitbook.cards import DECK, Card, name, rank, suit
from pitbook.errors import CardError
from pitbook.hands.kinds import RANK_NAMES, Ace, hand_kinds
from pitbook.text import say

PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)  # One for each rank, two to ace.

_PRIME_OF_CARD = tuple(PRIMES[rank(card)] for card in DECK)
_SUIT_BIT_OF_CARD = tuple(1 << suit(card) for card in DECK)
_ACE = len(PRIMES) - 1
_GROUPS = {  # The two largest groups of equal ranks name such a hand.
    (4,): "four-of-a-kind",
    (4, 1): "four-of-a-kind",
    (3, 2): "full-house",
    (3, 1): "three-of-a-kind",
    (3,): "three-of-a-kind",
    (2, 2): "two-pair",
    (2, 1): "pair",
    (2,): "pair",
}
_FOUR_ACES = (_ACE,) * 4
_TO_THE_ACE = {3: "mini-royal", 5: "royal-flush"}  # Straight flushes with their own name.


class HandClass(NamedTuple):
    """Hands that no rule distinguishes: their ranks, descending, and whether all share one suit."""

    ranks: tuple[int, ...]
    suited: bool
    kind: int  # An index into hand_kinds(n).


def rank_of(cards: Sequence[Card], ace: Ace = "high-or-low") -> int:
    """The hand's rank among the classes of its size; higher is better, equal is a tie.

    >>> from pitbook.cards import cards
    >>> rank_of(cards("As Ks Qs Js Ts")), rank_of(cards("7c 5d 4h 3s 2c"))
    (7461, 0)
    """
    try:
        return rank_table(len(cards), ace)[_key(cards)]
    except KeyError:
        raise _refusal(cards) from None


def kind_of(cards: Sequence[Card], *, many_decks: bool = False, ace: Ace = "high-or-low") -> int:
    """The index of the hand's kind in `hand_kinds(len(cards), many_decks=many_decks)`."""
    try:
        return kind_table(len(cards), many_decks, ace)[_key(cards)]
    except KeyError:
        raise _refusal(cards) from None


@cache
def classes(n: int, ace: Ace = "high-or-low") -> tuple[HandClass, ...]:
    """Every class of n cards of one deck, ascending, so that a class's index is its rank."""
    places = {kind.name: index for index, kind in enumerate(hand_kinds(n))}
    ordered = []
    for ranks in combinations_with_replacement(range(_ACE, -1, -1), n):
        for suited in _suit_flags(ranks):
            kind_name, tie_break = _read(ranks, suited, ace)
            ordered.append(
                (places[kind_name], tie_break, HandClass(ranks, suited, places[kind_name]))
            )
    return tuple(hand for _, _, hand in sorted(ordered))


@cache
def rank_table(n: int, ace: Ace) -> dict[int, int]:
    """Class numbers by key."""
    return {key(hand.ranks, hand.suited): index for index, hand in enumerate(classes(n, ace))}


@cache
def kind_table(n: int, many_decks: bool, ace: Ace) -> dict[int, int]:
    """Kinds by key."""
    if not many_decks:
        return {key(hand.ranks, hand.suited): hand.kind for hand in classes(n, ace)}
    places = {kind.name: index for index, kind in enumerate(hand_kinds(n, many_decks=True))}
    names = [kind.name for kind in hand_kinds(n)]
    table = {}
    for hand in classes(n, ace):
        table[key(hand.ranks, hand.suited)] = places[names[hand.kind]]
        for suited in (False, True):
            if twins := _twins_name(names[hand.kind], suited):
                table[key(hand.ranks, suited, twins=True)] = places[twins]
    return table


def key(ranks: Iterable[int], suited: bool, *, twins: bool = False) -> int:
    """A number shared only by the hands of one class; twins are two identical cards."""
    return prod(PRIMES[rank] for rank in ranks) << 2 | suited << 1 | twins


def _key(cards: Sequence[Card]) -> int:
    primes, suits = _PRIME_OF_CARD, _SUIT_BIT_OF_CARD
    if len(cards) == 5:  # Without a loop it takes half the time.
        a, b, c, d, e = cards
        product = primes[a] * primes[b] * primes[c] * primes[d] * primes[e]
        common = suits[a] & suits[b] & suits[c] & suits[d] & suits[e]
    else:
        product, common = 1, 15
        for card in cards:
            product *= primes[card]
            common &= suits[card]
    return product << 2 | (common > 0) << 1 | (len({*cards}) < len(cards))


def _suit_flags(ranks: tuple[int, ...]) -> tuple[bool, ...]:
    if len(ranks) == 1:
        return (True,)
    if len(set(ranks)) == len(ranks):
        return (False, True)
    return (False,) if len(ranks) < 5 or len(set(ranks)) > 1 else ()


def _read(ranks: tuple[int, ...], suited: bool, ace: Ace) -> tuple[str, list[tuple[int, int]]]:
    """The hand's name, and its tie-breaker within that name."""
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    kind_name = _GROUPS.get(tuple(count for count, _ in groups[:2]))
    if kind_name == "pair":
        return f"pair-{RANK_NAMES[groups[0][1]]}", groups
    if kind_name:
        return ("four-aces" if ranks == _FOUR_ACES else kind_name), groups
    top = _straight_top(ranks, ace) if len(ranks) > 1 else None
    if top is None:
        plain = len(ranks) == 1 or not suited
        return (f"high-card-{RANK_NAMES[ranks[0]]}" if plain else "flush"), groups
    if suited and top == _ACE and len(ranks) in _TO_THE_ACE:
        return _TO_THE_ACE[len(ranks)], groups
    return ("straight-flush" if suited else "straight"), [(1, top)]


def _straight_top(ranks: tuple[int, ...], ace: Ace) -> int | None:
    """The top rank of the straight formed by these descending ranks, or None (GEN-1)."""
    if ranks[0] - ranks[-1] == len(ranks) - 1:
        return ranks[0]
    if ace == "high-or-low" and ranks[0] == _ACE and ranks[1] == len(ranks) - 2:
        return ranks[1]
    return None


def _twins_name(kind_name: str, suited: bool) -> str | None:
    """The name of a three-card hand in which two or all cards are identical."""
    if kind_name.startswith("pair-"):
        return f"suited-{kind_name}-flush" if suited else f"suited-{kind_name}"
    if kind_name == "three-of-a-kind":
        return "suited-three-of-a-kind" if suited else kind_name
    return None


def _refusal(cards: Sequence[Card]) -> CardError:
    twins = sorted(card for card in set(cards) if list(cards).count(card) > 1)
    return CardError(say("cards.ranking.twice", card=name(twins[0])))


SUITED = 2  # The bit of a key for one suit.


def best_rank(cards: Sequence[Card], size: int, ace: Ace = "high-or-low") -> int:
    """The rank, as `rank_of` gives it, of the best hand of that size within the cards.

    >>> from pitbook.cards import cards
    >>> best_rank(cards("As Ks Qs Js Ts 2c 2d"), 5) == rank_of(cards("As Ks Qs Js Ts"))
    True
    """
    if len(cards) < size:
        raise CardError(say("cards.best.too-few", cards=len(cards), size=size))
    if len(cards) == size:
        return rank_of(cards, ace)
    if size == 1:  # A single card is always suited.
        return max(rank_of((card,), ace) for card in cards)
    table, primes = rank_table(size, ace), [PRIMES[rank(card)] for card in cards]
    product_of_all, left_out = prod(primes), combinations(primes, len(cards) - size)
    # Apart from suits, a hand's key is the product of all ranks divided by those left out.
    best = max(table[product_of_all // prod(omitted) << 2] for omitted in left_out)
    suits = [suit(card) for card in cards]
    for flush_suit in {flush_suit for flush_suit in suits if suits.count(flush_suit) >= size}:
        suited_primes = [
            prime for prime, card_suit in zip(primes, suits, strict=True) if card_suit == flush_suit
        ]
        flushes = (table[prod(hand) << 2 | SUITED] for hand in combinations(suited_primes, size))
        best = max(best, *flushes)
    return best


def best_kind(cards: Sequence[Card], size: int, ace: Ace = "high-or-low") -> int:
    """The kind of the best hand of that size within the cards."""
    return kind_of_rank(size, ace)[best_rank(cards, size, ace)]


@cache
def kind_of_rank(size: int, ace: Ace = "high-or-low") -> tuple[int, ...]:
    """The kind of each rank."""
    return tuple(hand.kind for hand in classes(size, ace))
