"""What a person who deals has to do next, and what to cut for whom, before it is paid."""

from __future__ import annotations

from collections.abc import Iterator

from pitbook.house.table.model import TableState
from pitbook.house.table.seen.shapes import DealerView, NextAct, Payout
from pitbook.money import Cents, money
from pitbook.rules.actions import PlaceNumber, Settle, format_place
from pitbook.rules.flow import next_turn
from pitbook.rules.game import Seat
from pitbook.rules.mishaps import is_common_place
from pitbook.rules.payouts import lines_of_next_step, opens_hand
from pitbook.rules.round import Round
from pitbook.rules.step import step
from pitbook.rules.words import report_lines
from pitbook.text import capital

__all__ = ["dealing", "next_act", "payouts"]

AT_ONCE = Settle(at_once=True)


def dealing(state: TableState, purses: dict[int, Cents]) -> DealerView:
    """The dealer's next act, the places that a card may be typed at, and what is due."""
    round = state.round if state.live else None
    return {
        "next": None if round is None else next_act(round),
        "places": [] if round is None else [format_place(one) for one in _open_to_cards(round)],
        "titles": {
            str(format_place(-at)): capital(is_common_place(place))
            for at, place in enumerate(state.game.places[1:])
        },
        "payouts": [] if round is None else list(payouts(round)),
        "purses": {str(seat): money(cents) for seat, cents in purses.items()},
    }


def next_act(round: Round) -> NextAct | None:
    """What the round waits for: a card at a place, a seat's word, or to be paid."""
    if round.phase == "wagers":
        return {"do": "close-betting"}
    if round.phase == "play":
        return _in_play(round)
    if round.phase == "settle":
        return _at_the_end(round)
    return None


def payouts(round: Round) -> Iterator[Payout]:
    """What each seat is due in the paying order, as far as nothing closed can alter it."""
    players = {seat.number: seat.player for seat in round.seats}
    while round.phase == "settle":
        number, _ = round.to_settle[round.steps_settled]
        after = step(round, AT_ONCE)
        if not isinstance(after, Round):
            return
        lines = report_lines(after, lines_of_next_step(round, after))
        if lines:
            yield {"seat": number, "player": players[number], "lines": lines}
        round = after


def _in_play(round: Round) -> NextAct | None:
    if round.game.places[0].open and (closed := _closed(round.seats)) is not None:
        return _card(closed)
    if round.waiting:
        return {"do": "decide", "seat": round.waiting[0]}
    if (place := next_turn(round)) is not None:
        return _card(place)
    closed = _closed(one for one in round.seats if not one.folded and one.void is None)
    return None if closed is None else _card(closed)


def _at_the_end(round: Round) -> NextAct:
    """Hands are opened in the paying order; what is known by then can be paid."""
    for number, group in round.to_settle[round.steps_settled :]:
        seat = round.seat(number)
        assert seat is not None
        closed = len(seat.cards) < seat.laid and seat.void is None
        if closed and opens_hand(round, seat, group):
            return _card(number)
    return {"do": "settle"}


def _open_to_cards(round: Round) -> Iterator[PlaceNumber]:
    """Where a card may be named now, the place that is next among them."""
    if round.phase not in ("play", "settle"):
        return
    if round.phase == "play" and (place := next_turn(round)) is not None:
        yield place
    for seat in round.seats:
        stays = seat.folded and not round.game.looks_at_hand(seat)
        if len(seat.cards) < seat.laid and not stays:
            yield seat.number


def _closed(seats: Iterator[Seat] | tuple[Seat, ...]) -> int | None:
    return next((one.number for one in seats if len(one.cards) < one.laid), None)


def _card(place: PlaceNumber) -> NextAct:
    return {"do": "type-card", "place": format_place(place)}
