"""What the floor knows when somebody asks: house, time, luck and who. Nothing here is looked up."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from pitbook.house.nights.tournament.rules import TournamentRules
from pitbook.money import Cents


class Floor(NamedTuple):
    """The surroundings of a command."""

    event: str
    rules: TournamentRules
    now: datetime
    draw: Callable[[int], int]  # A fair number below n; whatever it decides is in the fact.
    spent: Callable[[str, str], Cents]  # (tournament, player), as the night's books have it.
    large_used: str | None  # The tournament of this event that has the higher limit.
    actor: str
