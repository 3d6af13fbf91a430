"""Events to ask about, and commands to send to a tournament."""

from __future__ import annotations

from random import Random
from typing import Any, get_type_hints

from tests.fuzz.commands import AMOUNTS, PEOPLE, REMARKS, Json

from pitbook.house.ledger.ledger import Ledger
from pitbook.house.nights import commands
from pitbook.house.nights.house_rules import load, stored_rules
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
PLAUSIBLE: Json = {
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


def make_two_events(ledger: Ledger) -> None:
    """One open event with a tournament about to start and one in play, and one future event."""
    night = _make_night(ledger, "gala")
    _require(night, commands.Open(), commands.BringFloat(dollars("500")))
    _require(night, commands.Sell("ann", dollars("20")))
    for number, text in zip(("t1", "t2"), samples().values(), strict=True):
        name = f"gala.{number}"
        _require(night, floor.SetUp(name, read_schedule(text)), floor.Announce(name))
        _require(night, *(floor.Enter(name, player) for player in ("ann", "bob", "cyd")))
        _require(night, floor.DrawSeats(name))
    _require(night, floor.Start("gala.t2"), floor.StartClock("gala.t2"))
    _make_night(ledger, "ball")


def check_in_code(secret: bytes) -> str:
    """A valid check-in code."""
    return Tickets(secret).token(Ticket("gala", "t1", "ann"))


def random_command(rng: Random) -> Json:
    """A random tournament command with plausible fields."""
    command_kind = rng.choice(list(KINDS))
    kind: Any = KINDS[command_kind]
    fields = [key for key in get_type_hints(kind) if key != "tournament"]
    chosen = [key for key in fields if key not in kind._field_defaults or rng.random() < 0.3]
    return {"do": command_kind, **{key: rng.choice(PLAUSIBLE.get(key, REMARKS)) for key in chosen}}


def random_schedule(rng: Random) -> str:
    """The text of a schedule, sometimes with another number in it."""
    text = rng.choice(list(samples().values()))
    return text.replace("60", rng.choice(AMOUNTS)) if rng.random() < 0.5 else text


def _make_night(ledger: Ledger, event: str) -> Night:
    night = Night(ledger, event)
    today = night.now().date().isoformat()
    _require(
        night, commands.Make(event, "Shelter", "NH-1", today, "UTC", stored_rules(load(HOUSE)))
    )
    return night


def _require(night: Night, *moves: Any) -> None:
    for command in moves:
        answer = night.give(command, actor="test")
        assert not isinstance(answer, Refusal), (command, answer)
