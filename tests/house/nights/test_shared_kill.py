"""One of two servers on PostgreSQL is killed in mid-hand: the other arrives at the interruption."""

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
from tests.chaos.server_house import WIDE
from tests.house.nights.kit import EVENT
from tests.house.nights.several import Side, opened, started, two_folders
from tests.house.web.awake import AWAKE
from tests.house.web.conftest import PASSWORD, WEAK
from tests.house.web.nursery import born
from tests.house.web.served import Served, environment

from pitbook.house.ledger.folder import Folder
from pitbook.house.people.accounts import People
from pitbook.shoe.vault import Vault

Json = dict[str, Any]
SECONDS = 60
OFTEN = {
    "pitbook.house.nights.registry.LOOK_SECONDS": 0.1,
    "pitbook.house.web.leases.LOOK_SECONDS": 0.1,
    **AWAKE,
}
MULTI, HOURLY = ("cal", "dot", "eli", "fay"), ("gus", "hal", "ivy")


def furnished(path: Path, url: str, *more: tuple[str, ...]) -> tuple[Path, Path]:
    """A night with a tournament of each kind, started, perhaps others, and a supervisor."""
    folders = two_folders(path, url)
    with Folder.open(folders[0], url) as folder:
        side = Side(folder)
        people = People(folder.ledger, Vault(folder.keys.sealing), WEAK)
        people.add("sue", "supervisor", PASSWORD, actor="test")
        opened(side)
        started(side, f"{EVENT}.t1", "multi-table", MULTI)
        started(side, f"{EVENT}.t2", "hourly", HOURLY)
        for number, players in enumerate(more, start=3):
            started(side, f"{EVENT}.t{number}", "multi-table", players)
    return folders


@contextmanager
def both(folders: tuple[Path, Path], url: str) -> Iterator[list[Served]]:
    """Two servers, started at once; killed in the end if they still run."""
    with ExitStack() as stack:
        processes = []
        for folder in folders:
            asked = ["serve", "--port", "0", "--data", str(folder), "--db", url]
            process = born(asked, folder.parent, environment(**WIDE), OFTEN)
            stack.callback(process.wait, SECONDS)
            stack.callback(process.kill)
            processes.append(process)
        yield [Served(process) for process in processes]


class Desk:
    """The supervisor at one of the servers; every request with an id of its own."""

    def __init__(self, server: Served) -> None:
        self.client, self.where, self.number = server.client(), server.address, 0
        given = {"name": "sue", "password": PASSWORD}
        self.client.post("/api/sign-in", json=given).raise_for_status()

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
        found: Json = answer.json()
        return found

    def see(self, own: str) -> Json:
        found: Json = self.client.get(f"/api/nights/{EVENT}/tournaments/{own}").json()
        return found

    def is_stopped(self, own: str) -> bool:
        return bool(self.see(own)["stopped"] == [1])

    def hand(self, server: Served, own: str, players: tuple[str, ...]) -> None:
        """A hand that is dealt to those who bet, by phone."""
        path = f"/api/nights/{EVENT}/tournaments/{own}"
        self.must(f"{path}/tables")
        self.must(f"{path}/tables/1/begin")
        for player in players:
            self.say(server, own, player, do="put-wager", wager="ante", amount="25")
        if self.see(own)["dealt"]["tables"][0]["phase"] == "wagers":
            self.must(f"/api/tables/{EVENT}.{own}-1/commands", command={"do": "close-betting"})

    def say(self, server: Served, own: str, player: str, **command: Any) -> None:
        """Something that a player does at the table, with the ticket for a key."""
        ticket = f"/api/nights/{EVENT}/tournaments/{own}/ticket"
        token = self.client.get(ticket, params={"player": player}).json()["token"]
        with server.client() as phone:
            seated = phone.post(f"/api/check-in/{token}/play", json={"request": "p"}).json()
            self.number += 1
            body = {
                "request": f"{player} {self.number}",
                "command": {"seat": seated["seat"], **command},
            }
            phone.post(f"/api/tables/{seated['table']}/commands", json=body).raise_for_status()


def soon(what: Callable[[], object]) -> None:
    """Returns when it is so."""
    until = time.monotonic() + SECONDS
    while not what():
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.mark.slow
def test_oms_14_and_15_after_a_kill_of_one_of_two_servers(tmp_path: Path, postgres: str) -> None:
    folders = furnished(tmp_path, postgres)
    with both(folders, postgres) as (first, second), ExitStack() as stack:
        desk, other = stack.enter_context(Desk(first)), stack.enter_context(Desk(second))
        desk.hand(first, "t1", MULTI[:2])
        desk.hand(first, "t2", HOURLY[:1])
        count = f"/api/nights/{EVENT}/tournaments/t1/tables/1/count"
        assert other.post(count).status_code == 421
        assert [other.see(own)["status"] for own in ("t1", "t2")] == ["playing", "playing"]
        assert first.stop(signal.SIGKILL) == -signal.SIGKILL
        for own in ("t1", "t2"):  # The hand lies there, and the floor is asked.
            soon(partial(other.is_stopped, own))
            assert other.see(own)["status"] == "playing"
            cut = {"do": "interrupt", "why": "no power"}
            other.must(f"/api/nights/{EVENT}/tournaments/{own}/commands", command=cut)
        assert other.see("t1")["status"] == "interrupted"
        assert other.see("t2")["status"] == "finished"  # Three left: placed by chips.
        (table,) = other.see("t1")["dealt"]["tables"]
        assert sorted(table["must_agree"]) == sorted(MULTI[:2])
        other.say(second, "t1", "cal", do="agree", finish=False)
        soon(lambda: other.see("t1")["status"] == "finished")
        for own, entrants in (("t1", 4), ("t2", 3)):
            owed = [one for one in other.see(own)["players"] if one["owed"] != "0.00"]
            assert sum(float(one["owed"]) for one in owed) == 40 * entrants
            for one in owed:
                path = f"/api/nights/{EVENT}/tournaments/{own}/commands"
                other.must(path, command={"do": "pay-out", "player": one["player"]})
        other.must(f"/api/nights/{EVENT}/close")
        told = other.client.get(f"/api/nights/{EVENT}/statement").json()
        assert (told["phase"], told["reconciles"]) == ("closed", True)
        assert second.stop() == 0, "".join(second.log)
    with Folder.open(folders[1], postgres) as folder:
        assert folder.verify().findings == ()
        for name in ("t1", "t2"):
            held = folder.ledger.balances(f"tournament:{EVENT}.{name}")
            assert not [one for one, cents in held.items() if cents], held
