"""A scripted evening at seven games and a charity night: seeded shoes, and irregularities."""

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
from pitbook.house.ledger.data_folder import KEYS_FILE, Folder, ledger_url
from pitbook.house.ledger.database import connect
from pitbook.house.ledger.fact_codec import Json
from pitbook.house.ledger.keys import read_keys
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.writer import utc_now
from pitbook.house.people.access_list import OPEN_TO_ALL, AccessList
from pitbook.house.table import commands
from pitbook.house.table.actor import LiveTable
from pitbook.house.table.commands import By, Command, Envelope
from pitbook.house.table.decide import opening_facts
from pitbook.house.table.environment import LiveEnv
from pitbook.money import Cents, dollars, money
from pitbook.rules.actions import BOARD, Close, Play, Wager
from pitbook.rules.game import compile_game
from pitbook.rules.refusals import Refusal
from pitbook.rules.round import Round, open_round
from pitbook.rules.stored_rounds import replay
from pitbook.sheets.library import Library
from pitbook.sheets.model import Sheet, Stake
from pitbook.shoe.crypto import Vault
from pitbook.shoe.dealing import Past
from pitbook_demo.charity_night import play_gala
from pitbook_demo.demo_night import play_weight

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
    """What a seat is dealt, bets and plays in an arranged round."""

    hand: tuple[Card, ...]
    ante: Cents
    times: int  # Main wagers bet at every stage; 0 folds.

    def play(self, plays: Iterable[Play]) -> Play | None:
        """Its play at a stage, if available."""
        folds = self.times == 0
        return next(
            (play for play in plays if (play.times, play.folds) == (self.times, folds)), None
        )


# Two hands share a cap: $50,000 and $5,000 are due, and $25,000 is paid.
BOARD_CARDS = cards("Qs Js Ts")
SPOTS = {
    1: ArrangedHand(cards("As Ks"), dollars("10"), 3),
    2: ArrangedHand(cards("9s 8s"), dollars("5"), 3),
    3: ArrangedHand(cards("2c 7d"), dollars("5"), 0),
}


def play_evening(path: Path, seed: str, rounds: int) -> Json:
    """Fill a data folder with an evening, sign its checkpoint, and return a summary."""
    with _fast_folder(path) as folder:
        summary = asyncio.run(_play_all_tables(folder, seed, rounds))
        summary["night"] = asyncio.run(play_gala(folder, seed))
        folder.sign()
        summary["entries"] = sum(stream.seq for stream in folder.ledger.streams())
    for file in path.iterdir():
        _sync_to_disk(file)
    return summary


def _fast_folder(path: Path) -> Folder:
    """A new folder whose database syncs only at the end.

    An interrupted demo is deleted entirely, so nothing is lost.
    """
    Folder.make(path).close()
    engine = connect(ledger_url(path, None), synchronous="OFF")
    return Folder(path, read_keys(path / KEYS_FILE), Ledger(engine))


def _sync_to_disk(file: Path) -> None:
    with file.open("rb+") as opened_file:
        os.fsync(opened_file.fileno())


async def _play_all_tables(folder: Folder, seed: str, rounds: int) -> Json:
    cage = Cage(folder.ledger)
    await cage.open(actor=CASHIER)
    await cage.fund(BANK, actor=CASHIER)
    sheets = {entry.sheet.id: entry.sheet for entry in Library().entries() if entry.sheet}
    demo_tables = [
        _DemoTable(folder, cage, sheets[game], seed, players)
        for game, players in zip(GAMES, PLAYERS, strict=True)
    ]
    await asyncio.gather(*(demo_table.evening(rounds) for demo_table in demo_tables))
    for player in (demo_table.players[-1] for demo_table in demo_tables):
        if left := folder.ledger.balance(cage.wallet(player)):
            await cage.cash_out(player, left, actor=CASHIER)
    tables = [
        {"table": demo_table.name, "sheet": demo_table.sheet.id, "rounds": rounds}
        for demo_table in demo_tables
    ]
    racks = [
        {"players": list(demo_table.players), "rack": demo_table.rack} for demo_table in demo_tables
    ]
    return {
        "tables": [table | rack for table, rack in zip(tables, racks, strict=True)],
        "notable": [
            notable_round for demo_table in demo_tables for notable_round in demo_table.notable
        ],
    }


class _DemoEnv:
    """Seeded shoes, and an occasional arranged one."""

    def __init__(self, folder: Folder, seed: str) -> None:
        self._vault, self._ledger, self._seed = Vault(folder.keys.sealing), folder.ledger, seed
        self._seeded = self._live_env("seeded", seed, ())
        self.next: Sequence[Card | None] = ()

    def shoe(self, name: str, **options: Any) -> Json:
        arranged, self.next = self.next, ()
        env = self._live_env("arranged", None, arranged) if arranged else self._seeded
        return env.shoe(name, **options)

    def cards(
        self,
        record: Json,
        seat_seeds: Mapping[int, str],
        first: int,
        count: int,
        past: tuple[Past, ...] = (),
    ) -> tuple[Card, ...]:
        return self._seeded.cards(record, seat_seeds, first, count, past)

    def reveal(self, record: Json) -> str | None:
        return self._seeded.reveal(record)

    def wallet(self, player: str) -> Cents:
        return self._ledger.balance(Account(UNIT, "wallet", player))

    def can_pay(self, player: str, amount: int) -> bool:
        return self.wallet(player) >= amount

    def now(self) -> datetime:
        return utc_now()

    def access_list(self) -> AccessList:
        """No exclusions."""
        return OPEN_TO_ALL

    def is_away(self, player: str) -> bool:
        """Players never leave early."""
        return False

    def _live_env(self, kind: Any, seed: str | None, first_cards: Sequence[Card | None]) -> LiveEnv:
        return LiveEnv(
            self._vault, wallet=self.wallet, now=self.now, kind=kind, seed=seed, first=first_cards
        )


class _DemoTable:
    """A table with its dealer, its floor supervisor and some simple players."""

    def __init__(
        self, folder: Folder, cage: Cage, sheet: Sheet, seed: str, players: Sequence[str]
    ) -> None:
        self.sheet, self.name = sheet, sheet.id.replace("/", "-")
        self.players = players
        self.shoes = _DemoEnv(folder, seed)
        self.table = LiveTable(folder.ledger, f"table/{self.name}", self.shoes)
        self.notable: list[Json] = []
        self._ledger, self._cage = folder.ledger, cage
        self._rng = random.Random(f"{seed} {self.name}")  # noqa: S311  Whims, not cards.

    @property
    def rack(self) -> str:
        return money(self._ledger.balance(Account(UNIT, "rack", self.name)))

    async def evening(self, rounds: int) -> None:
        """Play from the first fill to the last round."""
        await self._open()
        for number in range(1, rounds + 1):
            await self._deal(number)
        await self.table.close()

    async def _open(self) -> None:
        """Fill the rack and seat the players."""
        facts = opening_facts(
            table=self.name, kind="house", unit=UNIT, sheet=self.sheet, env=self.shoes, coach=False
        )
        await self.table.open(facts, actor=FLOOR.name, prunable=False)
        await self._send(FLOOR, commands.Fill(RACK))
        for seat in range(1, len(self.players) + 1):
            await self._send(self._player(seat), commands.Sit(seat))

    async def _deal(self, number: int) -> None:
        """Play one round; its number decides what goes wrong."""
        arranged = number == CAPPED and self._has_cap
        for player in self.players:
            if self.shoes.wallet(player) < LOW:
                await self._cage.buy_in(player, BUY_IN, actor=CASHIER)
        for seat in range(1, len(self.players) + 1):
            await self._bet(seat, SPOTS[seat] if arranged else None)
        if number == CAPPED - 1 and self._has_cap:
            self.shoes.next = _arranged_cards(self._round)
        await self._send(DEALER, commands.CloseBetting())
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
        """Whether the sheet has a shared cap and the arranged hands fit the game."""
        if not any(limit.per == "round" for limit in self.sheet.limits):
            return False
        game = compile_game(self.sheet)
        sizes = {(len(spot.hand), len(BOARD_CARDS)) for spot in SPOTS.values()}
        played = all(spot.play(stage.plays) for spot in SPOTS.values() for stage in game.stages)
        return played and sizes == {(game.hand_size, game.board_size)}

    async def _bet(self, seat: int, spot: ArrangedHand | None) -> None:
        by = self._player(seat)
        main, rule = open_round(self.sheet).game.main
        double_min = Cents(2 * rule.min)
        ante = double_min if self._rng.random() < 0.3 and double_min <= rule.max else rule.min
        await self._send(by, commands.PutWager(seat, main, spot.ante if spot else ante))
        for wager, side in self.sheet.side.items():
            if side.stake.required or (spot is None and self._rng.random() < 0.35):
                await self._send(by, commands.PutWager(seat, wager, _side_amount(side.stake)))

    async def _play(self, seat: int, spot: ArrangedHand | None) -> None:
        round = self._round
        own_seat = round.seat(seat)
        assert own_seat is not None
        plays = round.game.allowed_plays(round.stage, own_seat, *round.common)
        play = spot.play(plays) if spot else None
        if play is None:
            play = self._rng.choices(plays, [play_weight(candidate) for candidate in plays])[0]
        await self._send(self._player(seat), commands.Decide(seat, play))

    async def _mishap(self, number: int) -> None:
        """The irregularity scheduled for a round."""
        rules = self.sheet.irregularities
        if number == INTERRUPTED:
            await self._interrupt(dead=rules.interruption.value != "resume")
        elif number == MISDEALT and self._has_cap:
            await self._send(DEALER, commands.Misdeal("three cards at seat 2", card_count=True))
            self._note(2, "a misdeal: every wager went back")
        elif number == VOIDED and rules.information is not None:
            await self._send(FLOOR, commands.VoidHand(3, "information", part="gave"))
            self._note(3, "a hand that is void, for telling the neighbor")

    async def _interrupt(self, *, dead: bool) -> None:
        self._note(1, f"an interruption; the hand {'is dead' if dead else 'is played on'}")
        await self._send(FLOOR, commands.Interrupt("the lights went out"))
        if dead:
            await self._send(self._player(1), commands.Agree(1, finish=True))
            await self._send(self._player(2), commands.Agree(2, finish=False))

    def _player(self, seat: int) -> By:
        return By(self.players[seat - 1], "player")

    def _note(self, seat: int, why: str) -> None:
        self.notable.append({"round": self.table.state.round_id, "seat": seat, "why": why})

    async def _send(self, by: By, command: Command) -> None:
        answer = await self.table.send(Envelope(by, command))
        assert not isinstance(answer, Refusal), f"{by.name} {command}: {answer}"


def _side_amount(stake: Stake) -> Cents:
    return Cents(min(stake.max, 2 * stake.min))


def _arranged_cards(round: Round) -> list[Card]:
    """The first cards of a shoe that deals the arranged hands to these seats."""
    main = round.game.main[0]
    wagers = [Wager(seat.number, seat.player, main, dict(seat.main)[main]) for seat in round.seats]
    closed = replay(open_round(round.game.sheet), [*wagers, Close()])
    piles = {BOARD: list(BOARD_CARDS)} | {seat: list(spot.hand) for seat, spot in SPOTS.items()}
    return [piles[place].pop(0) for place in closed.to_deal]
