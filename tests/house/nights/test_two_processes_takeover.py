"""After the server with a tournament is killed, the floor continues at the other."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
from tests.house.nights.kit import EVENT
from tests.house.nights.test_two_processes_kill import (
    HOURLY,
    MULTI,
    Desk,
    both,
    set_up_house,
    wait_until,
)
from tests.house.web.server_process import ServerProcess

from pitbook.house.ledger.data_folder import Folder

NIGHT = f"/api/nights/{EVENT}"
LOOKS = 0.25  # Seconds in which an evening is looked at several times.
LATE = ("jan", "kay", "lee")
SALE = {"player": "zed", "amount": "20", "request": "lost"}


class Pair(NamedTuple):
    """Two servers of one house, with a supervisor at each."""

    first: ServerProcess
    second: ServerProcess
    desk: Desk
    other: Desk


@contextmanager
def house(path: Path, url: str) -> Iterator[Pair]:
    """A night with three tournaments, the third not dealt; checked at the end."""
    folders = set_up_house(path, url, LATE)
    with both(folders, url) as (first, second), ExitStack() as stack:
        desk, other = stack.enter_context(Desk(first)), stack.enter_context(Desk(second))
        yield Pair(first, second, desk, other)
        statement = other.client.get(f"{NIGHT}/statement").json()
        assert (statement["phase"], statement["reconciles"]) == ("closed", True)
        assert second.stop() == 0, "".join(second.log)
    with Folder.open(folders[1], url) as folder:
        assert folder.verify().findings == ()
        for name in ("t1", "t2", "t3"):
            balances = folder.ledger.balances(f"tournament:{EVENT}.{name}")
            assert not [account for account, cents in balances.items() if cents], balances


def send_command(desk: Desk, short_name: str, **command: object) -> httpx.Response:
    request = command.pop("request", None)
    request_field = {} if request is None else {"request": request}
    return desk.post(f"{NIGHT}/tournaments/{short_name}/commands", command=command, **request_field)


def accepted_seq(desk: Desk, short_name: str, **command: object) -> int:
    """The sequence number of an accepted command."""
    answer = send_command(desk, short_name, **command)
    assert answer.is_success, answer.text
    return int(answer.json()["accepted"]["seq"])


def undo(desk: Desk, short_name: str) -> None:
    """Undo the floor's last step and check that the undo lasts."""
    (last,) = (step["number"] for step in desk.see(short_name)["past"] if step["last"])
    accepted_seq(desk, short_name, do="undo", of=last)
    after = desk.see(short_name)["status"]
    time.sleep(LOOKS)
    assert desk.see(short_name)["status"] == after


def play_hand(pair: Pair, short_name: str, players: tuple[str, ...]) -> None:
    """The first player stays to the end and the others fold; the hand is counted."""
    for player in players[1:]:
        pair.other.say(pair.second, short_name, player, do="decide", play="fold")
    for _ in range(3):
        pair.other.say(pair.second, short_name, players[0], do="decide", play="1x")
    pair.other.must(f"{NIGHT}/tournaments/{short_name}/tables/1/count")
    assert pair.other.see(short_name)["tables"][0]["in_hand"] is False


def kill_first_server(pair: Pair, *short_names: str) -> None:
    """Kill the first server; the other takes over the hands and waits for the floor."""
    assert pair.first.stop(signal.SIGKILL) == -signal.SIGKILL
    for short_name in short_names:
        wait_until(partial(pair.other.is_stopped, short_name))
        time.sleep(LOOKS)
        assert pair.other.see(short_name)["status"] == "playing"


def finish_tournament(pair: Pair, short_name: str, *players: str) -> None:
    """Eliminate all but the first player and finish."""
    for player in reversed(players[1:]):
        accepted_seq(pair.other, short_name, do="eliminate", players=[player])
    accepted_seq(pair.other, short_name, do="finish")


def amounts_owed(pair: Pair, short_name: str) -> dict[str, str]:
    players = pair.other.see(short_name)["players"]
    return {player["player"]: player["owed"] for player in players if player["owed"] != "0.00"}


def is_over(desk: Desk, short_name: str) -> bool:
    return desk.see(short_name)["status"] in ("finished", "void")


@pytest.mark.slow
def test_other_server_resumes_undoes_and_repeats_requests(tmp_path: Path, postgres: str) -> None:
    with house(tmp_path, postgres) as pair:
        pair.desk.hand(pair.first, "t1", MULTI[:2])
        pair.desk.hand(pair.first, "t2", HOURLY)
        pair.desk.must(f"{NIGHT}/cage/sell", **SALE)
        entered = accepted_seq(pair.desk, "t3", do="enter", player="moe", request="enter")
        kill_first_server(pair, "t1", "t2")
        other = pair.other
        # Requests whose answers may have been lost: each has one effect.
        other.must(f"{NIGHT}/cage/sell", **SALE)
        assert accepted_seq(other, "t3", do="enter", player="moe", request="enter") == entered
        slips = other.client.get(f"{NIGHT}/cage/slips").json()["slips"]
        assert [slip["amount"] for slip in slips if slip["player"] == "zed"] == ["20.00"]
        # Resume once; the hand is played to its end.
        answers = [accepted_seq(other, "t1", do="go-on", request="go") for _ in range(2)]
        assert answers[0] == answers[1]
        play_hand(pair, "t1", MULTI[:2])
        # Interrupt by mistake in mid-hand, for each kind; the undo lasts.
        other.hand(pair.second, "t1", MULTI[:2])
        accepted_seq(other, "t1", do="interrupt", why="by mistake")
        accepted_seq(other, "t2", do="interrupt", why="by mistake")
        assert [other.see(short_name)["status"] for short_name in ("t1", "t2")] == [
            "interrupted",
            "finished",
        ]
        undo(other, "t1")
        play_hand(pair, "t1", MULTI[:2])
        while other.see("t2")["status"] != "playing":
            undo(other, "t2")
        other.must(f"{NIGHT}/tournaments/t2/tables/1/count")
        other.hand(pair.second, "t2", HOURLY)
        play_hand(pair, "t2", HOURLY)
        finish_tournament(pair, "t1", *MULTI)
        finish_tournament(pair, "t2", *HOURLY)
        accepted_seq(other, "t3", do="interrupt", why="late")
        assert sum(float(amount) for amount in amounts_owed(pair, "t1").values()) == 40 * len(MULTI)
        assert amounts_owed(pair, "t2") == {HOURLY[0]: "120.00"}
        pair.other.must(f"{NIGHT}/close")


@pytest.mark.slow
@pytest.mark.long
def test_other_server_refunds_until_the_first_card_and_pays_unclaimed_money(
    tmp_path: Path, postgres: str
) -> None:
    with house(tmp_path, postgres) as pair:
        other = pair.other
        pair.desk.must(f"{NIGHT}/tournaments/t3/tables")
        pair.desk.hand(pair.first, "t1", MULTI[:2])
        assert send_command(other, "t1", do="refund", player="cal").status_code == 421
        kill_first_server(pair, "t1")
        refund_answers = [send_command(other, "t1", do="refund", player=player) for player in MULTI]
        assert {answer.status_code for answer in refund_answers} == {409}
        assert all("OMS-13" in answer.text for answer in refund_answers)
        # No card of the third has been dealt, at either server.
        paid = [
            accepted_seq(other, "t3", do="refund", player="lee", request="refund") for _ in range(2)
        ]
        assert paid[0] == paid[1]
        other.hand(pair.second, "t3", LATE[:2])
        assert "OMS-13" in send_command(other, "t3", do="refund", player="jan").text
        accepted_seq(other, "t1", do="interrupt", why="no power")
        other.say(pair.second, "t1", "cal", do="agree", finish=False)
        accepted_seq(other, "t3", do="interrupt", why="no power")
        other.say(pair.second, "t3", "kay", do="agree", finish=False)
        accepted_seq(other, "t2", do="interrupt", why="no power")
        for short_name in ("t1", "t2", "t3"):
            wait_until(partial(is_over, other, short_name))
        amounts = amounts_owed(pair, "t3")
        assert amounts == {"jan": "40.00", "kay": "40.00"}
        accepted_seq(other, "t3", do="pay-out", player="jan")
        for _ in range(2):
            other.must(f"{NIGHT}/close", request="close")
        slips = [other.must(f"{NIGHT}/cage/unclaimed", player="kay", request="pay") for _ in "12"]
        assert slips[0] == slips[1]
        assert (slips[0]["what"], slips[0]["amount"]) == ("unclaimed", "40.00")
        answer = other.post(f"{NIGHT}/cage/unclaimed", player="kay")
        assert "owes kay nothing" in answer.text
