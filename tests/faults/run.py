"""One seeded run: tables of every sheet, people and crashes; then everything is checked."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from tests.faults.loop import SeededLoop
from tests.faults.people import Network, Person
from tests.faults.world import Disk, Process
from tests.house.web.conftest import _empty_book
from tests.shoe.seeded_vault import SeededVault

from pitbook import load
from pitbook.errors import InDoubt, Overdrawn, RequestReused
from pitbook.house.cage.cage import Cage
from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.append_batch import Append
from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.database import connect
from pitbook.house.ledger.fact_codec import Fact
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.stream_kinds import audit_of
from pitbook.house.table.actor import Answer, LiveTable
from pitbook.house.table.apply_facts import replay
from pitbook.house.table.commands import By, Envelope
from pitbook.house.table.decide import opening_facts
from pitbook.house.table.environment import LiveEnv
from pitbook.house.table.facts import FACTS
from pitbook.house.table.state import TableState
from pitbook.money import Cents
from pitbook.sheets.model import Sheet

SHEETS = (
    "catfish-bend/mississippi-stud",
    "oceanfront/mississippi-stud",
    "catfish-bend/matchem-hi-lo",
    "louisiana-stud/standard",
    "louisiana-stud/stax-required",
)
PLAYERS = ("ann", "bob", "cho")


class Outcome(NamedTuple):
    """The outcome of a run; equal for equal seeds."""

    rounds: int
    entries: int
    requests: int
    crashes: int
    takeovers: int
    heads: tuple[tuple[str, str], ...]


class Host:
    """The machine of a table, which may die so that another takes over the table."""

    def __init__(self, disk: Disk, name: str, sheet: str, chance: random.Random) -> None:
        self._disk, self._chance = disk, chance
        self.stream = f"table/{name}"
        self.name, self.sheet = name, sheet
        self.process, self.table = Process(), self._make_table(Process())
        self._old: list[tuple[Process, LiveTable]] = []
        self.crashes = self.takeovers = 0

    def _make_table(self, process: Process) -> LiveTable:
        env = LiveEnv(
            SeededVault(),
            wallet=lambda player: self._disk.ledger.balance(Account("usd", "wallet", player)),
            now=self._disk.now,
            kind="seeded",
            seed=f"{self._chance.random()}",
        )
        self.env = env

        async def write(append: Append) -> object:
            return await self._disk.write(process, append)

        return LiveTable(self._disk.ledger, self.stream, env, write)  # type: ignore[arg-type]

    async def start(self) -> None:
        self._old.append((self.process, self.table))
        while len(self._old) > 2:
            self._discard(*self._old.pop(0))
        self.process = Process()
        table = self._make_table(self.process)
        await table.open(() if self._disk.ledger.stream(self.stream) else self._opening())
        self.table = table

    @staticmethod
    def _discard(process: Process, table: LiveTable) -> None:
        process.discard()
        if table._task is not None:
            table._task.cancel()

    def _opening(self) -> list[Fact]:
        return opening_facts(
            table=self.name,
            kind="house",
            unit="usd",
            sheet=_sheet(self.sheet),
            env=self.env,
            clocks={"betting": 20, "decision": 15, "agree": 30},
        )

    async def deliver(self, envelope: Envelope) -> Answer:
        process, table = self.process, self.table
        await process.crash_point()
        answer = await table.send(envelope)
        await process.crash_point()
        return answer

    async def live(self, done: asyncio.Event) -> None:
        """Crash occasionally; sometimes only appear to, so that two processes hold the table."""
        while not done.is_set():
            await asyncio.sleep(self._chance.random() * 120)
            self.process.dead = self._chance.random() < 0.8
            self.crashes += self.process.dead
            self.takeovers += not self.process.dead
            await asyncio.sleep(self._chance.random() * 3)
            opening = asyncio.create_task(self.start())
            if self._chance.random() < 0.2:  # Crash again while starting.
                await asyncio.sleep(self._chance.random() / 50)
                if not opening.done():
                    opening.cancel()
                    await asyncio.gather(opening, return_exceptions=True)
                    continue
            with suppress(InDoubt):
                await opening
                continue
            await repeat_until_done(self.start)


@cache
def _sheet(sheet: str) -> Sheet:
    return load(sheet)


async def repeat_until_done(start: Callable[[], Awaitable[object]]) -> None:
    """Repeat until it is known to be done, even if it is then done twice."""
    while True:
        with suppress(InDoubt, RequestReused):  # The table was set up after all.
            await start()
            return


async def _play(
    ledger: Ledger, chance: random.Random, rounds: int
) -> tuple[Disk, list[Host], list[Network]]:
    disk = Disk(ledger, chance)
    cage = Cage(disk.ledger, write=lambda append: disk.write(Process(), append))
    await repeat_until_done(cage.open)
    for player in PLAYERS:
        await repeat_until_done(partial(cage.buy_in, player, Cents(500_000), actor="cage"))
    hosts = [Host(disk, f"t{number}", sheet, chance) for number, sheet in enumerate(SHEETS)]
    for host in hosts:
        await repeat_until_done(host.start)
    enough = asyncio.Event()

    def is_done() -> bool:
        if sum(host.table.state.finished for host in hosts) >= rounds:
            enough.set()
        return enough.is_set()

    networks, tasks = [], []
    for host in hosts:
        network = Network(chance, host.deliver)
        networks.append(network)
        people = [By(name, "player") for name in PLAYERS]
        for by in (*people, By("dee", "dealer"), By("sue", "supervisor")):
            person = Person(by, network, lambda host=host: host.table.state)  # type: ignore[misc]
            tasks.append(asyncio.create_task(person.live(chance, is_done)))
        tasks.append(asyncio.create_task(host.live(enough)))
    tasks.append(asyncio.create_task(_banker(cage, disk, chance, enough)))
    done = asyncio.gather(*tasks)
    await asyncio.wait((done, disk.failed), return_when=asyncio.FIRST_COMPLETED)
    await (disk.failed if disk.failed.done() else done)
    for host in hosts:
        await repeat_until_done(host.start)
    return disk, hosts, networks


async def _banker(cage: Cage, disk: Disk, chance: random.Random, enough: asyncio.Event) -> None:
    """Players who run out of money buy in again; rich players cash out."""
    while not enough.is_set():
        await asyncio.sleep(10)
        for player in PLAYERS:
            balance = disk.ledger.balance(cage.wallet(player))
            if balance < 20_000 and chance.random() < 0.5:
                await repeat_until_done(partial(cage.buy_in, player, Cents(200_000), actor="cage"))
            elif balance > 2_000_000:
                payout = min(1_000_000, disk.ledger.balance(Account("usd", "cash")))
                with suppress(InDoubt, Overdrawn):
                    await cage.cash_out(player, Cents(payout), actor="cage")


def run(folder: Path, seed: int, rounds: int) -> Outcome:
    """Play this many rounds under faults, checking every cent after each event and at the end."""
    chance = random.Random(seed)
    (folder / "book.db").write_bytes(_empty_book())
    ledger = Ledger(connect(f"sqlite:///{folder / 'book.db'}", synchronous="OFF"))
    loop = SeededLoop(chance)
    try:
        asyncio.set_event_loop(loop)
        disk, hosts, networks = loop.run_until_complete(_play(ledger, chance, rounds))
        _check_everything(ledger, hosts, networks)
        heads = tuple((stream.name, stream.head) for stream in ledger.streams())
        return Outcome(
            sum(host.table.state.finished for host in hosts),
            disk.entries,
            sum(network.sent for network in networks),
            sum(host.crashes for host in hosts),
            sum(host.takeovers for host in hosts),
            heads,
        )
    finally:
        while tasks_left := asyncio.all_tasks(loop):
            for task in tasks_left:
                task.cancel()
            loop.run_until_complete(asyncio.gather(*tasks_left, return_exceptions=True))
        asyncio.set_event_loop(None)
        loop.close()
        ledger.close()


def _check_everything(ledger: Ledger, hosts: list[Host], networks: list[Network]) -> None:
    assert verify(ledger, replay_of=audit_of).findings == ()
    for host, network in zip(hosts, networks, strict=True):
        facts = [fact for entry in ledger.entries(host.stream) for fact in FACTS.load_entry(entry)]
        assert replay(facts) == host.table.state
        _check_held(ledger, host.table.state)
        for request, answers in network.answers.items():
            entry = ledger.entry_of_request(request)
            assert entry is not None, f"{request} was accepted and is lost"
            assert {(answer.seq, answer.hash) for answer in answers} == {(entry.seq, entry.hash)}


def _check_held(ledger: Ledger, state: TableState) -> None:
    """Check that held money equals the stakes on the layout, seat by seat."""
    live_seats = state.round.seats if state.has_live_wagers and state.round is not None else ()
    stakes = {seat.number: sum(amount for _, amount in seat.stakes) for seat in live_seats}
    for number in range(1, 13):
        held = ledger.balance(Account(state.unit, "held", f"{state.table}/{number}"))
        assert held == stakes.get(number, 0), (state.table, number)
    assert ledger.balance(Account(state.unit, "rack", state.table)) == state.rack
