"""`pitbook simulate`: figures as text and JSON, the theory check, resuming, and refusals."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Ask
from tests.sheets.samples import CMS, IDS, LAS, MHL, OMS, STAX, modified_text

from pitbook.cli import progress
from pitbook.simulation.run import play_on, save_totals

FEW = ("--rounds", "20_000", "--seed", "7")


def figures(document: dict[str, Any]) -> dict[str, Any]:
    """All fields except how the run went."""
    return {name: value for name, value in document.items() if name != "run"}


@pytest.mark.parametrize("sheet", IDS)
def test_json_is_one_document(ask: Ask, sheet: str) -> None:
    answer = ask("simulate", sheet, *FEW, "--seats", "6", "--json")
    assert answer.code == 0
    assert answer.err == ""
    document = answer.document
    assert document["sheet"] == sheet
    assert document["rounds"] == 20_000
    assert document["partial"] is False
    assert document["assumptions"]["seats"] == 6
    assert document["assumptions"]["seed"] == 7
    assert len(document["seats"]) == 6
    assert sum(row["count"] for row in document["wagers"]["main"]) == 120_000
    assert document["run"]["rounds"] == 20_000


@pytest.mark.long
def test_seed_gives_one_answer_for_any_workers(ask: Ask) -> None:
    arguments = ("simulate", MHL, *FEW, "--seats", "2", "--side", "poker-bonus=5", "--json")
    single_worker = figures(ask(*arguments, "--workers", "1").document)
    assert figures(ask(*arguments, "--workers", "2").document) == single_worker
    assert figures(ask(*arguments[:-1], "--seed", "8", "--json").document) != single_worker


def test_drawn_seed_is_shown(ask: Ask) -> None:
    drawn = ask("simulate", OMS, "--rounds", "1e3", "--json").document
    seed = drawn["assumptions"]["seed"]
    repeated = ask("simulate", OMS, "--rounds", "1e3", "--seed", str(seed), "--json").document
    assert figures(repeated) == figures(drawn)


def test_text_shows_round_hour_caps_and_outcomes(ask: Ask) -> None:
    answer = ask(
        *("simulate", OMS, "--rounds", "3e5", "--seed", "7", "--seats", "6", "--ante", "4"),
        *("--hands-per-hour", "50"),
    )
    assert answer.code == 0
    output = " ".join(answer.out.split())
    for text in (
        "300,000 rounds, seed 7, ",
        "6 seats, Ante $4, best play.",
        "per round ± $",
        "of the total bet",
        "at 50 rounds",
        "PAYOUT LIMITS APPLIED",
        "OMS-9",
        "MAIN GAME",
        "full house",
        "no paying hand",
    ):
        assert text in output
    assert max(map(len, answer.out.splitlines())) <= 80
    assert re.search(r"^  pair of jacks or better +4 +1:1 +[\d,]+ +0\.03", answer.out, re.M)


def test_text_shows_side_wagers_and_mistakes(ask: Ask) -> None:
    text = " ".join(
        ask("simulate", LAS, *FEW, "--side", "stax=5", "--strategy", "never-3x:0.1").out.split()
    )
    assert (
        'One seat, Ante $5, 5 Card Poker STAX $5, strategy "never-3x", with mistakes in 1/10 '
        "of decisions." in text
    )
    assert "5 CARD POKER STAX" in text


def test_assumed_pay_tables_have_a_dagger_and_its_legend(ask: Ask) -> None:
    lines = ask("simulate", LAS, *FEW, "--side", "stax=5", columns=200).out.splitlines()
    assert lines[1] == "Pay tables: Main game†, 3-UP Bonus† and 5 Card Poker STAX†."
    assert lines[2].startswith("† Assumption: the source document")
    headings = [line.partition(" ─")[0] for line in lines if "─" in line]
    assert {"MAIN GAME†", "5 CARD POKER STAX†"} <= {*headings}
    assert "†" not in ask("simulate", OMS, *FEW).out


def test_required_wagers_are_shown(ask: Ask) -> None:
    document = ask("simulate", STAX, *FEW, "--json").document
    assert document["assumptions"]["side"] == {"stax": "1.00"}


@pytest.mark.long
def test_check_agrees_and_states_its_significance(ask: Ask) -> None:
    answer = ask("simulate", CMS, "--rounds", "1e6", "--seed", "7", "--check")
    assert answer.code == 0
    text = " ".join(answer.out.split())
    assert "Results agree with theory" in text
    assert "(limit 0.001)" in text
    assert "Chi-square" in text
    assert "Most unusual" in text
    document = ask("simulate", MHL, "--rounds", "1e5", "--seed", "7", "--check", "--json").document
    assert document["check"]["verdict"] == "agrees"
    assert 0.001 <= document["check"]["significance"] <= 1


@pytest.mark.long
def test_check_against_a_wrong_pay_table_is_exit_1(ask: Ask, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(modified_text(CMS, ('full-house = "10:1"', 'full-house = "9:1"')))
    answer = ask("simulate", CMS, "--rounds", "1e5", "--seed", "7", "--against", str(wrong))
    assert answer.code == 1
    text = " ".join(answer.out.split())
    assert "Results disagree with theory" in text
    assert "impossible" in text
    document = ask(
        *("simulate", CMS, "--rounds", "1e5", "--seed", "7", "--against", str(wrong), "--json")
    ).document
    assert document["check"]["verdict"] == "disagrees"


def test_figures_that_cannot_be_checked_are_named(ask: Ask) -> None:
    sheet = Path(__file__).parents[1] / "sheets" / "unusual" / "three-hole-cards.toml"
    answer = ask("simulate", str(sheet), *FEW, "--side", "trio=5", "--check")
    assert "Side wagers share a limit with other wagers." in answer.out


def test_numbered_round_is_a_round_file(ask: Ask, tmp_path: Path) -> None:
    answer = ask("simulate", CMS, "--seed", "7", "--seats", "3", "--round", "41")
    assert answer.code == 0
    path = tmp_path / "round.json"
    path.write_text(answer.out)
    assert len(answer.document["seats"]) == 3
    settled = ask("settle", str(path), "--json").document
    assert settled["result"] == "settled"


@pytest.mark.long
def test_simulation_resumes_from_its_file(ask: Ask, tmp_path: Path) -> None:
    path = str(tmp_path / "night.json")
    arguments = ("simulate", MHL, "--seed", "7", "--json")
    first = ask(*arguments, "--rounds", "1e4", "--resume", path)
    assert first.document["rounds"] == 10_000
    resumed = ask(*arguments, "--rounds", "3e4", "--resume", path).document
    assert resumed["run"]["rounds"] == 20_000
    assert figures(resumed) == figures(ask(*arguments, "--rounds", "3e4").document)
    finished = ask(*arguments, "--rounds", "3e4", "--resume", path).document
    assert finished["run"] == {**finished["run"], "rounds": 0}


def interrupt_run(tmp_path: Path, *arguments: str) -> tuple[int, dict[str, Any], str]:
    """Interrupt a run as soon as its bar shows a rate; returns exit code, answer and bar."""
    terminal, child_terminal = pty.openpty()
    command = [sys.executable, "-m", "pitbook", "simulate", CMS, "--json", *arguments]
    run = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=child_terminal,
        cwd=tmp_path,
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(child_terminal)
    bar_output = b""
    while b"million/s" not in bar_output:
        bar_output += os.read(terminal, 4096)
    run.send_signal(signal.SIGINT)
    while True:
        try:
            if not (chunk := os.read(terminal, 4096)):
                break
        except OSError:  # The process has closed its end.
            break
        bar_output += chunk
    out, _ = run.communicate()
    os.close(terminal)
    return run.returncode, json.loads(out), bar_output.decode(errors="replace")


@pytest.mark.long
def test_ctrl_c_prints_partial_results_and_the_file_resumes(ask: Ask, tmp_path: Path) -> None:
    path = tmp_path / "night.json"
    code, document, bar = interrupt_run(
        tmp_path, "--rounds", "1e13", "--seed", "7", "--workers", "2", "--resume", str(path)
    )
    assert code == 130
    assert document["partial"] is True
    assert 0 < document["rounds"] < 10**13
    assert "of 10,000,000,000,000 rounds" in bar
    saved = json.loads(path.read_text())
    end = saved["totals"]["done"][-1][1]
    arguments = ("simulate", CMS, "--seed", "7", "--rounds", str(end), "--json")
    resumed = ask(*arguments, "--resume", str(path)).document
    assert figures(resumed) == figures(ask(*arguments).document)


@pytest.mark.long
def test_partial_results_are_marked_in_text(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    real = play_on

    def interrupt_run(totals: Any, rounds: int, **how: Any) -> None:
        real(totals, rounds // 2, **how)
        raise KeyboardInterrupt

    monkeypatch.setattr("pitbook.simulation.answer.play_on", interrupt_run)
    answer = ask("simulate", OMS, *FEW)
    assert answer.code == 130
    assert "Stopped before the end" in answer.out
    answer = ask("simulate", OMS, *FEW, "--resume", str(tmp_path / "night.json"))
    assert "Run the same command to continue from" in " ".join(answer.out.split())


def test_ctrl_c_before_the_first_round(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    def at_once(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pitbook.simulation.answer.play_on", at_once)
    answer = ask("simulate", OMS, *FEW, "--json")
    assert answer.code == 130
    assert answer.document == {"rounds": 0, "partial": True}
    assert "pitbook: Stopped before any rounds were finished" in answer.err


def test_progress_is_saved_during_the_run(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "night.json"
    saved_rounds: list[int] = []
    monkeypatch.setattr("pitbook.simulation.answer.SAVE_INTERVAL_S", -1)
    real = save_totals

    def keep(where: Path, totals: Any) -> None:
        saved_rounds.append(totals.rounds)
        real(where, totals)

    monkeypatch.setattr("pitbook.simulation.answer.save_totals", keep)
    assert ask("simulate", MHL, "--rounds", "1e6", "--seed", "7", "--resume", str(path)).code == 0
    assert len(saved_rounds) >= 3
    assert saved_rounds[-1] == 10**6


def test_rounds_are_written_as_parquet(ask: Ask, tmp_path: Path) -> None:
    folder = tmp_path / "rounds"
    assert ask("simulate", CMS, *FEW, "--parquet", str(folder)).code == 0
    assert [path.suffix for path in folder.iterdir()] == [".parquet"]


def test_no_progress_bar_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.progress(10) as show:
        show(5)
    assert capsys.readouterr().err == ""


REFUSED = [
    (("--seats", "9"), "This table has 1 to 6 seats, not 9"),
    (("--seed", "-1"), "The seed must be a whole number from 0 to"),
    (("--ante", "1"), "Ante of $1 is outside $5 to $500"),
    (("--side", "stax=5"), 'There is no side wager "stax"'),
    (("--strategy", "mine"), '"mine" is not a strategy'),
    (("--strategy", "best:2"), "is not a mistake rate. Write a number from 0 to 1"),
    (("--strategy", "mine.toml"), "mine.toml cannot be read"),
    (("--rounds", "0"), "rounds must be 1 to"),
    (("--rounds", "1e20"), "rounds must be 1 to"),
    (("--workers", "0"), "The number of workers must be 1 to 1,024, not 0"),
    (("--on", "ray", "--parquet", "x"), "--parquet only works on this machine. Leave out --on."),
    (("--on", "ray", "--address", "127.0.0.1:1"), "No Ray cluster answers at 127.0.0.1:1"),
    (("--resume", "no/such/folder/x.json"), "cannot be written"),
    (("--against", "no/such"), "no/such"),
]


@pytest.mark.long
@pytest.mark.parametrize(("arguments", "reason"), REFUSED, ids=lambda case: str(case)[:40])
def test_bad_input_is_refused_in_one_sentence(
    ask: Ask, arguments: tuple[str, ...], reason: str
) -> None:
    command = (
        "simulate",
        CMS,
        *(() if "--rounds" in arguments else ("--rounds", "100")),
        *arguments,
    )
    answer = ask(*command)
    assert answer.code == 1
    assert answer.out == ""
    assert reason in answer.err
    assert answer.err.count("\n") == 1
    assert reason in ask(*command, "--json").document["error"]


@pytest.mark.parametrize(
    "arguments",
    [
        *(("--rounds", text) for text in ("many", "1.5", "1e", "-5", "1.55e1")),
        *(("--on", "cloud"), ("--seats", "two"), ("--round", "-1"), ("--hands-per-hour", "0")),
    ],
    ids=" ".join,
)
def test_misuse_is_exit_2(ask: Ask, arguments: tuple[str, ...]) -> None:
    answer = ask("simulate", CMS, *arguments)
    assert answer.code == 2
    assert "Error: " in answer.err
