"""The result of verifying a proof, and how it compares with what the reader knows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from pitbook.cards import Card, card, name
from pitbook.errors import CardError, ShoeError
from pitbook.rules.actions import BOARD, PlaceNumber
from pitbook.text import say, sentence_of
from pitbook.text.user_input import printable, show_value


class Shoe(Protocol):
    """The shoe data in every proof."""

    @property
    def id(self) -> str:
        """The shoe's id."""

    @property
    def kind(self) -> str:
        """The kind of shoe."""

    @property
    def decks(self) -> int:
        """Number of decks."""

    @property
    def commitment(self) -> str | None:
        """The published hash, or None."""

    @property
    def seat_seeds(self) -> Mapping[int, str]:
        """The seats' seeds."""


class DealtHand(NamedTuple):
    """The cards at a place: those turned, and the number never turned (GEN-14).

    None is a card that another person has seen and that this proof keeps closed.
    """

    place: str
    turned: tuple[Card | None, ...]
    unturned: int
    seat: int | None = None  # None for community cards and the dealer's.


def seat_at(place: PlaceNumber) -> int | None:
    """The seat whose cards are at a place, or None for a shared place."""
    return place if place > BOARD else None


class DealDifference(NamedTuple):
    """A difference between the record and the shoe; the last four fields describe a card."""

    code: str
    message: str
    clause: str | None = None
    place: str | None = None
    number: int | None = None
    recorded: str | None = None
    dealt: str | None = None


class DealVerdict(NamedTuple):
    """The result of dealing a round again; without differences the record agrees with the shoe."""

    shoe: Shoe
    drawn: int
    hands: tuple[DealtHand, ...]
    differences: tuple[DealDifference, ...]
    round_id: str
    whole: bool = True  # Whether the proof opens every card of the shoe.
    opens_by_card: bool = False  # Whether the shoe opens card by card instead of by its seed.
    deals: int = 0  # Earlier deals of this shoe, if each deal has its own seeds.
    history: str | None = None  # The hash to which those seeds apply.

    @property
    def closed(self) -> int:
        """Number of cards that were seen by another person and stay closed here."""
        return sum(hand.turned.count(None) for hand in self.hands)


# Compare with what the reader knows ---------------------------------------------------------------


BOARDS = ("community", "dealer", "board")
KnownCards = tuple[Card | None, ...]


class KnownRound(NamedTuple):
    """What the reader knows of a round without the proof; None means unknown."""

    round_id: str | None = None
    commitment: str | None = None  # As the table showed it before the bets.
    board: KnownCards | None = None
    seats: Mapping[int, KnownCards] | None = None
    history: str | None = None  # As the table showed it before the bets.
    seeds: tuple[tuple[int, str], ...] = ()  # The seeds the reader entered, by seat.


def compare(verdict: DealVerdict, known_round: KnownRound) -> DealVerdict:
    """Add every difference between the proof and what the reader knows."""
    checks = (
        _round_differences,
        _hash_differences,
        _history_differences,
        _seed_differences,
        _layout_differences,
    )
    differences = (difference for check in checks for difference in check(verdict, known_round))
    return verdict._replace(differences=(*differences, *verdict.differences))


def read_known_round(document: Any) -> KnownRound:
    """Read what a round file or a table's round record states; raises ShoeError."""
    if not isinstance(document, dict):
        raise ShoeError(say("shoe.seen.no-round"))
    layout = _final_layout(document)
    seats, board = layout.get("seats"), _board(layout)
    if not isinstance(seats, list) or not all(isinstance(seat, dict) for seat in seats):
        raise ShoeError(say("shoe.seen.no-round"))
    hands = {_number(seat.get("seat")): _cards(seat.get("cards") or []) for seat in seats}
    round_id, shoe = document.get("round"), document.get("shoe")
    commitment = shoe.get("commitment") if isinstance(shoe, dict) else None
    return KnownRound(
        round_id if isinstance(round_id, str) else None,
        commitment if isinstance(commitment, str) else None,
        board,
        hands,
    )


def _final_layout(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """The final layout of a round recorded step by step."""
    steps = document.get("steps")
    if not isinstance(steps, list):
        return document
    last = steps[-1] if steps and isinstance(steps[-1], dict) else {}
    view = last.get("view")
    if not isinstance(view, dict):
        raise ShoeError(say("shoe.seen.no-round"))
    return view


def _board(layout: Mapping[str, Any]) -> KnownCards | None:
    for field in BOARDS:
        if (board := layout.get(field)) is not None:
            return _cards(board.get("cards") if isinstance(board, dict) else board)
    return None


def _number(value: Any) -> int:
    if type(value) is not int:
        raise ShoeError(say("shoe.seen.no-seat", value=printable(show_value(value))))
    return value


def _cards(listed: Any) -> KnownCards:
    if not isinstance(listed, list):
        raise ShoeError(say("shoe.seen.no-cards", told=printable(show_value(listed))))
    try:
        return tuple(None if card_name is None else card(str(card_name)) for card_name in listed)
    except CardError as error:
        raise ShoeError(sentence_of(error)) from None


def _round_differences(verdict: DealVerdict, known_round: KnownRound) -> Iterator[DealDifference]:
    known_id, proof_id = known_round.round_id, verdict.round_id
    table, _, shoe = verdict.shoe.id.rpartition("-shoe-")
    if table and shoe.isdecimal() and proof_id.rpartition("-")[0] != table:
        message = say("shoe.seen.other-table", named=printable(proof_id), table=table)
        yield DealDifference("round", message)
    if known_id is None or known_id == proof_id:
        return
    message = say("shoe.seen.other-round", named=printable(proof_id), asked=printable(known_id))
    yield DealDifference("round", message)


def _hash_differences(verdict: DealVerdict, known_round: KnownRound) -> Iterator[DealDifference]:
    proof_hash, known_hash = verdict.shoe.commitment, known_round.commitment
    if known_hash is None or known_hash == proof_hash:
        return
    if proof_hash:
        message = say("shoe.seen.commitment", told=proof_hash, kept=printable(known_hash))
    else:
        message = say("shoe.seen.no-commitment", kept=printable(known_hash))
    yield DealDifference("kept", message)


def _history_differences(verdict: DealVerdict, known_round: KnownRound) -> Iterator[DealDifference]:
    proof_hash, known_hash = verdict.history, known_round.history
    if known_hash is None or known_hash == proof_hash:
        return
    if proof_hash:
        message = say("shoe.seen.history", told=proof_hash, kept=printable(known_hash))
    else:
        message = say("shoe.seen.no-history", kept=printable(known_hash))
    yield DealDifference("history", message)


def _seed_differences(verdict: DealVerdict, known_round: KnownRound) -> Iterator[DealDifference]:
    """If a seat changed hands, each of its players has added a line."""
    seeds = verdict.shoe.seat_seeds
    for seat, text in known_round.seeds:
        if text not in seeds.get(seat, "").split("\n"):
            message = say("shoe.seen.no-seed", seat=seat, seed=printable(show_value(text)))
            yield DealDifference("seed", message, None, say("engine.place.seat", seat=seat))


def _layout_differences(verdict: DealVerdict, known_round: KnownRound) -> Iterator[DealDifference]:
    dealt = {hand.seat: hand for hand in verdict.hands if hand.seat is not None}
    board = next(
        (hand for hand in verdict.hands if hand.seat is None),
        DealtHand(say("shoe.seen.board"), (), 0),
    )
    if known_round.board is not None:
        yield from _board_differences(board, known_round.board)
    if known_round.seats is None:
        return
    for number, cards in sorted(known_round.seats.items()):
        yield from _hand_differences(
            dealt.get(number, DealtHand(say("engine.place.seat", seat=number), (), 0)), cards
        )
    for number, hand in dealt.items():
        if number not in known_round.seats:
            yield _layout_difference(hand.place, say("shoe.seen.nobody-there", place=hand.place))


def _board_differences(hand: DealtHand, cards: KnownCards) -> Iterator[DealDifference]:
    """Compare the board: the turned cards must match in order."""
    known_cards = tuple(known_card for known_card in cards if known_card is not None)
    yield from _card_differences(hand, known_cards)
    if len(known_cards) < len(hand.turned):
        counts = {"turned": len(hand.turned), "lay": len(known_cards)}
        yield _layout_difference(hand.place, say("shoe.seen.turned", place=hand.place, **counts))


def _hand_differences(hand: DealtHand, cards: KnownCards) -> Iterator[DealDifference]:
    """Compare a hand; a round file may omit cards that were never looked at."""
    yield from _card_differences(hand, cards)
    dealt_count = len(hand.turned) + hand.unturned
    if cards and len(cards) < dealt_count:
        counts = {"laid": dealt_count, "lay": len(cards)}
        yield _layout_difference(hand.place, say("shoe.seen.laid", place=hand.place, **counts))


def _card_differences(hand: DealtHand, cards: Sequence[Card | None]) -> Iterator[DealDifference]:
    for number, known_card in enumerate(cards, 1):
        proof_card = hand.turned[number - 1] if number <= len(hand.turned) else None
        if known_card is None or known_card == proof_card:
            continue
        at = say("shoe.card.place", number=number, place=hand.place)
        proof_text = (
            _hidden_card_text(hand, number)
            if proof_card is None
            else say("shoe.seen.has", card=name(proof_card))
        )
        message = say("shoe.seen.other-card", at=at, lay=name(known_card), has=proof_text)
        proof_name = None if proof_card is None else name(proof_card)
        yield DealDifference(
            "felt", message, None, hand.place, number, name(known_card), proof_name
        )


def _hidden_card_text(hand: DealtHand, number: int) -> str:
    is_closed = number <= len(hand.turned)
    return say("shoe.seen.closed" if is_closed else "shoe.seen.never-turned")


def _layout_difference(place: str, message: str) -> DealDifference:
    return DealDifference("felt", message, None, place)
