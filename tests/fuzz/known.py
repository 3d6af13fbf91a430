"""Names, ids and words that mean something in the house, for the fields that ask for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from tests.fuzz import evenings, spoken
from tests.fuzz.floor import OTHERS, Floor
from tests.house.web.conftest import NAMES, PASSWORD
from tests.house.web.live import SHEETS

from pitbook.house.table.views import table_view
from pitbook.house.table.visibility import Viewer
from pitbook.sheets.library import BUNDLED

KNOWN = 0.75  # How often a field says something that the house knows.
DAYS = ("2026-11-15", "2026-11-15T18:30", "0001-01-01", "9999-12-31", "2026-02-30", "20261115")
HANDS = ("6h 5h", "As Ad", "6h", "", "6h 6h", "6h5h7h8h", "2c 3c 4c", "zz")
REQUESTS = ("a", "b", "c", "d", "x" * 100, "x" * 101)
NUMBERS = (0, 1, 2, 3, 7, 30, 100, 101, 10**9, 10**30, -1)
TOML = tuple(file.read_text() for file in sorted(BUNDLED.rglob("*.toml")))


class Known:
    """Puts into a request what there is: tables, rounds, people, sheets, and things to say."""

    def __init__(self, floor: Floor, luck: Random) -> None:
        self._floor, self._luck = floor, luck
        one = luck.choice
        tables = (floor.live, floor.live, floor.own, "past", "typed", "gone", "bobs")
        people = (*NAMES.values(), *OTHERS, floor.guest.name, "Ann", "house")
        rounds = (f"{floor.live}-000001", f"{floor.live}-000002", "past-000001", "typed-000001")
        venue, game = one(SHEETS).split("/")
        self._words: dict[str, Callable[[], Any]] = {
            **dict.fromkeys(("name", "player"), lambda: one(people)),
            **dict.fromkeys(("sheet", "a", "b"), lambda: one(SHEETS)),
            **dict.fromkeys(("amount", "ante"), lambda: one(spoken.AMOUNTS)),
            **dict.fromkeys(("cards", "community", "dead"), lambda: one(HANDS)),
            **dict.fromkeys(("from", "to", "on"), lambda: one(DAYS)),
            **dict.fromkeys(("seats", "count", "Last-Event-ID"), lambda: one(NUMBERS)),
            "seat": lambda: one((1, 1, 2, 3, 4)),
            "table": lambda: one(tables),
            "round": lambda: one(rounds),
            "venue": lambda: venue,
            "game": lambda: game,
            "token": lambda: one((floor.invitation, floor.code)),
            "event": lambda: one(evenings.EVENTS),
            "tournament": lambda: one(evenings.TOURNAMENTS),
            "slip": lambda: one((1, 2, 3)),
            "password": lambda: one((PASSWORD, "short", "long enough to be one")),
            "request": lambda: one(REQUESTS),
            "wager": lambda: one(spoken.WAGERS),
            "bets": lambda: [one(spoken.PLAYS) for _ in range(luck.randrange(4))],
            "command": self._command,
            "toml": self._toml,
        }

    def among(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Fields with some of their values replaced."""
        return {
            key: self._words[key]() if key in self._words and self._luck.random() < KNOWN else value
            for key, value in fields.items()
        }

    def body(self, body: Any) -> Any:
        """A body with some of its values replaced, now and then with one thing about it wrong."""
        if not isinstance(body, dict):
            return body
        found = self.among(body)
        return spoken.bent(self._luck, found) if self._luck.random() < 0.1 else found

    def _command(self) -> Any:
        chance = self._luck.random()
        if chance < 0.3:
            return evenings.said(self._luck)
        if chance < 0.6:
            return spoken.command(self._luck)
        offered = self.offered(self._luck.choice((self._floor.live, self._floor.own)))
        return self._luck.choice(offered) if offered else {}

    def offered(self, table: str) -> list[Any]:
        """What somebody at a table could say right now."""
        found = self._floor.house.tables.get(table)
        if found is None:
            return []
        owner = Viewer(found.state.owner or "ann", "player")
        who = self._luck.choice((owner, Viewer("sue", "supervisor")))
        offers = table_view(found.state, who, found.env.wallet)["offers"]
        return [said for offer in offers for said in spoken.said(dict(offer), self._luck)]

    def _toml(self) -> str:
        if self._luck.random() < 0.3:
            return evenings.schedule(self._luck)
        text = self._luck.choice(TOML)
        return text if self._luck.random() < 0.2 else spoken.broken(self._luck, text[:2_000])
