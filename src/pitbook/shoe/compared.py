"""A proof held against what its reader knows: the round, its cards, the kept hashes and seeds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pitbook.cards import Card, card, name
from pitbook.errors import CardError, ShoeError
from pitbook.sheets.findings import printable, show_value
from pitbook.shoe.verdict import DealDifference, DealVerdict, LaidHand
from pitbook.text import say, sentence_of

BOARDS = ("community", "dealer", "board")
KnownCards = tuple[Card | None, ...]


class KnownRound(NamedTuple):
    """What somebody knows of a round without the proof; None is unknown."""

    round_id: str | None = None
    commitment: str | None = None  # As the table showed it before the bets.
    board: KnownCards | None = None
    seats: Mapping[int, KnownCards] | None = None
    history: str | None = None  # As the table showed it before the bets.
    seeds: tuple[tuple[int, str], ...] = ()  # What the reader gave, by seat.


def compared(verdict: DealVerdict, seen: KnownRound) -> DealVerdict:
    """The verdict with every way in which the proof is not of what was seen."""
    judges = (_of_the_round, _of_the_hash, _of_the_past, _of_the_seeds, _of_felt)
    found = (one for judge in judges for one in judge(verdict, seen))
    return verdict._replace(differences=(*found, *verdict.differences))


def seen_in(document: Any) -> KnownRound:
    """What a round file, or a round as the table tells it, says; raises ShoeError."""
    if not isinstance(document, dict):
        raise ShoeError(say("shoe.seen.no-round"))
    felt = _felt(document)
    seats, board = felt.get("seats"), _board(felt)
    if not isinstance(seats, list) or not all(isinstance(one, dict) for one in seats):
        raise ShoeError(say("shoe.seen.no-round"))
    hands = {_number(one.get("seat")): _cards(one.get("cards") or []) for one in seats}
    named, shoe = document.get("round"), document.get("shoe")
    committed = shoe.get("commitment") if isinstance(shoe, dict) else None
    return KnownRound(
        named if isinstance(named, str) else None,
        committed if isinstance(committed, str) else None,
        board,
        hands,
    )


def _felt(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """The layout as it lay in the end, of a round that is told step by step."""
    steps = document.get("steps")
    if not isinstance(steps, list):
        return document
    last = steps[-1] if steps and isinstance(steps[-1], dict) else {}
    view = last.get("view")
    if not isinstance(view, dict):
        raise ShoeError(say("shoe.seen.no-round"))
    return view


def _board(felt: Mapping[str, Any]) -> KnownCards | None:
    for field in BOARDS:
        if (told := felt.get(field)) is not None:
            return _cards(told.get("cards") if isinstance(told, dict) else told)
    return None


def _number(value: Any) -> int:
    if type(value) is not int:
        raise ShoeError(say("shoe.seen.no-seat", value=printable(show_value(value))))
    return value


def _cards(told: Any) -> KnownCards:
    if not isinstance(told, list):
        raise ShoeError(say("shoe.seen.no-cards", told=printable(show_value(told))))
    try:
        return tuple(None if one is None else card(str(one)) for one in told)
    except CardError as error:
        raise ShoeError(sentence_of(error)) from None


def _of_the_round(verdict: DealVerdict, seen: KnownRound) -> Iterator[DealDifference]:
    asked, named = seen.round_id, verdict.round_id
    table, _, shoe = verdict.shoe.id.rpartition("-shoe-")
    if table and shoe.isdecimal() and named.rpartition("-")[0] != table:
        message = say("shoe.seen.other-table", named=printable(named), table=table)
        yield DealDifference("round", message)
    if asked is None or asked == named:
        return
    message = say("shoe.seen.other-round", named=printable(named), asked=printable(asked))
    yield DealDifference("round", message)


def _of_the_hash(verdict: DealVerdict, seen: KnownRound) -> Iterator[DealDifference]:
    told, kept = verdict.shoe.commitment, seen.commitment
    if kept is None or kept == told:
        return
    if told:
        message = say("shoe.seen.commitment", told=told, kept=printable(kept))
    else:
        message = say("shoe.seen.no-commitment", kept=printable(kept))
    yield DealDifference("kept", message)


def _of_the_past(verdict: DealVerdict, seen: KnownRound) -> Iterator[DealDifference]:
    told, kept = verdict.history, seen.history
    if kept is None or kept == told:
        return
    if told:
        message = say("shoe.seen.history", told=told, kept=printable(kept))
    else:
        message = say("shoe.seen.no-history", kept=printable(kept))
    yield DealDifference("history", message)


def _of_the_seeds(verdict: DealVerdict, seen: KnownRound) -> Iterator[DealDifference]:
    """Where a seat changed hands, each of its players has added a line."""
    told = verdict.shoe.seat_seeds
    for seat, text in seen.seeds:
        if text not in told.get(seat, "").split("\n"):
            message = say("shoe.seen.no-seed", seat=seat, seed=printable(show_value(text)))
            yield DealDifference("seed", message, None, say("engine.place.seat", seat=seat))


def _of_felt(verdict: DealVerdict, seen: KnownRound) -> Iterator[DealDifference]:
    dealt = {hand.seat: hand for hand in verdict.hands if hand.seat is not None}
    board = next(
        (one for one in verdict.hands if one.seat is None), LaidHand(say("shoe.seen.board"), (), 0)
    )
    if seen.board is not None:
        yield from _board_felt(board, seen.board)
    if seen.seats is None:
        return
    for number, cards in sorted(seen.seats.items()):
        yield from _hand_felt(
            dealt.get(number, LaidHand(say("engine.place.seat", seat=number), (), 0)), cards
        )
    for number, hand in dealt.items():
        if number not in seen.seats:
            yield _felt_other(hand.place, say("shoe.seen.nobody-there", place=hand.place))


def _board_felt(hand: LaidHand, cards: KnownCards) -> Iterator[DealDifference]:
    """Turned on the felt is turned in the proof, in the same order."""
    lay = tuple(one for one in cards if one is not None)
    yield from _each(hand, lay)
    if len(lay) < len(hand.turned):
        more = {"turned": len(hand.turned), "lay": len(lay)}
        yield _felt_other(hand.place, say("shoe.seen.turned", place=hand.place, **more))


def _hand_felt(hand: LaidHand, cards: KnownCards) -> Iterator[DealDifference]:
    """A round file may leave out cards that nobody looked at."""
    yield from _each(hand, cards)
    laid = len(hand.turned) + hand.unturned
    if cards and len(cards) < laid:
        more = {"laid": laid, "lay": len(cards)}
        yield _felt_other(hand.place, say("shoe.seen.laid", place=hand.place, **more))


def _each(hand: LaidHand, cards: Sequence[Card | None]) -> Iterator[DealDifference]:
    for number, lay in enumerate(cards, 1):
        told = hand.turned[number - 1] if number <= len(hand.turned) else None
        if lay is None or lay == told:
            continue
        at = say("shoe.card.place", number=number, place=hand.place)
        has = _untold(hand, number) if told is None else say("shoe.seen.has", card=name(told))
        message = say("shoe.seen.other-card", at=at, lay=name(lay), has=has)
        proven = None if told is None else name(told)
        yield DealDifference("felt", message, None, hand.place, number, name(lay), proven)


def _untold(hand: LaidHand, number: int) -> str:
    closed = number <= len(hand.turned)
    return say("shoe.seen.closed" if closed else "shoe.seen.never-turned")


def _felt_other(place: str, message: str) -> DealDifference:
    return DealDifference("felt", message, None, place)
