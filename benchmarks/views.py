"""The cost of rendering a table's views, compared with one command: six views follow each command.

Each page gets a view with every change. Two rounds of six seats are played; after every command
all six views are rendered as the server does, with shared parts computed once. The baseline is
`decide`, which computes the command itself. Both run in turn in this process, without writing or
sending; CPU time is measured, the best of several turns.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import UTC, datetime
from time import process_time
from typing import NamedTuple

import pitbook
from pitbook.house.table import commands
from pitbook.house.table.apply_facts import replay
from pitbook.house.table.commands import By, Envelope
from pitbook.house.table.decide import Decision, decide, opening_facts
from pitbook.house.table.environment import LiveEnv
from pitbook.house.table.state import TableState
from pitbook.house.table.views import ViewCache
from pitbook.house.table.visibility import Viewer
from pitbook.money import Cents
from pitbook.shoe.crypto import Vault

SHEETS = ("catfish-bend/mississippi-stud", "catfish-bend/matchem-hi-lo")
SEATS, ROUNDS, TURNS = 6, 2, 7
VIEW_MAX = 3.0  # Each of six, relative to a command.
AGAIN_MAX = 0.1  # The same view of an unchanged table.
PURSE, STAKE = Cents(10_000_000), Cents(1_000)
NOW = datetime(2026, 1, 2, 20, 0, tzinfo=UTC)
ENV = LiveEnv(Vault(bytes(32)), wallet=lambda _: PURSE, now=lambda: NOW)
PLAYERS = tuple(Viewer(f"p{seat}", "player") for seat in range(1, SEATS + 1))
DEALER = By("dee", "dealer")


class CommandCase(NamedTuple):
    """A command, and the table before and after it."""

    before: TableState
    envelope: Envelope
    after: TableState


def main() -> int:
    quick = [_is_quick(sheet) for sheet in SHEETS]
    return 0 if all(quick) else 1


def _is_quick(sheet: str) -> bool:
    cases = _play_rounds(sheet)
    caches = {id(case): _cache_with_view(case) for case in cases}
    runs: dict[str, Callable[[], float]] = {
        "command": lambda: _cpu_seconds(cases, _decide),
        "view": lambda: _cpu_seconds(cases, _render_six) / SEATS,
        "first": lambda: _cpu_seconds(cases, _cache_with_view),
        "again": lambda: _cpu_seconds(cases, lambda case: _render(caches[id(case)], PLAYERS[0])),
    }
    turns = [{name: run() for name, run in runs.items()} for _ in range(TURNS)]
    best = {name: min(turn[name] for turn in turns) for name in runs}
    texts = {name: f"{1e6 * seconds:.0f} us" for name, seconds in best.items()}
    view_ratio, repeated = (best[name] / best["command"] for name in ("view", "again"))
    print(f"{sheet}: a command is worked out in {texts['command']}")
    print(f"  each of six views in {texts['view']}, {view_ratio:.2f} of it, at most {VIEW_MAX}")
    print(
        f"  one alone {texts['first']}; asked for again {repeated:.3f} of it, at most {AGAIN_MAX}"
    )
    return view_ratio <= VIEW_MAX and repeated <= AGAIN_MAX


def _play_rounds(sheet: str) -> list[CommandCase]:
    """Whole rounds of six seats, command by command."""
    rules = pitbook.load(sheet)
    opening = opening_facts(table="t1", kind="house", unit="usd", sheet=rules, env=ENV)
    cases: list[CommandCase] = []
    state = replay(opening)

    def apply_command(by: By, command: commands.Command) -> None:
        nonlocal state
        envelope = Envelope(by, command)
        decision = decide(state, envelope, ENV)
        assert isinstance(decision, Decision), decision
        cases.append(CommandCase(state, envelope, decision.after[-1]))
        state = decision.after[-1]

    for seat, player in enumerate(PLAYERS, 1):
        apply_command(By(player.name, "player"), commands.Sit(seat))
    cases.clear()
    for _ in range(ROUNDS):
        for seat, player in enumerate(PLAYERS, 1):
            apply_command(
                By(player.name, "player"), commands.PutWager(seat, state.game.main[0], STAKE)
            )
        apply_command(DEALER, commands.CloseBetting())
        while state.has_live_wagers and state.round is not None:
            seat = state.round.waiting[0]
            play = next(
                play_option
                for play_option in state.game.plays(state.round.stage)
                if not play_option.folds
            )
            apply_command(By(state.seats[seat], "player"), commands.Decide(seat, play))
    return cases


def _cpu_seconds(cases: list[CommandCase], work: Callable[[CommandCase], object]) -> float:
    """CPU seconds for each command."""
    start = process_time()
    for case in cases:
        work(case)
    return (process_time() - start) / len(cases)


def _decide(case: CommandCase) -> None:
    decide(case.before, case.envelope, ENV)


def _render_six(case: CommandCase) -> None:
    cache = ViewCache(case.after)
    for player in PLAYERS:
        _render(cache, player)


def _cache_with_view(case: CommandCase) -> ViewCache:
    """The view cache after a command, with one view rendered."""
    cache = ViewCache(case.after)
    _render(cache, PLAYERS[0])
    return cache


def _render(cache: ViewCache, player: Viewer) -> None:
    cache.render_for(player, ENV.wallet, ENV.access_list())


if __name__ == "__main__":
    sys.exit(main())
