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
from pitbook.cli.language import localize, output_language
from pitbook.cli.options import library
from pitbook.errors import ClientError, RoundError
from pitbook.house.client import PATIENCE, Client, Live, Refused
from pitbook.money import Cents, dollars, money
from pitbook.rules.game import compile_game
from pitbook.sheets.family_registry import models
from pitbook.sheets.hashes import digest
from pitbook.sheets.model import Sheet
from pitbook.text import say, sentence_of
from pitbook.text.user_input import did_you_mean, printable

Json = dict[str, Any]


class RandomPlay:
    """Picks any offered play at random."""

    def __init__(self, seed: str) -> None:
        self._draw = random.Random(seed)  # noqa: S311  No card depends on it.

    async def __call__(self, view: Json, hand: Json, offered_plays: list[str]) -> str:
        return self._draw.choice(offered_plays)


class BestPlay:
    """Picks the offered play of highest exact EV."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._sheets: dict[str, Sheet] = {}

    async def __call__(self, view: Json, hand: Json, offered_plays: list[str]) -> str:
        return await asyncio.to_thread(
            _best_play, await self.sheet(view), view, hand, offered_plays
        )

    async def sheet(self, view: Json) -> Sheet:
        """A table's sheet by its hash, from this machine or the table; raises ClientError."""
        named = view["sheet"]
        if named["hash"] not in self._sheets:
            sheet = _local_sheet(named) or await self._table_sheet(view["table"], named["hash"])
            self._sheets[named["hash"]] = sheet
        return self._sheets[named["hash"]]

    async def _table_sheet(self, table: str, hash_: str) -> Sheet:
        from pitbook.rules.stored_rounds import stored_sheet  # noqa: PLC0415  Rarely needed.

        document = await self._client.ask("GET", f"/api/tables/{table}/sheet")
        model = models().get(str(document.get("family")))
        names = {field.alias or name for name, field in model.model_fields.items()} if model else ()
        # Without the fields for the page.
        rules = {key: document[key] for key in document if key in names}
        try:
            return stored_sheet({"hash": hash_, "body": _without_nulls(rules)})
        except RoundError as error:
            why = sentence_of(error)
            raise ClientError(say("cli.bot.rules-unread", table=table, why=why)) from None


def _local_sheet(named: Json) -> Sheet | None:
    """A sheet of this machine with that hash."""
    sheets = (entry.sheet for entry in library().entries())
    same = (
        candidate for candidate in sheets if candidate is not None and candidate.id == named["id"]
    )
    return next((candidate for candidate in same if digest(candidate) == named["hash"]), None)


def _without_nulls(part: Any) -> Any:
    """The sheet without JSON nulls, which stand for omitted fields."""
    if isinstance(part, dict):
        return {key: _without_nulls(value) for key, value in part.items() if value is not None}
    return [_without_nulls(element) for element in part] if isinstance(part, list) else part


def _best_play(sheet: Sheet, view: Json, hand: Json, offered_plays: list[str]) -> str:
    from pitbook.exact.advice import advise  # noqa: PLC0415  Imports NumPy.

    stakes: dict[str, Cents] = {wager: dollars(amount) for wager, amount in hand["wagers"]}
    board = view["board"]["cards"] if compile_game(sheet).board_open_in_play else ()
    turned_cards = [card for card in board if card is not None]
    purse = dollars(view["wallet"]) if "wallet" in view else None
    advice = advise(
        sheet,
        cards(" ".join(hand["cards"])),
        cards(" ".join(turned_cards)),
        hand["plays"],
        ante=stakes[sheet.main_id],
        side={wager: stakes[wager] for wager in sheet.side if wager in stakes},
        purse=purse,
    )
    ev_by_play: dict[str, Fraction] = {play: value for play, value in advice.actions.items()}  # noqa: C416
    offered = [play for play in offered_plays if play in ev_by_play]
    return max(offered, key=lambda play: (ev_by_play[play], play == advice.best))


# A view, our hand, and the plays it may make.
ChooseOffered = Callable[[Json, Json, list[str]], Awaitable[str]]

# Refused because the table moved on meanwhile: look again.
RACE_CODES = ("not-now", "already-decided", "already-folded", "over")
BETWEEN_DEALS = ("open", "wagers", "over")  # No unsettled cards are dealt.
RECALLED_ROUNDS = 100
LEAVE_SECONDS = 5.0
SEED_BYTES = 12


class NoChips(ClientError):
    pass


@dataclass
class BotTally:
    """Rounds and results so far, in cents."""

    rounds: int = 0
    wagered: int = 0
    net: int = 0
    balance: int = 0
    counted: set[str] = field(default_factory=set)

    def add(self, round: str, hand: Json) -> None:
        """Count a settled hand once."""
        if round not in self.counted:
            self.counted.add(round)
            self.rounds += 1
            self.wagered += sum(cents(line["stake"]) for line in hand["lines"])
            self.net += cents(hand["net"])


class BotPlan(NamedTuple):
    """What to bet each round, how many rounds to play (0: until stopped), and how slowly."""

    stakes: Mapping[str, str]
    rounds: int = 0
    pace: float = 0.0


class BotSeat:
    """Plays a seat: bets, decides and counts until all rounds are played or `stop` is called."""

    def __init__(self, live: Live, player: str, seat: int, choose: ChooseOffered) -> None:
        self.live, self.player, self.seat = live, player, seat
        self.tally = BotTally()
        self.stopping = self.left = False
        self._choose = choose
        self._changed = asyncio.Event()
        self._refused_command: tuple[int, Json] | None = None
        self._seed = ("", "")  # The deal it is for, and the seed.

    def stop(self) -> None:
        """Start no further round; finish the current one."""
        self.stopping = True
        self._changed.set()

    async def play(self, plan: BotPlan, on_round: Callable[[], None]) -> None:
        """Play; `on_round` is called after every round. Raises ClientError."""
        self.tally.counted |= {round_["round"] for round_ in await self._recorded_rounds()}
        listening = asyncio.create_task(self._listen())
        try:
            await self._play(plan, on_round)
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)

    async def go(self) -> None:
        """Leave the seat if possible now; `left` says whether it was."""
        with suppress(ClientError, TimeoutError):
            async with asyncio.timeout(LEAVE_SECONDS):
                answer = await self.live.send({"do": "leave", "seat": self.seat})
                self.left = not isinstance(answer, Refused)

    async def _play(self, plan: BotPlan, on_round: Callable[[], None]) -> None:
        rounds_reported = 0
        while True:
            self._changed.clear()
            view = await self.live.look()
            self.tally.balance = cents(view["wallet"]) + cents(self._hand(view).get("held", "0"))
            if self.tally.rounds > rounds_reported:
                rounds_reported = self.tally.rounds
                on_round()
            if self._is_over(view, plan):
                return
            if not await self._act(view, plan):
                await self._changed.wait()

    def _is_over(self, view: Json, plan: BotPlan) -> bool:
        """Whether no further round is wanted, and nothing of ours is in play."""
        if not self.stopping and (not plan.rounds or self.tally.rounds < plan.rounds):
            return False
        return view["phase"] in BETWEEN_DEALS or not self._hand(view)

    async def _act(self, view: Json, plan: BotPlan) -> bool:
        """Do the next action; False if there is none."""
        command = await self._next_command(view, plan)
        if command is None or (view["version"], command) == self._refused_command:
            return False
        if plan.pace:
            await asyncio.sleep(plan.pace)
        answer = await self.live.send(command)
        if isinstance(answer, Refused):
            self._handle_refusal(command, answer)
            self._refused_command = (view["version"], command)
        return True

    def _handle_refusal(self, command: Json, answer: Refused) -> None:
        """Ignore refusals that pass with time; raises ClientError for the rest."""
        why = answer.message
        if answer.clause:
            why = say("form.clause", text=why, clause=answer.clause)
        if answer.code == "not-covered":
            raise NoChips(why)
        if answer.code not in RACE_CODES and command["do"] != "close-betting":
            raise ClientError(why)

    async def _next_command(self, view: Json, plan: BotPlan) -> Json | None:
        offers = [offer for offer in view["offers"] if offer.get("seat") in (None, self.seat)]
        for offer in offers:
            if offer["do"] == "agree" and "refused" not in offer:
                return {"do": "agree", "seat": self.seat, "finish": True}
            if offered_plays := [
                choice["play"] for choice in offer.get("choices", ()) if "refused" not in choice
            ]:
                return await self._decide(view, offered_plays)
        if view["phase"] not in BETWEEN_DEALS:
            return None
        missing_wager = self._missing_wager(offers, plan, self._own_seed(view))
        return self._deal(view, offers) if missing_wager is None else missing_wager.command

    async def _decide(self, view: Json, offered_plays: list[str]) -> Json | None:
        hand = self._hand(view)
        if None in hand["cards"]:  # At tables with a human dealer, cards are typed in later.
            return None
        return {
            "do": "decide",
            "seat": self.seat,
            "play": await self._choose(view, hand, offered_plays),
        }

    def _own_seed(self, view: Json) -> Json:
        """A seed for the next deal, made once the shoe's hash is shown."""
        shoe = view.get("shoe") or {}
        history = shoe.get("history") or shoe.get("commitment")
        if history is None or isinstance(view["seat_seeds"].get(str(self.seat)), str):
            return {}
        if self._seed[0] != history:
            self._seed = (history, secrets.token_hex(SEED_BYTES))
        return {"seed": self._seed[1], "history": history}

    def _missing_wager(self, offers: list[Json], plan: BotPlan, seed: Json) -> _MissingWager | None:
        """The first wager still to place; raises NoChips."""
        wagers = {offer["wager"]: offer for offer in offers if offer["do"] == "put-wager"}
        for wager, amount in plan.stakes.items():
            if wager not in wagers:
                raise ClientError(self._missing_offer_message(wager, wagers))
            if cents(wagers[wager]["now"]) != cents(amount):
                command = {"do": "put-wager", "seat": self.seat, "wager": wager, "amount": amount}
                command |= seed
                refusal = wagers[wager].get("refused", {"code": None})
                if refusal["code"] == "not-covered":
                    raise NoChips(refusal["message"])
                return _MissingWager(None if refusal["code"] else command)
        return None

    def _missing_offer_message(self, wager: str, wagers: Mapping[str, Json]) -> str:
        if wagers:
            return say("cli.bot.no-wager", wager=wager)
        return say("cli.bot.given-up", seat=self.seat, player=self.player)

    def _deal(self, view: Json, offers: list[Json]) -> Json | None:
        """Close betting, or be ready if others at the table need time to bet."""
        is_alone = all(seat["player"] in (None, self.player) for seat in view["seats"])
        possible_plays = {offer["do"]: offer for offer in offers if "refused" not in offer}
        if "close-betting" in possible_plays and (is_alone or not view["deadlines"]):
            return {"do": "close-betting"}
        return (
            {"do": "ready", "seat": self.seat}
            if possible_plays.get("ready", {}).get("on")
            else None
        )

    def _hand(self, view: Json) -> Json:
        """Our hand; empty if we are not in the round."""
        (row,) = (row for row in view["seats"] if row["seat"] == self.seat)
        return row if row.get("played_by") == self.player else {}

    # What happens ---------------------------------------------------------------------------------

    async def _listen(self) -> None:
        async for event in self.live.events():
            if event["what"] == "settled":
                self._count(event["body"]["round"], event["body"]["report"])
            elif event["what"] == "view":  # Missed too many events: read the ledger.
                with suppress(ClientError):
                    for round_ in await self._recorded_rounds():
                        self._count(round_["round"], round_["settlement"])
            self._changed.set()
        self._changed.set()  # The connection is lost for good; the next look says why.

    def _count(self, round: str, report: Json) -> None:
        for hand in report["seats"]:
            if (hand["seat"], hand["player"]) == (self.seat, self.player):
                self.tally.add(round, hand)

    async def _recorded_rounds(self) -> list[Json]:
        path = f"/api/tables/{self.live.table}/rounds?count={RECALLED_ROUNDS}"
        rounds: list[Json] = (await self.live.client.ask("GET", path))["rounds"]
        return rounds


class _MissingWager(NamedTuple):
    """A wager still to place: its command, or None if it cannot be placed now."""

    command: Json | None


def cents(text: str) -> int:
    """Cents of an amount as the server writes it, which may be below zero.

    >>> cents("-2.50"), cents("10")
    (-250, 1000)
    """
    whole, _, fraction = text.partition(".")
    return int(whole + (fraction or "00"))


FIRST_CONTACT_SECONDS = 0.5  # Report a wrong address soon; a connection lost later can wait.


class BotJob(NamedTuple):
    """What to do: at a house table as `name`, or at a practice table on a sheet."""

    servers: tuple[str, ...]  # The addresses of one server.
    table: str | None = None
    practice: str | None = None
    name: str | None = None
    password: str = ""
    seed: str | None = None  # Best play without a seed, random with one.
    seat: int | None = None
    rounds: int = 0
    pace: float = 0.0
    ante: Cents | None = None
    side: Mapping[str, Cents] = {}


class Visit:
    """A visit for some rounds; `on_progress` is called at the seat and after each round.

    `on_message` gets messages about the connection.
    """

    def __init__(
        self,
        job: BotJob,
        on_progress: Callable[[Visit], None],
        on_message: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.job, self._on_progress, self._on_message = job, on_progress, on_message
        self.seated: BotSeat | None = None
        self.view: Json = {}

    async def play(self) -> None:
        """Play from sign-in to the last round; raises ClientError."""
        async with Client(
            self.job.servers,
            patience=FIRST_CONTACT_SECONDS,
            on_message=self._on_message,
            language=output_language(),
        ) as client:
            await _check_server(client)
            client.patience = PATIENCE
            player, table = await self._enter(client)
            async with client.live(table) as live:
                await self._sit_down(client, live, player)

    async def _enter(self, client: Client) -> tuple[str, str]:
        """The player's name and the table."""
        job = self.job
        if job.name is not None:
            role = (await client.sign_in(job.name, job.password))["role"]
            if role != "player" and job.table is not None:
                user_fields = {"name": printable(job.name), "role": role}
                raise ClientError(say("cli.bot.for-players", **user_fields))
        if job.table is not None:
            assert job.name is not None
            await client.view(job.table)  # Raises if the player may not enter.
            return job.name, job.table
        practice = await client.practice(str(job.practice))
        return practice["player"], practice["table"]

    async def _sit_down(self, client: Client, live: Live, player: str) -> None:
        best = BestPlay(client)
        if self.job.seed is None:
            await best.sheet(live.view)
        choose = best if self.job.seed is None else RandomPlay(self.job.seed)
        seat = await _take_seat(live, player, self.job.seat)
        self.view = live.view
        self.seated = BotSeat(live, player, seat, choose)
        try:
            plan = await self._plan(client, seat)
            with _handling_sigint(self.seated.stop):
                await self._play(self.seated, plan)
        finally:
            await self.seated.go()
            if self.job.practice is not None:
                await live.close()  # We hang up before the server closes the table.
                await _close_practice_table(client, live.table)

    async def _play(self, seated: BotSeat, plan: BotPlan) -> None:
        self._on_progress(self)
        try:
            await seated.play(plan, lambda: self._on_progress(self))
        except NoChips as error:
            table_kind = "practice" if self.job.practice else "house"
            raise ClientError(say("cli.bot.no-chips", why=str(error), where=table_kind)) from None

    async def _plan(self, client: Client, seat: int) -> BotPlan:
        """The minimum main and required wagers, unless the job says otherwise."""
        offers = [offer for offer in self.view["offers"] if offer.get("seat") == seat]
        least = {offer["wager"]: offer["min"] for offer in offers if offer["do"] == "put-wager"}
        main, *sides = least
        for wager in self.job.side:
            if wager not in sides:
                raise ClientError(
                    say("cli.option", option="--side", why=_unknown_wager(wager, sides))
                )
        needed = {main} | await _required_wagers(client, self.view["sheet"])
        stakes = {wager: least[wager] for wager in least if wager in needed}
        stakes |= {wager: money(stake) for wager, stake in self.job.side.items()}
        if self.job.ante is not None:
            stakes[main] = money(self.job.ante)
        return BotPlan(stakes, self.job.rounds, self.job.pace)


def _unknown_wager(wager: str, sides: list[str]) -> str:
    remedy = did_you_mean(wager, sides) if sides else say("cli.bot.no-sides")
    return say("cli.bot.no-side", wager=printable(wager), remedy=remedy)


async def _check_server(client: Client) -> None:
    """Make sure a Pitbook server answers, before sending a password."""
    try:
        health = await client.ask("GET", "/api/health")
    except ClientError as error:
        if error.status is None:
            raise ClientError(say("cli.bot.no-answer", addresses=client.bases)) from None
        health = {"error": sentence_of(error)}
    if health.get("status") != "up":
        why = health.get("error", say("cli.bot.something-else"))
        raise ClientError(say("cli.bot.no-server", address=client.base, why=why))


async def _take_seat(live: Live, player: str, seat_wanted: int | None) -> int:
    """The seat the player has or takes; raises ClientError if there is none."""
    while True:
        own_seats = [seat["seat"] for seat in live.view["seats"] if seat["player"] == player]
        if own_seats and seat_wanted in (None, *own_seats):
            return int(seat_wanted or own_seats[0])
        sit_offers = [offer for offer in live.view["offers"] if offer["do"] == "sit"]
        free = [offer["seat"] for offer in sit_offers if "refused" not in offer]
        if seat_wanted is None and not free:
            raise ClientError(_no_seat(live, sit_offers))
        answer = await live.send({"do": "sit", "seat": seat_wanted or free[0]})
        if isinstance(answer, Refused) and (seat_wanted or answer.code != "seat-taken"):
            if seat_wanted and free:
                raise ClientError(say("cli.bot.any-seat", why=answer.message))
            raise ClientError(answer.message)
        await live.look()  # We sit, or somebody was faster.


def _no_seat(live: Live, sits: list[Json]) -> str:
    if sits:
        return str(sits[0]["refused"]["message"])
    seats = len(live.view["seats"])
    return say("cli.bot.full", table=live.table, seats=seats)


async def _required_wagers(client: Client, named: Json) -> set[str]:
    """The wagers without which no cards are dealt."""
    sheets = (await client.ask("GET", "/api/sheets"))["sheets"]
    same = [sheet for sheet in sheets if sheet["id"] == named["id"]]
    rules = [sheet for sheet in same if sheet["hash"] == named["hash"]] or same
    return {
        name for sheet in rules[:1] for name, rule in sheet["wagers"].items() if rule["required"]
    }


async def _close_practice_table(client: Client, table: str) -> None:
    """Close a finished practice table; the server drops one in play when it is idle."""
    with suppress(ClientError, TimeoutError):
        async with asyncio.timeout(LEAVE_SECONDS):
            await client.send(table, {"do": "retire"})


@contextmanager
def _handling_sigint(stop: Callable[[], None]) -> Iterator[None]:
    """Let the first Ctrl-C call `stop`; the next one has its usual effect."""
    loop = asyncio.get_running_loop()

    def handle_signal(*_: object) -> None:
        signal.signal(signal.SIGINT, before)
        loop.call_soon_threadsafe(stop)
        print(f"\n{localize(say('cli.bot.finishing'))}", file=sys.stderr, flush=True)

    before = signal.signal(signal.SIGINT, handle_signal)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
