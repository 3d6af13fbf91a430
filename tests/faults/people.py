"""Players, a dealer and a supervisor who act mostly sensibly over an unreliable network."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable

from pitbook.errors import LedgerError
from pitbook.house.table import commands
from pitbook.house.table.actor import Accepted, Answer
from pitbook.house.table.commands import By, Command, Envelope
from pitbook.house.table.state import TableState
from pitbook.money import Cents
from pitbook.rules.refusals import Refusal

TIMEOUT = 5.0

Deliver = Callable[[Envelope], Awaitable[Answer]]


class Network:
    """Loses, repeats and reorders requests and answers, as the seed decides."""

    def __init__(self, chance: random.Random, deliver: Deliver) -> None:
        self._chance, self._deliver = chance, deliver
        self.answers: dict[str, set[Accepted]] = {}
        self.sent = 0
        self._deliveries: set[asyncio.Task[None]] = set()

    async def ask(self, envelope: Envelope) -> Answer | None:
        """Send the same request until an answer comes; None if none does."""
        answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        for _ in range(6):
            for _ in range(self._chance.choice((0, 1, 1, 1, 1, 2, 3))):
                carried = asyncio.get_running_loop().create_task(self._carry(envelope, answered))
                self._deliveries.add(carried)
                carried.add_done_callback(self._deliveries.discard)
            try:
                return await asyncio.wait_for(asyncio.shield(answered), TIMEOUT)
            except TimeoutError:
                continue
        return None

    async def _carry(self, envelope: Envelope, answered: asyncio.Future[Answer]) -> None:
        self.sent += 1
        await asyncio.sleep(self._chance.random() * self._chance.choice((0.01, 0.5, 4)))
        try:
            answer = await self._deliver(envelope)
        except LedgerError:
            return  # The table is down; the sender will try again.
        await asyncio.sleep(self._chance.random() * self._chance.choice((0.01, 0.5, 4)))
        if isinstance(answer, Accepted) and envelope.request is not None:
            self.answers.setdefault(f"{envelope.by.name}/{envelope.request}", set()).add(answer)
        if self._chance.random() < 0.9 and not answered.done():
            answered.set_result(answer)


class Person:
    """Looks at the table, chooses a command, sends it, waits for the answer, and repeats."""

    def __init__(self, by: By, network: Network, look: Callable[[], TableState]) -> None:
        self.by, self._network, self._look = by, network, look
        self._number = 0
        self.refused = 0

    async def live(self, chance: random.Random, is_done: Callable[[], bool]) -> None:
        """Act until enough has been played."""
        while not is_done():
            await asyncio.sleep(chance.random() * 3)
            command = self._choose(chance, self._look())
            if command is None:
                continue
            self._number += 1
            request = f"{self._look().table}-{self._number}"
            answer = await self._network.ask(Envelope(self.by, command, request))
            self.refused += isinstance(answer, Refusal)

    def _choose(self, chance: random.Random, state: TableState) -> Command | None:
        if self.by.role == "player":
            return player_command(chance, state, self.by.name)
        return staff_command(chance, state, self.by.role)


def player_command(chance: random.Random, state: TableState, name: str) -> Command | None:
    """A seat, a wager, a decision or an answer; occasionally an invalid command."""
    own_seats = [seat for seat, player in state.seats.items() if player == name]
    count = state.game.sheet.seats.count
    if not own_seats:
        return commands.Sit(chance.randint(1, count))
    seat = chance.choice(own_seats)
    if chance.random() < 0.03:
        return _invalid_command(chance, seat, count)
    if state.awaiting is not None:
        return commands.Agree(seat, finish=chance.random() < 0.7)
    if state.has_live_wagers and state.round is not None and state.round.phase != "wagers":
        waiting = [number for number in own_seats if number in state.round.waiting]
        if not waiting:
            return None
        return commands.Decide(waiting[0], chance.choice(state.game.plays(state.round.stage)))
    return _betting_command(chance, state, seat)


def _betting_command(chance: random.Random, state: TableState, seat: int) -> Command | None:
    main, rule = state.game.main
    sides = list(state.game.sheet.side.items())
    played = state.round.seat(seat) if state.has_live_wagers and state.round is not None else None
    if played is None:
        if chance.random() < 0.3 and seat in state.last:
            return commands.Rebet(seat)
        return commands.PutWager(seat, main, chance.choice((rule.min, rule.max)))
    missing = [(name, side) for name, side in sides if name not in dict(played.side)]
    required = [side_bet for side_bet in missing if side_bet[1].stake.required]
    if missing and (required or chance.random() < 0.6):
        name, side = chance.choice(required or missing)
        return commands.PutWager(seat, name, side.stake.min)
    return chance.choice((None, None, commands.CloseBetting(), commands.Undo(seat)))


def _invalid_command(chance: random.Random, seat: int, count: int) -> Command:
    return chance.choice(
        (
            commands.PutWager(seat, "ante", Cents(chance.randint(0, 10**7))),
            commands.PutWager(seat, "nothing", Cents(500)),
            commands.Sit(chance.randint(-1, count + 1)),
            commands.Decide(seat, "9x"),
            commands.Leave(seat),
            commands.SeatSeed(seat, f"seed {chance.random()}"),
            commands.Agree(seat, finish=True),
            commands.Retire(),
        )
    )


def staff_command(chance: random.Random, state: TableState, role: str) -> Command | None:
    """Close betting; occasionally report an incident."""
    if role == "dealer":
        if state.has_live_wagers and state.round is not None and state.round.phase == "wagers":
            return commands.CloseBetting()
        return commands.Misdeal("a card fell") if chance.random() < 0.02 else None
    if chance.random() < 0.8:
        return None
    seat = chance.choice(list(state.seats) or [1])
    return chance.choice(
        (
            commands.VoidHand(seat, "supervisor"),
            commands.VoidHand(seat, "information", part="took"),
            commands.Interrupt("an alarm"),
            commands.ExposeCard(chance.choice((0, seat))),
            commands.Fill(Cents(chance.randint(1, 100_000))),
            commands.Credit(Cents(chance.randint(1, 100_000))),
            commands.Warn(seat, "cards off the table"),
            commands.ShufflerFailed(),
            commands.ShufflerRepaired(),
            commands.Unreadable(),
        )
    )
