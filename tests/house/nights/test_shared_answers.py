"""The server that holds a tournament is killed; at the other the floor answers, plays and pays."""

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
from tests.house.nights.test_shared_kill import HOURLY, MULTI, Desk, both, furnished, soon
from tests.house.web.served import Served

from pitbook.house.ledger.folder import Folder

NIGHT = f"/api/nights/{EVENT}"
LOOKS = 0.25  # Seconds in which an evening is looked at several times.
LATE = ("jan", "kay", "lee")
SALE = {"player": "zed", "amount": "20", "request": "lost"}


class Pair(NamedTuple):
    """Two servers of one house, and the supervisor at each."""

    first: Served
    second: Served
    desk: Desk
    other: Desk


@contextmanager
def house(path: Path, url: str) -> Iterator[Pair]:
    """A night with three tournaments, of which the third has not dealt; in the end it is sound."""
    folders = furnished(path, url, LATE)
    with both(folders, url) as (first, second), ExitStack() as stack:
        desk, other = stack.enter_context(Desk(first)), stack.enter_context(Desk(second))
        yield Pair(first, second, desk, other)
        told = other.client.get(f"{NIGHT}/statement").json()
        assert (told["phase"], told["reconciles"]) == ("closed", True)
        assert second.stop() == 0, "".join(second.log)
    with Folder.open(folders[1], url) as folder:
        assert folder.verify().findings == ()
        for name in ("t1", "t2", "t3"):
            held = folder.ledger.balances(f"tournament:{EVENT}.{name}")
            assert not [one for one, cents in held.items() if cents], held


def asked(desk: Desk, own: str, **command: object) -> httpx.Response:
    request = command.pop("request", None)
    more = {} if request is None else {"request": request}
    return desk.post(f"{NIGHT}/tournaments/{own}/commands", command=command, **more)


def told(desk: Desk, own: str, **command: object) -> int:
    """A command that is taken; the number it has on record."""
    answer = asked(desk, own, **command)
    assert answer.is_success, answer.text
    return int(answer.json()["accepted"]["seq"])


def undo(desk: Desk, own: str) -> None:
    """The floor's last step is taken back, and that lasts."""
    (last,) = (one["number"] for one in desk.see(own)["past"] if one["last"])
    told(desk, own, do="undo", of=last)
    after = desk.see(own)["status"]
    time.sleep(LOOKS)
    assert desk.see(own)["status"] == after


def played(pair: Pair, own: str, players: tuple[str, ...]) -> None:
    """The first stays to the end, the others fold; the book counts."""
    for one in players[1:]:
        pair.other.say(pair.second, own, one, do="decide", play="fold")
    for _ in range(3):
        pair.other.say(pair.second, own, players[0], do="decide", play="1x")
    pair.other.must(f"{NIGHT}/tournaments/{own}/tables/1/count")
    assert pair.other.see(own)["tables"][0]["in_hand"] is False


def killed(pair: Pair, *own: str) -> None:
    """The first server is gone; the other has the hands, and asks the floor about them."""
    assert pair.first.stop(signal.SIGKILL) == -signal.SIGKILL
    for one in own:
        soon(partial(pair.other.is_stopped, one))
        time.sleep(LOOKS)
        assert pair.other.see(one)["status"] == "playing"


def finished(pair: Pair, own: str, *players: str) -> None:
    """All but the first go out."""
    for one in reversed(players[1:]):
        told(pair.other, own, do="eliminate", players=[one])
    told(pair.other, own, do="finish")


def owed(pair: Pair, own: str) -> dict[str, str]:
    many = pair.other.see(own)["players"]
    return {one["player"]: one["owed"] for one in many if one["owed"] != "0.00"}


def is_over(desk: Desk, own: str) -> bool:
    return desk.see(own)["status"] in ("finished", "void")


@pytest.mark.slow
def test_the_other_server_goes_on_and_undoes_and_sends_again(tmp_path: Path, postgres: str) -> None:
    with house(tmp_path, postgres) as pair:
        pair.desk.hand(pair.first, "t1", MULTI[:2])
        pair.desk.hand(pair.first, "t2", HOURLY)
        pair.desk.must(f"{NIGHT}/cage/sell", **SALE)
        entered = told(pair.desk, "t3", do="enter", player="moe", request="enter")
        killed(pair, "t1", "t2")
        other = pair.other
        # Answers that may have been lost with the server: each has had its one effect.
        other.must(f"{NIGHT}/cage/sell", **SALE)
        assert told(other, "t3", do="enter", player="moe", request="enter") == entered
        slips = other.client.get(f"{NIGHT}/cage/slips").json()["slips"]
        assert [one["amount"] for one in slips if one["player"] == "zed"] == ["20.00"]
        # Go on, once; the hand is played to its end.
        answers = [told(other, "t1", do="go-on", request="go") for _ in range(2)]
        assert answers[0] == answers[1]
        played(pair, "t1", MULTI[:2])
        # An interruption by mistake, in mid-hand, of each kind; the undo of it lasts.
        other.hand(pair.second, "t1", MULTI[:2])
        told(other, "t1", do="interrupt", why="by mistake")
        told(other, "t2", do="interrupt", why="by mistake")
        assert [other.see(own)["status"] for own in ("t1", "t2")] == ["interrupted", "finished"]
        undo(other, "t1")
        played(pair, "t1", MULTI[:2])
        while other.see("t2")["status"] != "playing":
            undo(other, "t2")
        other.must(f"{NIGHT}/tournaments/t2/tables/1/count")
        other.hand(pair.second, "t2", HOURLY)
        played(pair, "t2", HOURLY)
        finished(pair, "t1", *MULTI)
        finished(pair, "t2", *HOURLY)
        told(other, "t3", do="interrupt", why="late")
        assert sum(float(one) for one in owed(pair, "t1").values()) == 40 * len(MULTI)
        assert owed(pair, "t2") == {HOURLY[0]: "120.00"}
        pair.other.must(f"{NIGHT}/close")


@pytest.mark.slow
@pytest.mark.long
def test_the_other_server_refunds_until_the_first_card_and_pays_what_nobody_collected(
    tmp_path: Path, postgres: str
) -> None:
    with house(tmp_path, postgres) as pair:
        other = pair.other
        pair.desk.must(f"{NIGHT}/tournaments/t3/tables")
        pair.desk.hand(pair.first, "t1", MULTI[:2])
        assert asked(other, "t1", do="refund", player="cal").status_code == 421
        killed(pair, "t1")
        refused = [asked(other, "t1", do="refund", player=one) for one in MULTI]
        assert {one.status_code for one in refused} == {409}
        assert all("OMS-13" in one.text for one in refused)
        # No card of the third has been dealt, at either server.
        paid = [told(other, "t3", do="refund", player="lee", request="refund") for _ in range(2)]
        assert paid[0] == paid[1]
        other.hand(pair.second, "t3", LATE[:2])
        assert "OMS-13" in asked(other, "t3", do="refund", player="jan").text
        told(other, "t1", do="interrupt", why="no power")
        other.say(pair.second, "t1", "cal", do="agree", finish=False)
        told(other, "t3", do="interrupt", why="no power")
        other.say(pair.second, "t3", "kay", do="agree", finish=False)
        told(other, "t2", do="interrupt", why="no power")
        for own in ("t1", "t2", "t3"):
            soon(partial(is_over, other, own))
        left = owed(pair, "t3")
        assert left == {"jan": "40.00", "kay": "40.00"}
        told(other, "t3", do="pay-out", player="jan")
        for _ in range(2):
            other.must(f"{NIGHT}/close", request="close")
        slips = [other.must(f"{NIGHT}/cage/unclaimed", player="kay", request="pay") for _ in "12"]
        assert slips[0] == slips[1]
        assert (slips[0]["what"], slips[0]["amount"]) == ("unclaimed", "40.00")
        again = other.post(f"{NIGHT}/cage/unclaimed", player="kay")
        assert "keeps nothing for kay" in again.text
