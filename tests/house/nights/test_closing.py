"""From any state, two commands close a night at any hour."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from pathlib import Path

import pytest
from tests.house.nights.kit import EVENT, OMS
from tests.house.nights.live_night import DEALER, Room, play
from tests.house.nights.stopped_hands import at
from tests.house.nights.tournament.step_lines import schedule
from tests.lanes import examples

from pitbook.house.ledger.accounts import NORMAL
from pitbook.house.nights import commands as do
from pitbook.house.nights import table_commands as chance_tables
from pitbook.house.nights import table_commands as floor_commands
from pitbook.house.nights import (
    tournament_tables as tournament_rounds,
)
from pitbook.house.nights.store import Accepted
from pitbook.house.nights.tournament import commands as floor
from pitbook.house.table import commands as at_table
from pitbook.house.table.actor import LiveTable
from pitbook.house.table.commands import By, Envelope
from pitbook.house.table.state import TableKind
from pitbook.house.table.stored_sheets import dump_sheet
from pitbook.house.table.stream_names import TABLE
from pitbook.money import Cents, dollars
from pitbook.rules.refusals import Refusal

PLAYERS = ("ann", "bob", "cal", "dee", "eve")
NAMES = (f"{EVENT}.t1", f"{EVENT}.t2", f"{EVENT}.t3")
CHANCE = ("stud-1", "stud-2")
STEPS, SEEDS = 70, examples(8, 60)


class Walk:
    """A night of random commands, most of them refused; `seen` counts the accepted ones."""

    def __init__(self, path: Path, seed: int) -> None:
        self.whims = random.Random(seed)
        self.room = Room(path, whims=self.whims)
        self.seen: Counter[str] = Counter()

    async def run(self) -> None:
        self.room.must(do.BringFloat(dollars("2000")))
        for player in PLAYERS:
            self.room.must(do.Sell(player, dollars("60")))
        acts = [self._cage, self._at_chance, self._at_chance, self._floor, self._floor, self._floor]
        for step in range(STEPS):
            await self.whims.choice(acts)()
            if step % 30 == 29:
                await self.room.again()

    async def _cage(self) -> None:
        kind = self.whims.choice((do.Sell, do.Redeem))
        self.room.ask(kind(self.whims.choice(PLAYERS), Cents(self.whims.randrange(1, 9) * 100)))

    async def _at_chance(self) -> None:
        name = self.whims.choice(CHANCE)
        table = await self._table(name)
        if table is None:
            kinds: tuple[TableKind, ...] = ("house", "typed")
            kind = self.whims.choice(kinds)
            command = do.AdmitTable(name, dump_sheet(OMS))
            house, night = self.room.house, self.room.night
            await chance_tables.open_table(house, night, command, kind=kind, actor="olga")
            return
        seat = self.whims.randrange(1, 4)
        player = By(PLAYERS[seat], "player")
        sender_and_command: tuple[By, at_table.Command] = self.whims.choice(
            (
                (player, at_table.Sit(seat)),
                (player, at_table.PutWager(seat, "ante", Cents(200))),
                (player, at_table.PutWager(seat, "ante", Cents(300))),
                (DEALER, at_table.CloseBetting()),
                (player, at_table.Decide(seat, "1x")),
                (By("sue", "supervisor"), at_table.Interrupt("a lamp")),
                (player, at_table.Agree(seat, finish=True)),
            )
        )
        answer = await table.send(Envelope(*sender_and_command))
        is_accepted = not isinstance(answer, Refusal)
        self.seen[f"table {type(sender_and_command[1]).__name__}"] += is_accepted

    async def _floor(self) -> None:
        """A random command to a tournament counted by hand or by live tables."""
        name, player = self.whims.choice(NAMES), self.whims.choice(PLAYERS)
        tournament = self.room.night.state.tournaments.get(name)
        if tournament is None:
            kind = self.whims.choice(("hourly", "multi-table"))
            self.room.ask(floor.SetUp(name, schedule(kind=kind, seats=3)))
            self._well_begun(name)
            return
        tables, number = self.room.tables(name), self.whims.choice((1, 1, 2))
        if tournament.status == "playing" and self.whims.random() < 0.1:
            await tournament_rounds.open_tables(tables, OMS)
        if (
            tournament.status == "playing"
            and self.whims.random() < 0.4
            and number in tournament_rounds.table_numbers(tables)
        ):
            await self._round(await self.room.table(number, name))
        choices: list[floor.Command] = [
            *(floor.Enter(name, other) for other in (player, player, player)),
            floor.Announce(name),
            floor.DrawSeats(name),
            floor.Start(name),
            floor.StartClock(name),
            *(floor.BeginRound(name, number) for _ in range(4)),
            floor.CountChips(name, number),
            floor.Eliminate(name, (player,)),
            floor.PostPrizes(name),
            floor.Finish(name),
            floor.PayOut(name, player),
            floor.Refund(name, player),
        ]
        if self.whims.random() < 0.03:
            choices = [floor.Interrupt(name, "a lamp")]
        command = self.whims.choice(choices)
        answer = await floor_commands.ask(tables, command)
        self.seen[type(command).__name__] += isinstance(answer, Accepted)

    def _well_begun(self, name: str) -> None:
        """Start it most of the time; random commands would seldom reach the first card."""
        entrants = self.whims.sample(PLAYERS, self.whims.choice((2, 3, 5)))
        steps: list[floor.Command] = [floor.Enter(name, player) for player in entrants]
        steps += [floor.Announce(name), floor.DrawSeats(name), floor.Start(name)]
        self.room.must(*steps[: self.whims.choice((0, 1, 9, 9, 9, 9))])

    async def _round(self, table: LiveTable) -> None:
        for seat, player in list(table.state.seats.items()):
            main, stake = table.state.game.main
            wager = at_table.PutWager(seat, main, stake.min)
            await table.send(Envelope(By(player, "player"), wager))
        if self.whims.random() < 0.7:
            await table.send(Envelope(DEALER, at_table.CloseBetting()))
            if (
                table.state.has_live_wagers
                and table.state.awaiting is None
                and not table.state.typed
            ):
                await play(table, self.whims, self.whims.choice((0, 1, 99)))

    async def _table(self, name: str) -> LiveTable | None:
        if (held := self.room.house.get(name)) is not None:
            return held
        stream = self.room.ledger.stream(f"{TABLE}{name}")
        return None if stream is None else await self.room.house.load(stream)

    async def close_and_check(self) -> None:
        """Interrupt with dead hands and close, as docs/nights.md describes."""
        room, state = self.room, self.room.night.state
        self.seen.update(
            f"stood {tournament.status}"
            for tournament in state.tournaments.values()
            if tournament.players
        )
        first = await chance_tables.close(room.house, room.night, actor="olga")
        if isinstance(first, Refusal):
            self.seen["closed at the second try"] += 1
            stop = chance_tables.interrupt(
                room.house, room.night, "the end", actor="olga", dead=True
            )
            assert not isinstance(await stop, Refusal)
            answer = await chance_tables.close(room.house, room.night, actor="olga")
            assert isinstance(answer, Accepted), answer
        self._sound()
        for player in dict.fromkeys(unclaimed.player for unclaimed in room.night.state.unclaimed):
            room.must(do.PayUnclaimed(player))
            self.seen["unclaimed"] += 1
        self._sound()
        assert room.statement().document()["still_unclaimed"] == "0.00"

    def _sound(self) -> None:
        """Check that facts and balances agree and nothing is on a layout."""
        closing = self.room.statement()
        assert closing.findings == (), closing.findings
        assert not any(tournament.owed for tournament in closing.totals.tournaments)
        sums: Counter[str] = Counter()
        for account, cents in self.room.ledger.balances().items():
            sums[account.unit] += cents if NORMAL[account.kind] == "debit" else -cents
            assert not cents or account.kind not in ("held", "rack"), account
        assert not any(sums.values()), sums


@pytest.mark.long
def test_two_commands_close_a_night_in_any_state(tmp_path: Path) -> None:
    counts: Counter[str] = Counter()

    async def scene(seed: int) -> None:
        walk = Walk(tmp_path / str(seed), seed)
        await walk.run()
        walk.room.later(hours=(0, 9, 24 * 40)[seed % 3])  # Soon, in the morning, weeks later.
        await walk.close_and_check()
        counts.update(walk.seen)
        await walk.room.close()

    for seed in range(SEEDS):
        asyncio.run(scene(seed))
    statuses = {
        f"stood {status}" for status in ("open", "playing", "interrupted", "finished", "void")
    }
    wanted = {
        *statuses,
        "unclaimed",
        "closed at the second try",
        "BeginRound",
        "table CloseBetting",
    }
    assert wanted <= {what for what, count in counts.items() if count}, counts


def test_hand_being_completed_by_hand_does_not_keep_a_night_open(tmp_path: Path) -> None:
    name = NAMES[0]

    async def work(room: Room) -> None:
        room.must(floor.SetUp(name, schedule(kind="multi-table")), floor.Announce(name))
        room.must(*(floor.Enter(name, player) for player in PLAYERS))
        room.must(floor.DrawSeats(name), floor.Start(name), floor.BeginRound(name, 1))
        room.must(floor.Interrupt(name, "fire alarm"))
        agreed = tuple(room.t(name).tables[1])
        room.must(floor.RuleHand(name, 1, readable=True, agreed=agreed))
        await chance_tables.interrupt(
            room.house, room.night, "the hall shuts", actor="olga", dead=True
        )
        closed = await chance_tables.close(room.house, room.night, actor="olga")
        assert isinstance(closed, Accepted), closed

    at(tmp_path, work)
