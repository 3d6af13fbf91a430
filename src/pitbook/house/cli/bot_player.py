"""The bot's player: finds a seat, bets, chooses plays and counts what it won."""

from __future__ import annotations

import asyncio
import random
import secrets
import signal
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from pitbook.cards import cards
from pitbook.cli.language import spoken, worded
from pitbook.cli.options import library
from pitbook.errors import ClientError, RoundError
from pitbook.house.client import PATIENCE, Client, Live, Refused
from pitbook.money import Cents, dollars, money
from pitbook.rules.game import compile_game
from pitbook.sheets.digest import digest
from pitbook.sheets.families import models
from pitbook.sheets.findings import did_you_mean, printable
from pitbook.sheets.model import Sheet
from pitbook.text import say, sentence_of

Json = dict[str, Any]


class Lot:
    """Any play that is offered, each as likely as the others."""

    def __init__(self, seed: str) -> None:
        self._draw = random.Random(seed)  # noqa: S311  No card depends on it.

    async def __call__(self, view: Json, hand: Json, able: list[str]) -> str:
        """One of the plays."""
        return self._draw.choice(able)


class BestOffered:
    """The play of highest exact value among those that are offered."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._sheets: dict[str, Sheet] = {}

    async def __call__(self, view: Json, hand: Json, able: list[str]) -> str:
        """The best of the plays."""
        return await asyncio.to_thread(_best, await self.sheet(view), view, hand, able)

    async def sheet(self, view: Json) -> Sheet:
        """A table's rules by their hash, from this machine or the table; raises ClientError."""
        named = view["sheet"]
        if named["hash"] not in self._sheets:
            found = _known(named) or await self._told(view["table"], named["hash"])
            self._sheets[named["hash"]] = found
        return self._sheets[named["hash"]]

    async def _told(self, table: str, hash_: str) -> Sheet:
        from pitbook.rules.stored import stored_sheet  # noqa: PLC0415  Rarely needed.

        told = await self._client.ask("GET", f"/api/tables/{table}/sheet")
        model = models().get(str(told.get("family")))
        names = {one.alias or name for name, one in model.model_fields.items()} if model else ()
        rules = {key: told[key] for key in told if key in names}  # Words for a page stand beside.
        try:
            return stored_sheet({"hash": hash_, "body": _said(rules)})
        except RoundError as error:
            why = sentence_of(error)
            raise ClientError(say("cli.bot.rules-unread", table=table, why=why)) from None


def _known(named: Json) -> Sheet | None:
    """A sheet of this machine with that hash."""
    sheets = (one.sheet for one in library().entries())
    same = (one for one in sheets if one is not None and one.id == named["id"])
    return next((one for one in same if digest(one) == named["hash"]), None)


def _said(part: Any) -> Any:
    """A sheet leaves out what it does not say; JSON says null."""
    if isinstance(part, dict):
        return {key: _said(value) for key, value in part.items() if value is not None}
    return [_said(one) for one in part] if isinstance(part, list) else part


def _best(sheet: Sheet, view: Json, hand: Json, able: list[str]) -> str:
    from pitbook.exact.advice import advise  # noqa: PLC0415  It brings NumPy.

    stakes: dict[str, Cents] = {wager: dollars(amount) for wager, amount in hand["wagers"]}
    board = view["board"]["cards"] if compile_game(sheet).seen_in_play else ()
    turned = [one for one in board if one is not None]
    purse = dollars(view["wallet"]) if "wallet" in view else None
    advice = advise(
        sheet,
        cards(" ".join(hand["cards"])),
        cards(" ".join(turned)),
        hand["plays"],
        ante=stakes[sheet.main_id],
        side={wager: stakes[wager] for wager in sheet.side if wager in stakes},
        purse=purse,
    )
    worths: dict[str, Fraction] = {play: worth for play, worth in advice.actions.items()}  # noqa: C416
    offered = [play for play in able if play in worths]
    return max(offered, key=lambda play: (worths[play], play == advice.best))


ChooseOffered = Callable[
    [Json, Json, list[str]], Awaitable[str]
]  # A view, our hand, what it may play.

# Refused because the table went on while we spoke: look again.
RACES = ("not-now", "already-decided", "already-folded", "over")
BETWEEN = ("open", "wagers", "over")  # Nothing is dealt that is not settled.
RECALLED = 100
LEAVE_SECONDS = 5.0
SEED_BYTES = 12


class NoChips(ClientError):
    """The wallet does not cover the next wager."""


@dataclass
class BotTally:
    """What was played so far, in cents."""

    rounds: int = 0
    wagered: int = 0
    net: int = 0
    balance: int = 0
    known: set[str] = field(default_factory=set)

    def add(self, round: str, hand: Json) -> None:
        """One settled hand; told twice, it counts once."""
        if round not in self.known:
            self.known.add(round)
            self.rounds += 1
            self.wagered += sum(cents(line["stake"]) for line in hand["lines"])
            self.net += cents(hand["net"])


class BotWish(NamedTuple):
    """What to bet each round, how many rounds to play (0: until stopped), and how slowly."""

    stakes: Mapping[str, str]
    rounds: int = 0
    pace: float = 0.0


class BotSeat:
    """Somebody at a seat, who bets, decides and counts until all is played or `stop` is called."""

    def __init__(self, live: Live, player: str, seat: int, choose: ChooseOffered) -> None:
        self.live, self.player, self.seat = live, player, seat
        self.tally = BotTally()
        self.stopping = self.left = False
        self._choose = choose
        self._changed = asyncio.Event()
        self._in_vain: tuple[int, Json] | None = None
        self._seed = ("", "")  # For which deal, and what.

    def stop(self) -> None:
        """Begin no other round; the one under way is finished."""
        self.stopping = True
        self._changed.set()

    async def play(self, wish: BotWish, told: Callable[[], None]) -> None:
        """Play on; `told` is called after every round. Raises ClientError."""
        self.tally.known |= {one["round"] for one in await self._recalled()}
        listening = asyncio.create_task(self._listen())
        try:
            await self._play(wish, told)
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)

    async def go(self) -> None:
        """Give the seat up if that is possible now; `left` says whether it was."""
        with suppress(ClientError, TimeoutError):
            async with asyncio.timeout(LEAVE_SECONDS):
                answer = await self.live.send({"do": "leave", "seat": self.seat})
                self.left = not isinstance(answer, Refused)

    async def _play(self, wish: BotWish, told: Callable[[], None]) -> None:
        seen = 0
        while True:
            self._changed.clear()
            view = await self.live.look()
            self.tally.balance = cents(view["wallet"]) + cents(self._hand(view).get("held", "0"))
            if self.tally.rounds > seen:
                seen = self.tally.rounds
                told()
            if self._is_over(view, wish):
                return
            if not await self._act(view, wish):
                await self._changed.wait()

    def _is_over(self, view: Json, wish: BotWish) -> bool:
        """Whether no other round is wanted, and nothing of ours is in play."""
        if not self.stopping and (not wish.rounds or self.tally.rounds < wish.rounds):
            return False
        return view["phase"] in BETWEEN or not self._hand(view)

    async def _act(self, view: Json, wish: BotWish) -> bool:
        """Do what is to be done now; False where that is nothing."""
        command = await self._next(view, wish)
        if command is None or (view["version"], command) == self._in_vain:
            return False
        if wish.pace:
            await asyncio.sleep(wish.pace)
        answer = await self.live.send(command)
        if isinstance(answer, Refused):
            self._refused(command, answer)
            self._in_vain = (view["version"], command)
        return True

    def _refused(self, command: Json, answer: Refused) -> None:
        """Bear with what time will mend; raises ClientError for the rest."""
        why = answer.message
        if answer.clause:
            why = say("form.clause", text=why, clause=answer.clause)
        if answer.code == "not-covered":
            raise NoChips(why)
        if answer.code not in RACES and command["do"] != "close-betting":
            raise ClientError(why)

    async def _next(self, view: Json, wish: BotWish) -> Json | None:
        offers = [one for one in view["offers"] if one.get("seat") in (None, self.seat)]
        for offer in offers:
            if offer["do"] == "agree" and "refused" not in offer:
                return {"do": "agree", "seat": self.seat, "finish": True}
            if able := [one["play"] for one in offer.get("choices", ()) if "refused" not in one]:
                return await self._decide(view, able)
        if view["phase"] not in BETWEEN:
            return None
        lacking = self._lacking(offers, wish, self._seeded(view))
        return self._deal(view, offers) if lacking is None else lacking.command

    async def _decide(self, view: Json, able: list[str]) -> Json | None:
        hand = self._hand(view)
        if None in hand["cards"]:  # Where a person deals, they are still to be typed.
            return None
        return {"do": "decide", "seat": self.seat, "play": await self._choose(view, hand, able)}

    def _seeded(self, view: Json) -> Json:
        """A seed of our own for the deal to come, made when the shoe's hash is shown."""
        shoe = view.get("shoe") or {}
        history = shoe.get("history") or shoe.get("commitment")
        if history is None or isinstance(view["seat_seeds"].get(str(self.seat)), str):
            return {}
        if self._seed[0] != history:
            self._seed = (history, secrets.token_hex(SEED_BYTES))
        return {"seed": self._seed[1], "history": history}

    def _lacking(self, offers: list[Json], wish: BotWish, seed: Json) -> _Lacking | None:
        """The first wager that does not lie there yet; raises NoChips."""
        wagers = {one["wager"]: one for one in offers if one["do"] == "put-wager"}
        for wager, amount in wish.stakes.items():
            if wager not in wagers:
                raise ClientError(self._gone(wager, wagers))
            if cents(wagers[wager]["now"]) != cents(amount):
                put = {"do": "put-wager", "seat": self.seat, "wager": wager, "amount": amount}
                put |= seed
                refusal = wagers[wager].get("refused", {"code": None})
                if refusal["code"] == "not-covered":
                    raise NoChips(refusal["message"])
                return _Lacking(None if refusal["code"] else put)
        return None

    def _gone(self, wager: str, wagers: Mapping[str, Json]) -> str:
        if wagers:
            return say("cli.bot.no-wager", wager=wager)
        return say("cli.bot.given-up", seat=self.seat, player=self.player)

    def _deal(self, view: Json, offers: list[Json]) -> Json | None:
        """Close betting, or say ready where others sit here who have time to bet too."""
        alone = all(one["player"] in (None, self.player) for one in view["seats"])
        can = {one["do"]: one for one in offers if "refused" not in one}
        if "close-betting" in can and (alone or not view["deadlines"]):
            return {"do": "close-betting"}
        return {"do": "ready", "seat": self.seat} if can.get("ready", {}).get("on") else None

    def _hand(self, view: Json) -> Json:
        """What lies at our seat; nothing where we are not in the round."""
        (row,) = (one for one in view["seats"] if one["seat"] == self.seat)
        return row if row.get("played_by") == self.player else {}

    # What happens ---------------------------------------------------------------------------------

    async def _listen(self) -> None:
        async for event in self.live.events():
            if event["what"] == "settled":
                self._count(event["body"]["round"], event["body"]["report"])
            elif event["what"] == "view":  # Away for too long to be told all: the book knows it.
                with suppress(ClientError):
                    for one in await self._recalled():
                        self._count(one["round"], one["settlement"])
            self._changed.set()
        self._changed.set()  # The line is lost for good; the next look says why.

    def _count(self, round: str, report: Json) -> None:
        for hand in report["seats"]:
            if (hand["seat"], hand["player"]) == (self.seat, self.player):
                self.tally.add(round, hand)

    async def _recalled(self) -> list[Json]:
        path = f"/api/tables/{self.live.table}/rounds?count={RECALLED}"
        found: list[Json] = (await self.live.client.ask("GET", path))["rounds"]
        return found


class _Lacking(NamedTuple):
    """A wager that is still to be put: the command, or None where it cannot be put now."""

    command: Json | None


def cents(text: str) -> int:
    """Cents of an amount as the server writes it, which may be below zero.

    >>> cents("-2.50"), cents("10")
    (-250, 1000)
    """
    whole, _, rest = text.partition(".")
    return int(whole + (rest or "00"))


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
