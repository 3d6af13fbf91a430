"""A random night with cage, tables, tournaments and faults."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.house.nights.kit import CMS, EVENT, MHL, OMS
from tests.house.nights.live_night import DEALER, Room, bet, layout, play, send_command
from tests.house.nights.tournament.step_lines import schedule

from pitbook import load as load_sheet
from pitbook.house.ledger.accounts import NORMAL
from pitbook.house.nights import commands as do
from pitbook.house.nights import (
    interruptions as cut_hands,
)
from pitbook.house.nights import table_commands as chance_tables
from pitbook.house.nights import table_commands as floor_commands
from pitbook.house.nights import (
    tournament_tables as tournament_rounds,
)
from pitbook.house.nights.decide import Command
from pitbook.house.nights.state import AdmittedTable
from pitbook.house.nights.store import Accepted
from pitbook.house.nights.tournament import commands as floor
from pitbook.house.nights.tournament import facts
from pitbook.house.nights.tournament.clock import reading
from pitbook.house.nights.tournament.seating import balance_moves, table_to_break
from pitbook.house.table import commands as at_table
from pitbook.house.table.actor import LiveTable
from pitbook.house.table.commands import By, Envelope
from pitbook.house.table.stored_sheets import dump_sheet
from pitbook.house.table.stream_names import TABLE
from pitbook.money import Cents, dollars
from pitbook.rules.refusals import Refusal

SHEETS = (OMS, CMS, MHL, load_sheet("louisiana-stud/stax-required"))
LEVELS = [
    {"minutes": 10, "limits": {"ante": {"min": str(50 * 2**n), "max": "20000"}}} for n in range(8)
]
SEATS = 6


class Size(NamedTuple):
    """The size of a night."""

    players: int
    tables: int
    tournaments: int
    steps: int
    kill_every: int


class WholeNight:
    """One night under a seed; `seen` counts what happened."""

    def __init__(self, path: Path, size: Size, seed: int) -> None:
        self.size, self.whims = size, random.Random(seed)
        self.room = Room(path, whims=self.whims)
        self.players = [f"p{number:03}" for number in range(size.players)]
        self.chance = [f"chance-{number}" for number in range(1, size.tables + 1)]
        self.names = [f"{EVENT}.t{number}" for number in range(1, size.tournaments + 1)]
        self.seen: Counter[str] = Counter()

    async def play_night(self) -> None:
        """Play from the float to the last prize; the night is ready to close."""
        await self._doors()
        acts = [self._cage, self._at_chance, self._at_chance, self._in_tournament]
        acts += [self._in_tournament, self._in_tournament, self._try_invalid, self._repeat_request]
        for step in range(self.size.steps):
            await self.whims.choice(acts)()
            if step % self.size.kill_every == self.size.kill_every - 1:
                await self._kill()
            if step % 10 == 0:
                self.check_balances()
        await self._cut_short()
        for name in self.names:
            await self._to_the_end(name)
        for name in self.chance:
            await self._finish_hand(await self._table(name))
        await self._pay_all()

    def check_balances(self) -> None:
        """Check that debits and credits balance in every unit."""
        sums: Counter[str] = Counter()
        for account, cents in self.room.ledger.balances().items():
            sums[account.unit] += cents if NORMAL[account.kind] == "debit" else -cents
        assert not any(sums.values()), sums

    async def _doors(self) -> None:
        self.room.must(do.BringFloat(dollars("5000")))
        for player in self.players:
            self.room.must(do.Sell(player, dollars(str(self.whims.randrange(20, 90)))))
            self.seen["sold"] += 1
        for number, name in enumerate(self.chance):
            await self._open_table(name, number)
        for number, name in enumerate(self.names):
            await self._open_tournament(name, number)

    async def _open_table(self, name: str, number: int) -> None:
        sheet = SHEETS[number % len(SHEETS)]
        command = do.AdmitTable(name, dump_sheet(sheet), derived=sheet is not OMS)
        admitted = await chance_tables.open_table(
            self.room.house, self.room.night, command, kind="house", actor="olga"
        )
        assert isinstance(admitted, AdmittedTable), admitted
        table = await self._table(name)
        for seat, player in enumerate(self.whims.sample(self.players, SEATS - 1), start=1):
            await send_command(table, By(player, "player"), at_table.Sit(seat))

    async def _open_tournament(self, name: str, number: int) -> None:
        hourly = number % 2 == 0
        plan = schedule(
            kind="hourly" if hourly else "multi-table",
            ends="clock" if hourly else "one-left",
            higher_limit=number == 1,
            seats=4 if hourly else SEATS,
            levels=LEVELS,
            re_buy={"costs": "40", "chips": "1000", "until_level": len(LEVELS)},
        )
        entrants = self.whims.sample(self.players, max(6, len(self.players) // 2))
        self.room.must(floor.SetUp(name, plan))
        self.room.must(*(floor.Enter(name, player) for player in entrants))
        self.room.must(floor.Refund(name, entrants[0]))
        assert isinstance(self.room.ask(floor.Start(name)), Refusal)  # OMS-11.
        self.room.must(floor.Announce(name), floor.DrawSeats(name))
        self.room.must(floor.AddOn(name, entrants[1]), floor.Start(name), floor.StartClock(name))
        assert await tournament_rounds.open_tables(self.room.tables(name), OMS) is None

    async def _table(self, name: str) -> LiveTable:
        if (held := self.room.house.get(name)) is not None:
            return held
        stream = self.room.ledger.stream(f"{TABLE}{name}")
        assert stream is not None
        return await self.room.house.load(stream)

    async def _cage(self) -> None:
        """Sell or redeem chips, and sometimes void the slip."""
        player = self.whims.choice(self.players)
        holds = self.room.ledger.balance(self.room.night.state.accounts.wallet(player))
        amount = Cents(self.whims.randrange(1, 40) * 100)
        sale = holds < amount or self.whims.random() < 0.3
        command = do.Sell(player, amount) if sale else do.Redeem(player, amount)
        answer = self.room.ask(command)
        self.seen["sold" if sale else "redeemed"] += isinstance(answer, Accepted)
        if isinstance(answer, Accepted) and self.whims.random() < 0.2:
            self.room.must(do.Undo(answer.slip, "the wrong player"))
            self.seen["slip undone"] += 1

    async def _at_chance(self) -> None:
        """Play a hand of chance, or leave it unfinished."""
        table = await self._table(self.whims.choice(self.chance))
        if table.state.has_live_wagers:
            await self._finish_hand(table)
            return
        for seat in sorted(table.state.seats):
            await self._place_bets(table, seat)
        if not layout(table).seats:
            return
        closed = await table.send(Envelope(DEALER, at_table.CloseBetting()))
        if isinstance(closed, Refusal):
            return
        self.seen["hand of chance"] += 1
        await play(table, self.whims, self.whims.choice((2, 99, 99)))

    async def _place_bets(self, table: LiveTable, seat: int) -> None:
        """Place the required bets; sometimes remove one."""
        player, (main, stake) = By(table.state.seats[seat], "player"), table.state.game.main
        sides = table.state.game.sheet.side.items()
        required = {name: side.stake.min for name, side in sides if side.stake.required}
        for wager, amount in {main: stake.min, **required}.items():
            put = Envelope(player, at_table.PutWager(seat, wager, amount), self._id())
            first, second = await asyncio.gather(table.send(put), table.send(put))
            assert first == second or isinstance(first, Refusal), (first, second)
            if isinstance(first, Refusal):  # Out of chips: the main bet is removed.
                await table.send(Envelope(player, at_table.PutWager(seat, main, Cents(0))))
                return
        if self.whims.random() < 0.1:
            await send_command(table, player, at_table.PutWager(seat, main, Cents(0)))
            self.seen["wager taken back"] += 1

    async def _finish_hand(self, table: LiveTable) -> None:
        await self._answer(table, self.whims.random() < 0.6)
        if table.state.has_live_wagers and layout(table).phase == "wagers":
            for seat in [seat_state.number for seat_state in layout(table).seats]:
                await send_command(table, By("sue", "supervisor"), at_table.Leave(seat))
        await play(table, self.whims)

    async def _answer(self, table: LiveTable, finish: bool) -> None:
        """Players answer whether to finish their hand; the first refusal ends it."""
        for player in list(table.state.awaiting or ()):
            seat = next(
                seat_state.number
                for seat_state in layout(table).seats
                if seat_state.player == player
            )
            if table.state.awaiting is not None:
                agree = at_table.Agree(seat, finish=finish)
                await table.send(Envelope(By(player, "player"), agree))
                self.seen["agreed" if finish else "dead"] += 1

    async def _in_tournament(self) -> None:
        name = self.whims.choice(self.names)
        tournament = self.room.t(name)
        if tournament.status == "interrupted":
            await self._rule_hands(name, finish=self.whims.random() < 0.5)
        elif tournament.status == "playing":
            number = self.whims.choice([*tournament.tables])
            await self._turn(name, number, self.whims.choice((2, 99, 99)))

    async def _turn(self, name: str, number: int, decisions: int) -> None:
        """Floor actions between rounds, then a round."""
        await self._outs(name)
        await self._rebalance(name)
        finished = self.room.ask(floor.Finish(name))
        self.seen["finished"] += isinstance(finished, Accepted)
        if self.room.t(name).status == "playing" and number in self.room.t(name).tables:
            await self._tournament_round(name, number, decisions)
        self.room.later(minutes=self.whims.choice((0, 0, 1)))

    async def _tournament_round(self, name: str, number: int, decisions: int) -> None:
        tables = self.room.tables(name)
        table = await self.room.table(number, name)
        if not table.state.has_live_wagers and number not in tables.state.in_hand:
            await self._deal(name, number, table)
        await play(table, self.whims, decisions)
        if not table.state.has_live_wagers and number in tables.state.in_hand:
            assert isinstance(await tournament_rounds.count_chips(tables, number), Accepted)
            self.seen["tournament hand"] += 1

    async def _deal(self, name: str, number: int, table: LiveTable) -> None:
        answer = await tournament_rounds.begin_round(self.room.tables(name), number)
        assert isinstance(answer, Accepted), answer
        await bet(table)
        await send_command(table, DEALER, at_table.CloseBetting())

    async def _outs(self, name: str) -> None:
        """Eliminations, re-buys and undos."""
        tables = self.room.tables(name)
        while proposed := tournament_rounds.players_to_eliminate(tables):
            group = proposed[0]
            if self.whims.random() < 0.3 and self._re_buy(name, group):
                continue
            await self._must(name, floor.Eliminate(name, group))
            self.seen["eliminated"] += len(group)
            if self.whims.random() < 0.2:
                await self._must(name, floor.Undo(name, tables.state.past[-1][0], "recounted"))
                await self._must(name, floor.Eliminate(name, group))
                self.seen["undone"] += 1

    def _re_buy(self, name: str, group: Sequence[str]) -> bool:
        """Whether everybody in a group bought a re-buy."""
        answers = [self.room.ask(floor.ReBuy(name, player)) for player in group]
        bought = [answer for answer in answers if isinstance(answer, Accepted)]
        self.seen["re-buy"] += len(bought)
        return len(bought) == len(group)

    async def _rebalance(self, name: str) -> None:
        tournament = self.room.t(name)
        command: floor.Command | None = None
        if (table := table_to_break(tournament)) is not None:
            command = floor.BreakTable(name, table)
        elif balance_moves(tournament):
            command = floor.Balance(name)
        if command is not None:
            answer = await tournament_rounds.give(self.room.tables(name), command)
            self.seen["moved"] += isinstance(answer, Accepted)

    async def _must(self, name: str, command: floor.Command) -> None:
        answer = await tournament_rounds.give(self.room.tables(name), command)
        assert isinstance(answer, Accepted), f"{command}: {answer}"

    async def _rule_hands(self, name: str, *, finish: bool) -> None:
        """End the hands of an interrupted tournament."""
        tables = self.room.tables(name)
        for number in tables.state.in_hand:
            table = await self.room.table(number, name)
            await self._answer(table, finish)
            await play(table, self.whims)
        assert await cut_hands.sync_hands(tables) is None
        assert tables.state.status != "interrupted"
        self.seen["cut short"] += 1

    async def _kill(self) -> None:
        """Kill the process; another takes over, and interruptions may be undone."""
        for name in await self.room.again():
            self.seen["killed in mid-hand"] += 1
            assert self.room.t(name).status == "playing"  # The floor is asked.
            tables = self.room.tables(name)
            if self.whims.random() < 0.4:
                assert isinstance(await floor_commands.ask(tables, floor.GoOn(name)), Accepted)
                self.seen["gone on"] += 1
                continue
            interruption = floor.Interrupt(name, "no power")
            assert isinstance(await floor_commands.ask(tables, interruption), Accepted)
            if self.room.t(name).status == "interrupted":
                await self._rule_hands(name, finish=self.whims.random() < 0.5)
            if name == self.names[0] or self.whims.random() < 0.6:
                await self._undo_cut(name)
        self.seen["killed"] += 1
        self.check_balances()

    async def _undo_cut(self, name: str) -> None:
        """Undo an interruption step by step."""
        tables = self.room.tables(name)
        while tables.state.status != "playing":
            assert tables.state.last is not None
            number, last = tables.state.last
            if isinstance(last, facts.PaidOut):
                return
            undo = floor.Undo(name, number, "only a lamp")
            assert isinstance(await floor_commands.ask(tables, undo), Accepted)
        for number in tables.state.in_hand:
            await play(await self.room.table(number, name), self.whims)
            assert isinstance(await tournament_rounds.count_chips(tables, number), Accepted)
        self.seen["interruption undone"] += 1

    async def _try_invalid(self) -> None:
        """Invalid commands change nothing."""
        before = self.room.ledger.balances()
        name, player = self.whims.choice(self.names), self.whims.choice(self.players)
        invalid_commands: list[Command] = [
            do.Redeem(player, dollars("99999")),
            do.Sell(player, Cents(50)),
            do.Undo(99_999, "there is no such slip"),
            do.Close(),
            floor.Enter(name, next(iter(self.room.t(name).players))),
            floor.Refund(name, player, in_doubt=True),
            floor.Eliminate(name, ("nobody",)),
            floor.Undo(name, 99_999),
            floor.SetUp(f"{EVENT}.large", schedule(higher_limit=True)),
        ]
        command = self.whims.choice(invalid_commands)
        answer = self.room.ask(command)
        assert isinstance(answer, Refusal), f"{command}: {answer}"
        assert self.room.ledger.balances() == before
        self.seen["refused"] += 1

    async def _repeat_request(self) -> None:
        """A request sent three times has one effect and one answer."""
        request, player = self._id(), self.whims.choice(self.players)
        command = do.Sell(player, dollars("3"))
        answers = [self.room.ask(command, request) for _ in range(3)]
        assert answers[0] == answers[1] == answers[2], answers
        other = self.room.ask(do.Sell(player, dollars("4")), request)
        assert isinstance(other, Refusal)
        self.seen["repeated"] += 1

    async def _cut_short(self) -> None:
        """Interrupt a running tournament in mid-hand."""
        for name in self.names:
            tournament = self.room.t(name)
            if tournament.status == "playing" and name == self.names[-1]:
                await self._outs(name)
                if len(self.room.t(name).still_in) > 1:
                    await self._tournament_round(name, next(iter(self.room.t(name).tables)), 2)
                answer = await cut_hands.interrupt(self.room.tables(name), "the lights went out")
                assert isinstance(answer, Accepted), answer
                self.seen["interrupted"] += 1

    async def _to_the_end(self, name: str) -> None:
        while self.room.t(name).status == "playing":
            for number in list(self.room.t(name).tables):
                if self.room.t(name).status == "playing":
                    await self._turn(name, number, 999)
            clock_reading = reading(
                self.room.t(name).schedule, self.room.t(name).clock, self.room.now
            )
            self.room.later(seconds=clock_reading.left.total_seconds())
        if self.room.t(name).status == "interrupted":
            await self._rule_hands(name, finish=self.whims.random() < 0.5)

    async def _pay_all(self) -> None:
        for name in self.names:
            for player, entrant in self.room.t(name).players.items():
                if entrant.owed:
                    request = self._id()
                    first = self.room.ask(floor.PayOut(name, player), request)
                    assert isinstance(first, Accepted), first
                    assert self.room.ask(floor.PayOut(name, player), request) == first

    def _id(self) -> str:
        return f"{self.whims.getrandbits(64):016x}"


def missing(counts: Counter[str], wanted: Sequence[str]) -> list[str]:
    """The expected events that did not happen."""
    return [event for event in wanted if not counts[event]]
