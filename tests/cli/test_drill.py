"""`pitbook drill`: a lesson by lines, its record, and what it refuses."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.command_line import Answer, Ask

from pitbook import load
from pitbook.cli.drill.record import AnswersOnFile, own_file
from pitbook.cli.drill.school import TerminalSchool
from pitbook.cli.play_view import GoHome
from pitbook.cli.render import console
from pitbook.errors import PitbookError
from pitbook.rules.game import compile_game
from pitbook.sheets.library import BUNDLED

STUD = "catfish-bend/mississippi-stud"


Typed = Callable[..., Answer]


@pytest.fixture
def typed(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> Typed:
    """The command with lines that are typed."""

    def run(*arguments: str, lines: str) -> Answer:
        monkeypatch.setattr("sys.stdin", io.StringIO(lines))
        return ask(*arguments)

    return run


def school(
    kept: Path | None, *answers: str, kinds: tuple[str, ...] = ("bounds",)
) -> TerminalSchool:
    left = list(answers)

    class Lines:
        def line(self, prompt: str) -> str:
            if not left:
                raise GoHome
            return left.pop(0)

        key = line

    return TerminalSchool(
        game=compile_game(load(STUD)),
        kinds=kinds,
        bias="none",
        seed="seven",
        seconds=None,
        console=console(),
        keys=Lines(),
        kept=AnswersOnFile(kept),
    )


def test_a_lesson_is_asked_judged_explained_and_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "own" / "drills.jsonl"
    lesson = school(file, "?", "five", "5", "1")
    lesson.run(2)
    told = capsys.readouterr().out
    assert "1. Limits by heart" in told
    assert "that is not an answer to this question; type an amount, as in 25 or 25.50" in told
    assert "CMS-2" not in told  # The limits are the table's own.
    assert "This is the table's own rule" in told
    assert "of 2 correct" in told
    first, second = map(json.loads, file.read_text().splitlines())
    assert (first["hints"], second["hints"]) == (1, 0)
    assert [one["given"] for one in (first, second)] == ["5.00", "1.00"]
    assert [one["right"] for one in (first, second)] == [
        one["given"] == one["wanted"] for one in (first, second)
    ]
    assert len(AnswersOnFile(file).answers()) == 2


def test_the_answers_go_into_json_and_nothing_else_on_standard_output(typed: Typed) -> None:
    options = ("--kind", "odds", "--count", "2", "--seed", "seven", "--no-keep", "--json")
    answer = typed("drill", STUD, *options, lines="a\nb\n")
    assert answer.code == 0
    found = json.loads(answer.out)
    assert (found["sheet"], found["asked"], len(found["items"])) == (STUD, 2, 2)
    for one in found["items"]:
        assert one["right"] == (one["given"] == one["answer"])
        assert one["reasons"][0]["clause"]
    again = typed("drill", STUD, *options, lines="a\nb\n")
    asked = [[one["question"] for one in json.loads(x.out)["items"]] for x in (answer, again)]
    assert asked[0] == asked[1]


def test_it_speaks_spanish(typed: Typed) -> None:
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


def test_a_house_s_own_money_is_told(typed: Typed, tmp_path: Path) -> None:
    own = 'jurisdiction = "Iowa"'
    text = (BUNDLED / f"{STUD}.toml").read_text().replace(own, f'{own}\ncurrency = "EUR"', 1)
    file = tmp_path / "own.toml"
    file.write_text(text)
    once = ("--kind", "shares", "--count", "1", "--seed", "1", "--no-keep")
    answer = typed("drill", str(file), *once, lines="€5\n")
    assert "€" in answer.out
    assert "$" not in answer.out


def test_the_kinds_of_a_sheet_are_listed(ask: Ask) -> None:
    told = json.loads(ask("drill", STUD, "--list", "--json").out)
    assert {"kind": "shares", "title": "Caps and shares"} in told["kinds"]
    assert "shares         Caps and shares" in ask("drill", STUD, "--list").out


def test_what_cannot_be_is_refused_in_a_sentence(typed: Typed, tmp_path: Path) -> None:
    none = typed("drill", STUD, "--kind", "shars", "--no-keep", lines="")
    assert (none.code, none.out) == (1, "")
    assert 'did you mean "shares"' in none.err
    odd = typed("drill", "louisiana-stud/standard", "--kind", "shares", "--no-keep", lines="")
    assert odd.code == 1
    assert "has no questions of the kind" in odd.err
    broken = tmp_path / "drills.jsonl"
    broken.write_text('{"sheet": 7}\n')
    bad = typed("drill", STUD, "--record", str(broken), lines="")
    assert bad.code == 1
    assert "line 1, is not a saved answer" in bad.err


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
def test_a_record_made_by_hand_is_refused_with_its_line(
    tmp_path: Path, change: dict[str, object] | bytes
) -> None:
    file, good = tmp_path / "drills.jsonl", json.dumps(GIVEN).encode()
    bad = change if isinstance(change, bytes) else json.dumps(GIVEN | change).encode()
    file.write_bytes(good + b"\n")
    assert len(AnswersOnFile(file).answers()) == 1
    file.write_bytes(good + b"\n" + bad + b"\n")
    with pytest.raises(PitbookError, match="line 2, is not a saved answer"):
        AnswersOnFile(file).answers()


def test_a_place_without_cards_has_no_line_and_who_stops_sees_the_tally(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lesson = school(None, *("a" for _ in range(9)), kinds=("next-step",))
    left, lines = iter(range(7)), lesson.keys.line

    def line(prompt: str) -> str:
        if next(left, None) is None:
            raise KeyboardInterrupt  # Ctrl-C in the middle of a question.
        return lines(prompt)

    lesson.keys.line = line  # type: ignore[method-assign]
    lesson.run(20)
    told = capsys.readouterr().out
    assert "of 7 correct" in told
    assert not [one for one in told.splitlines() if one.rstrip().endswith(":")]


def test_with_no_terminal_and_no_answers_there_is_one_document(typed: Typed) -> None:
    answer = typed("drill", STUD, "--no-keep", "--json", lines="")
    assert (answer.code, json.loads(answer.out)["asked"]) == (0, 0)
    misspelt = typed("drill", "catfish-bend/missisippi-stud", lines="")
    assert (misspelt.code, misspelt.out) == (1, "")
    assert 'did you mean "catfish-bend/mississippi-stud"' in misspelt.err


def test_errors_come_first_and_a_goal_is_a_time(typed: Typed, tmp_path: Path) -> None:
    kept = ("--record", str(tmp_path / "own.jsonl"), "--json", "--kind", "pay-hand")
    asked = [
        json.loads(typed("drill", STUD, *kept, *wish, "--count", "1", lines="0.01\n").out)["items"]
        for wish in ((), ("--errors",), ("--hard",))
    ]
    (missed,), (again,), (other,) = asked
    assert (again["question"], again["seed"]) == (missed["question"], missed["seed"])
    assert other["seed"] != missed["seed"]
    told = typed("drill", STUD, *kept, "--timed", "--goal", "0", lines="")
    assert told.code == 2


def test_late_answers_are_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    lesson = school(None, "5")
    lesson.seconds = -1.0
    lesson.run(1)
    assert lesson.made[0].right is False


def test_the_record_lies_where_the_system_keeps_such_things(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert own_file(None) == tmp_path / "pitbook" / "drills.jsonl"
    assert own_file("here.jsonl") == Path("here.jsonl")
