"""What it costs to look at a table, against one command at it: six players look after each.

A page asks for a view whenever anything happened. Two rounds of six seats are played; after every
command all six look, as the server lets them: what they share is worked out once. The floor is
`decide`, which works out the command itself. Both run in turn in this process, nothing is written
or sent; processor time is counted, the best of some turns.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import UTC, datetime
from time import process_time
from typing import NamedTuple

import pitbook
from pitbook.house.table import commands
from pitbook.house.table.commands import By, Envelope
from pitbook.house.table.decide import Decision, decide, opening_facts
from pitbook.house.table.env import LiveEnv
from pitbook.house.table.state import TableState, replay
from pitbook.house.table.views import ViewCache
from pitbook.house.table.visibility import Viewer
from pitbook.money import Cents
from pitbook.shoe.vault import Vault

SHEETS = ("catfish-bend/mississippi-stud", "catfish-bend/matchem-hi-lo")
SEATS, ROUNDS, TURNS = 6, 2, 7
VIEW_MAX = 3.0  # Of six, each; in commands worked out.
AGAIN_MAX = 0.1  # The same view, of a table at which nothing has happened.
PURSE, STAKE = Cents(10_000_000), Cents(1_000)
NOW = datetime(2026, 1, 2, 20, 0, tzinfo=UTC)
LUCK = LiveEnv(Vault(bytes(32)), wallet=lambda _: PURSE, now=lambda: NOW)
PLAYERS = tuple(Viewer(f"p{seat}", "player") for seat in range(1, SEATS + 1))
DEALER = By("dee", "dealer")


class Given(NamedTuple):
    """A command, and the table before and after it."""

    before: TableState
    envelope: Envelope
    after: TableState


def main() -> int:
    quick = [_is_quick(sheet) for sheet in SHEETS]
    return 0 if all(quick) else 1


def _is_quick(sheet: str) -> bool:
    given = _played(sheet)
    looked = {id(one): _looked(one) for one in given}
    ways: dict[str, Callable[[], float]] = {
        "command": lambda: _spent(given, _decided),
        "view": lambda: _spent(given, _six_look) / SEATS,
        "first": lambda: _spent(given, _looked),
        "again": lambda: _spent(given, lambda one: _look(looked[id(one)], PLAYERS[0])),
    }
    turns = [{name: way() for name, way in ways.items()} for _ in range(TURNS)]
    best = {name: min(turn[name] for turn in turns) for name in ways}
    told = {name: f"{1e6 * one:.0f} us" for name, one in best.items()}
    view, again = (best[name] / best["command"] for name in ("view", "again"))
    print(f"{sheet}: a command is worked out in {told['command']}")
    print(f"  each of six views in {told['view']}, {view:.2f} of it, at most {VIEW_MAX}")
    print(f"  one alone {told['first']}; asked for again {again:.3f} of it, at most {AGAIN_MAX}")
    return view <= VIEW_MAX and again <= AGAIN_MAX


def _played(sheet: str) -> list[Given]:
    """Whole rounds of six seats, command by command."""
    loaded = pitbook.load(sheet)
    first = opening_facts(table="t1", kind="house", unit="usd", sheet=loaded, env=LUCK)
    given: list[Given] = []
    state = replay(first)

    def do(by: By, command: commands.Command) -> None:
        nonlocal state
        envelope = Envelope(by, command)
        decided = decide(state, envelope, LUCK)
        assert isinstance(decided, Decision), decided
        given.append(Given(state, envelope, decided.after[-1]))
        state = decided.after[-1]

    for seat, player in enumerate(PLAYERS, 1):
        do(By(player.name, "player"), commands.Sit(seat))
    given.clear()
    for _ in range(ROUNDS):
        for seat, player in enumerate(PLAYERS, 1):
            do(By(player.name, "player"), commands.PutWager(seat, state.game.main[0], STAKE))
        do(DEALER, commands.CloseBetting())
        while state.live and state.round is not None:
            seat = state.round.waiting[0]
            play = next(one for one in state.game.plays(state.round.stage) if not one.folds)
            do(By(state.seats[seat], "player"), commands.Decide(seat, play))
    return given


def _spent(given: list[Given], work: Callable[[Given], object]) -> float:
    """Seconds of the processor for each command."""
    began = process_time()
    for one in given:
        work(one)
    return (process_time() - began) / len(given)


def _decided(given: Given) -> None:
    decide(given.before, given.envelope, LUCK)


def _six_look(given: Given) -> None:
    moment = ViewCache(given.after)
    for player in PLAYERS:
        _look(moment, player)


def _looked(given: Given) -> ViewCache:
    """The moment after a command, at which one has looked."""
    moment = ViewCache(given.after)
    _look(moment, PLAYERS[0])
    return moment


def _look(moment: ViewCache, player: Viewer) -> None:
    moment.render_for(player, LUCK.wallet, LUCK.door())


if __name__ == "__main__":
    sys.exit(main())
