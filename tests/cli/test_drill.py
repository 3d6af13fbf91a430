"""`pitbook drill`: a session by lines, its record, and refusals."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.command_line import Answer, Ask

from pitbook import load
from pitbook.cli.drill_answers_file import AnswersOnFile, answers_path
from pitbook.cli.drill_session import DrillSession
from pitbook.cli.play_table import LeaveTable
from pitbook.cli.rich_output import console
from pitbook.errors import PitbookError
from pitbook.rules.game import compile_game
from pitbook.sheets.library import BUNDLED

STUD = "catfish-bend/mississippi-stud"


Typed = Callable[..., Answer]


@pytest.fixture
def typed(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> Typed:
    """The command with typed lines."""

    def run(*arguments: str, lines: str) -> Answer:
        monkeypatch.setattr("sys.stdin", io.StringIO(lines))
        return ask(*arguments)

    return run


def drill_session(
    record_path: Path | None, *answers: str, kinds: tuple[str, ...] = ("bounds",)
) -> DrillSession:
    remaining = list(answers)

    class Lines:
        def line(self, prompt: str) -> str:
            if not remaining:
                raise LeaveTable
            return remaining.pop(0)

        key = line

    return DrillSession(
        game=compile_game(load(STUD)),
        kinds=kinds,
        bias="none",
        seed="seven",
        seconds=None,
        console=console(),
        keys=Lines(),
        answers_file=AnswersOnFile(record_path),
    )


def test_session_asks_checks_explains_and_records(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "own" / "drills.jsonl"
    lesson = drill_session(file, "?", "five", "5", "1")
    lesson.run(2)
    output = capsys.readouterr().out
    assert "1. Limits by heart" in output
    assert "That answer does not fit this question. Type an amount, such as 25 or 25.50." in output
    assert "CMS-2" not in output  # The limits belong to the table, not to a document.
    assert "This is a table rule" in output
    assert "of 2 correct" in output
    first, second = map(json.loads, file.read_text().splitlines())
    assert (first["hints"], second["hints"]) == (1, 0)
    assert [record["given"] for record in (first, second)] == ["5.00", "1.00"]
    assert [record["right"] for record in (first, second)] == [
        record["given"] == record["wanted"] for record in (first, second)
    ]
    assert len(AnswersOnFile(file).answers()) == 2


def test_json_contains_the_answers_and_nothing_else_is_printed(typed: Typed) -> None:
    options = ("--kind", "odds", "--count", "2", "--seed", "seven", "--no-keep", "--json")
    answer = typed("drill", STUD, *options, lines="a\nb\n")
    assert answer.code == 0
    document = json.loads(answer.out)
    assert (document["sheet"], document["asked"], len(document["items"])) == (STUD, 2, 2)
    for result in document["items"]:
        assert result["right"] == (result["given"] == result["answer"])
        assert result["reasons"][0]["clause"]
    repeated = typed("drill", STUD, *options, lines="a\nb\n")
    questions = [
        [result["question"] for result in json.loads(x.out)["items"]] for x in (answer, repeated)
    ]
    assert questions[0] == questions[1]


def test_drill_in_spanish(typed: Typed) -> None:
    answer = typed(
        "--language",
        "es",
        "drill",
        STUD,
        "--kind",
        "bounds",
        "--count",
        "1",
        "--seed",
        "1",
        "--no-keep",
        lines="5\n",
    )
    assert "Límites de memoria" in answer.out


def test_drill_uses_the_casino_currency(typed: Typed, tmp_path: Path) -> None:
    jurisdiction_line = 'jurisdiction = "Iowa"'
    text = (
        (BUNDLED / f"{STUD}.toml")
        .read_text()
        .replace(jurisdiction_line, f'{jurisdiction_line}\ncurrency = "EUR"', 1)
    )
    file = tmp_path / "own.toml"
    file.write_text(text)
    options = ("--kind", "shares", "--count", "1", "--seed", "1", "--no-keep")
    answer = typed("drill", str(file), *options, lines="€5\n")
    assert "€" in answer.out
    assert "$" not in answer.out


def test_question_kinds_of_a_sheet_are_listed(ask: Ask) -> None:
    document = json.loads(ask("drill", STUD, "--list", "--json").out)
    assert {"kind": "shares", "title": "Payout limits"} in document["kinds"]
    assert "shares         Payout limits" in ask("drill", STUD, "--list").out


def test_invalid_options_and_records_are_refused(typed: Typed, tmp_path: Path) -> None:
    unknown_kind = typed("drill", STUD, "--kind", "shars", "--no-keep", lines="")
    assert (unknown_kind.code, unknown_kind.out) == (1, "")
    assert 'Did you mean "shares"' in unknown_kind.err
    unavailable_kind = typed(
        "drill", "louisiana-stud/standard", "--kind", "shares", "--no-keep", lines=""
    )
    assert unavailable_kind.code == 1
    assert "has no questions of the type" in unavailable_kind.err
    broken = tmp_path / "drills.jsonl"
    broken.write_text('{"sheet": 7}\n')
    broken_record = typed("drill", STUD, "--record", str(broken), lines="")
    assert broken_record.code == 1
    assert "line 1, is not a saved answer" in broken_record.err


GIVEN = {
    "sheet": STUD,
    "hash": "h",
    "kind": "odds",
    "seed": "1",
    "level": 0,
    "fact": "odds/main/flush",
    "wanted": "a",
    "given": "a",
    "right": True,
    "ms": 5,
    "hints": 0,
    "at": "2026-11-17T10:00:00.000+00:00",
}


@pytest.mark.parametrize(
    "change",
    [{"at": "yesterday"}, {"at": "2026-11-17T10:00:00"}, {"level": 10**12}, {"ms": -1}, b"\xff"],
)
def test_invalid_record_is_refused_with_its_line(
    tmp_path: Path, change: dict[str, object] | bytes
) -> None:
    file, good_line = tmp_path / "drills.jsonl", json.dumps(GIVEN).encode()
    bad_line = change if isinstance(change, bytes) else json.dumps(GIVEN | change).encode()
    file.write_bytes(good_line + b"\n")
    assert len(AnswersOnFile(file).answers()) == 1
    file.write_bytes(good_line + b"\n" + bad_line + b"\n")
    with pytest.raises(PitbookError, match="line 2, is not a saved answer"):
        AnswersOnFile(file).answers()


def test_empty_place_has_no_line_and_interrupt_prints_the_score(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lesson = drill_session(None, *("a" for _ in range(9)), kinds=("next-step",))
    countdown, lines = iter(range(7)), lesson.keys.line

    def line(prompt: str) -> str:
        if next(countdown, None) is None:
            raise KeyboardInterrupt  # Ctrl-C in the middle of a question.
        return lines(prompt)

    lesson.keys.line = line  # type: ignore[method-assign]
    lesson.run(20)
    output = capsys.readouterr().out
    assert "of 7 correct" in output
    assert not [text_line for text_line in output.splitlines() if text_line.rstrip().endswith(":")]


def test_without_a_terminal_json_is_one_document(typed: Typed) -> None:
    answer = typed("drill", STUD, "--no-keep", "--json", lines="")
    assert (answer.code, json.loads(answer.out)["asked"]) == (0, 0)
    misspelt = typed("drill", "catfish-bend/missisippi-stud", lines="")
    assert (misspelt.code, misspelt.out) == (1, "")
    assert 'Did you mean "catfish-bend/mississippi-stud"' in misspelt.err


def test_mistakes_come_first_and_goal_is_a_time(typed: Typed, tmp_path: Path) -> None:
    record_options = ("--record", str(tmp_path / "own.jsonl"), "--json", "--kind", "pay-hand")
    results = [
        json.loads(
            typed("drill", STUD, *record_options, *selection, "--count", "1", lines="0.01\n").out
        )["items"]
        for selection in ((), ("--errors",), ("--hard",))
    ]
    (missed,), (with_errors,), (with_hard,) = results
    assert (with_errors["question"], with_errors["seed"]) == (missed["question"], missed["seed"])
    assert with_hard["seed"] != missed["seed"]
    answer = typed("drill", STUD, *record_options, "--timed", "--goal", "0", lines="")
    assert answer.code == 2


def test_late_answers_are_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    lesson = drill_session(None, "5")
    lesson.seconds = -1.0
    lesson.run(1)
    assert lesson.answers[0].right is False


def test_record_is_in_the_user_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert answers_path(None) == tmp_path / "pitbook" / "drills.jsonl"
    assert answers_path("here.jsonl") == Path("here.jsonl")
