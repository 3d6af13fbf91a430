"""One evening at seven games, and a charity night: seeded shoes, and what can go wrong."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from pitbook.cards import Card, cards
from pitbook.house.cage.cage import Cage
from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.codec import Json
from pitbook.house.ledger.database import connect
from pitbook.house.ledger.folder import KEYS, Folder, book_url
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.keys import read_keys
from pitbook.house.ledger.writer import utc_now
from pitbook.house.people.roster import OPEN_TO_ALL, AccessList
from pitbook.house.table import commands
from pitbook.house.table.actor import LiveTable
from pitbook.house.table.commands import By, Command, Envelope
from pitbook.house.table.decide import opening_facts
from pitbook.house.table.env import LiveEnv
from pitbook.money import Cents, dollars, money
from pitbook.rules.actions import BOARD, Close, Wager
from pitbook.rules.game import compile_game
from pitbook.rules.plays import Play
from pitbook.rules.refusals import Refusal
from pitbook.rules.round import Round, open_round
from pitbook.rules.stored import replay
from pitbook.sheets.library import Library
from pitbook.sheets.model import Sheet
from pitbook.sheets.parts import Stake
from pitbook.shoe.order import Past
from pitbook.shoe.vault import Vault
from pitbook_demo.charity_night import gala
from pitbook_demo.night_people import weight

UNIT = "usd"
GAMES = (
    *("catfish-bend/matchem-hi-lo", "catfish-bend/mississippi-stud", "louisiana-stud/standard"),
    *("louisiana-stud/stax-required", "oceanfront/mississippi-stud"),
    *("pennsylvania/three-card-poker", "pennsylvania/ultimate-texas-holdem"),
)
PLAYERS = (
    *(("ann", "bob", "cleo"), ("dev", "eli", "fay"), ("gus", "hal", "ida")),
    *(("joe", "kit", "lou"), ("mia", "ned", "ola"), ("pam", "quin", "ray"), ("sue", "tom", "uma")),
)
CASHIER, DEALER, FLOOR = "kim", By("dana", "dealer"), By("sam", "supervisor")
BUY_IN, BANK, RACK = dollars("2000"), dollars("200000"), dollars("20000")
LOW = dollars("200")  # More than any of them wagers in a round.
INTERRUPTED, MISDEALT, VOIDED, CAPPED = 3, 5, 6, 7


class ArrangedHand(NamedTuple):
    """What a seat holds, bets and plays in a round that is arranged."""

    hand: tuple[Card, ...]
    ante: Cents
    times: int  # Main wagers that it bets at every stage; 0 gives the hand up.

    def play(self, plays: Iterable[Play]) -> Play | None:
        """Its play among those of a stage, if it is there."""
        folds = self.times == 0
        return next((one for one in plays if (one.times, one.folds) == (self.times, folds)), None)


# Two hands that share a cap: $50,000 and $5,000 are due where $25,000 are paid.
BOARD_CARDS = cards("Qs Js Ts")
SPOTS = {
    1: ArrangedHand(cards("As Ks"), dollars("10"), 3),
    2: ArrangedHand(cards("9s 8s"), dollars("5"), 3),
    3: ArrangedHand(cards("2c 7d"), dollars("5"), 0),
}


def evening(path: Path, seed: str, rounds: int) -> Json:
    """Fill a data folder with an evening, sign its heads, and say what is in it."""
    with _unhurried(path) as folder:
        made = asyncio.run(_evening(folder, seed, rounds))
        made["night"] = asyncio.run(gala(folder, seed))
        folder.sign()
        made["entries"] = sum(one.seq for one in folder.ledger.streams())
    for file in path.iterdir():
        _kept(file)
    return made


def _unhurried(path: Path) -> Folder:
    """A new folder whose book is on the disk in the end, not entry by entry: nobody waits for it.

    A demonstration that is cut short is thrown away whole, so nothing is lost by it.
    """
    Folder.make(path).close()
    engine = connect(book_url(path, None), synchronous="OFF")
    return Folder(path, read_keys(path / KEYS), Ledger(engine))


def _kept(file: Path) -> None:
    with file.open("rb+") as written:
        os.fsync(written.fileno())


async def _evening(folder: Folder, seed: str, rounds: int) -> Json:
    cage = Cage(folder.ledger)
    await cage.open(actor=CASHIER)
    await cage.fund(BANK, actor=CASHIER)
    known = {one.sheet.id: one.sheet for one in Library().entries() if one.sheet}
    pits = [
        _Pit(folder, cage, known[game], seed, players)
        for game, players in zip(GAMES, PLAYERS, strict=True)
    ]
    await asyncio.gather(*(pit.evening(rounds) for pit in pits))
    for player in (pit.players[-1] for pit in pits):
        if left := folder.ledger.balance(cage.wallet(player)):
            await cage.cash_out(player, left, actor=CASHIER)
    tables = [{"table": pit.name, "sheet": pit.sheet.id, "rounds": rounds} for pit in pits]
    racks = [{"players": list(pit.players), "rack": pit.rack} for pit in pits]
    return {
        "tables": [table | rack for table, rack in zip(tables, racks, strict=True)],
        "notable": [one for pit in pits for one in pit.notable],
    }


class _Shoes:
    """Seeded shoes, and now and then one that is arranged."""

    def __init__(self, folder: Folder, seed: str) -> None:
        self._vault, self._ledger, self._seed = Vault(folder.keys.sealing), folder.ledger, seed
        self._usual = self._shoes("seeded", seed, ())
        self.next: Sequence[Card | None] = ()

    def shoe(self, name: str, **how: Any) -> Json:
        """A fresh shoe."""
        arranged, self.next = self.next, ()
        luck = self._shoes("arranged", None, arranged) if arranged else self._usual
        return luck.shoe(name, **how)

    def cards(
        self,
        record: Json,
        seat_seeds: Mapping[int, str],
        first: int,
        count: int,
        past: tuple[Past, ...] = (),
    ) -> tuple[Card, ...]:
        """Cards of any shoe."""
        return self._usual.cards(record, seat_seeds, first, count, past)

    def reveal(self, record: Json) -> str | None:
        """The seed of any shoe."""
        return self._usual.reveal(record)

    def wallet(self, player: str) -> Cents:
        """A player's money."""
        return self._ledger.balance(Account(UNIT, "wallet", player))

    def has(self, player: str, amount: int) -> bool:
        """Whether a player has so much."""
        return self.wallet(player) >= amount

    def now(self) -> datetime:
        """The time of day."""
        return utc_now()

    def door(self) -> AccessList:
        """Nobody is excluded from a demonstration."""
        return OPEN_TO_ALL

    def away(self, player: str) -> bool:
        """Everybody stays to the end."""
        return False

    def _shoes(self, kind: Any, seed: str | None, first: Sequence[Card | None]) -> LiveEnv:
        return LiveEnv(
            self._vault, wallet=self.wallet, now=self.now, kind=kind, seed=seed, first=first
        )


class _Pit:
    """One table with its dealer, its floor and some simple players."""

    def __init__(
        self, folder: Folder, cage: Cage, sheet: Sheet, seed: str, players: Sequence[str]
    ) -> None:
        self.sheet, self.name = sheet, sheet.id.replace("/", "-")
        self.players = players
        self.shoes = _Shoes(folder, seed)
        self.table = LiveTable(folder.ledger, f"table/{self.name}", self.shoes)
        self.notable: list[Json] = []
        self._ledger, self._cage = folder.ledger, cage
        self._whims = random.Random(f"{seed} {self.name}")  # noqa: S311  Whims, not cards.

    @property
    def rack(self) -> str:
        """What the rack holds."""
        return money(self._ledger.balance(Account(UNIT, "rack", self.name)))

    async def evening(self, rounds: int) -> None:
        """From the first fill to the last round."""
        await self._open()
        for number in range(1, rounds + 1):
            await self._deal(number)
        await self.table.close()

    async def _open(self) -> None:
        """Chips in the rack, players in their seats."""
        facts = opening_facts(
            table=self.name, kind="house", unit=UNIT, sheet=self.sheet, env=self.shoes, coach=False
        )
        await self.table.open(facts, actor=FLOOR.name, prunable=False)
        await self._do(FLOOR, commands.Fill(RACK))
        for seat in range(1, len(self.players) + 1):
            await self._do(self._player(seat), commands.Sit(seat))

    async def _deal(self, number: int) -> None:
        """One round, as its number has it."""
        arranged = number == CAPPED and self._has_cap
        for player in self.players:
            if self.shoes.wallet(player) < LOW:
                await self._cage.buy_in(player, BUY_IN, actor=CASHIER)
        for seat in range(1, len(self.players) + 1):
            await self._bet(seat, SPOTS[seat] if arranged else None)
        if number == CAPPED - 1 and self._has_cap:
            self.shoes.next = _arranged(self._round)
        await self._do(DEALER, commands.CloseBetting())
        if self._round.waiting:
            await self._mishap(number)
        while self._round.waiting:
            seat = self._round.waiting[0]
            await self._play(seat, SPOTS[seat] if arranged else None)
        if arranged:
            self._note(1, "a royal flush, a straight flush, and one cap over both")

    @property
    def _round(self) -> Round:
        round = self.table.state.round
        assert round is not None
        return round

    @property
    def _has_cap(self) -> bool:
        """Whether hands share a cap, in a game that the spots can be dealt and played in."""
        if not any(one.per == "round" for one in self.sheet.limits):
            return False
        game = compile_game(self.sheet)
        sizes = {(len(one.hand), len(BOARD_CARDS)) for one in SPOTS.values()}
        played = all(one.play(stage.plays) for one in SPOTS.values() for stage in game.stages)
        return played and sizes == {(game.hand_size, game.board_size)}

    async def _bet(self, seat: int, spot: ArrangedHand | None) -> None:
        by = self._player(seat)
        main, rule = open_round(self.sheet).game.main
        more = Cents(2 * rule.min)
        ante = more if self._whims.random() < 0.3 and more <= rule.max else rule.min
        await self._do(by, commands.PutWager(seat, main, spot.ante if spot else ante))
        for wager, side in self.sheet.side.items():
            if side.stake.required or (spot is None and self._whims.random() < 0.35):
                await self._do(by, commands.PutWager(seat, wager, _side(side.stake)))

    async def _play(self, seat: int, spot: ArrangedHand | None) -> None:
        round = self._round
        own = round.seat(seat)
        assert own is not None
        plays = round.game.may(round.stage, own, *round.common)
        play = spot.play(plays) if spot else None
        if play is None:
            play = self._whims.choices(plays, [weight(one) for one in plays])[0]
        await self._do(self._player(seat), commands.Decide(seat, play))

    async def _mishap(self, number: int) -> None:
        """What goes wrong in some rounds."""
        rules = self.sheet.irregularities
        if number == INTERRUPTED:
            await self._interrupt(dead=rules.interruption.value != "resume")
        elif number == MISDEALT and self._has_cap:
            await self._do(DEALER, commands.Misdeal("three cards at seat 2", card_count=True))
            self._note(2, "a misdeal: every wager went back")
        elif number == VOIDED and rules.information is not None:
            await self._do(FLOOR, commands.VoidHand(3, "information", part="gave"))
            self._note(3, "a hand that is void, for telling the neighbour")

    async def _interrupt(self, *, dead: bool) -> None:
        self._note(1, f"an interruption; the hand {'is dead' if dead else 'is played on'}")
        await self._do(FLOOR, commands.Interrupt("the lights went out"))
        if dead:
            await self._do(self._player(1), commands.Agree(1, finish=True))
            await self._do(self._player(2), commands.Agree(2, finish=False))

    def _player(self, seat: int) -> By:
        return By(self.players[seat - 1], "player")

    def _note(self, seat: int, why: str) -> None:
        self.notable.append({"round": self.table.state.round_id, "seat": seat, "why": why})

    async def _do(self, by: By, command: Command) -> None:
        answer = await self.table.send(Envelope(by, command))
        assert not isinstance(answer, Refusal), f"{by.name} {command}: {answer}"


def _side(stake: Stake) -> Cents:
    return Cents(min(stake.max, 2 * stake.min))


def _arranged(like: Round) -> list[Card]:
    """The first cards of a shoe that deals the spots to seats like these."""
    main = like.game.main[0]
    wagers = [Wager(one.number, one.player, main, dict(one.main)[main]) for one in like.seats]
    closed = replay(open_round(like.game.sheet), [*wagers, Close()])
    piles = {BOARD: list(BOARD_CARDS)} | {seat: list(spot.hand) for seat, spot in SPOTS.items()}
    return [piles[place].pop(0) for place in closed.to_deal]
