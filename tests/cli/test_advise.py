"""`pitbook advise`: values, the best play, the reason, and refusals."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from tests.command_line import Ask
from tests.sheets.samples import CMS, LAS, MHL, OMS


def test_json_matches_the_contract(ask: Ask) -> None:
    document = ask("advise", CMS, "--cards", "As Kd", "--json").document
    assert list(document["actions"]) == ["fold", "1x", "2x", "3x"]
    assert document["actions"]["fold"] == "-1"
    assert document["best"] == "1x"
    assert document["why"].endswith(".")
    assert Fraction(document["cost"]["1x"]) == 0
    best = Fraction(document["actions"]["1x"])
    assert Fraction(document["cost"]["3x"]) == best - Fraction(document["actions"]["3x"])


def test_later_streets_take_the_board_and_bets(ask: Ask) -> None:
    arguments = ("--cards", "6h 5h", "--community", "7h", "--bets", "1x")
    document = ask("advise", CMS, *arguments, "--json").document
    assert document["actions"]["fold"] == "-2"
    assert document["best"] == "3x"
    river = ("--cards", "10♠,9♠", "--community", "8s Js", "--bets", "1x 3X")
    assert ask("advise", CMS, *river, "--json").document["best"] == "3x"


def test_hi_lo_advice_is_a_declaration(ask: Ask) -> None:
    document = ask("advise", MHL, "--cards", "2h 2d Kc", "--json").document
    assert list(document["actions"]) == ["low", "high", "low+double", "high+double"]
    assert document["best"] == "low+double"


def test_dead_cards_change_values(ask: Ask) -> None:
    plain = ask("advise", CMS, "--cards", "As Kd", "--json").document
    dead = ask("advise", CMS, "--cards", "As Kd", "--dead", "Ac Ad Ah", "--json").document
    assert Fraction(dead["actions"]["1x"]) < Fraction(plain["actions"]["1x"])


def test_purse_limits_the_plays(ask: Ask) -> None:
    spot = ("--cards", "Ks 9d", "--ante", "500")
    assert ask("advise", CMS, *spot, "--json").document["best"] == "1x"
    short_of_money = ask("advise", CMS, *spot, "--purse", "500", "--json").document
    assert short_of_money["actions"] == {"fold": "-1", "1x": "-2"}
    assert short_of_money["best"] == "fold"
    text = " ".join(ask("advise", CMS, *spot, "--purse", "500").out.split())
    assert (
        "Play EV in antes Cost In dollars fold -1.000000 best 1x -2.000000 1.000000 $500.0000 "
        "You have $500 left. Playing to the end costs at least $1,500" in text
    )
    ample = ask("advise", CMS, *spot, "--purse", "4500", "--json").document
    assert ample == ask("advise", CMS, *spot, "--json").document


def test_text_is_a_table_and_a_sentence(ask: Ask) -> None:
    text = ask("advise", CMS, "--cards", "As Kd").out
    assert re.search(r"^  1x +\+0\.438776 +best$", text, re.M)
    assert re.search(r"^  3x +\+0\.166122 +0\.272653$", text, re.M)
    assert "1x is worth 1.4388 antes more than folding." in " ".join(text.split())
    assert "left out" not in text


def test_text_at_a_stake_adds_dollars(ask: Ask) -> None:
    text = ask("advise", CMS, "--cards", "As Kd", "--ante", "10").out
    assert re.search(r"^  3x .* \$2\.7\d+$", text, re.M)
    assert "Other seats' wins under a round limit are not counted." in text
    assert "left out" not in ask("advise", OMS, "--cards", "As Kd", "--ante", "2").out


def test_equally_good_plays_are_named(ask: Ask) -> None:
    """Three jacks win 4 antes, six cards push, 39 lose 4: an average loss of 3, the same as a fold.

    GEN-16 bets.
    """
    arguments = ("--cards", "Jc 6d", "--community", "7h 2s", "--bets", "1x,1x")
    text = ask("advise", CMS, *arguments).out
    assert re.search(r"^  fold +-3\.000000 +as good$", text, re.M)
    assert re.search(r"^  1x +-3\.000000 +best$", text, re.M)


def test_side_wagers_count_with_their_stake(ask: Ask) -> None:
    arguments = ("--cards", "As Kd", "--ante", "10", "--side", "stax=5", "--side", "three-up=5")
    assert ask("advise", LAS, *arguments, "--json").document["best"] == "1x"


REFUSED = [
    (("--cards", "As"), "A player has 2 cards, not 1."),
    (("--cards", "As As"), "As is listed 2 times, but one deck has it once"),
    (("--cards", "As Zz"), '--cards: "Zz" is not a card'),
    (("--cards", "As Kd", "--community", "1c"), '--community: "1c" is not a card'),
    (("--cards", "As Kd", "--dead", "Kd"), "Kd is listed 2 times"),
    (("--cards", "As Kd", "--dead", "??"), '--dead: "??" is not a card'),
    (
        ("--cards", "As Kd", "--community", "7c"),
        "Flop bet needs 0 community cards after 0 bets, not 1.",
    ),
    (("--cards", "As Kd", "--bets", "9x"), '"9x" is not a bet on'),
    (("--cards", "As Kd", "--bets", "fold"), '"fold" is not a bet on'),
    (
        ("--cards", "As Kd", "--bets", "1x,1x,1x"),
        "After 3 bets there are no more decisions",
    ),
    (("--cards", "As Kd", "--ante", "1000"), "Ante of $1,000 is outside $5 to $500"),
    (("--cards", "As Kd", "--ante", "7.50"), "Ante of $7.50 is not a multiple of $1."),
    (("--cards", "As Kd", "--side", "stax=5"), 'There is no side wager "stax"'),
    (("--cards", ""), "A player has 2 cards, not 0."),
    (
        ("--cards", "As Kd", "--purse", "500"),
        "With a purse of $500, give the ante too, to tell which bets it covers",
    ),
    (("--cards", "As Kd", "--ante", "5", "--purse", "x"), '--purse: "x" is not an amount'),
]


@pytest.mark.parametrize(("arguments", "reason"), REFUSED, ids=lambda case: str(case)[:40])
def test_bad_input_is_refused_in_one_sentence(
    ask: Ask, arguments: tuple[str, ...], reason: str
) -> None:
    answer = ask("advise", CMS, *arguments)
    assert answer.code == 1
    assert answer.out == ""
    assert reason in answer.err
    assert answer.err.count("\n") == 1
    assert reason in ask("advise", CMS, *arguments, "--json").document["error"]


def test_cards_are_required(ask: Ask) -> None:
    assert ask("advise", CMS).code == 2


def test_hi_lo_refuses_a_board(ask: Ask) -> None:
    answer = ask("advise", MHL, "--cards", "2h 2d Kc", "--community", "2c")
    assert answer.code == 1
    assert (
        "pitbook: The player declares before seeing any dealer card and before any other bet"
        in answer.err
    )


def test_error_names_board_cards_and_dealer_cards_separately(ask: Ask) -> None:
    board = ask("advise", "classic/casino-holdem", "--cards", "As Kd", "--community", "2c")
    assert "pitbook: After the flop needs 3 community cards after 0 bets, not 1" in board.err
    dealer = ask("advise", "classic/caribbean-stud", "--cards", "As Kd 2c 3c 4d")
    assert "needs 1 dealer card after 0 bets, not 0" in dealer.err
    spanish = ("--language", "es")
    board = ask(*spanish, "advise", "classic/casino-holdem", "--cards", "As Kd")
    assert "3 cartas comunitarias" in board.err
    dealer = ask(*spanish, "advise", "classic/caribbean-stud", "--cards", "As Kd 2c 3c 4d")
    assert "1 carta del crupier" in dealer.err
