"""A bot that is stopped, cut off or left without its house: no hand and no cent is lost."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Ask
from tests.house.cli.bot_house import FAST, PASSWORD, Floor, cents, in_play
from tests.house.web.conftest import WEAK, open_house, people_of
from tests.house.web.live_server import serving
from tests.house.web.server_process import SECONDS, command, environment, run_server
from tests.postgres import free_port
from tests.sheets.samples import CMS, OMS

from pitbook import load
from pitbook.house.cli import bot
from pitbook.house.cli import bot_player as bot_run
from pitbook.house.cli.bot_player import BotJob, BotSeat, Visit
from pitbook.house.client import Client, Live
from pitbook.house.settings import RequestLimits, Settings
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.web.app import create_app
from pitbook.money import Cents, dollars

FINISHES = "Finishing this round. Press Ctrl-C again to leave now."


def interrupt(when: Callable[[], bool], times: int) -> threading.Thread:
    """Press Ctrl-C as soon as a condition holds; each press is handled before the next."""
    own_handler = signal.getsignal(signal.SIGINT)

    def wait_and_press() -> None:
        until = threading.Event()
        for _ in range(6000):
            if when():
                break
            until.wait(0.01)
        for _ in range(times):
            if (listening := signal.getsignal(signal.SIGINT)) == own_handler:
                return  # The bot is gone: Ctrl-C would end the tests instead.
            os.kill(os.getpid(), signal.SIGINT)
            for _ in range(6000):
                if signal.getsignal(signal.SIGINT) != listening:
                    break
                until.wait(0.01)

    thread = threading.Thread(target=wait_and_press)
    thread.start()
    return thread


@pytest.mark.long
def test_ctrl_c_finishes_the_round_and_leaves(play: Ask, floor: Floor) -> None:
    thread = interrupt(in_play(floor, "stud-1"), 1)
    answer = play("stud-1", "--name", "dan", "--rounds", "0", "--pace", "0.15")
    thread.join()
    assert answer.code == 0
    assert answer.err.strip() == FINISHES
    assert "\nStopped.\n" in answer.out
    view = floor.view_of("stud-1")
    assert all(seat["player"] is None for seat in view["seats"])
    assert view["phase"] == "over"
    assert floor.wallet("dan")[1] == "0.00"


@pytest.mark.long
def test_second_ctrl_c_leaves_the_hand_to_the_house_rules(play: Ask, floor: Floor) -> None:
    thread = interrupt(in_play(floor, "stud-1"), 2)
    answer = play("stud-1", "--name", "eva", "--rounds", "0", "--pace", "2", "--json")
    thread.join()
    assert answer.code == 130
    document = answer.document
    assert (document["stopped"], document["left"], document["error"]) == (True, False, None)
    assert floor.view_of("stud-1")["seats"][0]["player"] == "eva"
    again = play("stud-1", "--name", "eva", "--rounds", "1")
    assert again.code == 0, "whoever comes back plays the hand on"
    assert again.out.splitlines()[-1].startswith("Total: 1 round, ")


def test_summary_after_a_second_ctrl_c() -> None:
    from types import SimpleNamespace

    seated = SimpleNamespace(
        player="eva",
        seat=3,
        stopping=True,
        left=False,
        live=SimpleNamespace(connections=3),
        tally=SimpleNamespace(rounds=4, net=-500, balance=99_500, wagered=2_500),
    )
    visit: Any = SimpleNamespace(seated=seated, view={"unit": "usd"})
    words = bot._Words(quiet=False)
    printed: list[str] = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("builtins.print", lambda *texts, **_: printed.append(" ".join(texts)))
        words.summary(visit)
    assert printed == [
        "Total: 4 rounds, net -$5, balance $995, bet $25.",
        "Stopped.",
        "Seat 3 is still taken. The house rules finish its hand.",
        "The connection was lost and restored 2 times.",
    ]


def test_ctrl_c_before_a_seat_is_taken(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    async def knocking(_: Client) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(60)

    monkeypatch.setattr("pitbook.house.cli.bot_player._check_server", knocking)
    answer = ask("bot", "--practice", CMS)
    assert (answer.code, answer.out) == (130, "")


@pytest.mark.long
def test_removed_practice_table_is_not_a_lost_connection(
    play: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server closes the connection when the bot's table goes, however late the bot notices."""
    lines: list[Live] = []
    go, cleared = BotSeat.go, bot_run._close_practice_table

    async def record_and_go(seated: BotSeat) -> None:
        lines.append(seated.live)
        await go(seated)

    async def close_and_wait(client: Client, table: str) -> None:
        await cleared(client, table)
        async with asyncio.timeout(SECONDS):
            while lines[0]._failed is None:
                await asyncio.sleep(0.01)

    monkeypatch.setattr(BotSeat, "go", record_and_go)
    monkeypatch.setattr(bot_run, "_close_practice_table", close_and_wait)
    answer = play("--practice", CMS, "--rounds", "1")
    assert (answer.code, answer.err) == (0, "")
    assert "line was lost" not in answer.out


# The line -----------------------------------------------------------------------------------------


@asynccontextmanager
async def house_of(folder: Path, **clocks: int | None) -> AsyncIterator[tuple[str, LiveTables]]:
    """A house in this loop with ann and bob, who have money, and a table "t"."""
    wide = RequestLimits(
        requests_per_second=1e6,
        requests_burst=10**6,
        commands_per_second=1e6,
        commands_burst=10**6,
        sign_ins_per_minute=1e6,
    )
    settings = Settings(data=folder, sign_in=WEAK, limits=wide)
    async with open_house(folder) as house:
        people = people_of(house, settings)
        for name in ("ann", "bob"):
            people.add(name, "player", PASSWORD, actor="test")
            await house.cage.buy_in(name, Cents(100_000), actor="test")
        await house.open_table("t", "house", sheet=load(CMS), unit="usd", clocks=clocks)
        async with serving(create_app(house, people, settings)) as base:
            yield base, house


@pytest.mark.long
def test_bot_survives_a_lost_connection_every_round(tmp_path: Path) -> None:
    async def play() -> None:
        async with house_of(tmp_path) as (base, house):

            def cut_connection(visit: Visit) -> None:
                assert visit.seated is not None
                cut.append(asyncio.ensure_future(visit.seated.live.lose()))

            cut: list[asyncio.Future[None]] = []
            job = BotJob((base,), "t", name="ann", password=PASSWORD, rounds=5)
            visit = Visit(job, cut_connection)
            await visit.play()
            assert visit.seated is not None
            tally = visit.seated.tally
            assert tally.rounds == 5
            assert visit.seated.live.connections > 1
            assert house.ledger.balance(house.cage.wallet("ann")) == tally.balance
            assert tally.balance == 100_000 + tally.net
            await asyncio.gather(*cut)

    asyncio.run(play())


@pytest.mark.long
def test_two_bots_at_one_table_wait_for_each_other(tmp_path: Path) -> None:
    async def play() -> None:
        async with house_of(tmp_path, betting=1, decision=45) as (base, house):
            visits = [
                Visit(
                    BotJob((base,), "t", name=name, password=PASSWORD, seed=name, rounds=2), print
                )
                for name in ("ann", "bob")
            ]
            await asyncio.gather(*(visit.play() for visit in visits))
            assert [visit.seated.tally.rounds for visit in visits if visit.seated] == [2, 2]
            assert house.tables["t"].state.seats == {}
            for name, visit in zip(("ann", "bob"), visits, strict=True):
                assert visit.seated is not None
                balance = house.ledger.balance(house.cage.wallet(name))
                assert balance == visit.seated.tally.balance

    before = signal.getsignal(signal.SIGINT)
    try:
        asyncio.run(play())
    finally:  # Two bots in one process restore the handler in any order.
        signal.signal(signal.SIGINT, before)


@pytest.mark.slow
def test_bot_survives_a_killed_server(tmp_path: Path) -> None:
    """On a sheet that asks the players whether to finish an interrupted hand (OMS-16)."""
    data, port = tmp_path / "house", str(free_port())
    with run_server(data, "--port", port, **FAST) as house:
        floor = Floor(house)
        floor.add("ann", "1000")
        floor.post("/api/tables", name="one", sheet=OMS)
        options = ("one", "--name", "ann", "--rounds", "0", "--pace", "0.1", "--json")
        player = subprocess.Popen(
            command("bot", "--server", house.address, *options),
            env=environment(PITBOOK_PASSWORD=PASSWORD),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        with player:
            try:
                wait_for(in_play(floor, "one"), player)
                house.stop(signal.SIGKILL)
                with run_server(data, "--port", port, **FAST) as again:
                    before = floor.view_of("one")["version"]
                    wait_for(lambda: floor.view_of("one")["version"] > before + 20, player)
                    player.send_signal(signal.SIGINT)
                    out, err = player.communicate(timeout=SECONDS)
                    floor.sue.close()
                    assert again.stop() == 0
            finally:
                player.kill()
    document = json.loads(out)
    assert (player.returncode, err.strip()) == (0, FINISHES)
    assert document["rounds"] >= 1
    assert (document["stopped"], document["left"], document["error"]) == (True, True, None)
    assert document["lost"] >= 1
    assert dollars(document["balance"]) == 100_000 + cents(document["net"])


def wait_for(what: Callable[[], bool], player: subprocess.Popen[str]) -> None:
    """Return once the condition holds, while the player plays on."""
    while not what():
        assert player.poll() is None
        time.sleep(0.02)
