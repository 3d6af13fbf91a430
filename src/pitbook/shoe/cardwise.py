"""Verifies a proof that opens a round card by card against what was fixed before the bets."""

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
from pitbook.shoe.deck import describe_miscounts
from pitbook.shoe.judged import card_difference, shoe_differences
from pitbook.shoe.opened import DealtCard, OpenedRound, parse
from pitbook.shoe.order import history, positions, seeds_of
from pitbook.shoe.partly import (
    PartialRound,
    parse_partial_round,
    replay_partial,
    settlement_differences,
)
from pitbook.shoe.record import CARD_FORMAT
from pitbook.shoe.tree import commitment, leaf, root
from pitbook.shoe.verdict import DealDifference, DealtHand, DealVerdict, seat_at
from pitbook.text import say


def is_card_format(format: Any) -> bool:  # noqa: A002  The file's field name.
    """Whether a document has this format; `true` does not count as an integer."""
    return type(format) is int and format == CARD_FORMAT


def verify(document: dict[str, Any]) -> DealVerdict:
    """Verify a document against its commitment, seeds, sheet and record."""
    proof = parse(document)
    partial_round = parse_partial_round(proof.round)
    final = replay_partial(partial_round)
    if len(proof.cards) != len(partial_round.places):
        raise ShoeError(
            say("shoe.cards.count", listed=len(proof.cards), laid=len(partial_round.places))
        )
    spots = list(_dealt_cards(proof, partial_round, final))
    differences = (
        *_deck_differences(proof),
        *shoe_differences(proof.shoe.decks, proof.drawn, final.game.sheet),
        *(difference for spot in spots for difference in _card_differences(proof, spot)),
        *settlement_differences(partial_round, final),
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
    """A card of the deal: its place, its opening, and the card in the record."""

    place: str
    seat: int | None
    number: int
    opened: DealtCard
    due: int  # The position that the seeds select.
    turned: bool
    recorded: Card | None

    @property
    def description(self) -> str:
        return say("shoe.card.place", number=self.number, place=self.place)

    def difference(self, code: str, message: str) -> DealDifference:
        """A difference in this card."""
        return DealDifference(
            code,
            say("shoe.card.differs", card=self.description, message=message),
            None,
            self.place,
            self.number,
        )


def _dealt_cards(
    proof: OpenedRound, partial_round: PartialRound, final: Round
) -> Iterator[_DealtCard]:
    """Cards by place, the board first, in the order of the deal.

    The round has already been replayed, so no place has more cards turned than dealt.
    """
    piles: Mapping[PlaceNumber, list[tuple[DealtCard, int]]] = defaultdict(list)
    for place, opened, due in zip(
        partial_round.places, proof.cards, _due_positions(proof), strict=True
    ):
        piles[place].append((opened, due))
    for place, dealt in sorted(piles.items()):
        place_and_seat, named = (
            (place_name(final, place), seat_at(place)),
            partial_round.named.get(place, ()),
        )
        for number, (opened, due) in enumerate(dealt):
            turned = number < len(named)
            yield _DealtCard(
                *place_and_seat, number + 1, opened, due, turned, named[number] if turned else None
            )


def _deck_differences(proof: OpenedRound) -> Iterator[DealDifference]:
    """Checks that need the whole deck: it is complete, and it is the committed one."""
    shoe = proof.shoe
    if proof.deck is not None:
        if proof.deck.commitment != shoe.commitment:
            message = say("shoe.deck.other-hash")
            yield DealDifference("commitment", message)
        if (miscounts := describe_miscounts(proof.deck.cards, decks=shoe.decks)) is not None:
            yield DealDifference("deck", say("shoe.deck.not-full", cards=miscounts))
    card_counts = Counter(opened.card for opened in proof.cards if opened.card is not None)
    for card, times in sorted(card_counts.items()):
        if times > shoe.decks:
            yield DealDifference("deck", say("shoe.deck.too-often", card=name(card), times=times))


def _due_positions(proof: OpenedRound) -> Iterator[int]:
    """The positions that the seats' seeds select for this deal."""
    shoe = proof.shoe
    order = positions(shoe.commitment, seeds_of(shoe.seat_seeds), size=shoe.size, past=shoe.past)
    return islice(order, proof.drawn, proof.drawn + len(proof.cards))


def _card_differences(proof: OpenedRound, spot: _DealtCard) -> Iterator[DealDifference]:
    dealt_card = spot.opened
    if dealt_card.position != spot.due:
        message = say("shoe.card.other-position", position=dealt_card.position, due=spot.due)
        yield spot.difference("order", message)
    if dealt_card.card is not None and not _is_committed(proof, dealt_card):
        message = say(
            "shoe.card.not-committed", card=name(dealt_card.card), position=dealt_card.position
        )
        yield spot.difference("commitment", message)
    actual = dealt_card.card if proof.deck is None else proof.deck.cards[dealt_card.position]
    if spot.recorded is None and spot.turned and proof.deck is not None:
        yield spot.difference("closed", say("shoe.card.whole-deck-open"))
    elif spot.recorded is None and dealt_card.card is not None:
        yield spot.difference("closed", say("shoe.card.open"))
    elif spot.recorded is not None and actual is None:
        yield spot.difference("closed", say("shoe.card.not-opened", recorded=name(spot.recorded)))
    elif spot.recorded is not None and actual is not None and actual != spot.recorded:
        yield card_difference(spot.place, spot.number, spot.recorded, actual)


def _is_committed(proof: OpenedRound, opened: DealtCard) -> bool:
    """Whether the card's salt and path lead to the commitment published before the bets."""
    assert opened.card is not None
    shoe, start = proof.shoe, leaf(opened.position, opened.salt, opened.card)
    top = root(start, opened.path, position=opened.position, size=shoe.size)
    return top is not None and commitment(top, size=shoe.size, shoe=shoe.id) == shoe.commitment


def _hands(spots: list[_DealtCard]) -> tuple[DealtHand, ...]:
    piles: dict[tuple[str, int | None], list[_DealtCard]] = defaultdict(list)
    for spot in spots:
        piles[spot.place, spot.seat].append(spot)
    return tuple(
        DealtHand(
            place,
            tuple(dealt.recorded for dealt in pile if dealt.turned),
            sum(not dealt.turned for dealt in pile),
            seat,
        )
        for (place, seat), pile in piles.items()
    )
