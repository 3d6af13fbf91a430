"""Large games: counted rank by rank, with progress, and refused if they need too much memory."""

from __future__ import annotations

import os
import pty
import random
import select
import signal
import subprocess
import sys
from fractions import Fraction
from math import comb
from pathlib import Path
from time import monotonic

import numpy as np
import pytest
from tests.sheets.samples import CMS, MHL, modified_text, sheet_of

from pitbook.cards import cards
from pitbook.exact.advice import advise
from pitbook.exact.long_computations import TooLarge, WorkPhase, watch_work
from pitbook.exact.methods.ladder.solve import solve
from pitbook.exact.methods.points.solve import add_ways, dealer_hands, dealer_ways
from pitbook.exact.methods.points.structure import Shape, dealer_totals, walk_holdings, ways_to_hold
from pitbook.hands.low_and_high import PLACES, PointTable, SharedCard
from pitbook.money import Cents
from pitbook.rules.families.hi_lo.sheet import HiLo
from pitbook.rules.families.street_stud.sheet import StreetStud

SEED = 20_261_116
# The parent may ignore Ctrl-C, as nohup and cron do, and children inherit that.
RESTORE_SIGINT = (
    "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); "
    "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
)
SEVEN_NINE = (("player = 3\ndealer = 5", "player = 7\ndealer = 9"),)


def seven_against_nine() -> str:
    text = modified_text(MHL, *SEVEN_NINE)
    start, end = text.index("[side.matchem-bonus]"), text.index("[settlement]")
    text = text[:start] + text[end:]
    start, end = text.index("[[limits]]"), text.index("[payouts]")
    text = f'{text[:start]}[uncapped]\nclause = "HOUSE"\n\n{text[end:]}'
    return text.replace('["main", "matchem-bonus", "poker-bonus"]', '["main"]')


def thirty_multiples() -> StreetStud:
    bets = ", ".join(str(multiple) for multiple in range(1, 31))
    text = modified_text(CMS, ('per = "round"', 'per = "bet"'))
    sheet = sheet_of(text.replace("bets = [1, 2, 3]", f"bets = [{bets}]"))
    assert isinstance(sheet, StreetStud)
    return sheet


@pytest.mark.long
@pytest.mark.parametrize("shared", ["ace-then-highest", "highest", "none"])
@pytest.mark.parametrize("equal", PLACES)
def test_dealer_totals_equal_listing_all_hands(shared: SharedCard, equal: str) -> None:
    rng = random.Random(f"{SEED} {shared} {equal}")
    for _ in range(3):
        low = tuple(rng.choice((0, 1, 2, 5, 10)) for _ in range(13))
        high = tuple(rng.choice((points, points, points, 11)) for points in low)
        size = rng.randint(2, 5)
        low_size = rng.randint(1, size - 1)
        copies = 4 * rng.randint(1, 6)
        order = next(known_order for known_order in PLACES if known_order == equal)
        shape = Shape(2, size, copies, PointTable(low, high), low_size, shared, order)
        known_counts = [rng.randint(0, 2) for _ in range(13)]
        dealer = dealer_hands(shape)
        ways = dealer_ways(dealer.hands, np.array(known_counts), copies)
        lows, highs = dealer_totals(shape, known_counts)
        assert lows == add_ways(dealer.low, ways, len(lows)), (SEED, shape)
        assert highs == add_ways(dealer.high, ways, len(highs)), (SEED, shape)


def test_walk_visits_every_player_hand_once() -> None:
    values = (*range(2, 11), 0, 0, 0, 1)
    shape = Shape(3, 5, 24, PointTable(values, (*values[:-1], 11)), 3, "highest", "two-to-ace")
    totals_by_holding = {holding: (low, high) for holding, low, high in walk_holdings(shape)}
    # Eleven groups of equal worth, three cards.
    assert len(totals_by_holding) == ways_to_hold(shape) == comb(13, 3)
    for holding, (low, high) in list(totals_by_holding.items())[::40]:
        known_counts = [0] * 13
        for count, group in zip(holding, shape.rank_groups, strict=True):
            known_counts[group.ranks[0]] = count
        assert dealer_totals(shape, known_counts) == (low, high)


@pytest.mark.parametrize("decks", [6, 12])
def test_nine_cards_of_many_decks_are_counted_exactly(decks: int) -> None:
    values = (*range(2, 11), 0, 0, 0, 1)
    shape = Shape(
        7, 9, 4 * decks, PointTable(values, (*values[:-1], 11)), 3, "ace-then-highest", "two-to-ace"
    )
    low, high = dealer_totals(shape, [0] * 13)
    assert sum(low) == sum(high) == comb(52 * decks, 9)
    assert low[0] == sum(
        comb(12 * decks, kings) * comb(40 * decks, 9 - kings) for kings in range(3, 10)
    )


def test_seven_against_nine_cards_are_advised_immediately() -> None:
    sheet = sheet_of(seven_against_nine())
    assert isinstance(sheet, HiLo)
    advice = advise(sheet, cards("Js Qs Ks Jd Qd Kd As"))
    assert advice.best.startswith("low")
    assert -1 < advice.worth("high") < Fraction(-1, 2)


def test_watch_is_called_with_total_and_progress() -> None:
    progress: list[tuple[WorkPhase, int]] = []
    bets = ("bets = [1, 2, 3]", "bets = [1, 2]")
    sheet = sheet_of(modified_text(CMS, ('per = "round"', 'per = "bet"'), bets))
    assert isinstance(sheet, StreetStud)
    with watch_work(lambda phase, count: progress.append((phase, count))):
        solve(sheet, Cents(10_00))
    (phase,) = {phase for phase, _ in progress}
    assert (phase.what, phase.total) == ("ways to bet", 2 * 3 * 3)
    assert phase.seconds > 0
    assert [count for _, count in progress] == list(range(phase.total + 1))


def test_work_beyond_memory_is_refused_with_an_explanation() -> None:
    message = (
        "With a payout limit on single bets, these streets have 27,000 ways to bet, each with its "
        "own best play. That takes 1 GB of memory. Leave out the ante to compute the figures "
        "without payout limits."
    )
    with watch_work(lambda *_: None, bytes_max=2**29), pytest.raises(TooLarge) as error:
        solve(thirty_multiples(), Cents(10_00))
    assert str(error.value) == message
    with watch_work(lambda *_: None, bytes_max=2**20):
        assert solve(thirty_multiples()).expected


def test_watch_may_stop_the_work() -> None:
    def stop_at_three(phase: WorkPhase, count: int) -> None:
        if count == 3:
            raise TooLarge(phase.what)

    with watch_work(stop_at_three), pytest.raises(TooLarge, match="ways to bet"):
        solve(thirty_multiples(), Cents(10_00))


@pytest.mark.long
def test_terminal_shows_an_estimate_and_ctrl_c_stops(tmp_path: Path) -> None:
    """A real terminal and a real SIGINT: an estimate, then exit code 130 without traceback."""
    sheet = tmp_path / "large.toml"
    sheet.write_text(seven_against_nine())
    terminal, terminal_end = pty.openpty()
    pitbook = ["-m", "pitbook", "math", str(sheet), "--json"]
    command = [sys.executable, "-c", RESTORE_SIGINT, *pitbook]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=terminal_end, start_new_session=True
    )
    os.close(terminal_end)
    output, deadline = b"", monotonic() + 60
    while b"dealer: about " not in output and monotonic() < deadline:
        if select.select([terminal], [], [], 1)[0]:
            output += os.read(terminal, 4096)
    os.killpg(process.pid, signal.SIGINT)
    stdout, _ = process.communicate(timeout=60)
    os.close(terminal)
    assert b"19,448 hands of 7 cards against 9 of the dealer: about " in output
    assert process.returncode == 130
    assert stdout == b""
    assert b"Traceback" not in output
