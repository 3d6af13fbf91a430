"""Red dog in the terminal, in round files and beside other games."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.test_play import Typed
from tests.command_line import Ask
from tests.red_dog.conftest import SHEET

from pitbook.cli.play_table import TerminalTable
from pitbook.cli.rich_output import console
from pitbook.errors import RoundError
from pitbook.money import Cents
from pitbook.rules.game import compile_game
from pitbook.rules.round_file import parse, settle
from pitbook.rules.stored_rounds import round_file_schema
from pitbook.sheets.model import Sheet


def play_terminal(sheet: Sheet, answers: str, *, seed: str = "x") -> tuple[TerminalTable, Typed]:
    keys = Typed(answers.split(","))
    table = TerminalTable(
        game=compile_game(sheet),
        seats=(1,),
        seed=seed,
        bankroll=Cents(100_000),
        console=console(),
        keys=keys,
        show_rules=lambda: None,
    )
    table.coach.on = False
    table.run()
    return table, keys


def test_a_round_at_the_terminal(sheet: Sheet, capsys: pytest.CaptureFixture[str]) -> None:
    table, keys = play_terminal(sheet, "10,r,q")
    output = capsys.readouterr().out
    assert table.rounds == 1
    assert [prompt.strip() for prompt in keys.prompts[1:2]] == ["Raise   s: stand  r: raise $10"]
    assert "Bet $10, Raise $10" in output
    assert "1 round played." in output


@pytest.mark.long
def test_many_rounds_at_the_terminal(sheet: Sheet) -> None:
    table, _ = play_terminal(sheet, ",".join(["10", *["s", ""] * 40]), seed="many")
    assert table.rounds > 20


def round_file(board: str, *plays: str) -> str:
    seat = {"seat": 1, "wagers": {"bet": "10"}, "play": plays}
    return json.dumps({"sheet": str(SHEET), "community": board.split(), "seats": [seat]})


@pytest.mark.parametrize(
    ("board", "plays", "net"),
    [
        ("2s 9h 5d", ["raise"], 20),
        ("2s 9h Kd", ["stand"], -10),
        ("2s 3h", [], 0),
        ("2s 2h 2d", [], 110),
    ],
)
def test_a_file_omits_skipped_stages(sheet: Sheet, board: str, plays: list[str], net: int) -> None:
    (settled,) = settle(parse(round_file(board, *plays)), lambda _: sheet).settlements
    assert settled.net == net * 100


def test_a_file_with_a_play_too_many_is_refused(sheet: Sheet) -> None:
    with pytest.raises(RoundError, match="seat 1 has 1 play; 0 can be made"):
        settle(parse(round_file("2s 3h", "raise")), lambda _: sheet)


def test_the_round_file_schema_describes_the_board() -> None:
    fields = round_file_schema()["properties"]
    assert fields["community"]["description"] == "street-stud, red-dog"
    assert fields["dealer"]["description"] == "hi-lo, versus"


def test_settle_command(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "round.json"
    file.write_text(round_file("2s 9h 5d", "raise"))
    answer = ask("settle", str(file))
    assert answer.code == 0
    assert "wins $20, loses $0, nets $20" in answer.out
