"""The parts of a bot, at a fake table: what it counts and what it does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from pitbook.house.cli.bot_player import BestPlay, BotPlan, BotSeat, NoChips
from pitbook.house.client import ClientError, Refused

Json = dict[str, Any]


class Table:
    """A fake table over a socket."""

    def __init__(self, *events: Json, rounds: list[Json] | None = None) -> None:
        self.table, self.client, self.rounds = "t", self, rounds or []
        self.given = events
        self.sent: list[Json] = []
        self.answer: Any = Refused("forbidden", "no", "CMS-1")

    async def events(self) -> AsyncIterator[Json]:
        for event in self.given:
            yield event

    async def ask(self, _method: str, _path: str) -> Json:
        return {"rounds": self.rounds}

    async def send(self, sent: Json) -> Any:
        self.sent.append(sent)
        return self.answer


def hand(seat: int = 1, player: str = "ann", net: str = "-15.00") -> Json:
    lines = [{"stake": "5.00"}, {"stake": "10.00"}]
    return {"seat": seat, "player": player, "net": net, "lines": lines}


def bot_seat_at(table: Table) -> BotSeat:
    async def choose(view: Json, hand: Json, offered_plays: list[str]) -> str:
        return offered_plays[0]

    return BotSeat(table, "ann", 1, choose)  # type: ignore[arg-type]


def test_every_settled_hand_counts_once() -> None:
    first_event = {"what": "settled", "body": {"round": "t-1", "report": {"seats": [hand()]}}}
    bobs = {"seats": [hand(2, "bob")]}
    other_event = {"what": "settled", "body": {"round": "t-2", "report": bobs}}
    missed = {"round": "t-3", "settlement": {"seats": [hand(net="40.00")]}}
    counted_round = {"round": "t-1", "settlement": {"seats": [hand()]}}
    away = {"what": "view", "body": {}}
    bot_seat = bot_seat_at(
        Table(first_event, other_event, away, first_event, rounds=[missed, counted_round])
    )
    asyncio.run(bot_seat._listen())
    tally = bot_seat.tally
    assert (tally.rounds, tally.wagered, tally.net) == (2, 3_000, 2_500)


def view_of(**more: Any) -> Json:
    row = {"seat": 1, "player": "ann", "played_by": "ann", "cards": ["As", None], "wagers": []}
    offers = [
        {"do": "put-wager", "seat": 1, "wager": "ante", "now": "0.00"},
        {"do": "close-betting"},
    ]
    view = {"version": 1, "phase": "wagers", "seats": [row], "offers": offers, "deadlines": {}}
    return view | more


PLAN = BotPlan({"ante": "5"})


def test_bot_waits_for_cards_to_be_typed() -> None:
    choices = [{"do": "decide", "seat": 1, "choices": [{"play": "fold"}]}]
    assert (
        asyncio.run(bot_seat_at(Table())._next_command(view_of(phase="play", offers=choices), PLAN))
        is None
    )


def test_an_interrupted_hand_is_finished() -> None:
    asks = [{"do": "agree", "seat": 1, "finish": True}]
    agreed = asyncio.run(
        bot_seat_at(Table())._next_command(view_of(phase="agreement", offers=asks), PLAN)
    )
    assert agreed == {"do": "agree", "seat": 1, "finish": True}
    done = [asks[0] | {"refused": {"code": "already-decided"}}]
    view = view_of(phase="agreement", offers=done)
    assert asyncio.run(bot_seat_at(Table())._next_command(view, PLAN)) is None


def test_missing_seat_is_explained() -> None:
    from pitbook.house.cli.bot_player import _no_seat

    table: Any = Table()
    table.view = {"seats": [{}, {}]}
    assert _no_seat(table, []) == 'Table "t" is full: all 2 seats are taken. Try again later.'
    assert (
        _no_seat(table, [{"refused": {"message": "still has a hand in the round"}}])
        == "still has a hand in the round"
    )


def test_temporary_and_permanent_refusals() -> None:
    table = Table()
    bot_seat = bot_seat_at(table)
    with pytest.raises(ClientError, match=r"^no \(CMS-1\)$"):
        asyncio.run(bot_seat._act(view_of(), PLAN))
    table.answer = Refused("not-covered", "ann has $4 left", None)
    with pytest.raises(NoChips, match=r"^ann has \$4 left$"):
        asyncio.run(bot_seat._act(view_of(), PLAN))
    table.answer = Refused("not-now", "betting is closed", None)
    assert asyncio.run(bot_seat._act(view_of(), PLAN))
    assert not asyncio.run(bot_seat._act(view_of(), PLAN)), "the same again would be in vain"
    assert asyncio.run(bot_seat._act(view_of(version=2), PLAN))
    assert len(table.sent) == 4


def test_lost_seat_or_wager_is_an_error() -> None:
    bot_seat = bot_seat_at(Table())
    with pytest.raises(ClientError, match="Seat 1 no longer belongs to ann"):
        asyncio.run(bot_seat._next_command(view_of(offers=[]), PLAN))
    with pytest.raises(ClientError, match='This table no longer has the wager "stax"'):
        asyncio.run(bot_seat._next_command(view_of(), BotPlan({"stax": "5"})))


def test_bot_waits_while_others_bet() -> None:
    bot_seat = bot_seat_at(Table())
    offers = [
        {"do": "put-wager", "seat": 1, "wager": "ante", "now": "5.00"},
        {"do": "close-betting"},
    ]
    deal = {"do": "close-betting"}
    bob = {"seat": 2, "player": "bob"}

    def next_command(**more: Any) -> Json | None:
        view = view_of(offers=offers)
        return asyncio.run(bot_seat._next_command(view | more, PLAN))

    assert next_command() == next_command(deadlines={"betting": "soon"}) == deal
    with_bob = [*view_of()["seats"], bob]
    assert next_command(seats=with_bob) == deal, "without a clock nobody else would"
    assert next_command(seats=with_bob, deadlines={"betting": "soon"}) is None


def test_unreadable_rules_are_an_error() -> None:
    class Odd:
        async def ask(self, _method: str, _path: str) -> Json:
            return {"family": "roulette", "hash": "0", "aloud": []}

    best = BestPlay(Odd())  # type: ignore[arg-type]
    with pytest.raises(
        ClientError,
        match=r"The rules of table t cannot be read here \(the stored sheet has no body of a known "
        r"family\)",
    ):
        asyncio.run(best.sheet({"table": "t", "sheet": {"id": "a/b", "hash": "0"}}))
