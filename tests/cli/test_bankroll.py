"""`pitbook session`: the JSON document, the printed answer, and refusals."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Ask
from tests.sheets.samples import CMS, IDS, LAS, MHL, OMS, UNUSUAL, modified_text

from pitbook import extras
from pitbook.money import dollars

TEN = ("--bankroll", "300", "--ante", "10", "--hours", "0.5")


def money_texts(part: Any) -> list[str]:
    """Every text of a document that looks like an amount of money."""
    if isinstance(part, dict):
        return [text for value in part.values() for text in money_texts(value)]
    if isinstance(part, list):
        return [text for value in part for text in money_texts(value)]
    return [part] if isinstance(part, str) and re.fullmatch(r"-?[0-9]+(\.[0-9]*)?", part) else []


def test_json_is_one_document(ask: Ask) -> None:
    document = ask("session", CMS, *TEN, "--goal", "100", "--stop-loss", "200", "--json").document
    assert document["sheet"] == CMS
    assert len(document["hash"]) == 64
    assert document["assumptions"] == {
        "ante": "10.00",
        "side": {},
        "seats": 1,
        "strategy": "best",
        "mistakes": "0",
        "bankroll": "300.00",
        "hours": 0.5,
        "hands_per_hour": 40,
        "rounds": 20,
        "stop_loss": "200.00",
        "goal": "100.00",
        "overlooked": [],
        "stake_min": "40.00",
        "stake_max": "100.00",
    }
    assert document["method"] == "exact"
    assert document["error"] is document["sessions"] is document["why"] is None
    ends = document["ends"]
    assert list(ends) == ["ruin", "stop_loss", "goal", "time"]
    assert sum(end["probability"] for end in ends.values()) == pytest.approx(1, abs=1e-15)
    assert ends["goal"]["hours"] == pytest.approx(ends["goal"]["rounds"] / 40)
    net, final = document["net"], document["final"]
    assert net["ahead"] + net["even"] + net["behind"] == pytest.approx(1)
    assert dollars(final["expected"]) == 300_00 - dollars(net["expected"].removeprefix("-"))
    assert list(final["quantiles"]) == ["0.01", "0.05", "0.25", "0.5", "0.75", "0.95", "0.99"]
    assert sum(row["probability"] for row in final["table"]) == pytest.approx(1)
    assert [row["rounds"] for row in document["hours"]] == [0, 20]
    for text in money_texts({"net": net, "final": final, "hours": document["hours"]}):
        assert re.fullmatch(r"-?[0-9]+\.[0-9]{2}", text)


def test_unset_stops_are_null(ask: Ask) -> None:
    document = ask("session", OMS, "--bankroll", "60", "--hours", "0.25", "--json").document
    assert document["ends"]["goal"] is document["ends"]["stop_loss"] is None
    assert document["assumptions"]["ante"] == "2.00"  # The minimum.


@pytest.mark.long
def test_long_sessions_report_their_error_bound(ask: Ask) -> None:
    arguments = ("session", OMS, "--bankroll", "200", "--ante", "4", "--hours", "4")
    document = ask(*arguments, "--json").document
    assert document["method"] == "computed"
    assert 0 < document["error"] < 1e-10
    text = " ".join(ask(*arguments).out.split())
    assert re.search(r"Probabilities are within [0-9]e-1[0-9]\.", text)


def test_text_says_how_it_ends_and_what_is_left(ask: Ask) -> None:
    answer = ask("session", CMS, *TEN, "--goal", "100")
    assert answer.err == ""
    text = " ".join(answer.out.split())
    for part in (
        "$300 for 0.5 hours at 40 hands: 20 rounds. Ante $10. Best play.",
        "Leaves after winning $100.",
        "Exact, in whole numbers.",
        "less than $40 left, the cost of a hand to the showdown",
        "With less than $100, bets are reduced to the money left.",
        "HOUR BY HOUR",
        "FINAL BANKROLL",
    ):
        assert part in text
    assert re.search(r"^  Goal reached +[0-9]+\.[0-9]{3}%  [0-9]+ rounds", answer.out, re.M)
    assert max(map(len, answer.out.splitlines())) <= 80


def test_stop_loss_above_zero_excludes_ruin(ask: Ask) -> None:
    text = ask("session", CMS, *TEN, "--stop-loss", "100").out
    assert re.search(r"^  Ruined +never", text, re.M)
    assert "Playing to the end" not in text


@pytest.mark.long
def test_mistakes_are_simulated_and_stated(ask: Ask) -> None:
    arguments = ("session", MHL, "--bankroll", "50", "--ante", "10", "--hours", "0.25")
    arguments_with_mistakes = (*arguments, "--strategy", "best:0.05", "--seed", "7")
    document = ask(*arguments_with_mistakes, "--json").document
    assert document["method"] == "simulated"
    assert document["assumptions"]["seed"] == 7
    assert document["assumptions"]["mistakes"] == "1/20"
    assert document["why"] == "play with mistakes has no exact distribution"
    assert 0 < document["ends"]["ruin"]["standard_error"] < 0.01
    text = " ".join(ask(*arguments_with_mistakes).out.split())
    assert "Best play, with mistakes in 1/20 of decisions" in text
    assert "Simulated: 100,000 sessions with seed 7 (play with mistakes" in text
    assert " ± " in text


@pytest.mark.long
def test_seed_repeats_a_session(ask: Ask) -> None:
    arguments = ("session", MHL, "--bankroll", "50", "--hours", "0.25", "--simulate", "2000")
    first, repeated, other = (
        ask(*arguments, "--seed", seed, "--workers", workers, "--json").document
        for seed, workers in (("1", "1"), ("1", "2"), ("2", "1"))
    )
    assert first == repeated
    assert first["net"] != other["net"]
    unseeded = ask(*arguments, "--json").document["assumptions"]["seed"]
    assert (
        unseeded
        == ask(*arguments, "--seed", str(unseeded), "--json").document["assumptions"]["seed"]
    )


def test_seats_sharing_a_cap_are_simulated(ask: Ask) -> None:
    arguments = ("session", CMS, *TEN, "--stop-loss", "100", "--seats", "3", "--simulate", "50")
    text = " ".join(ask(*arguments).out.split())
    assert "20 rounds at a table of 3" in text
    assert "Simulated: 50 sessions" in text


@pytest.mark.long
def test_side_wager_lost_by_a_fold_does_not_change_the_strategy(ask: Ask, tmp_path: Path) -> None:
    sheet = tmp_path / "lost.toml"
    sheet.write_text(
        modified_text(LAS, ("after_fold = { plays = true", "after_fold = { plays = false"))
    )
    arguments = (
        "--bankroll",
        "300",
        "--side",
        "three-up=5",
        "--hours",
        "0.1",
        "--stop-loss",
        "200",
    )
    text = " ".join(ask("session", str(sheet), *arguments).out.split())
    assert "Best play for the main game, ignoring its effect on 3-UP Bonus." in text


@pytest.mark.long
@pytest.mark.parametrize(
    "sheet",
    [*IDS, *map(str, sorted(UNUSUAL.glob("*.toml")))],
    ids=lambda sheet_path: Path(sheet_path).stem,
)
def test_every_sheet_has_sessions(ask: Ask, sheet: str) -> None:
    answer = ask("session", sheet, "--bankroll", "900", "--hours", "0.1", "--stop-loss", "500")
    assert answer.code == 0
    assert "HOW SESSIONS END" in answer.out


def test_long_sessions_print_fewer_hours(ask: Ask) -> None:
    arguments = ("--bankroll", "100", "--hours", "30", "--hands-per-hour", "1")
    text = ask("session", MHL, *arguments).out
    rows = re.findall(r"^  [0-9.]+ h ", text, re.M)
    assert len(rows) < 15
    assert rows[-1] == "  30 h "


@pytest.mark.long
def test_plot_is_written(ask: Ask, tmp_path: Path) -> None:
    path = tmp_path / "fan.svg"
    answer = ask("session", MHL, "--bankroll", "50", "--hours", "0.25", "--plot", str(path))
    assert f"Plot saved to {path}." in " ".join(answer.out.split())
    assert path.read_bytes().startswith(b"<?xml")
    arguments = ("session", MHL, "--bankroll", "50", "--hours", "0.25", "--plot", str(path))
    assert ask(*arguments, "--json").document["plot"] == str(path)


def test_without_numba_only_played_sessions_are_refused(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda _: None)
    assert ask("session", CMS, *TEN).code == 0
    answer = ask("session", CMS, *TEN, "--simulate", "10")
    assert answer.code == 1
    assert 'pip install "pitbook[simulate]"' in answer.err


REFUSED = [
    (("--bankroll", "39", "--hours", "4"), "One hand to the showdown takes $40"),
    (("--bankroll", "ten", "--hours", "4"), '--bankroll: "ten" is not an amount'),
    (("--bankroll", "300", "--hours", "4", "--stop-loss", "301"), "at most the bankroll of $300"),
    (
        ("--bankroll", "300", "--hours", "4", "--stop-loss", "x"),
        '--stop-loss: "x" is not an amount',
    ),
    (("--bankroll", "300", "--hours", "4", "--goal", "0"), "The goal must be above zero"),
    (("--bankroll", "300", "--hours", "0"), "A session has 1 to 100,000 rounds"),
    (("--bankroll", "300", "--hours", "4", "--seats", "9"), "This table has 1 to 6 seats, not 9"),
    (("--bankroll", "300", "--hours", "4", "--side", "stax=5"), 'no side wager "stax"'),
    (("--bankroll", "300", "--hours", "4", "--strategy", "mine"), '"mine" is not a strategy'),
    (("--bankroll", "300", "--hours", "4", "--strategy", "best:2"), "is not a mistake rate"),
    (
        ("--bankroll", "300", "--hours", "4", "--simulate", "0"),
        "The number of sessions must be 1 to",
    ),
    (("--bankroll", "300", "--hours", "4", "--seed", "-1"), "The seed must be a whole number"),
    (
        ("--bankroll", "300", "--hours", "4", "--plot", "no/folder/x.png"),
        "the folder no/folder does not exist",
    ),
]


@pytest.mark.parametrize(("arguments", "reason"), REFUSED, ids=lambda case: str(case)[:60])
def test_bad_input_is_refused_in_one_sentence(
    ask: Ask, arguments: tuple[str, ...], reason: str
) -> None:
    answer = ask("session", CMS, "--ante", "10", *arguments)
    assert answer.code == 1
    assert answer.out == ""
    assert reason in answer.err
    assert answer.err.count("\n") == 1
    document = ask("session", CMS, "--ante", "10", *arguments, "--json").document
    assert reason in document["error"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("--hours", "4"),
        ("--bankroll", "300"),
        ("--bankroll", "300", "--hours", "four"),
        ("--bankroll", "300", "--hours", "-1"),
        ("--bankroll", "300", "--hours", "4", "--hands-per-hour", "0"),
        ("--bankroll", "300", "--hours", "4", "--plot", "x.gif"),
        ("--bankroll", "300", "--hours", "4", "--side", "stax"),
    ],
    ids=" ".join,
)
def test_misuse_is_exit_2(ask: Ask, arguments: tuple[str, ...]) -> None:
    answer = ask("session", CMS, *arguments)
    assert answer.code == 2
    assert "Error: " in answer.err
