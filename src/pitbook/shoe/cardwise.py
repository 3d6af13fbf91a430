"""A round opened card by card and judged: nothing but what was fixed before the bets was dealt."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from pitbook.cards import Card, name
from pitbook.errors import ShoeError
from pitbook.rules.actions import PlaceNumber
from pitbook.rules.round import Round
from pitbook.rules.step import place_name
from pitbook.shoe.deck import misses
from pitbook.shoe.judged import of_the_shoe, other_card
from pitbook.shoe.opened import DealtCard, OpenedRound, parse
from pitbook.shoe.order import history, positions, seeds_of
from pitbook.shoe.partly import Partly, dealt, of_the_money, partly
from pitbook.shoe.record import CARD_FORMAT
from pitbook.shoe.tree import commitment, leaf, root
from pitbook.shoe.verdict import DealDifference, DealVerdict, LaidHand, seat_at
from pitbook.text import say


def is_ours(format: Any) -> bool:  # noqa: A002  As the file has it.
    """Whether a document says that it is of this format; true is no number."""
    return type(format) is int and format == CARD_FORMAT


def verify(document: dict[str, Any]) -> DealVerdict:
    """What the document opens, held against commitment, seeds, sheet and record."""
    proof = parse(document)
    told = partly(proof.round)
    final = dealt(told)
    if len(proof.cards) != len(told.places):
        raise ShoeError(say("shoe.cards.count", listed=len(proof.cards), laid=len(told.places)))
    spots = list(_spots(proof, told, final))
    differences = (
        *_of_the_deck(proof),
        *of_the_shoe(proof.shoe.decks, proof.drawn, final.game.sheet),
        *(found for spot in spots for found in _of_the_card(proof, spot)),
        *of_the_money(told, final),
    )
    return DealVerdict(
        proof.shoe,
        proof.drawn,
        _hands(spots),
        differences,
        proof.round_id,
        whole=proof.deck is not None,
        cardwise=True,
        deals=len(proof.shoe.past),
        history=history(proof.shoe.commitment, proof.shoe.past),
    )


class _DealtCard(NamedTuple):
    """A card of the deal: where it lies, as which one, and what the record says of it."""

    place: str
    seat: int | None
    number: int
    laid: DealtCard
    due: int  # The position that the seeds choose.
    turned: bool
    recorded: Card | None

    @property
    def told(self) -> str:
        """The card in words."""
        return say("shoe.card.place", number=self.number, place=self.place)

    def differs(self, code: str, message: str) -> DealDifference:
        """Something that is wrong with this card."""
        return DealDifference(
            code,
            say("shoe.card.differs", card=self.told, message=message),
            None,
            self.place,
            self.number,
        )


def _spots(proof: OpenedRound, told: Partly, final: Round) -> Iterator[_DealtCard]:
    """Cards by place, the board's first, in the order of the deal.

    The round was played again by now: no place has more cards turned than dealt.
    """
    piles: Mapping[PlaceNumber, list[tuple[DealtCard, int]]] = defaultdict(list)
    for place, laid, due in zip(told.places, proof.cards, _due(proof), strict=True):
        piles[place].append((laid, due))
    for place, pile in sorted(piles.items()):
        where, named = (place_name(final, place), seat_at(place)), told.named.get(place, ())
        for number, (laid, due) in enumerate(pile):
            turned = number < len(named)
            yield _DealtCard(
                *where, number + 1, laid, due, turned, named[number] if turned else None
            )


def _of_the_deck(proof: OpenedRound) -> Iterator[DealDifference]:
    """What only the whole deck can show: that it is full, and that it is the one committed to."""
    shoe = proof.shoe
    if proof.deck is not None:
        if proof.deck.commitment != shoe.commitment:
            message = say("shoe.deck.other-hash")
            yield DealDifference("commitment", message)
        if (wrong := misses(proof.deck.cards, decks=shoe.decks)) is not None:
            yield DealDifference("deck", say("shoe.deck.not-full", cards=wrong))
    held = Counter(one.card for one in proof.cards if one.card is not None)
    for card, times in sorted(held.items()):
        if times > shoe.decks:
            yield DealDifference("deck", say("shoe.deck.too-often", card=name(card), times=times))


def _due(proof: OpenedRound) -> Iterator[int]:
    """The positions that the seats' seeds choose for this deal; nobody else has a say in it."""
    shoe = proof.shoe
    order = positions(shoe.commitment, seeds_of(shoe.seat_seeds), size=shoe.size, past=shoe.past)
    return islice(order, proof.drawn, proof.drawn + len(proof.cards))


def _of_the_card(proof: OpenedRound, spot: _DealtCard) -> Iterator[DealDifference]:
    laid = spot.laid
    if laid.position != spot.due:
        message = say("shoe.card.other-position", position=laid.position, due=spot.due)
        yield spot.differs("order", message)
    if laid.card is not None and not _is_committed(proof, laid):
        message = say("shoe.card.not-committed", card=name(laid.card), position=laid.position)
        yield spot.differs("commitment", message)
    opened = laid.card if proof.deck is None else proof.deck.cards[laid.position]
    if spot.recorded is None and spot.turned and proof.deck is not None:
        yield spot.differs("closed", say("shoe.card.whole-deck-open"))
    elif spot.recorded is None and laid.card is not None:
        yield spot.differs("closed", say("shoe.card.open"))
    elif spot.recorded is not None and opened is None:
        yield spot.differs("closed", say("shoe.card.not-opened", recorded=name(spot.recorded)))
    elif spot.recorded is not None and opened is not None and opened != spot.recorded:
        yield other_card(spot.place, spot.number, spot.recorded, opened)


def _is_committed(proof: OpenedRound, laid: DealtCard) -> bool:
    """Whether the card leads by its salt and path to what was published before the bets."""
    assert laid.card is not None
    shoe, start = proof.shoe, leaf(laid.position, laid.salt, laid.card)
    top = root(start, laid.path, position=laid.position, size=shoe.size)
    return top is not None and commitment(top, size=shoe.size, shoe=shoe.id) == shoe.commitment


def _hands(spots: list[_DealtCard]) -> tuple[LaidHand, ...]:
    piles: dict[tuple[str, int | None], list[_DealtCard]] = defaultdict(list)
    for spot in spots:
        piles[spot.place, spot.seat].append(spot)
    return tuple(
        LaidHand(
            place,
            tuple(one.recorded for one in pile if one.turned),
            sum(not one.turned for one in pile),
            seat,
        )
        for (place, seat), pile in piles.items()
    )
