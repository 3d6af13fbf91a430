"""The results of a tournament as they are read out: best place first, those still in on top."""

from __future__ import annotations

from typing import NamedTuple

from pitbook.house.nights.tournament.prizes import places
from pitbook.house.nights.tournament.state import Tournament
from pitbook.money import Cents


class EntrantResult(NamedTuple):
    """One entrant; no place means still in, or that the tournament is void."""

    place: int | None
    player: str
    spent: Cents
    due: Cents
    paid: Cents


def results(tournament: Tournament) -> tuple[EntrantResult, ...]:
    """Every entrant with place and money."""
    placed = {} if tournament.status == "void" else places(tournament)
    place_of = {player: place for group, place in placed.items() for player in group}
    listed = (
        EntrantResult(place_of.get(name), name, one.spent, one.due, one.paid)
        for name, one in tournament.players.items()
    )
    return tuple(sorted(listed, key=lambda one: one.place or 0))
