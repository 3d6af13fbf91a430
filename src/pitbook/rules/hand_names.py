"""Names of partial and complete hands, with their payout and the number of cards to come."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from pitbook.cards import Card, rank
from pitbook.hands.kinds import RANK_NAMES, hand_kinds
from pitbook.hands.ranking import best_kind, kind_of, rank_of
from pitbook.rules.game import Game, Hand
from pitbook.rules.settlement_lines import NOTHING, Best, KindPay, Kinds, pay_by_kind
from pitbook.sheets.phrases import odds_words, outcome
from pitbook.text import Sentence, capital, say

RankCounts = list[tuple[int, int]]  # Count and rank, largest count first.
Poker = Kinds | Best
GROUPS = ("four-of-a-kind", "four-aces", "full-house", "three-of-a-kind", "two-pair")
HIGH = ("straight", "straight-flush", "flush")


class NamedHand(NamedTuple):
    """The name of a hand, the note below it, and the cards that make it."""

    name: str
    note: Sentence | None
    cards: tuple[Card, ...]


@lru_cache(maxsize=4_096)
def name_hand(
    game: Game,
    cards: tuple[Card, ...],
    common: tuple[tuple[Card, ...], ...],
    declaration: str | None,
) -> NamedHand | None:
    """The name of a seat's hand from its open cards; None without cards to name."""
    if not cards:
        return None
    if len(cards) == game.hand_size and (points := game.points_of(cards)) is not None:
        low, high = points
        return NamedHand(
            say("game.named.points", said=declaration or "", low=low, high=high), None, cards
        )
    hand = _name_poker(game)
    return None if hand is None else _name_kind(game, hand, cards, common)


def _name_poker(game: Game) -> Hand | None:
    """The game's first poker hand that uses a seat's own cards."""
    seat_hands = (hand for hand in game.hands if 0 in hand.places)
    return next((hand for hand in seat_hands if isinstance(hand.ranking, (Kinds, Best))), None)


def _name_kind(
    game: Game, hand: Hand, cards: tuple[Card, ...], common: tuple[tuple[Card, ...], ...]
) -> NamedHand:
    open_cards = tuple(card for place in hand.places for card in (cards, *common)[place])
    remaining = sum(game.places[place].cards for place in hand.places) - len(open_cards)
    ranking = hand.ranking
    assert isinstance(ranking, (Kinds, Best))
    kind, best_cards = _group_name(open_cards, ranking)
    return NamedHand(
        capital(_line_name(kind, best_cards)), _note(_pay(game, hand, kind), remaining), best_cards
    )


def _group_name(open_cards: tuple[Card, ...], ranking: Poker) -> tuple[str, tuple[Card, ...]]:
    """The kind of the best hand so far, and its cards."""
    size, ace = ranking.cards, ranking.ace
    if len(open_cards) < size:
        return _partial_name(open_cards), open_cards
    if isinstance(ranking, Kinds) and ranking.many_decks:
        kinds = hand_kinds(size, many_decks=True)
        return kinds[kind_of(open_cards[:size], many_decks=True, ace=ace)].name, open_cards[:size]
    best = max(combinations(open_cards, size), key=lambda five: rank_of(five, ace))
    return hand_kinds(size)[best_kind(best, size, ace)].name, best


def _partial_name(open_cards: tuple[Card, ...]) -> str:
    """The kind of an incomplete hand: only equal ranks count."""
    (top_count, top), *others = _count_ranks(open_cards)
    second = others[0][0] if others else 0
    if top_count > 2:
        return "four-of-a-kind" if top_count > 3 else "three-of-a-kind"
    if top_count == 2:
        return "two-pair" if second == 2 else f"pair-{RANK_NAMES[top]}"
    return f"high-card-{RANK_NAMES[top]}"


def _count_ranks(cards: tuple[Card, ...]) -> RankCounts:
    ranks = [rank(card) for card in cards]
    return sorted(
        ((ranks.count(rank_number), rank_number) for rank_number in set(ranks)), reverse=True
    )


def _line_name(kind: str, cards: tuple[Card, ...]) -> Sentence:
    """A hand with its ranks: "kings full of nines", "flush, king high"."""
    ranks = [rank_number for _, rank_number in _count_ranks(cards)]
    if kind in GROUPS:
        first, second = _plural_rank(ranks[0]), _plural_rank(ranks[min(1, len(ranks) - 1)])
        return say("game.named.group", kind=kind, first=first, second=second)
    if kind in HIGH:
        return say("game.named.to", kind=kind, top=_rank(_top_rank(kind, ranks)))
    return outcome(kind)


def _top_rank(kind: str, ranks: list[int]) -> int:
    """The highest rank of a hand; in A-2-3 the ace is low."""
    falling = sorted(ranks, reverse=True)
    wheel = kind != "flush" and falling[0] - falling[1] > 1
    return falling[1] if wheel else falling[0]


def _plural_rank(rank_number: int) -> Sentence:
    return say("words.ranks", rank=RANK_NAMES[rank_number])


def _rank(rank_number: int) -> Sentence:
    return say("words.rank", rank=RANK_NAMES[rank_number])


def _pay(game: Game, hand: Hand, kind: str) -> KindPay | None:
    """The pay of the main wagers; None if it depends on another hand too."""
    main = game.wager_rules[0]
    if game.duels or main.wager != "main" or main.hand != hand.name:
        return None
    return _main_pays(game).get(kind, NOTHING)


@lru_cache(maxsize=64)
def _main_pays(game: Game) -> dict[str, KindPay]:
    hand = next(hand for hand in game.hands if hand.name == game.wager_rules[0].hand)
    assert isinstance(hand.ranking, Kinds)
    kinds = hand_kinds(hand.ranking.cards, many_decks=hand.ranking.many_decks)
    pays = game.trial_pays or pay_by_kind(game.sheet, "main")
    return {kind.name: pay for kind, pay in zip(kinds, pays, strict=True)}


def _note(pay: KindPay | None, remaining: int) -> Sentence | None:
    """The current payout of a hand, and the number of cards to come."""
    if pay is None:
        return say("game.named.to-come", left=remaining) if remaining else None
    values = {"result": pay.result, "odds": odds_words(pay.odds) if pay.odds else ""}
    return (
        say("game.named.stands", **values, left=remaining)
        if remaining
        else say("game.named.paid", **values)
    )
