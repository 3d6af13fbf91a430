"""Paying and taking, seat by seat: a hand is settled at once when nothing closed can alter it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb

from pitbook.cards import DECK, Card
from pitbook.rules.game.allowed import settled
from pitbook.rules.game.description import Game, Seat
from pitbook.rules.game.limits import due_under, limits
from pitbook.rules.game.records import changing
from pitbook.rules.game.refusals import Code, Refusal, refused
from pitbook.rules.game.settlement import Bite, Line, Settlement, kept
from pitbook.rules.rounds import mishaps
from pitbook.rules.rounds.actions import Settle
from pitbook.rules.rounds.round import Round
from pitbook.sheets.limits import counted
from pitbook.sheets.model import Limit, Sheet

SUITS = 4
SEARCHED = 25_000  # Three closed cards of many decks; with more, any hand is held to be possible.
PricedRound = tuple[tuple[Settlement, ...], tuple[Bite, ...]]


def settle(round: Round, action: Settle) -> Round | Refusal:
    """Pay and take at the next seat; at once, its result is on record before all hands are open."""
    if round.phase != "settle":
        return refused(Code.NOT_NOW, "engine.settling.not-ready")
    refusal = _not_certain(round) if action.at_once else _not_known(round)
    if refusal is not None:
        return refusal
    return settled_step(_paid(round) if action.at_once else round)


def settled_step(round: Round) -> Round:
    """One seat further; after the last one the round is over."""
    done = round.steps_settled + 1
    if done < len(round.to_settle):
        return round._replace(steps_settled=done)
    settlements, bites = priced(round, round.seats)
    stands = tuple(kept(one, round.paid) for one in settlements) if round.paid else settlements
    if stands != settlements:  # GEN-6: settled before another hand was void, it keeps its share.
        settlements, bites = stands, _together(round.bites, bites)
    return _over(round, "over", done, settlements, bites, "settled")


_over = changing(Round, "phase", "steps_settled", "settlements", "bites", "ending")


def priced(round: Round, seats: Iterable[Seat]) -> PricedRound:
    """The settlements of hands with every limit applied, and the limits that bit."""
    each = [
        mishaps.void_hand(round, seat) if seat.void else settled(round.game, seat, *round.common)
        for seat in seats
    ]
    if not round.game.sheet.limits:
        return tuple(each), ()
    return limits(round.game.sheet, each)


def looks_at_hand_in(round: Round, seat: Seat, group: tuple[str, ...]) -> bool:
    """Whether settling these wagers of a seat opens its hand."""
    named = tuple(one for one in seat.side if one[0] in group)
    main = seat.main if "main" in group else ()
    return round.game.looks_at_hand(seat._replace(main=main, side=named))


def _paid(round: Round) -> Round:
    """The round with the results of the next seat's wagers on record."""
    number, _ = round.to_settle[round.steps_settled]
    settlements, bites = priced(round, _readable(round))
    (hand,) = (one for one in settlements if one.seat == number)
    paid = (*round.paid, *((number, line) for line in _of_step(round, hand.lines)))
    done = {None, *(seat for seat, _ in paid)}
    bitten = tuple(one for one in bites if one.seat in done)
    return round._replace(paid=paid, bites=_together(round.bites, bitten))


def paid_next(round: Round, after: Round) -> tuple[Line, ...]:
    """The lines that the next step settles, as the round after it has them."""
    number, _ = round.to_settle[round.steps_settled]
    return tuple(_of_step(round, (line for seat, line in after.results if seat == number)))


def _of_step(round: Round, lines: Iterable[Line]) -> Iterator[Line]:
    """The lines that the next step settles."""
    _, group = round.to_settle[round.steps_settled]
    sides = round.game.sheet.side
    for line in lines:
        if (line.wager if line.wager in sides else "main") in group:
            yield line


def _together(before: tuple[Bite, ...], after: tuple[Bite, ...]) -> tuple[Bite, ...]:
    """The caps that bite now; one that hands have shared already stays as it was shared."""
    shared = tuple(one for one in before if one.seat is None)
    clauses = {one.clause for one in shared}
    return tuple(one for one in after if one.seat or one.clause not in clauses) + shared


def _readable(round: Round) -> Iterator[Seat]:
    """Every seat with those of its wagers that no closed card bears on."""
    for seat in round.seats:
        if _known(round, seat):
            yield seat
            continue
        main = () if round.game.looks_at_hand(seat._replace(side=())) else seat.main
        alone = ((one, seat._replace(main=(), side=(one,))) for one in seat.side)
        side = tuple(one for one, only in alone if not round.game.looks_at_hand(only))
        if main or side:
            yield seat._replace(main=main, side=side)


# Whether it may be settled now --------------------------------------------------------------------


def _not_known(round: Round) -> Refusal | None:
    number, group = round.to_settle[round.steps_settled]
    # A share under a round cap is known when every hand is; else hands are opened one by one.
    shared = any(limit.per == "round" for limit in round.game.sheet.limits)
    for seat in round.seats:
        mine = shared or seat.number == number
        if mine and not _known(round, seat) and looks_at_hand_in(round, seat, group):
            return _turn_first(round, seat)
    return None


def _not_certain(round: Round) -> Refusal | None:
    """Why the next seat waits: its cards are down, or a closed hand may share a cap with it."""
    number, group = round.to_settle[round.steps_settled]
    closed = [seat for seat in round.seats if not _known(round, seat)]
    for seat in closed:
        if seat.number == number and looks_at_hand_in(round, seat, group):
            return _turn_first(round, seat)
    if not closed or not round.game.sheet.limits:
        return None
    (mine,) = (one for one in _readable(round) if one.number == number)
    open = [] if mine.void else settled(round.game, mine, *round.common).lines
    lines = list(_of_step(round, open))
    return _may_be_shared(round, number, lines, closed)


def _may_be_shared(
    round: Round, number: int, lines: list[Line], closed: list[Seat]
) -> Refusal | None:
    sheet = round.game.sheet
    for scope, hands in (
        ("hand", [seat for seat in closed if seat.number == number]),
        ("round", closed),
    ):
        caps = tuple(limit for limit in sheet.limits if limit.per == scope)
        under = [one for one in caps if any(due_under(sheet, one, line) for line in lines)]
        for seat in hands if under else ():
            if _can_have(round, seat, scope):
                cap = under[0].clause
                return refused(
                    Code.CARDS_UNKNOWN,
                    "engine.settling.may-be-capped",
                    cap,
                    seat=number,
                    cap=cap,
                    closed=seat.number,
                )
    return None


def _turn_first(round: Round, seat: Seat) -> Refusal:
    clause = round.game.sheet.settlement.clause
    return refused(Code.CARDS_UNKNOWN, "engine.settling.turn-first", clause, seat=seat.number)


def _known(round: Round, seat: Seat) -> bool:
    cards = round.game.hand_size if round.game.straight else seat.laid
    if len(seat.cards) == cards or seat.void is not None:
        return True
    return not round.game.looks_at_hand(seat)


def _can_have(round: Round, seat: Seat, scope: str) -> bool:
    """Whether some cards that are not yet named would give a closed hand a win under a cap."""
    decks = round.game.sheet.deck.decks
    left = tuple(decks - round.copies(card) for card in DECK)
    return _searched(round.game, seat, round.common, left, scope)


@lru_cache(maxsize=1_000)  # A dealer's screen asks again and again.
def _searched(
    game: Game,
    seat: Seat,
    common: tuple[tuple[Card, ...], ...],
    left: tuple[int, ...],
    scope: str,
) -> bool:
    sheet = game.sheet
    caps = [limit for limit in sheet.limits if limit.per == scope]
    wagers = _bets_on(game, seat, caps)
    ranks_alone = all(_matches(sheet, wager) for wager in wagers)
    there = _one_suit(left) if ranks_alone and sheet.deck.decks >= game.hand_size else left
    closed, kinds = game.hand_size - len(seat.cards), sum(map(bool, there))
    if wagers and comb(kinds + closed - 1, closed) > SEARCHED:
        return True
    return bool(wagers) and any(
        due_under(sheet, limit, line)
        for cards in _hands(there, closed)
        for line in settled(game, seat._replace(cards=(*seat.cards, *cards)), *common).lines
        for limit in caps
    )


def _bets_on(game: Game, seat: Seat, caps: list[Limit]) -> set[str]:
    """The wagers of a seat that a cap counts at all."""
    wagers = {wager for wager, _ in seat.side} | (set() if seat.folded else {"main"})
    return {wager for limit in caps for wager, _, _ in counted(game.sheet, limit)} & wagers


def _matches(sheet: Sheet, wager: str) -> bool:
    """Whether a wager asks for ranks alone."""
    return wager in sheet.side and sheet.side[wager].looks_at == "dealer-match"


def _one_suit(left: tuple[int, ...]) -> tuple[int, ...]:
    """Of each rank the suit of which most is left, where suits do not matter."""
    ranks = [DECK[at : at + SUITS] for at in range(0, len(DECK), SUITS)]
    most = {max(cards, key=lambda card: left[card]) for cards in ranks}
    return tuple(count if card in most else 0 for card, count in zip(DECK, left, strict=True))


def _hands(left: tuple[int, ...], size: int) -> Iterator[tuple[Card, ...]]:
    """Every hand of so many cards that the decks still hold."""
    there = [card for card in DECK if left[card]]
    for cards in combinations_with_replacement(there, size):
        if all(cards.count(card) <= left[card] for card in cards):
            yield cards
