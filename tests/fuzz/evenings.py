"""Event nights to ask about, and things that somebody might say to a tournament."""

from __future__ import annotations

from random import Random
from typing import Any, get_type_hints

from tests.fuzz.spoken import AMOUNTS, PEOPLE, SAID, Json

from pitbook.house.ledger.journal import Ledger
from pitbook.house.nights import commands
from pitbook.house.nights.house_rules import kept_rules, load
from pitbook.house.nights.schedule_files import read_schedule, samples
from pitbook.house.nights.store import Night
from pitbook.house.nights.ticket_codes import Ticket, Tickets
from pitbook.house.nights.tournament import commands as floor
from pitbook.house.nights.tournament.commands import KINDS
from pitbook.money import dollars
from pitbook.rules.refusals import Refusal

HOUSE = "oceanfront"
EVENTS = ("gala", "gala", "gala", "ball", "none", "Gala")
TOURNAMENTS = ("t1", "t1", "t2", "t3")
DOUBTFUL: Json = {
    "table": (1, 1, 2, 0, 10**30),
    "minutes": (1, 10, 0, 601),
    "of": (1, 2, 3, 10**9),
    "player": (*PEOPLE, "dan"),
    "players": (["ann"], ["bob"], ["ann", "ann"], []),
    "agreed": (["ann", "bob"], ["cyd"], []),
    "counts": ({"ann": "1000"}, {"nobody": "5"}, {}),
    "moves": ([], [{"player": "ann", "table": 1, "seat": 3}]),
    "in_doubt": (True, False),
    "in_book": (True, False),
    "readable": (True, False),
}


def two_nights(ledger: Ledger) -> None:
    """One that is open, with a tournament before its first card and one in play; one to come."""
    night = _made(ledger, "gala")
    _must(night, commands.Open(), commands.BringFloat(dollars("500")))
    _must(night, commands.Sell("ann", dollars("20")))
    for own, text in zip(("t1", "t2"), samples().values(), strict=True):
        name = f"gala.{own}"
        _must(night, floor.SetUp(name, read_schedule(text)), floor.Announce(name))
        _must(night, *(floor.Enter(name, player) for player in ("ann", "bob", "cyd")))
        _must(night, floor.DrawSeats(name))
    _must(night, floor.Start("gala.t2"), floor.StartClock("gala.t2"))
    _made(ledger, "ball")


def check_in_code(secret: bytes) -> str:
    """A code that the house gave out."""
    return Tickets(secret).token(Ticket("gala", "t1", "ann"))


def said(luck: Random) -> Json:
    """Any command to a tournament, with fields that make sense."""
    do = luck.choice(list(KINDS))
    kind: Any = KINDS[do]
    fields = [key for key in get_type_hints(kind) if key != "tournament"]
    wanted = [key for key in fields if key not in kind._field_defaults or luck.random() < 0.3]
    return {"do": do, **{key: luck.choice(DOUBTFUL.get(key, SAID)) for key in wanted}}


def schedule(luck: Random) -> str:
    """The text of a schedule, now and then with another number in it."""
    text = luck.choice(list(samples().values()))
    return text.replace("60", luck.choice(AMOUNTS)) if luck.random() < 0.5 else text


def _made(ledger: Ledger, event: str) -> Night:
    night = Night(ledger, event)
    today = night.now().date().isoformat()
    _must(night, commands.Make(event, "Shelter", "NH-1", today, "UTC", kept_rules(load(HOUSE))))
    return night


def _must(night: Night, *given: Any) -> None:
    for command in given:
        answer = night.give(command, actor="test")
        assert not isinstance(answer, Refusal), (command, answer)
