"""The client against a real server: dropped connections lose, repeat and reorder nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NoReturn

import httpx
import pytest
from tests.house.web.conftest import (
    NAMES,
    PASSWORD,
    WEAK,
    WIDE,
    LoopRunner,
    open_house,
    people_of,
)
from tests.house.web.live_server import serving

from pitbook import load
from pitbook.house import client as module
from pitbook.house.client import Accepted, Client, ClientError, Refused
from pitbook.house.settings import Settings
from pitbook.house.table import socket as route
from pitbook.house.table import watchers
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.web.app import create_app
from pitbook.money import Cents
from pitbook.text import in_language, sentence_of

STUD = "catfish-bend/mississippi-stud"
ANTE = {"do": "put-wager", "seat": 1, "wager": "ante", "amount": "10"}
UNDO = {"do": "undo", "seat": 1}


@pytest.fixture
def run() -> Iterator[LoopRunner]:
    running = LoopRunner()
    yield running
    running.runner.close()


@asynccontextmanager
async def house_of(folder: Path) -> AsyncIterator[tuple[str, LiveTables]]:
    """A house with ann, who has money, and a table "t"; its address and itself."""
    # Lost connections cost many commands.
    limits = WIDE.model_copy(update={"commands_burst": 10_000})
    settings = Settings(data=folder, sign_in=WEAK, limits=limits)
    async with open_house(folder) as house:
        people = people_of(house, settings)
        people.add(NAMES["player"], "player", PASSWORD, actor="test")
        await house.cage.buy_in("ann", Cents(100_000), actor="test")
        clocks = {"betting": None, "decision": None}
        await house.open_table("t", "house", sheet=load(STUD), unit="usd", clocks=clocks)
        async with serving(create_app(house, people, settings)) as base:
            yield base, house


@pytest.mark.long
def test_a_guest_plays_a_round(run: LoopRunner, tmp_path: Path) -> None:
    async def play() -> None:
        async with house_of(tmp_path) as (base, _), Client(base) as guest:
            seated = await guest.practice(STUD)
            async with guest.live(seated["table"]) as table:
                assert isinstance(await table.send(ANTE), Accepted)
                assert isinstance(await table.send({"do": "close-betting"}), Accepted)
                view = await table.look()
                while view["phase"] == "play":
                    await table.send({"do": "decide", "seat": 1, "play": "1x"})
                    view = await table.look()
                assert view["result"]["result"] == "settled"
                refused = await table.send({"do": "decide", "seat": 1, "play": "1x"})
                assert isinstance(refused, Refused)
                assert refused.code == "not-now"
            assert [table["table"] for table in await guest.tables()] == [seated["table"]]
            assert (await guest.view(seated["table"]))["phase"] == "over"

    run(play())


@pytest.mark.long
def test_lost_connection_loses_and_repeats_nothing(run: LoopRunner, tmp_path: Path) -> None:
    async def play() -> None:
        async with house_of(tmp_path) as (base, house), Client(base) as ann:
            assert (await ann.sign_in("ann", PASSWORD))["role"] == "player"
            async with ann.live("t") as table:
                first = table.view["version"]
                await table.send({"do": "sit", "seat": 1})
                for _ in range(5):
                    sends = [
                        asyncio.ensure_future(table.send(command))
                        for command in (
                            ANTE,
                            {"do": "undo", "seat": 1},
                            ANTE,
                            {"do": "undo", "seat": 1},
                        )
                    ]
                    await asyncio.sleep(0)
                    await table.lose()
                    answers = await asyncio.gather(*sends)
                    assert all(isinstance(answer, Accepted) for answer in answers), answers
                assert table.connections > 1
                view = await table.look()
                events_seen: list[dict[str, Any]] = []
                while not events_seen or events_seen[-1]["version"] < view["version"]:
                    events_seen.append(await anext(table.events()))
                versions = [event["version"] for event in events_seen]
                assert versions == list(range(first + 1, view["version"] + 1))
            requests = [entry.request for entry in house.ledger.entries("table/t") if entry.request]
            # And the one that opened the table.
            assert len(requests) == len(set(requests)) == 21 + 1
            assert _wallet(house) == 100_000

    run(play())


def _wallet(house: LiveTables) -> int:
    return house.ledger.balance(house.cage.wallet("ann"))


@pytest.mark.long
def test_client_away_too_long_gets_a_new_view(
    run: LoopRunner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watchers, "LOG_MAX", 2)

    async def play() -> None:
        async with house_of(tmp_path) as (base, _), Client(base) as ann:
            await ann.sign_in("ann", PASSWORD)
            async with ann.live("t") as table:
                with monkeypatch.context() as away:
                    away.setattr(module, "connect", fail_to_connect)
                    await table.lose()
                    await ann.send("t", {"do": "sit", "seat": 1})
                    await ann.send("t", ANTE)
                async for event in table.events():
                    if event["what"] == "view":
                        assert event["body"]["version"] == event["version"] == table.version
                        break

    run(play())


def fail_to_connect(*_: Any, **__: Any) -> NoReturn:
    raise OSError("no line")


@pytest.mark.long
def test_http_request_is_sent_until_answered(run: LoopRunner, tmp_path: Path) -> None:
    async def play() -> None:
        async with house_of(tmp_path) as (base, house), Client(base) as ann:
            await ann.sign_in("ann", PASSWORD)
            real = ann.http._transport
            lost: list[str] = []

            class Bad(httpx.AsyncBaseTransport):
                async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
                    if not lost:
                        lost.append("before")
                        raise httpx.ConnectError("no line")
                    answer = await real.handle_async_request(request)
                    if len(lost) == 1:
                        lost.append("after")
                        raise httpx.ReadError("no answer")
                    return answer

            ann.http._transport = Bad()
            assert isinstance(await ann.send("t", {"do": "sit", "seat": 1}), Accepted)
            assert lost == ["before", "after"]
            assert house.tables["t"].state.seats == {1: "ann"}
            again = await ann.send("t", ANTE, "mine")
            assert await ann.send("t", ANTE, "mine") == again
            reused = await ann.send("t", UNDO, "mine")
            assert isinstance(reused, Refused)
            assert reused.code == "request-reused"
            ann.http._transport = real

    run(play())


@pytest.mark.long
def test_permanent_errors_are_raised(run: LoopRunner, tmp_path: Path) -> None:
    async def play() -> None:
        async with house_of(tmp_path) as (base, _), Client(base, patience=0.1) as ann:
            with pytest.raises(
                ClientError, match="Wrong name or password, or too many failed attempts"
            ) as wrong:
                await ann.sign_in("ann", "no such thing")
            assert wrong.value.status == 401
            with pytest.raises(
                ClientError, match="Sign in first, or open a practice table as a guest"
            ) as stranger:
                await ann.live("t").__aenter__()
            assert stranger.value.status == 401
            await ann.sign_in("ann", PASSWORD)
            with pytest.raises(ClientError, match='There is no table "u"'):
                await ann.view("u")
            async with ann.live("t") as table:
                with pytest.raises(ClientError, match="fly"):
                    await table.send({"do": "fly"})
        async with Client(base, patience=0.1) as late:
            with pytest.raises(ClientError, match="cannot be reached"):
                await late.tables()
            with pytest.raises(ClientError, match="cannot be reached"):
                await late.live("t").__aenter__()

    run(play())


def test_client_language_is_used(run: LoopRunner, tmp_path: Path) -> None:
    async def play() -> None:
        house, patience = house_of(tmp_path), 0.1
        async with house as (base, _), Client(base, patience=patience, language="es") as ann:
            await ann.sign_in("ann", PASSWORD)
            with pytest.raises(ClientError, match='No existe la mesa "u"'):
                await ann.view("u")
            async with ann.live("t") as table:
                refused = await table.send(ANTE)
            assert isinstance(refused, Refused)
            assert refused.message.startswith("ann no está en el puesto 1")
        async with Client(base, patience=patience) as late:
            with pytest.raises(ClientError) as unreached:
                await late.tables()
        assert in_language(sentence_of(unreached.value), "es").startswith("no se llega a http")

    run(play())


@pytest.mark.long
def test_rejected_socket_does_not_reconnect(run: LoopRunner, tmp_path: Path) -> None:
    async def play() -> None:
        async with house_of(tmp_path) as (base, _), Client(base) as ann:
            await ann.sign_in("ann", PASSWORD)
            async with ann.live("t") as table:
                for _ in range(route.GARBAGE_MAX):
                    await table._send_frame({"nonsense": 1})
                assert [event async for event in table.events()] == []
                with pytest.raises(ClientError, match=r"Too many invalid frames."):
                    await table.send(ANTE)
                with pytest.raises(ClientError, match=r"Too many invalid frames."):
                    await table.look()

    run(play())


@pytest.mark.long
def test_pings_are_answered(
    run: LoopRunner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client that does not answer is closed; one that only answers stays."""
    monkeypatch.setattr(route, "PING_SECONDS", 0.02)
    monkeypatch.setattr(module, "CALL_SECONDS", 60)

    async def play() -> None:
        async with house_of(tmp_path) as (base, house), Client(base) as ann:
            await ann.sign_in("ann", PASSWORD)
            async with ann.live("t") as table, asyncio.timeout(60):
                (watcher,) = house.tables["t"].subscribers._watchers
                for _ in range(5):
                    heard = watcher.last_heard
                    while not watcher.answers_pings or watcher.last_heard <= heard:
                        await asyncio.sleep(0.01)
                assert table.connections == 1

    run(play())
