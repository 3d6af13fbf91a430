"""Whatever keys are combined, the index finds what a look at every hand would find."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from tests.lanes import examples

from pitbook.house.inspect import round_search as found_rounds
from pitbook.house.inspect.round_search import RoundIndex, Wanted, hands_of
from pitbook.house.ledger.queries import ALWAYS, Interval
from pitbook.money import Cents, money

SEED, HANDS = 20261117, 400
OUTCOMES = ("nothing", "pair", "flush")
Hand = tuple[tuple[str | int, ...], set[str]]


@pytest.mark.long
@pytest.mark.parametrize("few", [0, 50, 20_000])
def test_any_keys_find_what_a_look_at_every_hand_finds(
    few: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(found_rounds, "FEW", few)
    luck, index = Random(SEED), RoundIndex(tmp_path / found_rounds.FILE)
    hands = _filled(index, luck)
    wrong = []
    for _ in range(examples(120, 3_000)):
        wanted, apart = _wanted(luck), luck.choice([(), ("stud-1",), ("stud-1", "stud-2")])
        skip = luck.choice([0, 0, 3, 1_000])
        found = [one.round for one in index.find(wanted, 7, skip=skip, apart=apart)]
        if found != _looked_up(hands, wanted, apart)[skip : skip + 7]:
            wrong.append((wanted, apart, skip))
    assert wrong == [], f"seed {SEED}"


@pytest.mark.long
def test_an_index_of_another_form_is_made_anew(tmp_path: Path) -> None:
    file = tmp_path / found_rounds.FILE
    with closing(sqlite3.connect(file)) as old, old:
        old.execute("CREATE TABLE upto (stream TEXT PRIMARY KEY, seq INTEGER NOT NULL)")
        old.execute("INSERT INTO upto VALUES ('table/stud-1', 7)")
        old.execute("CREATE TABLE hand (id INTEGER PRIMARY KEY, round TEXT)")
    index = RoundIndex(file)
    assert index.find(Wanted()) == []
    with closing(index.opened()) as made:
        assert made.execute("SELECT count(*) FROM upto").fetchone() == (0,)  # All is read again.
    _filled(index, Random(SEED))
    assert len(RoundIndex(file).find(Wanted())) == found_rounds.PAGE


def _filled(index: RoundIndex, luck: Random) -> list[Hand]:
    made: list[Hand] = []
    with closing(index.opened()) as file, file:
        for number in range(HANDS):
            at = f"2026-01-{1 + number // 40:02}T10:{luck.randrange(60):02}:00.000000+00:00"
            line = {"stake": "5.00", "result": "lose"}
            lines = [{**line, "outcome": outcome} for outcome in luck.sample(OUTCOMES, 2)]
            wins = luck.choice([0, 0, 500, 1_000, 250_000])
            seat = {"seat": luck.choice([1, 1, 1, 2, 6]), "player": f"Player {luck.randrange(9)}"}
            told = {**seat, "wins": money(Cents(wins)), "net": "-5.00", "lines": lines}
            round_ = (at, f"stud-{luck.randrange(4)}", {"result": "settled", "seats": [told]})
            index.add(file, *round_, f"r{number}")
            made += hands_of(*round_, f"r{number}")
    return made


def _wanted(luck: Random) -> Wanted:
    day, days = luck.randint(1, 10), luck.choice([1, 3, 30])
    until = f"2026-01-{day + days:02}" if day + days < 32 else "2026-02-01"
    amount = Cents(luck.choice([0, 500, 1_000, 9_999]))
    return Wanted(
        table=luck.choice([None, None, "stud-1", "stud-9"]),
        within=luck.choice([ALWAYS, Interval(f"2026-01-{day:02}", until), Interval(until, None)]),
        seat=luck.choice([None, None, 1, 2, 9]),
        player=luck.choice([None, None, None, "PLAYER 3", "nobody"]),
        won_min=luck.choice([None, None, amount]),
        won_max=luck.choice([None, None, amount]),
        outcome=luck.choice([None, *OUTCOMES, "straight"]),
    )


def _looked_up(hands: list[Hand], wanted: Wanted, apart: tuple[str, ...]) -> list[str]:
    by_amount = (wanted.won_min, wanted.won_max) != (None, None)
    fits = [(number, hand) for number, (hand, had) in enumerate(hands) if _fits(hand, had, wanted)]
    order = sorted(fits, key=lambda one: (by_amount and one[1][7], one[1][2], one[0]), reverse=True)
    return [str(hand[0]) for _, hand in order if hand[1] not in apart]


def _fits(hand: tuple[str | int, ...], had: set[str], wanted: Wanted) -> bool:
    _, table, at, seat, player, _, _, wins, _, _ = hand
    assert isinstance(wins, int)
    start, end = wanted.within.start, wanted.within.end
    return (
        wanted.table in (None, table)
        and wanted.seat in (None, seat)
        and (wanted.player is None or wanted.player.casefold() == str(player).casefold())
        and (wanted.won_min is None or wins >= wanted.won_min)
        and (wanted.won_max is None or wins <= wanted.won_max)
        and (start is None or str(at) >= start)
        and (end is None or str(at) < end)
        and (wanted.outcome is None or wanted.outcome in had)
    )
