"""What lies on the felt, as one viewer may see it: board, seats, wagers, result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, cast

from pitbook.cards import Card, name
from pitbook.house.table.facts import stakes_out
from pitbook.house.table.model import TableState
from pitbook.house.table.seen.events import sheet_named
from pitbook.house.table.seen.shapes import (
    AreaLaid,
    ArrangedFor,
    BoardShown,
    CardsShown,
    CommonCards,
    DealerHands,
    Declared,
    HandNamed,
    Layout,
    Points,
    SeatShown,
    TablePhase,
)
from pitbook.house.table.seen.sight import Audience, Viewer, hand_audiences
from pitbook.money import money
from pitbook.rules.actions import Absent
from pitbook.rules.felt import place_name
from pitbook.rules.flow import earlier_spot
from pitbook.rules.game import Area, Seat
from pitbook.rules.hand_names import name_hand
from pitbook.rules.plays import PASSED
from pitbook.rules.report import RoundResult
from pitbook.rules.round import Pile, Round
from pitbook.rules.words import can_pay_in_chips, report_with_words, result_so_far

__all__ = ["ShownLayout", "common_out", "layout"]


def layout(state: TableState, viewer: Viewer) -> Layout:
    """The round on the layout, with nothing that this viewer may not see."""
    return ShownLayout(state).seen_by(viewer)


class ShownLayout:
    """The layout at one moment: what is the same for all who look is written once."""

    def __init__(self, state: TableState) -> None:
        round = state.round
        self._state = state
        self._forced = {one.seat: one for one in state.actions if isinstance(one, Absent)}
        self._waiting = round.waiting if round is not None else ()
        self._closed: list[tuple[int, Seat, list[Audience]]] = []  # Hands that some see more of.
        self._open: Layout = {
            "phase": _phase(state),
            "sheet": sheet_named(state.sheet if round is not None else state.coming),
            "round": state.round_id if round is not None else None,
            "arranged": cast(ArrangedFor | None, state.arranged) if round is not None else None,
            "board": _board(state),
            "common": common_out(round),
            "seats": list(self._seats(round, state.numbers)),
            "result": _result(state),
        }

    def seen_by(self, viewer: Viewer) -> Layout:
        """As one viewer sees it; whatever is not the viewer's alone is shared with all others."""
        seats = list(self._open["seats"])
        for place, seat, audiences in self._closed:
            if any(one.has(viewer) for one in {*audiences} if not one.everyone):
                named = zip(seat.cards, audiences, strict=True)
                cards = [card if one.has(viewer) else None for card, one in named]
                seats[place] = {**seats[place], **self._cards(seat, cards)}
        return {**self._open, "seats": seats}

    def _seats(self, round: Round | None, numbers: Sequence[int]) -> Iterator[SeatShown]:
        for place, number in enumerate(numbers):
            seat = round.seat(number) if round is not None else None
            if round is None or seat is None:
                yield {"seat": number, "player": self._state.seats.get(number)}
                continue
            audiences = hand_audiences(self._state, seat)
            if not all(one.everyone for one in audiences):
                self._closed.append((place, seat, audiences))
            named = zip(seat.cards, audiences, strict=True)
            cards = [card if one.everyone else None for card, one in named]
            yield self._seat(round, seat, self._cards(seat, cards))

    def _cards(self, seat: Seat, named: list[Card | None]) -> CardsShown:
        assert self._state.round is not None
        cards = [*named, *[None] * (seat.laid - len(named))]
        shown = [None if card is None else name(card) for card in cards]
        round = self._state.round
        points, called = _points(round, cards), _named(round, seat, cards)
        return {"cards": shown, "points": points, "named": called}

    def _seat(self, round: Round, seat: Seat, cards: CardsShown) -> SeatShown:
        state, number, sheet = self._state, seat.number, round.game.sheet
        left = round.open_stakes(seat)
        return {
            "seat": number,
            "player": seat.player if state.live else state.seats.get(number),
            "played_by": seat.player,
            "wagers": stakes_out(seat.stakes),
            "chips": {wager: can_pay_in_chips(sheet, amount) for wager, amount in seat.stakes},
            "held": money(sum(amount for _, amount in left)),
            **cards,
            "plays": [play for play in seat.plays if play != PASSED],
            **_said(seat),
            "waiting": number in self._waiting and earlier_spot(round, number) is None,
            "folded": seat.folded,
            "forced": _forced(self._forced.get(number)),
            "tucked": round.game.tucked_under(seat),
            "void": seat.void,
            "net": None if left else _net(round, seat),
            "settled": result_so_far(round, seat),
        }


def _phase(state: TableState) -> TablePhase:
    if state.retired:
        return "retired"
    if state.awaiting is not None:
        return "agreement"
    return state.round.phase if state.round is not None else "open"


def _board(state: TableState) -> BoardShown:
    round = state.round
    faces = _faces(round.piles[0]) if round else []
    told = round.game.board_told(round.board) if round else None
    kind = round.game.board_name if round else state.game.board_name
    return {"name": kind, "cards": faces, "told": told, "arranged": _arranged(round)}


def common_out(round: Round | None) -> list[CommonCards]:
    """Every place in common, as the felt names it, with its cards; the board is the first."""
    piles = round.piles if round else ()
    return [
        {"place": place_name(number), "cards": _faces(pile)} for number, pile in enumerate(piles)
    ]


def _faces(pile: Pile) -> list[str | None]:
    return [*map(name, pile.cards), *[None] * (pile.laid - len(pile.cards))]


def _arranged(round: Round | None) -> DealerHands | None:
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


def _area(area: Area) -> AreaLaid:
    cards = [name(card) for card in area.cards]
    return {"title": area.title, "cards": cards, "points": area.points}


def _said(seat: Seat) -> Declared:
    """What a seat has declared, and how many main wagers it put on the table with that."""
    play = next((play for play in reversed(seat.plays) if play.said), None)
    return {"said": play.said if play else None, "added": play.times if play else 0}


def _forced(last: Absent | None) -> Literal["chips", "absent"] | None:
    """Why the house had to play a hand (GEN-10): its player had too few chips, or was absent."""
    return None if last is None else "chips" if last.short else "absent"


def _points(round: Round, cards: Sequence[Card | None]) -> Points | None:
    """What a whole hand counts, in a game of points, if the viewer may see it."""
    seen = tuple(card for card in cards if card is not None)
    points = round.game.points_of(seen) if len(seen) == round.game.hand_size else None
    return None if points is None else {"low": points[0], "high": points[1]}


def _named(round: Round, seat: Seat, cards: Sequence[Card | None]) -> HandNamed | None:
    """What a hand is called so far, where the viewer may see all of it and it is played on."""
    seen = tuple(card for card in cards if card is not None)
    if len(seen) < len(cards) or seat.folded or seat.void is not None:
        return None
    common = tuple(tuple(pile.cards) for pile in round.piles)
    found = name_hand(round.game, seen, common, _said(seat)["said"])
    if found is None:
        return None
    return {"name": found.name, "told": found.told, "cards": [name(one) for one in found.cards]}


def _net(round: Round, seat: Seat) -> str | None:
    """What the round comes to for a seat of which nothing is open."""
    if round.phase not in ("settle", "over"):
        return None
    return money(sum(line.net for number, line in round.results if number == seat.number))


def _result(state: TableState) -> RoundResult | None:
    if state.result is None or state.round is None:
        return None
    return report_with_words(state.result, state.round)
