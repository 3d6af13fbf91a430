"""A round for example, dealt in memory by a table like any other: nothing of it is on record."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from pitbook.house.table.commands import By, CloseBetting, Command, Decide, Envelope, PutWager, Sit
from pitbook.house.table.decide import decide, opened
from pitbook.house.table.evolve import folded
from pitbook.house.table.luck import ShoeLuck
from pitbook.house.table.model import TableState
from pitbook.money import Cents
from pitbook.rules.refusals import Refusal
from pitbook.sheets.model import Sheet
from pitbook.shoe.vault import SECRET_BYTES, Vault

__all__ = ["PLAYER", "SEAT", "Example", "example", "given_up"]

PLAYER, SEAT = "you", 1
TRIES = 200  # By then a hand has won in every game that there is.
WALLET = Cents(100_000_000)
DAY = datetime(2000, 1, 1, tzinfo=UTC)


class Example(NamedTuple):
    """The table once the bets lie, at each decision, and when the round is over."""

    bet: TableState
    asked: tuple[TableState, ...]
    over: TableState

    @property
    def net(self) -> int:
        """What the round came to, in cents."""
        round = self.over.round
        assert round is not None
        return sum(one.net for one in round.settlements)


def example(sheet: Sheet) -> Example:
    """A round in which all is asked that can be, and the player wins, where one is found."""
    best: Example | None = None
    for number in range(TRIES):
        found = _played(sheet, number)
        if best is None or _worth(found) > _worth(best):
            best = found
        if found.net > 0 and len(found.asked) >= len(found.over.game.stages):
            break
    assert best is not None
    return best


def given_up(state: TableState, play: str) -> tuple[Cents, Cents]:
    """What a hand loses of its main wagers by a play that gives it up, and what they were."""
    over = _after(state, _luck(0), Decide(SEAT, play))
    assert over.round is not None
    before = state.round.seat(SEAT) if state.round else None
    assert before is not None
    main = dict(before.main)
    (settled,) = over.round.settlements
    lost = -sum(line.net for line in settled.lines if line.wager in main)
    return Cents(lost), Cents(sum(main.values()))


def _worth(one: Example) -> tuple[int, bool]:
    return len(one.asked), one.net > 0


def _luck(number: int) -> ShoeLuck:
    return ShoeLuck(
        Vault(bytes(SECRET_BYTES)),  # It seals nothing: the seed is a word that anybody knows.
        wallet=lambda _: WALLET,
        now=lambda: DAY,
        kind="seeded",
        seed=f"lesson {number}",
    )


def _played(sheet: Sheet, number: int) -> Example:
    luck = _luck(number)
    first = opened(
        table="lesson", kind="practice", unit="play", sheet=sheet, luck=luck, owner=PLAYER
    )
    state = _after(folded(first), luck, Sit(SEAT))
    for bet in _bets(sheet):
        state = _after(state, luck, bet)
    laid, asked = state, []
    state = _after(state, luck, CloseBetting())
    while state.round is not None and SEAT in state.round.waiting:
        asked.append(state)
        state = _after(state, luck, *_plays(state))
    return Example(laid, tuple(asked), state)


def _bets(sheet: Sheet) -> Iterator[PutWager]:
    """The least of every wager without which nobody is dealt in."""
    yield PutWager(SEAT, sheet.main_id, sheet.main_wager.min)
    for wager, side in sheet.side.items():
        if side.stake.required:
            yield PutWager(SEAT, wager, side.stake.min)


def _plays(state: TableState) -> list[Decide]:
    """What goes on, the cheapest bet first; first nothing, where a bet would end the questions."""
    round = state.round
    assert round is not None
    seat = round.seat(SEAT)
    assert seat is not None
    game, stage = round.game, round.stage
    waits = any(one.once for one in game.stages[stage + 1 :])
    found = [play for play in game.may(stage, seat, *round.common) if not play.folds]
    found.sort(key=lambda play: (bool(play.takes), bool(play.puts) is waits, play.times))
    return [Decide(SEAT, play) for play in (*found, *game.plays(stage))]


def _after(state: TableState, luck: ShoeLuck, *commands: Command) -> TableState:
    """The table after the first of some commands that it takes."""
    by = By(PLAYER, "player")
    answers = (decide(state, Envelope(by, command), luck) for command in commands)
    return next(one.after[-1] for one in answers if not isinstance(one, Refusal))
