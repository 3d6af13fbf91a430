"""Titles and names typed by users: readable, and never run as a formula or template."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from tests.command_line import Ask
from tests.house.web.conftest import (  # noqa: F401
    LoopRunner,
    SignedIn,
    app,
    house,
    people,
    run,
    server,
    settings,
    signed_in,
)

from pitbook.house.nights.house_rules import BUNDLED, parse_rules
from pitbook.house.nights.schedule_files import read_loosely, samples
from pitbook.house.people.names import name_error
from pitbook.text.user_input import title_error

HOSTILE = ["=1+1", "{{7*7}}", "=SUM(A1)", "@SUM(A1)", "${7*7}", "...", "\u3164", "a\tb", "  "]
READABLE = ["7", "2026", "Table 7", "-5", "Ladies' Night (2)", "¡Fiesta!", "#1", "Ünï", "Ace ♠️"]


@pytest.mark.parametrize("title", HOSTILE)
def test_hostile_title_is_refused_by_field(title: str) -> None:
    problem = title_error("charity", title)
    assert problem is not None
    assert '"charity"' in problem


@pytest.mark.parametrize("title", READABLE)
def test_readable_title_is_accepted(title: str) -> None:
    assert title_error("charity", title) is None


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_name_is_refused(name: str) -> None:
    assert name_error(name) is not None


def test_refusal_says_what_to_write_instead() -> None:
    assert title_error("title", "=1+1") == (
        '"title" is "=1+1", which a spreadsheet would run as a formula. '
        "Start it with a letter or a digit."
    )
    assert title_error("title", "***") == (
        '"title" is "***", which has no letters or digits. Enter a readable name.'
    )


@pytest.mark.parametrize("title", ["=1+1", "{{7*7}}", "..."])
def test_schedule_title_error_names_its_place(title: str) -> None:
    text = samples()["hourly"]
    line = next(line for line in text.splitlines() if line.startswith("title ="))
    assert read_loosely(text)[1] == ()
    (finding,) = read_loosely(text.replace(line, f'title = "{title}"'))[1]
    assert (finding.path, finding.quoted) == (("title",), f'title = "{title}"')


def test_house_rules_refuse_a_formula_as_name() -> None:
    text = (BUNDLED / "oceanfront.toml").read_text(encoding="utf-8")
    line = next(line for line in text.splitlines() if line.startswith("name ="))
    assert parse_rules(text, "f").findings == ()
    (finding,) = parse_rules(text.replace(line, 'name = "=1+1"', 1), "f").findings
    assert finding.path == ("house", "name")
    assert '"house.name" is "=1+1"' in finding.message


def schedule(title: str) -> str:
    text = samples()["hourly"]
    line = next(line for line in text.splitlines() if line.startswith("title ="))
    return text.replace(line, f'title = "{title}"')


NAME_FIELDS = {"name", "title", "charity", "licence", "label", "operator", "table", "tournament"}
NAME_FIELDS |= {"event", "player", "brush", "owner", "venue"}
EVENT = {"event": "gala", "licence": "7", "gaming_date": "2999-11-21", "request": "1"}


@pytest.mark.long
@pytest.mark.parametrize("title", ["=1+1", "{{7*7}}", "..."])
def test_every_route_that_takes_a_title_refuses_a_hostile_one(
    run: LoopRunner,  # noqa: F811
    signed_in: SignedIn,  # noqa: F811
    title: str,
) -> None:
    olga, sue = signed_in("organiser"), signed_in("supervisor")
    night_fields = {**EVENT, "charity": "Lions"}
    assert run(olga.post("/api/nights", json=night_fields)).status_code == 201
    night_fields |= {"event": "b", "request": "6"}

    def post(client: httpx.AsyncClient, path: str, **body: object) -> tuple[int, str]:
        answer = run(client.post(path, json=body))
        return answer.status_code, answer.text

    test = {"sheet": "catfish-bend/mississippi-stud", "kinds": ["odds"], "questions": 1}
    test |= {"pass_mark": 85, "minutes": 5}
    tournament = {"tournament": "t1", "request": "4"}
    answers = {
        "charity": post(olga, "/api/nights", **night_fields | {"charity": title}),
        "licence": post(olga, "/api/nights", **night_fields | {"licence": title}),
        "charity corrected": post(olga, "/api/nights/gala/correct", charity=title, request="2"),
        "licence corrected": post(olga, "/api/nights/gala/correct", licence=title, request="3"),
        "name": post(olga, "/api/schedules", name=title, toml=samples()["hourly"], request="5"),
        "title": post(olga, "/api/nights/gala/tournaments", **tournament, toml=schedule(title)),
        "title of a test": post(sue, "/api/table-tests", title=title, **test),
        "table of an incident": post(
            sue, "/api/incidents", told="a guest fell ill", table=title, request="7"
        ),
        "table": post(sue, "/api/tables", name=title, sheet=test["sheet"]),
    }
    for field, (status, text) in answers.items():
        assert status in (400, 409, 422), (field, status, text)
        if field != "table":
            assert f'\\"{field.split()[0]}\\" is' in text, text
    assert run(olga.get("/api/schedules")).json()["own"] == {}


TITLES = {"NewNight.charity", "NewNight.licence", "NightCorrection.charity"}
TITLES |= {
    "NightCorrection.licence",
    "NewTest.title",
    "ScheduleToSave.name",
    "IncidentReport.table",
}
PERSONS = {"Credentials.name", "Exclude.name", "NewPerson.name", "UnclaimedOwner.player"}
PERSONS |= {"PlayerChips.player", "PlayerMoney.player"}
IDS = {"NewNight.event", "NewTournament.tournament", "TableOfChance.table", "NewTable.name"}
LOOKED_UP = {"PersonChange.name", "Readmit.name", "ScheduleToDelete.name"}
LOOKED_UP |= {"SignIn.name", "ResetRequest.name"}  # Compared with stored values, not stored.


def test_every_name_field_of_a_route_is_listed(app: FastAPI) -> None:  # noqa: F811
    """A new field for a name or a title must be added to one of these sets, with a test."""
    document = app.openapi()
    bodies = {
        operation["requestBody"]["content"]["application/json"]["schema"].get("$ref", "")
        for path in document["paths"].values()
        for operation in path.values()
        if "application/json" in operation.get("requestBody", {}).get("content", {})
    }
    schemas = document["components"]["schemas"]
    names = {
        f"{body}.{field}"
        for body in (reference.rpartition("/")[2] for reference in bodies if reference)
        for field in schemas[body].get("properties", {})
        if field in NAME_FIELDS
    }
    assert names == TITLES | PERSONS | IDS | LOOKED_UP


NEW = ["night", "new", "gala", "--date", "2999-01-01", "--license", "7", "--charity", "Lions"]


@pytest.mark.parametrize(
    "command",
    [
        [*NEW, "--charity", "=1+1"],
        [*NEW, "--license", "=1+1"],
        [*NEW, "--by", "=1+1"],
        ["night", "correct", "first", "--charity", "=1+1"],
        ["audit", "export", "--operator", "=1+1"],
        ["papers", "result", "-o", "result.pdf", "--operator", "=1+1"],
        ["users", "exclude", "=1+1", "--why", "asked"],
    ],
    ids=lambda command: " ".join(command[:2] + command[-2:]),
)
def test_every_command_that_takes_a_name_refuses_a_hostile_one(
    ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert ask(*NEW[:2], "first", *NEW[3:]).code == 0
    answer = ask(*command)
    assert answer.code != 0
    assert '"=1+1"' in answer.err
    assert not (tmp_path / "result.pdf").exists()
