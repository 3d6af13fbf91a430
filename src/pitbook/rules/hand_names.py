"""Names of hands as they grow: what a hand is, what it pays and what is to come."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from pitbook.cards import Card, rank
from pitbook.hands.kinds import RANK_NAMES, catalogue
from pitbook.hands.ranking import best_kind, kind_of, rank_of
from pitbook.rules.game import Game, Hand
from pitbook.rules.pricing import NOTHING, Best, KindPay, Kinds, pay_by_kind
from pitbook.sheets.prose.words import odds_words, outcome
from pitbook.text import Sentence, capital, say

RankCounts = list[tuple[int, int]]  # How many cards of a rank, and the rank: the most first.
Poker = Kinds | Best
GROUPS = ("four-of-a-kind", "four-aces", "full-house", "three-of-a-kind", "two-pair")
HIGH = ("straight", "straight-flush", "flush")


class NamedHand(NamedTuple):
    """What a hand is called, what stands below its name, and the cards that it is made of."""

    name: str
    told: Sentence | None
    cards: tuple[Card, ...]


@lru_cache(maxsize=4_096)
def name_hand(
    game: Game, cards: tuple[Card, ...], common: tuple[tuple[Card, ...], ...], said: str | None
) -> NamedHand | None:
    """A seat's hand, of the cards that lie open; None where there is nothing to name."""
    if not cards:
        return None
    if len(cards) == game.hand_size and (points := game.points_of(cards)) is not None:
        low, high = points
        return NamedHand(say("game.named.points", said=said or "", low=low, high=high), None, cards)
    hand = _name_poker(game)
    return None if hand is None else _name_kind(game, hand, cards, common)


def _name_poker(game: Game) -> Hand | None:
    """The first hand of the game that a seat's own cards make, by the rules of poker."""
    own = (one for one in game.hands if 0 in one.places)
    return next((one for one in own if isinstance(one.ranking, (Kinds, Best))), None)


def _name_kind(
    game: Game, hand: Hand, cards: tuple[Card, ...], common: tuple[tuple[Card, ...], ...]
) -> NamedHand:
    seen = tuple(card for place in hand.places for card in (cards, *common)[place])
    left = sum(game.places[place].cards for place in hand.places) - len(seen)
    ranking = hand.ranking
    assert isinstance(ranking, (Kinds, Best))
    kind, best = _group_name(seen, ranking)
    return NamedHand(capital(_line_name(kind, best)), _sentence(_pay(game, hand, kind), left), best)


def _group_name(seen: tuple[Card, ...], ranking: Poker) -> tuple[str, tuple[Card, ...]]:
    """The kind of the best hand so far, and the cards that it is made of."""
    size, ace = ranking.cards, ranking.ace
    if len(seen) < size:
        return _partial_name(seen), seen
    if isinstance(ranking, Kinds) and ranking.many_decks:
        kinds = catalogue(size, many_decks=True)
        return kinds[kind_of(seen[:size], many_decks=True, ace=ace)].name, seen[:size]
    best = max(combinations(seen, size), key=lambda five: rank_of(five, ace))
    return catalogue(size)[best_kind(best, size, ace)].name, best


def _partial_name(seen: tuple[Card, ...]) -> str:
    """The kind of fewer cards than a hand has: equal ranks alone count."""
    (most, top), *others = _count_ranks(seen)
    second = others[0][0] if others else 0
    if most > 2:
        return "four-of-a-kind" if most > 3 else "three-of-a-kind"
    if most == 2:
        return "two-pair" if second == 2 else f"pair-{RANK_NAMES[top]}"
    return f"high-card-{RANK_NAMES[top]}"


def _count_ranks(cards: tuple[Card, ...]) -> RankCounts:
    ranks = [rank(card) for card in cards]
    return sorted(((ranks.count(one), one) for one in set(ranks)), reverse=True)


def _line_name(kind: str, cards: tuple[Card, ...]) -> Sentence:
    """A hand with its ranks: "kings full of nines", "flush, king high"."""
    ranks = [one for _, one in _count_ranks(cards)]
    if kind in GROUPS:
        first, second = _ranks(ranks[0]), _ranks(ranks[min(1, len(ranks) - 1)])
        return say("game.named.group", kind=kind, first=first, second=second)
    if kind in HIGH:
        return say("game.named.to", kind=kind, top=_rank(_top(kind, ranks)))
    return outcome(kind)


def _top(kind: str, ranks: list[int]) -> int:
    """The rank that heads it; an ace is the lowest in A-2-3."""
    falling = sorted(ranks, reverse=True)
    wheel = kind != "flush" and falling[0] - falling[1] > 1
    return falling[1] if wheel else falling[0]


def _ranks(one: int) -> Sentence:
    return say("words.ranks", rank=RANK_NAMES[one])


def _rank(one: int) -> Sentence:
    return say("words.rank", rank=RANK_NAMES[one])


def _pay(game: Game, hand: Hand, kind: str) -> KindPay | None:
    """What the main wagers are paid on it; None where that hangs on another hand too."""
    main = game.asked[0]
    if game.duels or main.wager != "main" or main.hand != hand.name:
        return None
    return _payout_note(game).get(kind, NOTHING)


@lru_cache(maxsize=64)
def _payout_note(game: Game) -> dict[str, KindPay]:
    hand = next(one for one in game.hands if one.name == game.asked[0].hand)
    assert isinstance(hand.ranking, Kinds)
    kinds = catalogue(hand.ranking.cards, many_decks=hand.ranking.many_decks)
    pays = game.tried or pay_by_kind(game.sheet, "main")
    return {kind.name: pay for kind, pay in zip(kinds, pays, strict=True)}


def _sentence(pay: KindPay | None, left: int) -> Sentence | None:
    """What it is paid as it stands, and how many cards are to come."""
    if pay is None:
        return say("game.named.to-come", left=left) if left else None
    told = {"result": pay.result, "odds": odds_words(pay.odds) if pay.odds else ""}
    return say("game.named.stands", **told, left=left) if left else say("game.named.paid", **told)
