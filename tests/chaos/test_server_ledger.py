"""The comparison of a server with its ledger detects every kind of damage."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.chaos.live_tables import SHEETS
from tests.chaos.server_ledger import find_errors
from tests.chaos.server_play import Heard
from tests.house.table.visible_cards import received_events, watch
from tests.house.web.conftest import fast_folder

from pitbook import load
from pitbook.house.client import Accepted, Refused
from pitbook.house.table.commands import By, CloseBetting, Command, Decide, Envelope, PutWager, Sit
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.table.visibility import Viewer
from pitbook.money import Cents
from pitbook.rules.refusals import Refusal

ANN, DEE = By("ann", "player"), By("dee", "dealer")
COMMANDS: tuple[tuple[By, Command], ...] = (
    (ANN, Sit(1)),
    (ANN, PutWager(1, "ante", Cents(500))),
    (ANN, PutWager(1, "ante", Cents(1))),
    (DEE, CloseBetting()),
    (ANN, Decide(1, "1x")),
    (ANN, Decide(1, "fold")),
)


async def play_round(house: LiveTables, count: int = len(COMMANDS)) -> Any:
    """One round at one table, as ann received it."""
    await house.open()
    await house.cage.buy_in("ann", Cents(100_000), actor="sue")
    for name, sheet in SHEETS.items():
        await house.open_table(name, "house", unit="usd", sheet=load(sheet), actor="sue")
    table, viewer = house.tables["one"], Viewer("ann", "player")
    first, watching = table.state.version, watch(table, viewer)
    answers = {}
    for number, (by, command) in enumerate(COMMANDS[:count]):
        answer = await table.send(Envelope(by, command, f"{number}"))
        received: Accepted | Refused
        if isinstance(answer, Refusal):
            received = Refused(answer.code, answer.message, answer.clause)
        else:
            received = Accepted(answer.seq, answer.hash)
        answers[f"{by.name}/{number}"] = Heard("one", {"do": "it"}, received, 0.0)
    watching.close()
    events = await received_events(watching)
    await house.close()
    live = SimpleNamespace(table="one")
    seat = SimpleNamespace(live=live, viewer=viewer, first=first, events=events)
    return SimpleNamespace(heard=answers, seats=[seat])


Damage = Callable[[Any], Any]


def _change_answer(key: str, **change: Any) -> Damage:
    def damage(players: Any) -> None:
        players.heard[key] = players.heard[key]._replace(**change)

    return damage


DAMAGES: dict[str, tuple[Damage, str]] = {
    "lost": (
        _change_answer("ann/1", answer=Accepted(99, "0" * 64)),
        "ann/1 was acknowledged as Accepted(",
    ),
    "elsewhere": (_change_answer("ann/1", table="two"), "ann/1 was acknowledged as Accepted("),
    "refused": (
        _change_answer("ann/1", answer=Refused("no", "no", None)),
        "ann/1 was refused (no) and is",
    ),
    "silent": (_change_answer("ann/1", answer="gone"), "ann/1 (it) had no answer: gone"),
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
def test_disagreement_with_the_ledger_is_detected(tmp_path: Path, name: str) -> None:
    damage, expected = DAMAGES[name]
    with fast_folder(tmp_path) as folder:
        players = asyncio.run(play_round(LiveTables(folder)))
        assert find_errors(folder, players) == []
        damage(players)
        errors = find_errors(folder, players)
        assert errors
        assert errors[0].startswith(expected)


def test_unfinished_round_is_detected(tmp_path: Path) -> None:
    with fast_folder(tmp_path) as folder:
        players = asyncio.run(play_round(LiveTables(folder), len(COMMANDS) - 1))
        assert find_errors(folder, players) == ["one-000001 never ended"]
