"""Who may see which card and which seed."""

from __future__ import annotations

from typing import Literal, NamedTuple

from pitbook.cards import Card
from pitbook.house.table.state import TableState
from pitbook.rules.actions import Expose, Turn
from pitbook.rules.game import Seat
from pitbook.rules.round import Round
from pitbook.rules.settlement import opens_hand

STAFF = ("dealer", "supervisor")
NAMING_ACTIONS = (Turn, Expose)


class Viewer(NamedTuple):
    """A viewer's name and role."""

    name: str
    role: Literal["player", "dealer", "supervisor", "spectator"]


class Audience(NamedTuple):
    """Who may see something: everyone, or some players and perhaps the staff."""

    everyone: bool = False
    players: tuple[str, ...] = ()
    staff: bool = False

    def has(self, viewer: Viewer) -> bool:
        """Whether a viewer belongs to it."""
        if self.everyone or (self.staff and viewer.role in STAFF):
            return True
        return viewer.role == "player" and viewer.name in self.players


EVERYONE = Audience(everyone=True)
STAFF_ONLY = Audience(staff=True)


def card_audience(state: TableState, number: int, position: int) -> Audience:
    """Who may see a seat's card by its position, from 0."""
    assert state.round is not None
    seat = state.round.seat(number)
    assert seat is not None
    return hand_audiences(state, seat)[position]


def hand_audiences(state: TableState, seat: Seat) -> list[Audience]:
    """Who may see each of a seat's revealed cards, in the order they were revealed."""
    assert state.round is not None
    if state.round.game.places[0].open or is_opened(state.round, seat):
        return [EVERYONE] * len(seat.cards)
    # A live dealer sees the cards while typing them.
    owner = Audience(players=(seat.player,), staff=state.typed)
    number = seat.number
    return [
        EVERYONE if type(action) is Expose else owner
        for action in state.actions
        if type(action) in NAMING_ACTIONS and action.place == number  # type: ignore[union-attr]
    ]


def visible_cards(state: TableState, seat: Seat, viewer: Viewer) -> list[Card | None]:
    """A seat's cards, with None for each that the viewer may not see."""
    pairs = zip(seat.cards, hand_audiences(state, seat), strict=True)
    visible = [card if audience.has(viewer) else None for card, audience in pairs]
    return [*visible, *[None] * (seat.cards_dealt - len(seat.cards))]


def is_opened(round: Round, seat: Seat) -> bool:
    """Whether the dealer has turned the hand over to settle it."""
    if not round.steps_settled or seat.void is not None:
        return False
    if seat.folded and not round.game.sheet.shows_folded:
        return False
    unfolded = seat._replace(folded=False)
    return any(
        number == seat.number and opens_hand(round, unfolded, group)
        for number, group in round.to_settle[: round.steps_settled]
    )


def seed_audience(players: tuple[str, ...]) -> Audience:
    """Who may see the seed of a shoe that these players were dealt from."""
    return Audience(players=players, staff=True)
