"""A bot at tables of a real server plays offered commands and accounts to the cent."""

from __future__ import annotations

import asyncio

import pytest
from tests.command_line import Ask
from tests.house.cli.bot_house import OWN, Floor, cents
from tests.sheets.samples import CMS, IDS

from pitbook import load
from pitbook.cards import cards
from pitbook.exact.advice import advise
from pitbook.house.cli.bot_player import RandomPlay, _best_play
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
def test_bot_plays_a_practice_table_of_every_sheet(
    play: Ask, floor: Floor, sheet: str, how: str
) -> None:
    before = floor.tables()
    answer = play("--practice", sheet, "--rounds", "3", "--play", how, "--json")
    assert (answer.code, answer.err) == (0, "")
    document = answer.document
    assert (document["sheet"], document["rounds"], document["play"]) == (sheet, 3, how)
    assert dollars(document["balance"]) == 100_000 + cents(document["net"])
    assert dollars(document["wagered"]) >= 3 * load(sheet).main_wager.min
    assert (document["left"], document["stopped"], document["lost"], document["error"]) == (
        True,
        False,
        0,
        None,
    )
    assert (document["seed"] is None) == (how == "best")
    assert floor.tables() == before, "the table is cleared away"


@pytest.mark.long
def test_best_play_is_best_at_every_decision_on_record(play: Ask, floor: Floor) -> None:
    side = ("--ante", "10", "--side", "three-card-bonus=5")
    document = play("stud-1", "--name", "ann", "--rounds", "8", *side, "--json").document
    rounds_answer = floor.sue.get("/api/tables/stud-1/rounds", params={"player": "ann", "count": 8})
    rounds = rounds_answer.json()["rounds"]
    assert len(rounds) == document["rounds"] == 8
    sheet, decisions = load(CMS), 0
    for round_ in rounds:
        (seat,) = round_["seats"]
        assert dict(seat["wagers"])["three-card-bonus"] == "5.00"
        for street, played in enumerate(seat["plays"]):
            board, bets = cards(" ".join(round_["board"][:street])), seat["plays"][:street]
            stakes = {"three-card-bonus": Cents(500)}
            hole_cards = cards(" ".join(seat["cards"]))
            assert advise(sheet, hole_cards, board, bets, Cents(1000), stakes).best == played
            decisions += 1
    assert decisions >= 8
    assert cents(document["net"]) == sum(
        cents(hand["net"]) for round_ in rounds for hand in round_["settlement"]["seats"]
    )
    assert floor.wallet("ann") == (document["balance"], "0.00")
    assert all(seat["player"] is None for seat in floor.view_of("stud-1")["seats"])


def test_text_output(play: Ask) -> None:
    answer = play("--practice", CMS, "--rounds", "2", "--play", "random", "--seed", "52")
    first, rules, seed, after_one, after_two, total = answer.out.splitlines()
    assert first.startswith("guest-")
    assert " sits at seat 1 of practice-" in first
    assert rules == f"It plays Mississippi Stud, {CMS}."
    assert seed == "It plays at random. Use --seed 52 to repeat it."
    assert after_one.startswith("1 round, net ")
    assert after_two.startswith("2 rounds, net ")
    assert total.startswith(f"Total: {after_two}, bet ")
    assert total.endswith(" play.")


def test_terminal_output_rewrites_one_line(play: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    out = play("--practice", CMS, "--rounds", "2").out
    assert out.count("\r") == 2
    assert "\nTotal: 2 rounds" in out


def test_the_same_seed_draws_the_same() -> None:
    async def draw_plays(seed: str) -> list[str]:
        player = RandomPlay(seed)
        return [await player({}, {}, ["fold", "1x", "2x", "3x"]) for _ in range(50)]

    first = asyncio.run(draw_plays("a"))
    assert first == asyncio.run(draw_plays("a"))
    assert first != asyncio.run(draw_plays("b"))
    assert set(first) == {"fold", "1x", "2x", "3x"}


def test_best_offered_play_is_chosen() -> None:
    sheet = load(CMS)
    view = {"board": {"cards": [None, None, None]}}
    hand = {"wagers": [["ante", "10.00"]], "cards": ["As", "Ad"], "plays": []}
    assert _best_play(sheet, view, hand, ["fold", "1x", "2x", "3x"]) == "3x"
    assert _best_play(sheet, view, hand, ["fold", "1x"]) == "1x", "the wallet covers no more"


def test_bot_practices_as_a_person(play: Ask) -> None:
    document = play("--practice", CMS, "--name", "ann", "--rounds", "1", "--json").document
    assert (document["player"], document["kind"], document["unit"]) == ("ann", "practice", "play")


def test_bot_uses_the_next_address_if_the_first_is_down(ask: Ask, floor: Floor) -> None:
    unreachable = ("--server", "http://127.0.0.1:9")
    reachable = ("--server", floor.address)
    document = ask(
        "bot", *unreachable, *reachable, "--practice", CMS, "--rounds", "1", "--json"
    ).document
    assert (document["server"], document["rounds"]) == (floor.address, 1)


def test_bot_plays_rules_that_only_the_server_has(play: Ask) -> None:
    document = play("--practice", OWN, "--rounds", "2", "--json").document
    assert (document["sheet"], document["rounds"]) == (OWN, 2)
