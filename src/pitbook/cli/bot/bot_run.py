"""One visit to a server: knock, come in, sit down, play, and leave the seat as one should."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

from pitbook.cli.bot.bot_seat import LEAVE_SECONDS, BotSeat, BotWish, NoChips
from pitbook.cli.bot.choosing import BestOffered, Lot
from pitbook.cli.common.language import spoken, worded
from pitbook.errors import ClientError
from pitbook.house.client import PATIENCE, Client, Live, Refused
from pitbook.money import Cents, money
from pitbook.sheets.findings import did_you_mean, printable
from pitbook.text import say, sentence_of

Json = dict[str, Any]
KNOCK_SECONDS = 0.5  # A wrong address should be told at once; a line that is lost later can wait.


class BotJob(NamedTuple):
    """What to do: at a table of the house as `name`, or at a practice table on a sheet."""

    servers: tuple[str, ...]  # The addresses of one house.
    table: str | None = None
    practice: str | None = None
    name: str | None = None
    password: str = ""
    seed: str | None = None  # Best play without one, by lot with one.
    seat: int | None = None
    rounds: int = 0
    pace: float = 0.0
    ante: Cents | None = None
    side: Mapping[str, Cents] = {}


class Visit:
    """Somebody who comes for some rounds; `told` is called at the seat and after each of them.

    `said` hears what becomes of the line.
    """

    def __init__(
        self,
        job: BotJob,
        told: Callable[[Visit], None],
        said: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.job, self._told, self._said = job, told, said
        self.seated: BotSeat | None = None
        self.view: Json = {}

    async def play(self) -> None:
        """From the door to the last round; raises ClientError."""
        async with Client(
            self.job.servers, patience=KNOCK_SECONDS, told=self._said, language=spoken()
        ) as client:
            await _knock(client)
            client.patience = PATIENCE
            player, table = await self._come_in(client)
            async with client.live(table) as live:
                await self._sit_down(client, live, player)

    async def _come_in(self, client: Client) -> tuple[str, str]:
        """Who one is, and at which table."""
        job = self.job
        if job.name is not None:
            role = (await client.sign_in(job.name, job.password))["role"]
            if role != "player" and job.table is not None:
                who = {"name": printable(job.name), "role": role}
                raise ClientError(say("cli.bot.for-players", **who))
        if job.table is not None:
            assert job.name is not None
            await client.view(job.table)  # Raises, and says why one may not come near it.
            return job.name, job.table
        made = await client.practice(str(job.practice))
        return made["player"], made["table"]

    async def _sit_down(self, client: Client, live: Live, player: str) -> None:
        best = BestOffered(client)
        if self.job.seed is None:
            await best.sheet(live.view)
        choose = best if self.job.seed is None else Lot(self.job.seed)
        seat = await _seat(live, player, self.job.seat)
        self.view = live.view
        self.seated = BotSeat(live, player, seat, choose)
        try:
            wish = await self._wish(client, seat)
            with _hearing(self.seated.stop):
                await self._play(self.seated, wish)
        finally:
            await self.seated.go()
            if self.job.practice is not None:
                await live.close()  # We hang up, before the house does with the table.
                await _cleared(client, live.table)

    async def _play(self, seated: BotSeat, wish: BotWish) -> None:
        self._told(self)
        try:
            await seated.play(wish, lambda: self._told(self))
        except NoChips as poor:
            where = "practice" if self.job.practice else "house"
            raise ClientError(say("cli.bot.no-chips", why=str(poor), where=where)) from None

    async def _wish(self, client: Client, seat: int) -> BotWish:
        """The main wager and what is required at the least, unless the job says otherwise."""
        offers = [one for one in self.view["offers"] if one.get("seat") == seat]
        least = {one["wager"]: one["min"] for one in offers if one["do"] == "put-wager"}
        main, *sides = least
        for wager in self.job.side:
            if wager not in sides:
                raise ClientError(say("cli.option", option="--side", why=_unknown(wager, sides)))
        needed = {main} | await _required(client, self.view["sheet"])
        stakes = {wager: least[wager] for wager in least if wager in needed}
        stakes |= {wager: money(stake) for wager, stake in self.job.side.items()}
        if self.job.ante is not None:
            stakes[main] = money(self.job.ante)
        return BotWish(stakes, self.job.rounds, self.job.pace)


def _unknown(wager: str, sides: list[str]) -> str:
    remedy = did_you_mean(wager, sides) if sides else say("cli.bot.no-sides")
    return say("cli.bot.no-side", wager=printable(wager), remedy=remedy)


async def _knock(client: Client) -> None:
    """Make sure that a Pitbook server answers, before anybody's password is sent there."""
    try:
        told = await client.ask("GET", "/api/health")
    except ClientError as error:
        if error.status is None:
            raise ClientError(say("cli.bot.no-answer", addresses=client.bases)) from None
        told = {"error": sentence_of(error)}
    if told.get("status") != "up":
        why = told.get("error", say("cli.bot.something-else"))
        raise ClientError(say("cli.bot.no-server", address=client.base, why=why))


async def _seat(live: Live, player: str, wanted: int | None) -> int:
    """The seat that one has, or takes; raises ClientError where there is none."""
    while True:
        own = [one["seat"] for one in live.view["seats"] if one["player"] == player]
        if own and wanted in (None, *own):
            return int(wanted or own[0])
        sits = [one for one in live.view["offers"] if one["do"] == "sit"]
        free = [one["seat"] for one in sits if "refused" not in one]
        if wanted is None and not free:
            raise ClientError(_no_seat(live, sits))
        answer = await live.send({"do": "sit", "seat": wanted or free[0]})
        if isinstance(answer, Refused) and (wanted or answer.code != "seat-taken"):
            if wanted and free:
                raise ClientError(say("cli.bot.any-seat", why=answer.message))
            raise ClientError(answer.message)
        await live.look()  # We sit, or somebody was faster.


def _no_seat(live: Live, sits: list[Json]) -> str:
    if sits:
        return str(sits[0]["refused"]["message"])
    seats = len(live.view["seats"])
    return say("cli.bot.full", table=live.table, seats=seats)


async def _required(client: Client, named: Json) -> set[str]:
    """The wagers without which no cards are dealt."""
    listed = (await client.ask("GET", "/api/sheets"))["sheets"]
    same = [one for one in listed if one["id"] == named["id"]]
    rules = [one for one in same if one["hash"] == named["hash"]] or same
    return {name for one in rules[:1] for name, rule in one["wagers"].items() if rule["required"]}


async def _cleared(client: Client, table: str) -> None:
    """A practice table that nobody needs any more; one that is in play goes when it was idle."""
    with suppress(ClientError, TimeoutError):
        async with asyncio.timeout(LEAVE_SECONDS):
            await client.send(table, {"do": "retire"})


@contextmanager
def _hearing(stop: Callable[[], None]) -> Iterator[None]:
    """The first Ctrl-C asks to stop; the next is whose it was before, and ends all."""
    loop = asyncio.get_running_loop()

    def heard(*_: object) -> None:
        signal.signal(signal.SIGINT, before)
        loop.call_soon_threadsafe(stop)
        print(f"\n{worded(say('cli.bot.finishing'))}", file=sys.stderr, flush=True)

    before = signal.signal(signal.SIGINT, heard)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
