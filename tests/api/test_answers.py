"""Answers of the Python functions equal those of the commands: document, text and errors."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import NoneType
from typing import Any

import pytest
from tests.command_line import Ask, ask
from tests.sheets.samples import CMS, LAS, MHL, OMS

import pitbook
from pitbook.answer_tables import ROWS_SHOWN
from pitbook.sheets.hashes import digest

__all__ = ["ask"]

ROUND: dict[str, Any] = {
    "sheet": CMS,
    "community": ["Qs", "Js", "Ts"],
    "seats": [
        {"seat": 1, "wagers": {"ante": "10"}, "cards": ["As", "Ks"], "play": ["3x"] * 3},
        {"seat": 2, "player": "bob", "wagers": {"ante": "5"}, "play": ["fold"]},
    ],
}
CELLS = (str, int, float, Fraction, Decimal, NoneType)
ASKED: dict[str, tuple[Callable[[], Any], tuple[str, ...]]] = {
    "figures": (lambda: pitbook.figures(OMS), ("math", OMS)),
    "figures of a round": (
        lambda: pitbook.figures(MHL, ante="10", side={"poker-bonus": "5"}),
        ("math", MHL, "--ante", "10", "--side", "poker-bonus=5"),
    ),
    "figures of a strategy": (
        lambda: pitbook.figures(OMS, strategy="never-3x"),
        ("math", OMS, "--strategy", "never-3x"),
    ),
    "advice": (
        lambda: pitbook.advice(CMS, "6h5h", "7h", bets=["1x"], ante="10", dead="8c9d"),
        (
            *("advise", CMS, "--cards", "6h 5h", "--community", "7h", "--bets", "1x"),
            *("--ante", "10", "--dead", "8c 9d"),
        ),
    ),
    "advice in hi-lo": (
        lambda: pitbook.advice(MHL, ["Ah", "4d", "7c"]),
        ("advise", MHL, "--cards", "Ah 4d 7c"),
    ),
    "strategy": (
        lambda: pitbook.strategy(OMS, "always-1x", street="3rd-street"),
        ("strategy", OMS, "--name", "always-1x", "--street", "3rd-street"),
    ),
    "strategy in hi-lo": (lambda: pitbook.strategy(MHL), ("strategy", MHL)),
    "compare": (lambda: pitbook.compare(CMS, OMS), ("compare", CMS, OMS)),
    "session": (
        lambda: pitbook.session(MHL, "90", 0.5, goal="60"),
        ("session", MHL, "--bankroll", "90", "--hours", "0.5", "--goal", "60"),
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("name", ASKED)
def test_answers_match_the_command(name: str, ask: Ask) -> None:
    answer, command = ASKED[name][0](), ASKED[name][1]
    assert hash(answer) == hash(copy.copy(answer))
    assert json.loads(json.dumps(answer.document())) == ask(*command, "--json").document
    assert "\n" not in repr(answer)


@pytest.mark.long
@pytest.mark.parametrize("name", ASKED)
def test_answers_have_records_and_tables(name: str) -> None:
    """Rows are flat and exact; floats are given on request, for Arrow and Polars."""
    answer = ASKED[name][0]()
    records = answer.records()
    assert records
    assert {tuple(record) for record in records} == {tuple(records[0])}
    cells = [cell for record in records for cell in record.values()]
    assert all(isinstance(cell, CELLS) for cell in cells)
    floats = [cell for record in answer.records(exact=False) for cell in record.values()]
    assert not any(isinstance(cell, Fraction) for cell in floats)
    row_count = min(len(records), ROWS_SHOWN)
    assert answer._repr_html_().count("<tr>") == row_count + 1
    assert len(str(answer).splitlines()) > row_count


@pytest.mark.long
def test_simulation_matches_the_command(ask: Ask) -> None:
    played = pitbook.simulate(OMS, "2e4", seed=7, check=True)
    document = ask("simulate", OMS, "--rounds", "2e4", "--seed", "7", "--check", "--json").document
    assert {**played.document(), "run": 0} == {**document, "run": 0}
    assert (played.rounds, played.seed, played.agrees) == (20_000, 7, True)
    assert sum(row.count for row in played.outcomes) == 20_000
    assert "20,000 rounds of" in str(played)


@pytest.mark.long
def test_simulation_continues_is_checked_and_replays_a_round(ask: Ask, tmp_path: Path) -> None:
    save_file, other = tmp_path / "kept.json", pitbook.changed(OMS, {"main.pays.two-pair": "1:1"})
    pitbook.simulate(OMS, 10_000, seed=7, resume=save_file)
    played = pitbook.simulate(OMS, 20_000, seed=7, resume=save_file, against=other)
    assert (played.rounds, played.agrees) == (20_000, False)
    assert played.outcomes == pitbook.simulate(OMS, 20_000, seed=7).outcomes
    file = tmp_path / "round.json"
    file.write_text(ask("simulate", OMS, "--seed", "7", "--round", "41").out, encoding="utf-8")
    assert played.round(41) == pitbook.settle(file)
    for wrong, sentence in (
        (lambda: played.round(-1), "round: -1 is negative. Rounds are numbered from 0."),
        (lambda: pitbook.settle(tmp_path / "none.json"), "does not exist"),
        (lambda: untyped.simulate(OMS, on="cloud"), 'on: "cloud" is not a place to run. '),
        (lambda: untyped.simulate(OMS, on="ray", parquet="x"), "Remove the argument on."),
    ):
        with pytest.raises(pitbook.PitbookError, match=re.escape(sentence)):
            wrong()


@pytest.mark.long
def test_edited_sheet_has_its_own_figures_play_and_advice() -> None:
    changed_sheets = [pitbook.changed(OMS, {"main.pays.flush": f"{pay}:1"}) for pay in (6, 7, 8)]
    edges = [pitbook.figures(sheet, wager="main").house_edge for sheet in changed_sheets]
    assert edges == sorted(set(edges), reverse=True)
    assert pitbook.figures(OMS).house_edge == edges[0]
    spots = [pitbook.advice(sheet, "6h5h", "7h", bets="1x").value for sheet in changed_sheets]
    assert spots == sorted(set(spots))
    assert pitbook.simulate(changed_sheets[2], 20_000, seed=7, check=True).agrees
    assert len({repr(pitbook.figures(sheet)) for sheet in changed_sheets}) == 3


def test_figures_are_typed_and_frozen() -> None:
    sheet_figures = pitbook.figures(CMS, ante="50")
    main = sheet_figures["main"]
    assert sheet_figures.house_edge == main.house_edge == -main.expected == -sheet_figures.expected
    assert main.element_of_risk == main.house_edge / main.average_wager
    assert sum(row.count for row in main.outcomes) == main.rounds
    assert sum(row.contribution for row in main.outcomes) == main.expected
    assert sheet_figures.assumptions["ante"] == "50.00"
    assert copy.deepcopy(sheet_figures) == sheet_figures == pitbook.figures(CMS, ante="50.00")
    sheet_figures.document()["wagers"].clear()
    assert sheet_figures.document()["wagers"]
    for answer, name in ((sheet_figures, "hash"), (main, "expected"), (main.outcomes[0], "count")):
        with pytest.raises(AttributeError):
            setattr(answer, name, 1)
    with pytest.raises(pitbook.PitbookError):
        sheet_figures.wagers["main"] = main  # type: ignore[index]


def test_strategy_gives_rows_and_records() -> None:
    best = pitbook.strategy(CMS, street="flop")
    aces = next(row for row in best.rows if row.cards == "A A")
    assert (aces.street, aces.units, aces.play, aces.reached) == ("flop", 1, "3x", True)
    assert len(best.rows) == len(best.records()) == 169
    assert best.records()[0]["worth"] == best.rows[0].worth
    assert best.records(exact=False)[0]["worth"] == float(best.rows[0].worth)
    assert best.simpler["never-3x"] == pitbook.strategy(CMS, "never-3x", street="flop").cost


def test_a_round_is_settled_and_replayed(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "round.json"
    file.write_text(json.dumps(ROUND), encoding="utf-8")
    settled = pitbook.settle(ROUND)
    assert settled == pitbook.settle(json.dumps(ROUND)) == pitbook.settle(file)
    assert settled.document() == ask("settle", str(file), "--json").document
    ann, bob = settled.seats
    assert (str(ann.net), bob.player, str(bob.net)) == ("25000.00", "bob", "-5.00")
    assert settled.house_net == -(ann.net + bob.net)
    assert sum(line.wins for line in ann.lines) == ann.wins
    assert [record["odds"] for record in settled.records()][:2] == ["500:1"] * 2
    stored = settled.stored()
    again = pitbook.replay(json.dumps(stored))
    assert again == settled == pitbook.replay(ROUND)
    file.write_text(json.dumps(stored), encoding="utf-8")
    assert list(again.transcript) == ask("rounds", "replay", str(file)).out.splitlines()


def test_a_settled_round_lists_the_limits_that_applied() -> None:
    """CMS-12 limits the payouts at 100 to 1 or more to $25,000 for the table."""
    seat = {**ROUND["seats"][0], "wagers": {"ante": "50"}}
    settled = pitbook.settle({**ROUND, "seats": [seat]})
    (limit,) = settled.limits
    assert (limit.clause, limit.seat) == ("CMS-12", None)
    assert (limit.due, limit.paid) == (Decimal(250_000), Decimal(25_000))
    assert settled.notes == ()


def test_round_is_settled_by_a_given_sheet() -> None:
    other = pitbook.changed(CMS, {"main.pays.royal-flush": "100:1"})
    within = pitbook.settle({**ROUND, "sheet": other})
    assert within == pitbook.settle(ROUND, sheet=other)
    assert within == pitbook.settle({**ROUND, "sheet": "no/such"}, sheet=other)
    assert within.hash == digest(other)
    assert pitbook.replay(within.stored()) == within


@pytest.mark.long
def test_sheets_are_listed(tmp_path: Path, ask: Ask) -> None:
    listed = pitbook.list_sheets()
    listed_documents = ask("sheets", "list", "--json").document["sheets"]
    assert [
        (listed_sheet.id, listed_sheet.hash, list(listed_sheet.wagers)) for listed_sheet in listed
    ] == [
        (listed_document["id"], listed_document["hash"], list(listed_document["wagers"]))
        for listed_document in listed_documents
    ]
    assert all(listed_sheet.id in str(listed) for listed_sheet in listed)
    assert listed.ids == tuple(pitbook.load(sheet_id).id for sheet_id in listed.ids)
    assert listed.records()[0]["wagers"] == "bet matchem-bonus poker-bonus"
    text = listed[0].file.read_text(encoding="utf-8")
    (tmp_path / "own.toml").write_text(text.replace(MHL, "our-hall/hi-lo"), encoding="utf-8")
    assert "our-hall/hi-lo" in pitbook.list_sheets(tmp_path).ids
    assert pitbook.figures(tmp_path / "own.toml").sheet == "our-hall/hi-lo"


@pytest.mark.long
def test_plots_are_written_to_files_or_returned(tmp_path: Path) -> None:
    sheet_figures = pitbook.figures(OMS)
    assert sheet_figures.plot(tmp_path / "a.svg") == tmp_path / "a.svg"
    assert (tmp_path / "a.svg").read_bytes().startswith(b"<?xml")
    grid = pitbook.strategy(OMS).plot()
    fan = pitbook.session(MHL, "90", 0.5).plot()
    assert {type(grid).__name__, type(fan).__name__} == {"Figure"}


def test_sheet_names_are_escaped_in_notebooks_and_terminals() -> None:
    sheet = pitbook.changed(OMS, {"title": "<script>alert(1)</script>"})
    page = pitbook.figures(sheet, wager="main")._repr_html_()
    assert "<script" not in page
    with pytest.raises(pitbook.PitbookError, match="an invisible character"):
        pitbook.changed(OMS, {"title": "Stud\x1b[31m"})


untyped: Any = pitbook  # A type checker would refuse these arguments.
REFUSED: list[tuple[Callable[[], Any], str]] = [
    (lambda: untyped.load("catfish"), 'There is no sheet "catfish"'),
    (lambda: untyped.load(7), "7 is not a sheet. Give an id, an id@date or a path."),
    (
        lambda: untyped.load(OMS, "2014-01-01"),
        "Other rules applied on 2014-01-01, but they are not known (OMS-6)",
    ),
    (lambda: untyped.load(OMS, "May"), '"May" is not a date. Write it like 2018-03-12.'),
    (lambda: untyped.figures("nowhere/stud"), 'There is no sheet "nowhere/stud"'),
    (
        lambda: untyped.figures(None),
        "null is not a sheet. Give an id, a path or a",
    ),
    (lambda: untyped.figures(("a", "b")), "is not a sheet. Give an id"),
    (
        lambda: untyped.figures(OMS, ante=3),
        "ante: 3 is not an amount.",
    ),
    (lambda: untyped.figures(OMS, ante="$3"), 'ante: "$3" is not an amount'),
    (lambda: untyped.figures(OMS, ante="9"), "Ante of $9 is outside $2 to $4"),
    (lambda: untyped.figures(OMS, wager="stax"), 'There is no wager "stax". Did you mean "main"?'),
    (lambda: untyped.figures(OMS)["stax"], 'There is no wager "stax". Did you mean "main"?'),
    (lambda: untyped.figures(LAS, side={"stx": "5"}), 'no side wager "stx". Did you mean "stax"?'),
    (
        lambda: untyped.figures(LAS, side="stax=5"),
        'side: "stax=5" is not a dict of bets.',
    ),
    (lambda: untyped.figures(LAS, side={"stax": 5}), "side stax: 5 is not an amount."),
    (lambda: untyped.figures(OMS, seats=9), "This table has 1 to 6 seats, not 9"),
    (lambda: untyped.figures(OMS, seats="2"), 'seats: "2" is not a whole number.'),
    (lambda: untyped.figures(OMS, strategy="nver"), '"nver" is not a strategy.'),
    (lambda: untyped.figures(OMS).plot(kind="pie"), 'There is no plot "pie". Use one of'),
    (lambda: untyped.figures(OMS).plot("a.gif"), '"a.gif" does not end in .svg, .png or .pdf'),
    (lambda: untyped.advice(CMS, "AsXd"), 'cards: "AsXd" is not a card; write rank and suit'),
    (lambda: untyped.advice(CMS, (12, 11)), 'Write cards as text, such as "As Kd".'),
    (lambda: untyped.advice(CMS, "AsAs"), "As is listed 2 times, but one deck has it once"),
    (lambda: untyped.advice(CMS, "As"), "A player has 2 cards, not 1."),
    (
        lambda: untyped.advice(CMS, "AsKd", "7h"),
        "Flop bet needs 0 community cards after 0 bets, not 1",
    ),
    (lambda: untyped.advice(CMS, "AsKd", "7h", bets="9x"), '"9x" is not a bet on Flop bet'),
    (
        lambda: untyped.advice(CMS, "AsKd", bets=1),
        "bets: 1 is not a list of bets.",
    ),
    (lambda: untyped.advice(CMS, "AsKd").cost("4x"), 'There is no play "4x". Use one of'),
    (lambda: untyped.strategy(CMS, 3), "name: 3 is not text."),
    (lambda: untyped.strategy(CMS, street="flp"), 'no street "flp". Did you mean "flop"?'),
    (lambda: untyped.compare(CMS, OMS, ante="10"), f"{OMS}: Ante of $10 is outside $2 to $4"),
    (lambda: untyped.compare(CMS, OMS)["stax"], 'There is no wager "stax"'),
    (lambda: untyped.simulate(CMS, "many"), 'rounds: "many" is not a number of rounds. Write'),
    (lambda: untyped.simulate(CMS, 1.5), "rounds: 1.5 is not a number of rounds"),
    (lambda: untyped.simulate(CMS, None), "rounds: null is not a number of rounds"),
    (lambda: untyped.simulate(CMS, 0), "rounds must be 1 to "),
    (lambda: untyped.simulate(CMS, seed=-1), "The seed must be a whole number from 0"),
    (lambda: untyped.simulate(CMS, seed="7"), 'seed: "7" is not a whole number.'),
    (lambda: untyped.session(CMS, "500", "long"), 'hours: "long" is not a number of hours'),
    (lambda: untyped.session(CMS, 500, 1), "bankroll: 500 is not an amount."),
    (lambda: untyped.session(CMS, "5", 1), "A bankroll of $5 is too small"),
    (lambda: untyped.session(CMS, "500", 1, goal="0"), "The goal must be above zero"),
    (lambda: untyped.settle(("a", "b")), "the file must be an object"),
    (lambda: untyped.settle({"sheet": CMS}), "seats is missing"),
    (lambda: untyped.settle({"sheet": {1, 2}}), "This JSON does not describe a round."),
    (lambda: untyped.settle("{"), "not valid JSON"),
    (lambda: untyped.replay(3), "the file must be an object, not 3"),
    (lambda: untyped.replay({"sheet": 1, "actions": []}), "the stored sheet has no body"),
    (lambda: untyped.list_sheets("nowhere"), "nowhere is not a folder of rule sheets."),
]


@pytest.mark.parametrize("place", range(len(REFUSED)))
def test_invalid_arguments_are_refused_with_a_sentence(place: int) -> None:
    call, sentence = REFUSED[place]
    with pytest.raises(pitbook.PitbookError) as refused:
        call()
    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    ("call", "command"),
    [
        (lambda: pitbook.figures("x/y"), ("math", "x/y")),
        (lambda: pitbook.advice(CMS, "Zz"), ("advise", CMS, "--cards", "Zz")),
        (lambda: pitbook.advice(CMS, "As"), ("advise", CMS, "--cards", "As")),
        (lambda: pitbook.figures(OMS, ante="3.5"), ("math", OMS, "--ante", "3.5")),
        (lambda: pitbook.figures(OMS, wager="x"), ("math", OMS, "--wager", "x")),
        (lambda: pitbook.strategy(OMS, "x"), ("strategy", OMS, "--name", "x")),
        (lambda: pitbook.simulate(OMS, seats=9), ("simulate", OMS, "--seats", "9")),
    ],
)
def test_refusals_match_the_command(call: Any, command: tuple[str, ...], ask: Ask) -> None:
    with pytest.raises(pitbook.PitbookError) as refused:
        call()
    message = ask(*command).err.removeprefix("pitbook: ").strip().replace("--", "")
    assert message.rstrip(".") == str(refused.value).rstrip(".")
