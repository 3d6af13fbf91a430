"""Names, ids and words that exist in the house, for request fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from tests.fuzz import commands, nights
from tests.fuzz.house import OTHERS, Floor
from tests.house.web.conftest import NAMES, PASSWORD
from tests.house.web.live_server import SHEETS

from pitbook.house.table.views import table_view
from pitbook.house.table.visibility import Viewer
from pitbook.sheets.library import BUNDLED

KNOWN_SHARE = 0.75  # The share of fields that get an existing value.
DAYS = ("2026-11-15", "2026-11-15T18:30", "0001-01-01", "9999-12-31", "2026-02-30", "20261115")
HANDS = ("6h 5h", "As Ad", "6h", "", "6h 6h", "6h5h7h8h", "2c 3c 4c", "zz")
REQUESTS = ("a", "b", "c", "d", "x" * 100, "x" * 101)
NUMBERS = (0, 1, 2, 3, 7, 30, 100, 101, 10**9, 10**30, -1)
TOML = tuple(file.read_text() for file in sorted(BUNDLED.rglob("*.toml")))


class KnownValues:
    """Replaces values in a request by existing names and ids and plausible words."""

    def __init__(self, floor: Floor, rng: Random) -> None:
        self._floor, self._luck = floor, rng
        choose = rng.choice
        tables = (floor.live, floor.live, floor.own, "past", "typed", "gone", "bobs")
        people = (*NAMES.values(), *OTHERS, floor.guest.name, "Ann", "house")
        rounds = (f"{floor.live}-000001", f"{floor.live}-000002", "past-000001", "typed-000001")
        venue, game = choose(SHEETS).split("/")
        self._words: dict[str, Callable[[], Any]] = {
            **dict.fromkeys(("name", "player"), lambda: choose(people)),
            **dict.fromkeys(("sheet", "a", "b"), lambda: choose(SHEETS)),
            **dict.fromkeys(("amount", "ante"), lambda: choose(commands.AMOUNTS)),
            **dict.fromkeys(("cards", "community", "dead"), lambda: choose(HANDS)),
            **dict.fromkeys(("from", "to", "on"), lambda: choose(DAYS)),
            **dict.fromkeys(("seats", "count", "Last-Event-ID"), lambda: choose(NUMBERS)),
            "seat": lambda: choose((1, 1, 2, 3, 4)),
            "table": lambda: choose(tables),
            "round": lambda: choose(rounds),
            "venue": lambda: venue,
            "game": lambda: game,
            "token": lambda: choose((floor.invitation, floor.code)),
            "event": lambda: choose(nights.EVENTS),
            "tournament": lambda: choose(nights.TOURNAMENTS),
            "slip": lambda: choose((1, 2, 3)),
            "password": lambda: choose((PASSWORD, "short", "long enough to be one")),
            "request": lambda: choose(REQUESTS),
            "wager": lambda: choose(commands.WAGERS),
            "bets": lambda: [choose(commands.PLAYS) for _ in range(rng.randrange(4))],
            "command": self._command,
            "toml": self._toml,
        }

    def replace_fields(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Fields with some of their values replaced."""
        return {
            key: self._words[key]()
            if key in self._words and self._luck.random() < KNOWN_SHARE
            else value
            for key, value in fields.items()
        }

    def replace_body(self, body: Any) -> Any:
        """A body with some of its values replaced, sometimes with one thing wrong."""
        if not isinstance(body, dict):
            return body
        replaced = self.replace_fields(body)
        return commands.mutate(self._luck, replaced) if self._luck.random() < 0.1 else replaced

    def _command(self) -> Any:
        chance = self._luck.random()
        if chance < 0.3:
            return nights.random_command(self._luck)
        if chance < 0.6:
            return commands.command(self._luck)
        offered = self.offered_commands(self._luck.choice((self._floor.live, self._floor.own)))
        return self._luck.choice(offered) if offered else {}

    def offered_commands(self, table: str) -> list[Any]:
        """Commands that a player at a table could send now."""
        live_table = self._floor.house.tables.get(table)
        if live_table is None:
            return []
        owner = Viewer(live_table.state.owner or "ann", "player")
        viewer = self._luck.choice((owner, Viewer("sue", "supervisor")))
        offers = table_view(live_table.state, viewer, live_table.env.wallet)["offers"]
        return [
            command
            for offer in offers
            for command in commands.offer_commands(dict(offer), self._luck)
        ]

    def _toml(self) -> str:
        if self._luck.random() < 0.3:
            return nights.random_schedule(self._luck)
        text = self._luck.choice(TOML)
        return text if self._luck.random() < 0.2 else commands.mutate_text(self._luck, text[:2_000])
