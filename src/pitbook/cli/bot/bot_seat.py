"""A seat at a server's table, played from nothing but what the server offers."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pitbook.errors import ClientError
from pitbook.house.client import Live, Refused
from pitbook.text import say

Json = dict[str, Any]
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
