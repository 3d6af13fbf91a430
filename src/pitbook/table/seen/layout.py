"""What lies on the felt, as one viewer may see it: board, seats, wagers, result."""

from __future__ import annotations

from collections.abc import Sequence

from pitbook.cards import Card, name
from pitbook.engine.actions import Absent
from pitbook.engine.chips import in_chips
from pitbook.engine.round import Pile, Round
from pitbook.engine.spots import earlier_spot
from pitbook.engine.told import report_told, result_so_far
from pitbook.game.areas import Area
from pitbook.game.description import Seat
from pitbook.game.felt import place_name
from pitbook.game.plays import PASSED
from pitbook.money import money
from pitbook.table.facts import Json, stakes_out
from pitbook.table.model import TableState
from pitbook.table.seen.events import sheet_named
from pitbook.table.seen.sight import Viewer, hand_seen

__all__ = ["layout"]


def layout(state: TableState, viewer: Viewer) -> Json:
    """The round on the layout, with nothing that this viewer may not see."""
    round = state.round
    return {
        "phase": _phase(state),
        "sheet": sheet_named(state.sheet if round is not None else state.coming),
        "round": state.round_id if round is not None else None,
        "arranged": state.arranged if round is not None else None,
        "board": _board(state),
        "common": common_out(round),
        "seats": [_seat(state, number, viewer) for number in state.numbers],
        "result": _result(state),
    }


def _phase(state: TableState) -> str:
    if state.retired:
        return "retired"
    if state.awaiting is not None:
        return "agreement"
    return state.round.phase if state.round is not None else "open"


def _board(state: TableState) -> Json:
    round = state.round
    faces = _faces(round.piles[0]) if round else []
    told = round.game.board_told(round.board) if round else None
    kind = round.game.board_name if round else state.game.board_name
    return {"name": kind, "cards": faces, "told": told, "arranged": _arranged(round)}


def common_out(round: Round | None) -> list[Json]:
    """Every place in common, as the felt names it, with its cards; the board is the first."""
    piles = round.piles if round else ()
    return [
        {"place": place_name(number), "cards": _faces(pile)} for number, pile in enumerate(piles)
    ]


def _faces(pile: Pile) -> list[str | None]:
    return [*map(name, pile.cards), *[None] * (pile.laid - len(pile.cards))]


def _arranged(round: Round | None) -> Json | None:
    """The dealer's two hands as they lie, once they do (MHL-8)."""
    laid = round.game.board_areas(round.board) if round else None
    if laid is None:
        return None
    return {
        "low": _area(laid.low),
        "shared": _area(laid.shared) if laid.shared else None,
        "high": _area(laid.high),
        "laid": [name(card) for card in laid.row],
        "shared_at": laid.shared_at,
        "areas": [_area(one) for one in laid.in_row],
    }


def _area(area: Area) -> Json:
    cards = [name(card) for card in area.cards]
    return {"title": area.title, "cards": cards, "points": area.points}


def _seat(state: TableState, number: int, viewer: Viewer) -> Json:
    seat = state.round.seat(number) if state.round is not None else None
    sitting = state.seats.get(number)
    if seat is None or state.round is None:
        return {"seat": number, "player": sitting}
    sheet, cards = state.round.game.sheet, hand_seen(state, seat, viewer)
    held = sum(amount for _, amount in state.round.open_stakes(seat))
    return {
        "seat": number,
        "player": seat.player if state.live else sitting,
        "played_by": seat.player,
        "wagers": stakes_out(seat.stakes),
        "chips": {wager: in_chips(sheet, amount) for wager, amount in seat.stakes},
        "held": money(held),
        "cards": [None if card is None else name(card) for card in cards],
        "points": _points(state.round, cards),
        "plays": [play for play in seat.plays if play != PASSED],
        **_said(seat),
        "waiting": number in state.round.waiting and earlier_spot(state.round, number) is None,
        "folded": seat.folded,
        "forced": _forced(state, number),
        "tucked": state.round.game.tucked_under(seat),
        "void": seat.void,
        "net": _net(state.round, seat),
        "settled": result_so_far(state.round, seat),
    }


def _said(seat: Seat) -> Json:
    """What a seat has declared, and how many main wagers it put on the table with that."""
    play = next((play for play in reversed(seat.plays) if play.said), None)
    return {"said": play.said if play else None, "added": play.times if play else 0}


def _forced(state: TableState, number: int) -> str | None:
    """Why the house had to play a hand (GEN-10): its player had too few chips, or was absent."""
    played = [one for one in state.actions if isinstance(one, Absent) and one.seat == number]
    return ("chips" if played[-1].short else "absent") if played else None


def _points(round: Round, cards: Sequence[Card | None]) -> Json | None:
    """What a whole hand counts, in a game of points, if the viewer may see it."""
    seen = tuple(card for card in cards if card is not None)
    points = round.game.points_of(seen) if len(seen) == round.game.hand_size else None
    return None if points is None else {"low": points[0], "high": points[1]}


def _net(round: Round, seat: Seat) -> str | None:
    """What the round comes to for a seat of which nothing is open."""
    if round.phase not in ("settle", "over") or round.open_stakes(seat):
        return None
    return money(sum(line.net for number, line in round.results if number == seat.number))


def _result(state: TableState) -> Json | None:
    if state.result is None or state.round is None:
        return None
    return report_told(state.result, state.round)
