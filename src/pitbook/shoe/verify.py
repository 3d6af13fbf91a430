"""Verifies a proof: deals the round again, or opens it card by card, and checks the record."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from pitbook.cards import Card, name
from pitbook.errors import RoundError, ShoeError
from pitbook.rules.actions import Action, Deal, Expose, PlaceNumber, Turn
from pitbook.rules.round import Round
from pitbook.rules.step import place_name
from pitbook.rules.stored_rounds import replay, replay_stored, restore
from pitbook.sheets.model import Sheet
from pitbook.shoe.commitments import commitment, describe_miscounts, leaf, root
from pitbook.shoe.dealing import history, positions, seeds_of
from pitbook.shoe.packs import fresh_due
from pitbook.shoe.proof import (
    DealtCard,
    OpenedRound,
    Proof,
    parse_card_proof,
    parse_revealed_proof,
)
from pitbook.shoe.redacted_rounds import (
    PartialRound,
    parse_partial_round,
    partial_settlement_differences,
    replay_partial,
)
from pitbook.shoe.stored_shoe import (
    CARD_FORMAT,
    commitment_of,
    secret_of,
)
from pitbook.shoe.verdict import DealDifference, DealtHand, DealVerdict, seat_at
from pitbook.text import say, sentence_of

# Checks of every proof ----------------------------------------------------------------------------


def shoe_differences(decks: int, drawn: int, sheet: Sheet) -> list[DealDifference]:
    """Check the number of decks, and that the shoe is fresh if the sheet requires it."""
    differences = []
    if decks != sheet.deck.decks:
        message = say("shoe.judged.decks", decks=decks, due=sheet.deck.decks)
        differences.append(DealDifference("decks", message, sheet.deck.clause))
    due, clause = fresh_due(sheet, 52 * decks - drawn)
    if drawn and due:
        message = say("shoe.judged.not-fresh", drawn=drawn)
        differences.append(DealDifference("fresh", message, clause))
    return differences


def card_difference(place: str, number: int, recorded: Card, dealt: Card) -> DealDifference:
    """The difference for a card other than the one the shoe deals there."""
    message = say(
        "shoe.judged.other-card",
        number=number,
        place=place,
        recorded=name(recorded),
        dealt=name(dealt),
    )
    return DealDifference("card", message, None, place, number, name(recorded), name(dealt))


def settlement_differences(round: Any) -> list[DealDifference]:
    """Settle the stored round again; a finished round must have a settlement."""
    try:
        final = replay_stored(round)
    except RoundError as error:
        return [DealDifference("settlement", sentence_of(error))]
    if final.phase == "over" and round.get("settlement") is None:
        return [DealDifference("settlement", say("shoe.judged.no-settlement"))]
    return []


# Proofs card by card ------------------------------------------------------------------------------


def is_card_format(format: Any) -> bool:  # noqa: A002  The file's field name.
    """Whether a document has this format; `true` does not count as an integer."""
    return type(format) is int and format == CARD_FORMAT


def verify_card_proof(document: dict[str, Any]) -> DealVerdict:
    """Verify a document against its commitment, seeds, sheet and record."""
    proof = parse_card_proof(document)
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
        *(difference for spot in spots for difference in _opened_card_differences(proof, spot)),
        *partial_settlement_differences(partial_round, final),
    )
    return DealVerdict(
        proof.shoe,
        proof.drawn,
        _opened_hands(spots),
        differences,
        proof.round_id,
        whole=proof.deck is not None,
        opens_by_card=True,
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
    for place, opened, position_due in zip(
        partial_round.places, proof.cards, _due_positions(proof), strict=True
    ):
        piles[place].append((opened, position_due))
    for place, dealt in sorted(piles.items()):
        place_and_seat, named = (
            (place_name(final, place), seat_at(place)),
            partial_round.named.get(place, ()),
        )
        for number, (opened, position_due) in enumerate(dealt):
            turned = number < len(named)
            yield _DealtCard(
                *place_and_seat,
                number + 1,
                opened,
                position_due,
                turned,
                named[number] if turned else None,
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


def _opened_card_differences(proof: OpenedRound, spot: _DealtCard) -> Iterator[DealDifference]:
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


def _opened_hands(spots: list[_DealtCard]) -> tuple[DealtHand, ...]:
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


# Revealed shoes -----------------------------------------------------------------------------------


def verify(document: Any) -> DealVerdict:
    """Deal the round again from its shoe; raises ShoeError or RoundError for an invalid
    document.
    """
    if isinstance(document, dict) and is_card_format(document.get("format")):
        return verify_card_proof(document)
    proof = parse_revealed_proof(document)
    opened_round, actions = restore(proof.round)
    final = replay(opened_round, actions)
    piles = _deal_again(proof, actions)
    differences = (
        *_seed_differences(proof),
        *shoe_differences(proof.shoe.decks, proof.drawn, final.game.sheet),
        *_dealt_card_differences(final, actions, piles),
        *settlement_differences(proof.round),
    )
    hands = _dealt_hands(final, actions, piles)
    return DealVerdict(proof.shoe, proof.drawn, hands, differences, proof.round_id)


Piles = Mapping[PlaceNumber, list[Card]]


def _deal_again(proof: Proof, actions: list[Action]) -> Piles:
    """The cards that the shoe deals to each place, in order."""
    places = [action.place for action in actions if isinstance(action, Deal)]
    shoe = proof.shoe.dealing()
    if proof.drawn + len(places) > shoe.remaining:
        raise ShoeError(
            say("shoe.proof.too-many", drawn=proof.drawn, dealt=len(places), held=shoe.remaining)
        )
    shoe.skip(proof.drawn)
    piles: dict[PlaceNumber, list[Card]] = defaultdict(list)
    for place in places:
        piles[place].append(shoe.draw())
    return piles


def _seed_differences(proof: Proof) -> list[DealDifference]:
    shoe = proof.shoe
    published = shoe.commitment
    if published is None or commitment_of(secret_of(shoe.seed, shoe.chosen)) == published:
        return []
    message = say("shoe.proof.other-seed")
    return [DealDifference("commitment", message)]


def _dealt_card_differences(
    final: Round, actions: list[Action], piles: Piles
) -> list[DealDifference]:
    turned: dict[PlaceNumber, int] = defaultdict(int)
    differences = []
    for action in actions:
        if not isinstance(action, Turn | Expose):
            continue
        place, number = action.place, turned[action.place]
        turned[place] += 1
        if (card := piles[place][number]) != action.card:
            differences.append(
                card_difference(place_name(final, place), number + 1, action.card, card)
            )
    return differences


def _dealt_hands(final: Round, actions: list[Action], piles: Piles) -> tuple[DealtHand, ...]:
    named_cards: dict[PlaceNumber, tuple[Card, ...]] = defaultdict(tuple)
    for action in actions:
        if isinstance(action, Turn | Expose):
            named_cards[action.place] += (action.card,)
    return tuple(
        DealtHand(
            place_name(final, place),
            named_cards[place],
            len(pile) - len(named_cards[place]),
            seat_at(place),
        )
        for place, pile in sorted(piles.items())
    )
