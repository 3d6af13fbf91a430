"""What is held against a server's book can fail: each thing that is put wrong is noticed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.chaos.server_book import wrong
from tests.chaos.server_play import Heard
from tests.chaos.tables import SHEETS
from tests.house.table.watching import heard, watch
from tests.house.web.conftest import fast_folder

from pitbook import load
from pitbook.house.client import Accepted, Refused
from pitbook.house.table.commands import By, CloseBetting, Command, Decide, Envelope, PutWager, Sit
from pitbook.house.table.tables import LiveTables
from pitbook.house.table.visibility import Viewer
from pitbook.money import Cents
from pitbook.rules.refusals import Refusal

ANN, DEE = By("ann", "player"), By("dee", "dealer")
PLAYED: tuple[tuple[By, Command], ...] = (
    (ANN, Sit(1)),
    (ANN, PutWager(1, "ante", Cents(500))),
    (ANN, PutWager(1, "ante", Cents(1))),
    (DEE, CloseBetting()),
    (ANN, Decide(1, "1x")),
    (ANN, Decide(1, "fold")),
)


async def played(house: LiveTables, count: int = len(PLAYED)) -> Any:
    """One round at one table, as ann heard it."""
    await house.open()
    await house.cage.buy_in("ann", Cents(100_000), actor="sue")
    for name, sheet in SHEETS.items():
        await house.open_table(name, "house", unit="usd", sheet=load(sheet), actor="sue")
    table, viewer = house.tables["one"], Viewer("ann", "player")
    first, watching = table.state.version, watch(table, viewer)
    answers = {}
    for number, (by, command) in enumerate(PLAYED[:count]):
        answer = await table.send(Envelope(by, command, f"{number}"))
        told: Accepted | Refused
        if isinstance(answer, Refusal):
            told = Refused(answer.code, answer.message, answer.clause)
        else:
            told = Accepted(answer.seq, answer.hash)
        answers[f"{by.name}/{number}"] = Heard("one", {"do": "it"}, told, 0.0)
    watching.close()
    events = await heard(watching)
    await house.close()
    live = SimpleNamespace(table="one")
    seat = SimpleNamespace(live=live, viewer=viewer, first=first, events=events)
    return SimpleNamespace(heard=answers, seats=[seat])


Damage = Callable[[Any], Any]


def _heard(key: str, **change: Any) -> Damage:
    def damage(players: Any) -> None:
        players.heard[key] = players.heard[key]._replace(**change)

    return damage


DAMAGES: dict[str, tuple[Damage, str]] = {
    "lost": (_heard("ann/1", answer=Accepted(99, "0" * 64)), "ann/1 was acknowledged as Accepted("),
    "elsewhere": (_heard("ann/1", table="two"), "ann/1 was acknowledged as Accepted("),
    "refused": (_heard("ann/1", answer=Refused("no", "no", None)), "ann/1 was refused (no) and is"),
    "silent": (_heard("ann/1", answer="gone"), "ann/1 (it) had no answer: gone"),
    "unasked": (lambda players: players.heard.pop("ann/4"), "one has ann/4, unasked"),
    "missed": (lambda players: players.seats[0].events.pop(3), "ann at one: 7 came after 5"),
    "twice": (
        lambda players: players.seats[0].events.insert(3, players.seats[0].events[3]),
        "ann at one: 6 came after 6",
    ),
    "anew": (
        lambda players: players.seats[0].events.__setitem__(
            slice(3, 5), [{**players.seats[0].events[4], "what": "view"}]
        ),
        "ann at one: 7 came after 5",
    ),
    "late": (lambda players: players.seats[0].events.pop(), "ann at one: heard up to "),
    "other": (lambda players: players.seats[0].events[3].update(body={}), "ann at one: {"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_what_does_not_agree_is_noticed(tmp_path: Path, name: str) -> None:
    damage, told = DAMAGES[name]
    with fast_folder(tmp_path) as folder:
        players = asyncio.run(played(LiveTables(folder)))
        assert wrong(folder, players) == []
        damage(players)
        found = wrong(folder, players)
        assert found
        assert found[0].startswith(told)


def test_a_round_that_never_ended_is_noticed(tmp_path: Path) -> None:
    with fast_folder(tmp_path) as folder:
        players = asyncio.run(played(LiveTables(folder), len(PLAYED) - 1))
        assert wrong(folder, players) == ["one-000001 never ended"]
