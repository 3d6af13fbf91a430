"""`pitbook play`: a table in the terminal, played by lines without a keyboard."""

from __future__ import annotations

import pytest
from tests.command_line import Ask
from tests.sheets.samples import IDS

from pitbook import load
from pitbook.cli.play_table import LeaveTable, TerminalTable
from pitbook.cli.rich_output import console
from pitbook.money import Cents
from pitbook.rules.game import compile_game

SHEETS = sorted(IDS)  # Games against the dealer need other lines.


class Typed:
    """A player with prepared answers."""

    def __init__(self, answers: list[str]) -> None:
        self.answers = answers
        self.prompts: list[str] = []

    def line(self, prompt: str) -> str:
        self.prompts.append(prompt)
        if not self.answers:
            raise LeaveTable
        return self.answers.pop(0)

    key = line


def session(sheet: str, answers: str, *, seats: int = 1, bankroll: str = "1000") -> TerminalTable:
    return TerminalTable(
        game=compile_game(load(sheet)),
        seats=tuple(range(1, seats + 1)),
        seed="seven",
        bankroll=Cents(int(bankroll) * 100),
        console=console(),
        keys=Typed(answers.split(",")),
        show_rules=lambda: None,
    )


def test_round_is_bet_played_paid_and_described(capsys: pytest.CaptureFixture[str]) -> None:
    table = session("catfish-bend/mississippi-stud", "10,5,1,1,1,q")
    table.run()
    output = capsys.readouterr().out
    assert table.rounds == 1
    assert table.balances[1] == Cents(95_500)
    assert "Ante, Flop bet, Turn bet and River bet ($40) lose." in output
    assert "1 round played." in output
    assert "You leave with $955 (-$45)." in output
    assert "--seed seven" in output


def evening(sheet: str, seats: int) -> str:
    """Two rounds of minimum bets, typed line by line."""
    hi_lo = "hi-lo" in sheet
    bets = ["", *([""] * len(load(sheet).side))] * seats
    plays = ["l" if hi_lo else "1"] * (seats * (1 if hi_lo else 3))
    return "\n".join([*bets, *plays, "", *plays, "q"]) + "\n"


@pytest.mark.parametrize("seats", [1, 6])
@pytest.mark.parametrize("sheet", SHEETS)
def test_every_bundled_sheet_plays_with_one_seat_and_with_six(
    sheet: str, seats: int, typed: Ask
) -> None:
    arguments = ("play", sheet, "--seats", str(seats), "--seed", "x", "--json")
    answer = typed(*arguments, text=evening(sheet, seats))
    assert answer.code == 0
    assert answer.document["rounds"] == 2
    assert len(answer.document["seats"]) == seats


@pytest.mark.long
def test_separate_process_reads_lines_until_they_end(shell: Ask) -> None:
    sheet = "catfish-bend/mississippi-stud"
    first_session = shell("play", sheet, "--seed", "x", "--json", text=evening(sheet, 1))
    assert (first_session.code, first_session.document["rounds"]) == (0, 2)
    answer = shell("play", text="")
    assert answer.code == 0
    assert "0 rounds played." in answer.out


def test_the_same_seed_deals_the_same_cards(typed: Ask) -> None:
    text = "10\n0\n1\n1\n1\nq\n"
    first = typed("play", "--seed", "friday", text=text)
    assert "1 round played." in first.out
    assert first.out == typed("play", "--seed", "friday", text=text).out
    assert first.out != typed("play", "--seed", "monday", text=text).out


@pytest.mark.long
def test_money_is_conserved(capsys: pytest.CaptureFixture[str]) -> None:
    """The balance after is the balance before plus the net printed."""
    table = session("catfish-bend/mississippi-stud", "10,5,1,1,1" + ",,3,3,3" * 20 + ",q")
    table.run()
    nets = [
        int(line.replace("+", "").replace("$", "").replace(",", ""))
        for line in capsys.readouterr().out.splitlines()
        if line.strip("+-$0123456789,") == "" and "$" in line
    ]
    assert len(nets) == table.rounds
    assert table.balances[1] == table.bankroll + 100 * sum(nets)


def test_quitting_mid_hand_returns_the_wagers(capsys: pytest.CaptureFixture[str]) -> None:
    table = session("catfish-bend/mississippi-stud", "10,5,1,q")
    table.run()
    assert table.balances[1] == table.bankroll
    assert "The hand in play is dead. Its wagers are returned." in capsys.readouterr().out


def test_bad_bets_are_refused_with_a_reason_and_asked_again(
    capsys: pytest.CaptureFixture[str],
) -> None:
    answers = "x,-5,5.5,7.50,4,501,0.001,$10,600,0,f,q"
    table = session("catfish-bend/mississippi-stud", answers)
    table.run()
    output = capsys.readouterr().out
    for sentence in (
        '"x" is not an amount',
        "It must not be negative.",
        'Write "5.50"',
        "is not a whole dollar. Bet $7 or $8 (GEN-12)",
        "below the minimum. Bet $5 to $500 (CMS-2)",
        "above the maximum. Bet $5 to $500 (CMS-2)",
        "Amounts cannot include fractions of a cent.",
        "above the maximum. Bet $1 to $100 (CMS-2)",
    ):
        assert sentence in output
    assert table.rounds == 1


def test_gen_10_a_player_who_cannot_cover_the_smallest_bet_folds(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Announced before the deal, when other bets are still possible, and when the hand is
    folded.
    """
    table = session("catfish-bend/mississippi-stud", "10,0,?,,1,1", bankroll="35")
    table.run()
    output = " ".join(capsys.readouterr().out.split())
    assert "You need $30 to play the hand to the end and have $25. Bet less, or add $5" in output
    assert "Enter deal anyway, b other bets" in output
    assert "Seat 1 has too few chips for the River bet, $10 at least: fold (GEN-10)." in output
    assert "Seat 1 folds and loses $30." in output
    assert "absent" not in output
    assert table.balances[1] == Cents(500)


def test_gen_10_bets_can_be_changed_after_the_short_purse_warning(
    capsys: pytest.CaptureFixture[str],
) -> None:
    table = session("catfish-bend/mississippi-stud", "10,0,b,5,0,f,q", bankroll="35")
    table.run()
    assert table.balances[1] == 30_00
    assert capsys.readouterr().out.count("to play the hand to the end") == 1


def test_session_ends_without_money_for_the_ante(capsys: pytest.CaptureFixture[str]) -> None:
    table = session("catfish-bend/mississippi-stud", "10", bankroll="4")
    table.run()
    assert "No player can cover the minimum bet" in capsys.readouterr().out


def test_clauses_are_shown_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    session("catfish-bend/mississippi-stud", "10,0,f,c,,f,q").run()
    output = capsys.readouterr().out
    assert output.index("Ante ($10) loses.") < output.index("Ante ($10) loses (CMS-6).")


def test_bad_seats_bankroll_or_sheet_are_refused(ask: Ask) -> None:
    assert (
        "pitbook: This table has 6 seats, so --seats 7 is too many"
        in ask("play", "--seats", "7").err
    )
    assert "--bankroll" in ask("play", "--bankroll", "lots").err
    assert 'pitbook: There is no sheet "no/such"' in ask("play", "no/such").err
