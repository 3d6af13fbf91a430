"""One of two PostgreSQL servers is killed in mid-hand; the other handles the interruption."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.chaos.server_house import WIDE_LIMITS
from tests.house.nights.kit import EVENT
from tests.house.nights.two_processes import Side, open_night, start_tournament, two_folders
from tests.house.web.conftest import PASSWORD, WEAK
from tests.house.web.preloaded_processes import spawn
from tests.house.web.server_process import ServerProcess, environment
from tests.house.web.stay_awake import AWAKE

from pitbook.house.ledger.data_folder import Folder
from pitbook.house.people.accounts import People
from pitbook.shoe.crypto import Vault

Json = dict[str, Any]
SECONDS = 60
OFTEN = {
    "pitbook.house.nights.night_sync.SYNC_SECONDS": 0.1,
    "pitbook.house.web.leases.LOOK_SECONDS": 0.1,
    **AWAKE,
}
MULTI, HOURLY = ("cal", "dot", "eli", "fay"), ("gus", "hal", "ivy")


def set_up_house(path: Path, url: str, *more: tuple[str, ...]) -> tuple[Path, Path]:
    """A night with started tournaments of each kind and a supervisor."""
    folders = two_folders(path, url)
    with Folder.open(folders[0], url) as folder:
        side = Side(folder)
        people = People(folder.ledger, Vault(folder.keys.sealing), WEAK)
        people.add("sue", "supervisor", PASSWORD, actor="test")
        open_night(side)
        start_tournament(side, f"{EVENT}.t1", "multi-table", MULTI)
        start_tournament(side, f"{EVENT}.t2", "hourly", HOURLY)
        for number, players in enumerate(more, start=3):
            start_tournament(side, f"{EVENT}.t{number}", "multi-table", players)
    return folders


@contextmanager
def both(folders: tuple[Path, Path], url: str) -> Iterator[list[ServerProcess]]:
    """Two servers, killed at the end if they still run."""
    with ExitStack() as stack:
        processes = []
        for folder in folders:
            arguments = ["serve", "--port", "0", "--data", str(folder), "--db", url]
            process = spawn(arguments, folder.parent, environment(**WIDE_LIMITS), OFTEN)
            stack.callback(process.wait, SECONDS)
            stack.callback(process.kill)
            processes.append(process)
        yield [ServerProcess(process) for process in processes]


class Desk:
    """The supervisor at one of the servers; every request has its own id."""

    def __init__(self, server: ServerProcess) -> None:
        self.client, self.where, self.number = server.client(), server.address, 0
        credentials = {"name": "sue", "password": PASSWORD}
        self.client.post("/api/sign-in", json=credentials).raise_for_status()

    def __enter__(self) -> Desk:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()

    def post(self, path: str, **body: Any) -> httpx.Response:
        self.number += 1
        return self.client.post(path, json={"request": f"{self.where} {self.number}", **body})

    def must(self, path: str, **body: Any) -> Json:
        answer = self.post(path, **body)
        assert answer.is_success, answer.text
        document: Json = answer.json()
        return document

    def see(self, short_name: str) -> Json:
        view: Json = self.client.get(f"/api/nights/{EVENT}/tournaments/{short_name}").json()
        return view

    def is_stopped(self, short_name: str) -> bool:
        return bool(self.see(short_name)["stopped"] == [1])

    def hand(self, server: ServerProcess, short_name: str, players: tuple[str, ...]) -> None:
        """Deal a hand to the players, who bet by phone."""
        path = f"/api/nights/{EVENT}/tournaments/{short_name}"
        self.must(f"{path}/tables")
        self.must(f"{path}/tables/1/begin")
        for player in players:
            self.say(server, short_name, player, do="put-wager", wager="ante", amount="25")
        if self.see(short_name)["dealt"]["tables"][0]["phase"] == "wagers":
            self.must(
                f"/api/tables/{EVENT}.{short_name}-1/commands", command={"do": "close-betting"}
            )

    def say(self, server: ServerProcess, short_name: str, player: str, **command: Any) -> None:
        """Send a player's command, signed in by the ticket."""
        ticket = f"/api/nights/{EVENT}/tournaments/{short_name}/ticket"
        token = self.client.get(ticket, params={"player": player}).json()["token"]
        with server.client() as phone:
            seated = phone.post(f"/api/check-in/{token}/play", json={"request": "p"}).json()
            self.number += 1
            body = {
                "request": f"{player} {self.number}",
                "command": {"seat": seated["seat"], **command},
            }
            phone.post(f"/api/tables/{seated['table']}/commands", json=body).raise_for_status()


def wait_until(condition: Callable[[], object]) -> None:
    until = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.mark.slow
def test_oms_14_and_15_hold_after_one_of_two_servers_is_killed(
    tmp_path: Path, postgres: str
) -> None:
    folders = set_up_house(tmp_path, postgres)
    with both(folders, postgres) as (first, second), ExitStack() as stack:
        desk, other = stack.enter_context(Desk(first)), stack.enter_context(Desk(second))
        desk.hand(first, "t1", MULTI[:2])
        desk.hand(first, "t2", HOURLY[:1])
        count = f"/api/nights/{EVENT}/tournaments/t1/tables/1/count"
        assert other.post(count).status_code == 421
        assert [other.see(short_name)["status"] for short_name in ("t1", "t2")] == [
            "playing",
            "playing",
        ]
        assert first.stop(signal.SIGKILL) == -signal.SIGKILL
        for short_name in ("t1", "t2"):  # The hand is kept, and the floor is asked.
            wait_until(partial(other.is_stopped, short_name))
            assert other.see(short_name)["status"] == "playing"
            cut = {"do": "interrupt", "why": "no power"}
            other.must(f"/api/nights/{EVENT}/tournaments/{short_name}/commands", command=cut)
        assert other.see("t1")["status"] == "interrupted"
        assert other.see("t2")["status"] == "finished"  # Three left: placed by chips.
        (table,) = other.see("t1")["dealt"]["tables"]
        assert sorted(table["must_agree"]) == sorted(MULTI[:2])
        other.say(second, "t1", "cal", do="agree", finish=False)
        wait_until(lambda: other.see("t1")["status"] == "finished")
        for short_name, entrants in (("t1", 4), ("t2", 3)):
            owed = [
                player for player in other.see(short_name)["players"] if player["owed"] != "0.00"
            ]
            assert sum(float(player["owed"]) for player in owed) == 40 * entrants
            for player in owed:
                path = f"/api/nights/{EVENT}/tournaments/{short_name}/commands"
                other.must(path, command={"do": "pay-out", "player": player["player"]})
        other.must(f"/api/nights/{EVENT}/close")
        statement = other.client.get(f"/api/nights/{EVENT}/statement").json()
        assert (statement["phase"], statement["reconciles"]) == ("closed", True)
        assert second.stop() == 0, "".join(second.log)
    with Folder.open(folders[1], postgres) as folder:
        assert folder.verify().findings == ()
        for name in ("t1", "t2"):
            balances = folder.ledger.balances(f"tournament:{EVENT}.{name}")
            assert not [account for account, cents in balances.items() if cents], balances
