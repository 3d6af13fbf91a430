"""A table as one viewer may see it, complete enough to draw it from nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import NamedTuple, cast

from pitbook.house.people.roster import OPEN_TO_ALL, AccessList, Roster
from pitbook.house.table.model import TableState
from pitbook.house.table.reasons import reason
from pitbook.house.table.seen.dealing import dealing
from pitbook.house.table.seen.events import sheet_named, shoe_shown
from pitbook.house.table.seen.layout import ShownLayout
from pitbook.house.table.seen.offers import offers
from pitbook.house.table.seen.shapes import (
    Around,
    ArrangedFor,
    Interrupted,
    Revealed,
    SeenByAll,
    ShoeShown,
    Short,
    View,
)
from pitbook.house.table.seen.sight import STAFF, Audience, Viewer, seed_audience
from pitbook.money import Cents, money
from pitbook.rules.costs import shortfall
from pitbook.rules.refusals import Refusal
from pitbook.shoe.record import CARDWISE

__all__ = ["Moment", "Viewer", "view"]


WalletOf = Callable[[str], Cents]


def view(
    state: TableState, viewer: Viewer, wallet: WalletOf, door: AccessList = OPEN_TO_ALL
) -> View:
    """Everything on and around the layout, for this viewer's eyes."""
    return Moment(state).seen_by(viewer, wallet, door)


class Moment:
    """A table at one moment, for all who look at it then: what they share is worked out once."""

    def __init__(self, state: TableState) -> None:
        self.state = state
        self._kept: dict[Viewer, _Look] = {}

    def seen_by(self, viewer: Viewer, wallet: WalletOf, door: AccessList = OPEN_TO_ALL) -> View:
        """A view that nobody writes into: the same one until anything changes."""
        kept = self._kept.get(viewer)
        if kept is None or not kept.stands(wallet, door):
            asked: dict[str, Cents] = {}

            def asking(player: str) -> Cents:
                if player not in asked:
                    asked[player] = wallet(player)
                return asked[player]

            seen = self._worked_out(viewer, asking, door)
            shut = _shut(door, (viewer.name, *self.state.seats.values()))
            kept = self._kept[viewer] = _Look(seen, asked, door.roster, shut)
        return kept.seen

    @cached_property
    def _felt(self) -> ShownLayout:
        return ShownLayout(self.state)

    @cached_property
    def _around(self) -> Around:
        """What stands around the layout, for everybody."""
        state = self.state
        return {
            "next_sheet": sheet_named(state.next_sheet) if state.next_sheet else None,
            "deadlines": dict(state.deadlines),
            "ready": [seat for seat, player in state.seats.items() if player in state.ready],
            "interruption": _interruption(state),
            "shoe": _shoe(state),
            "spot": cast(ArrangedFor | None, state.spot),
        }

    def _worked_out(self, viewer: Viewer, wallet: WalletOf, door: AccessList) -> View:
        state = self.state
        shown: SeenByAll = {
            "table": state.table,
            "kind": state.kind,
            "unit": state.unit,
            "version": state.version,
            **self._felt.seen_by(viewer),
            **self._around,
            "seat_seeds": _seat_seeds(state, viewer),
            "revealed": _revealed(state, viewer),
            "coach": state.coach,
            "shuffler": state.shuffler,
            "offers": offers(state, viewer, wallet, door),
        }
        seen = cast(View, shown)
        if viewer.role == "player":
            seen["wallet"] = money(wallet(viewer.name))
            seen["short"] = _short(state, viewer.name, wallet(viewer.name))
        if viewer.role in STAFF:
            seen["rack"] = money(state.rack)
            seen["dealer"] = state.dealer
            if state.typed:
                purses = {seat: wallet(player) for seat, player in state.seats.items()}
                seen["dealing"] = dealing(state, purses)
        return seen


class _Look(NamedTuple):
    """A view, and what it hangs on beside the state: wallets, and who is known or barred."""

    seen: View
    wallets: dict[str, Cents]
    roster: Roster
    shut: dict[str, Refusal | None]

    def stands(self, wallet: WalletOf, door: AccessList) -> bool:
        """Whether it would be the same now."""
        if door.roster is not self.roster or _shut(door, self.shut) != self.shut:
            return False
        return all(wallet(player) == held for player, held in self.wallets.items())


def _shut(door: AccessList, players: Iterable[str]) -> dict[str, Refusal | None]:
    if not (door.roster.excluded or door.roster.rests):
        return {}
    return {player: door.exclusion_of(player) for player in players}


def _short(state: TableState, player: str, left: Cents) -> Short | None:
    """Before the deal: what a player lacks to pay the smallest bet of every street (GEN-10)."""
    found = shortfall(state.round, player, left) if state.round is not None else None
    if found is None:
        return None
    return {
        "left": money(found.left),
        "needed": money(found.needed),
        "more": money(found.more),
        "message": found.told,
        "clause": found.clause,
    }


def _interruption(state: TableState) -> Interrupted | None:
    if state.interruption is None:
        return None
    answers = None if state.awaiting is None else dict(state.awaiting)
    return {"why": reason(state.interruption), "answers": answers}


def _shoe(state: TableState) -> ShoeShown | None:
    """The shoe without its seal, and what was dealt from it under one hash."""
    if state.shoe is None:
        return None
    shown = shoe_shown(state.shoe)
    return {**shown, "history": state.history} if state.cardwise else shown


def _seat_seeds(state: TableState, viewer: Viewer) -> dict[str, str | None]:
    """Which seats have added a seed; its words are its player's own until betting has closed."""
    return {
        str(seat): text.rpartition("\n")[2] if _is_theirs(state, seat, viewer) else None
        for seat, text in state.seat_seeds.items()
    }


def _is_theirs(state: TableState, seat: int, viewer: Viewer) -> bool:
    player = state.seats.get(seat, "")
    mine = not state.cardwise or state.seeded.get(seat) == player
    return mine and Audience(players=(player,)).has(viewer)


def _revealed(state: TableState, viewer: Viewer) -> Revealed | None:
    """The last shoe; one that is committed to card by card tells nobody its seed."""
    if state.revealed is None:
        return None
    players = tuple(state.revealed["players"])
    if state.revealed.get("format") != CARDWISE and seed_audience(players).has(viewer):
        return cast(Revealed, state.revealed)
    return {"id": state.revealed["id"], "commitment": state.revealed["commitment"]}
