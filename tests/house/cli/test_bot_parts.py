"""The parts of a bot, at a table that says what a test wants: what it counts, and what it does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from pitbook.house.cli.bot_player import BestOffered, BotSeat, BotWish, NoChips
from pitbook.house.client import ClientError, Refused

Json = dict[str, Any]


class Table:
    """A table over a socket as a test wants it."""

    def __init__(self, *events: Json, rounds: list[Json] | None = None) -> None:
        self.table, self.client, self.rounds = "t", self, rounds or []
        self.given = events
        self.sent: list[Json] = []
        self.answer: Any = Refused("forbidden", "no", "CMS-1")

    async def events(self) -> AsyncIterator[Json]:
        for one in self.given:
            yield one

    async def ask(self, _method: str, _path: str) -> Json:
        return {"rounds": self.rounds}

    async def send(self, sent: Json) -> Any:
        self.sent.append(sent)
        return self.answer


def hand(seat: int = 1, player: str = "ann", net: str = "-15.00") -> Json:
    lines = [{"stake": "5.00"}, {"stake": "10.00"}]
    return {"seat": seat, "player": player, "net": net, "lines": lines}


def seated(table: Table) -> BotSeat:
    async def choose(view: Json, own: Json, able: list[str]) -> str:
        return able[0]

    return BotSeat(table, "ann", 1, choose)  # type: ignore[arg-type]


def test_every_settled_hand_counts_once() -> None:
    one = {"what": "settled", "body": {"round": "t-1", "report": {"seats": [hand()]}}}
    bobs = {"seats": [hand(2, "bob")]}
    other = {"what": "settled", "body": {"round": "t-2", "report": bobs}}
    missed = {"round": "t-3", "settlement": {"seats": [hand(net="40.00")]}}
    known = {"round": "t-1", "settlement": {"seats": [hand()]}}
    away = {"what": "view", "body": {}}
    played = seated(Table(one, other, away, one, rounds=[missed, known]))
    asyncio.run(played._listen())
    tally = played.tally
    assert (tally.rounds, tally.wagered, tally.net) == (2, 3_000, 2_500)


def view_of(**more: Any) -> Json:
    row = {"seat": 1, "player": "ann", "played_by": "ann", "cards": ["As", None], "wagers": []}
    offers = [
        {"do": "put-wager", "seat": 1, "wager": "ante", "now": "0.00"},
        {"do": "close-betting"},
    ]
    view = {"version": 1, "phase": "wagers", "seats": [row], "offers": offers, "deadlines": {}}
    return view | more


WISH = BotWish({"ante": "5"})


def test_cards_that_are_still_to_be_typed_are_waited_for() -> None:
    choices = [{"do": "decide", "seat": 1, "choices": [{"play": "fold"}]}]
    assert asyncio.run(seated(Table())._next(view_of(phase="play", offers=choices), WISH)) is None


def test_an_interrupted_hand_is_finished() -> None:
    asks = [{"do": "agree", "seat": 1, "finish": True}]
    agreed = asyncio.run(seated(Table())._next(view_of(phase="agreement", offers=asks), WISH))
    assert agreed == {"do": "agree", "seat": 1, "finish": True}
    done = [asks[0] | {"refused": {"code": "already-decided"}}]
    view = view_of(phase="agreement", offers=done)
    assert asyncio.run(seated(Table())._next(view, WISH)) is None


def test_why_there_is_no_seat() -> None:
    from pitbook.house.cli.bot_player import _no_seat

    table: Any = Table()
    table.view = {"seats": [{}, {}]}
    assert _no_seat(table, []) == 'table "t" is full, all 2 seats are taken; try again later'
    assert _no_seat(table, [{"refused": {"message": "wait for its end"}}]) == "wait for its end"


def test_a_refusal_that_time_mends_and_one_that_it_does_not() -> None:
    table = Table()
    played = seated(table)
    with pytest.raises(ClientError, match=r"^no \(CMS-1\)$"):
        asyncio.run(played._act(view_of(), WISH))
    table.answer = Refused("not-covered", "ann has $4 left", None)
    with pytest.raises(NoChips, match=r"^ann has \$4 left$"):
        asyncio.run(played._act(view_of(), WISH))
    table.answer = Refused("not-now", "betting is closed", None)
    assert asyncio.run(played._act(view_of(), WISH))
    assert not asyncio.run(played._act(view_of(), WISH)), "the same again would be in vain"
    assert asyncio.run(played._act(view_of(version=2), WISH))
    assert len(table.sent) == 4


def test_a_seat_or_a_wager_that_is_gone() -> None:
    played = seated(Table())
    with pytest.raises(ClientError, match="seat 1 is not ann's any more"):
        asyncio.run(played._next(view_of(offers=[]), WISH))
    with pytest.raises(ClientError, match='there is no wager "stax" at this table any more'):
        asyncio.run(played._next(view_of(), BotWish({"stax": "5"})))


def test_others_have_time_to_bet() -> None:
    played = seated(Table())
    lies = [{"do": "put-wager", "seat": 1, "wager": "ante", "now": "5.00"}, {"do": "close-betting"}]
    deal = {"do": "close-betting"}
    bob = {"seat": 2, "player": "bob"}

    def then(**more: Any) -> Json | None:
        view = view_of(offers=lies)
        return asyncio.run(played._next(view | more, WISH))

    assert then() == then(deadlines={"betting": "soon"}) == deal
    with_bob = [*view_of()["seats"], bob]
    assert then(seats=with_bob) == deal, "without a clock nobody else would"
    assert then(seats=with_bob, deadlines={"betting": "soon"}) is None


def test_rules_that_cannot_be_read_here() -> None:
    class Odd:
        async def ask(self, _method: str, _path: str) -> Json:
            return {"family": "roulette", "hash": "0", "aloud": []}

    best = BestOffered(Odd())  # type: ignore[arg-type]
    with pytest.raises(ClientError, match=r"the rules of table t cannot be read here .*; install"):
        asyncio.run(best.sheet({"table": "t", "sheet": {"id": "a/b", "hash": "0"}}))
