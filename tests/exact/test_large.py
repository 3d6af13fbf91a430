"""Large games: counted rank by rank, watched while they last, refused where they cannot be kept."""

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
from tests.sheets.samples import CMS, MHL, changed, sheet_of

from pitbook.cards import cards
from pitbook.exact.advice import advise
from pitbook.exact.methods.ladder.solve import solve
from pitbook.exact.methods.points.solve import add_ways, dealer_hands, dealer_ways
from pitbook.exact.methods.points.structure import Shape, dealer_totals, walk_holdings, ways_to_hold
from pitbook.exact.work import TooLarge, WorkPhase, watch_work
from pitbook.hands.points import PLACES, PointTable, SharedCard
from pitbook.money import Cents
from pitbook.rules.families.hi_lo.sheet import HiLo
from pitbook.rules.families.street_stud.sheet import StreetStud

SEED = 20_261_116
# Whoever starts the tests may ignore Ctrl-C, as nohup and cron do, and children inherit that.
HEEDS_CTRL_C = (
    "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); "
    "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
)
SEVEN_NINE = (("player = 3\ndealer = 5", "player = 7\ndealer = 9"),)


def seven_against_nine() -> str:
    text = changed(MHL, *SEVEN_NINE)
    start, end = text.index("[side.matchem-bonus]"), text.index("[settlement]")
    text = text[:start] + text[end:]
    start, end = text.index("[[limits]]"), text.index("[payouts]")
    text = f'{text[:start]}[uncapped]\nclause = "HOUSE"\n\n{text[end:]}'
    return text.replace('["main", "matchem-bonus", "poker-bonus"]', '["main"]')


def thirty() -> StreetStud:
    bets = ", ".join(str(one) for one in range(1, 31))
    text = changed(CMS, ('per = "round"', 'per = "bet"'))
    sheet = sheet_of(text.replace("bets = [1, 2, 3]", f"bets = [{bets}]"))
    assert isinstance(sheet, StreetStud)
    return sheet


@pytest.mark.long
@pytest.mark.parametrize("shared", ["ace-then-highest", "highest", "none"])
@pytest.mark.parametrize("equal", PLACES)
def test_totals_equal_a_list_of_all_dealers_hands(shared: SharedCard, equal: str) -> None:
    luck = random.Random(f"{SEED} {shared} {equal}")
    for _ in range(3):
        low = tuple(luck.choice((0, 1, 2, 5, 10)) for _ in range(13))
        high = tuple(luck.choice((one, one, one, 11)) for one in low)
        size = luck.randint(2, 5)
        below = luck.randint(1, size - 1)
        copies = 4 * luck.randint(1, 6)
        order = next(one for one in PLACES if one == equal)
        form = Shape(2, size, copies, PointTable(low, high), below, shared, order)
        gone = [luck.randint(0, 2) for _ in range(13)]
        every = dealer_hands(form)
        ways = dealer_ways(every.hands, np.array(gone), copies)
        lows, highs = dealer_totals(form, gone)
        assert lows == add_ways(every.low, ways, len(lows)), (SEED, form)
        assert highs == add_ways(every.high, ways, len(highs)), (SEED, form)


def test_the_walk_meets_every_way_to_hold_the_cards_once() -> None:
    values = (*range(2, 11), 0, 0, 0, 1)
    form = Shape(3, 5, 24, PointTable(values, (*values[:-1], 11)), 3, "highest", "two-to-ace")
    met = {held: (low, high) for held, low, high in walk_holdings(form)}
    assert len(met) == ways_to_hold(form) == comb(13, 3)  # Eleven worths, three cards.
    for held, (low, high) in list(met.items())[::40]:
        gone = [0] * 13
        for count, one in zip(held, form.ranked, strict=True):
            gone[one.ranks[0]] = count
        assert dealer_totals(form, gone) == (low, high)


@pytest.mark.parametrize("decks", [6, 12])
def test_nine_cards_of_many_decks_are_counted_exactly(decks: int) -> None:
    values = (*range(2, 11), 0, 0, 0, 1)
    form = Shape(
        7, 9, 4 * decks, PointTable(values, (*values[:-1], 11)), 3, "ace-then-highest", "two-to-ace"
    )
    low, high = dealer_totals(form, [0] * 13)
    assert sum(low) == sum(high) == comb(52 * decks, 9)
    assert low[0] == sum(
        comb(12 * decks, kings) * comb(40 * decks, 9 - kings) for kings in range(3, 10)
    )


def test_a_hand_of_seven_against_nine_is_advised_on_at_once() -> None:
    sheet = sheet_of(seven_against_nine())
    assert isinstance(sheet, HiLo)
    found = advise(sheet, cards("Js Qs Ks Jd Qd Kd As"))
    assert found.best.startswith("low")
    assert -1 < found.worth("high") < Fraction(-1, 2)


def test_whoever_watches_is_told_how_much_there_is_and_how_far_it_is() -> None:
    told: list[tuple[WorkPhase, int]] = []
    bets = ("bets = [1, 2, 3]", "bets = [1, 2]")
    sheet = sheet_of(changed(CMS, ('per = "round"', 'per = "bet"'), bets))
    assert isinstance(sheet, StreetStud)
    with watch_work(lambda phase, done: told.append((phase, done))):
        solve(sheet, Cents(10_00))
    (phase,) = {phase for phase, _ in told}
    assert (phase.of, phase.total) == ("ways to bet", 2 * 3 * 3)
    assert phase.seconds > 0
    assert [done for _, done in told] == list(range(phase.total + 1))


def test_what_cannot_be_kept_is_refused_in_a_sentence() -> None:
    said = (
        "where a cap looks at single bets, these streets have 27,000 ways to bet, each with best "
        "play of its own: that takes 1 GB of memory here; without an ante there are no caps, and "
        "the figures can be worked out"
    )
    with watch_work(lambda *_: None, bytes_max=2**29), pytest.raises(TooLarge) as refused:
        solve(thirty(), Cents(10_00))
    assert str(refused.value) == said
    with watch_work(lambda *_: None, bytes_max=2**20):
        assert solve(thirty()).expected


def test_a_watch_may_stop_the_work() -> None:
    def enough(phase: WorkPhase, done: int) -> None:
        if done == 3:
            raise TooLarge(phase.of)

    with watch_work(enough), pytest.raises(TooLarge, match="ways to bet"):
        solve(thirty(), Cents(10_00))


@pytest.mark.long
def test_on_a_terminal_there_is_an_estimate_and_ctrl_c_ends_it(tmp_path: Path) -> None:
    """A real terminal and a real SIGINT: told how long, then stopped, no traceback, exit 130."""
    sheet = tmp_path / "large.toml"
    sheet.write_text(seven_against_nine())
    here, there = pty.openpty()
    pitbook = ["-m", "pitbook", "math", str(sheet), "--json"]
    command = [sys.executable, "-c", HEEDS_CTRL_C, *pitbook]
    asked = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=there, start_new_session=True)
    os.close(there)
    said, until = b"", monotonic() + 60
    while b"dealer: about " not in said and monotonic() < until:
        if select.select([here], [], [], 1)[0]:
            said += os.read(here, 4096)
    os.killpg(asked.pid, signal.SIGINT)
    out, _ = asked.communicate(timeout=60)
    os.close(here)
    assert b"19,448 hands of 7 cards against 9 of the dealer: about " in said
    assert asked.returncode == 130
    assert out == b""
    assert b"Traceback" not in said
