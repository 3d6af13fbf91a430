"""A bot at tables of a real server: it plays what is offered and counts to the cent."""

from __future__ import annotations

import asyncio

import pytest
from tests.command_line import Ask
from tests.house.cli.floor import OWN, Floor, cents
from tests.sheets.samples import CMS, IDS

from pitbook import load
from pitbook.cards import cards
from pitbook.exact.advice import advise
from pitbook.house.cli.bot_player import Lot, _best
from pitbook.money import Cents, dollars


@pytest.mark.slow_cases(
    "best-louisiana-stud/standard",
    "best-louisiana-stud/stax-required",
    "best-oceanfront/mississippi-stud",
    "random-catfish-bend/matchem-hi-lo",
    "random-catfish-bend/mississippi-stud",
    "random-louisiana-stud/standard",
    "random-oceanfront/mississippi-stud",
)
@pytest.mark.long
@pytest.mark.parametrize("sheet", IDS)
@pytest.mark.parametrize("how", ["best", "random"])
def test_a_practice_table_of_every_sheet(play: Ask, floor: Floor, sheet: str, how: str) -> None:
    before = floor.tables()
    answer = play("--practice", sheet, "--rounds", "3", "--play", how, "--json")
    assert (answer.code, answer.err) == (0, "")
    told = answer.document
    assert (told["sheet"], told["rounds"], told["play"]) == (sheet, 3, how)
    assert dollars(told["balance"]) == 100_000 + cents(told["net"])
    assert dollars(told["wagered"]) >= 3 * load(sheet).main_wager.min
    assert (told["left"], told["stopped"], told["lost"], told["error"]) == (True, False, 0, None)
    assert (told["seed"] is None) == (how == "best")
    assert floor.tables() == before, "the table is cleared away"


@pytest.mark.long
def test_best_play_is_best_at_every_decision_on_record(play: Ask, floor: Floor) -> None:
    side = ("--ante", "10", "--side", "three-card-bonus=5")
    told = play("stud-1", "--name", "ann", "--rounds", "8", *side, "--json").document
    found = floor.sue.get("/api/tables/stud-1/rounds", params={"player": "ann", "count": 8})
    rounds = found.json()["rounds"]
    assert len(rounds) == told["rounds"] == 8
    sheet, decisions = load(CMS), 0
    for one in rounds:
        (seat,) = one["seats"]
        assert dict(seat["wagers"])["three-card-bonus"] == "5.00"
        for street, played in enumerate(seat["plays"]):
            seen, bets = cards(" ".join(one["board"][:street])), seat["plays"][:street]
            stakes = {"three-card-bonus": Cents(500)}
            held = cards(" ".join(seat["cards"]))
            assert advise(sheet, held, seen, bets, Cents(1000), stakes).best == played
            decisions += 1
    assert decisions >= 8
    assert cents(told["net"]) == sum(
        cents(hand["net"]) for one in rounds for hand in one["settlement"]["seats"]
    )
    assert floor.wallet("ann") == (told["balance"], "0.00")
    assert all(seat["player"] is None for seat in floor.look("stud-1")["seats"])


def test_what_a_person_reads(play: Ask) -> None:
    answer = play("--practice", CMS, "--rounds", "2", "--play", "random", "--seed", "52")
    first, rules, seed, one, two, total = answer.out.splitlines()
    assert first.startswith("guest-")
    assert " sits at seat 1 of practice-" in first
    assert rules == f"It plays Mississippi Stud, {CMS}."
    assert seed == "It plays by lot; --seed 52 draws the same again."
    assert one.startswith("1 round, net ")
    assert two.startswith("2 rounds, net ")
    assert total.startswith(f"In all {two}; wagered ")
    assert total.endswith(" play.")


def test_on_a_terminal_one_line_is_written_over(play: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    out = play("--practice", CMS, "--rounds", "2").out
    assert out.count("\r") == 2
    assert "\nIn all 2 rounds" in out


def test_the_same_seed_draws_the_same() -> None:
    async def drawn(seed: str) -> list[str]:
        lot = Lot(seed)
        return [await lot({}, {}, ["fold", "1x", "2x", "3x"]) for _ in range(50)]

    first = asyncio.run(drawn("a"))
    assert first == asyncio.run(drawn("a"))
    assert first != asyncio.run(drawn("b"))
    assert set(first) == {"fold", "1x", "2x", "3x"}


def test_best_of_what_is_offered() -> None:
    sheet = load(CMS)
    view = {"board": {"cards": [None, None, None]}}
    hand = {"wagers": [["ante", "10.00"]], "cards": ["As", "Ad"], "plays": []}
    assert _best(sheet, view, hand, ["fold", "1x", "2x", "3x"]) == "3x"
    assert _best(sheet, view, hand, ["fold", "1x"]) == "1x", "the wallet covers no more"


def test_a_person_practises_too(play: Ask) -> None:
    told = play("--practice", CMS, "--name", "ann", "--rounds", "1", "--json").document
    assert (told["player"], told["kind"], told["unit"]) == ("ann", "practice", "play")


def test_the_next_address_is_asked_where_the_first_is_gone(ask: Ask, floor: Floor) -> None:
    gone = ("--server", "http://127.0.0.1:9")
    there = ("--server", floor.address)
    told = ask("bot", *gone, *there, "--practice", CMS, "--rounds", "1", "--json").document
    assert (told["server"], told["rounds"]) == (floor.address, 1)


def test_rules_that_only_the_server_has(play: Ask) -> None:
    told = play("--practice", OWN, "--rounds", "2", "--json").document
    assert (told["sheet"], told["rounds"]) == (OWN, 2)
