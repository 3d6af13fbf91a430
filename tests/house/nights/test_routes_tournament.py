"""Tournaments over HTTP: offers match accepted commands, refusals give a reason."""

from __future__ import annotations

import re

import pytest
from tests.house.nights.night_over_http import EVENT, SCHEDULE, T1, Evening, Json, one_evening  # noqa: F401  A fixture.

from pitbook.house.nights.schedule_files import read_loosely, read_schedule, samples
from pitbook.house.web.server import Server

pytestmark = pytest.mark.long

TOO_MANY_SEATS = SCHEDULE.replace("seats = 2", "seats = 8")


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ({}, "is not a valid tournament command"),
        ({"do": "set-up"}, "is not a valid tournament command"),
        ({"do": "enter"}, 'Tournament command "enter" has the fields'),
        ({"do": "enter", "player": 7}, "player: 7 must be text in quotes"),
        ({"do": "enter", "player": "a\nb"}, "must be one line of printable text"),
        ({"do": "enter", "player": "a" * 201}, "longer than 200"),
        ({"do": "eliminate", "players": "ann"}, "must be a list of up to 500 items"),
        ({"do": "eliminate", "players": [1]}, "must be text in quotes"),
        (
            {"do": "count-chips", "table": 1, "counts": [["ann", "5"]]},
            "must list players and chips, like",
        ),
        ({"do": "count-chips", "table": 1, "counts": {"ann": "x"}}, "counts:"),
        (
            {"do": "balance", "moves": [{"player": "ann"}]},
            "A move has a player, a table and a seat",
        ),
        (
            {"do": "balance", "moves": [{"player": "ann", "table": "1", "seat": 2}]},
            "must be a whole number",
        ),
        ({"do": "begin-round", "table": True}, "must be a whole number"),
    ],
)
def test_invalid_command_names_the_problem(
    evening: Evening, server: Server, command: Json, says: str
) -> None:
    evening.open_night().set_up()
    before = server.house.ledger.streams()
    answer = evening.ask(f"/{EVENT}{T1}/commands", command=command)
    assert answer.status_code == 400
    assert says in answer.json()["error"]
    assert server.house.ledger.streams() == before


def test_schedule_errors_name_their_lines(evening: Evening) -> None:
    evening.open_night()
    bad = SCHEDULE.replace("seats = 2", "seats = 99").replace('kind = "hourly"', 'kind = "daily"')
    answer = evening.ask(f"/{EVENT}/tournaments", tournament="t1", toml=bad)
    assert answer.status_code == 400
    assert re.search("Line 3: .* Line 5: ", answer.json()["error"]), answer.text


def test_file_setup_error_names_the_line(evening: Evening) -> None:
    evening.open_night()
    answer = evening.ask("/gala/tournaments", tournament="t1", toml=TOO_MANY_SEATS)
    assert answer.status_code == 400
    (finding,) = answer.json()["findings"]
    assert (finding["field"], finding["line"]) == ("seats", 5)
    assert "Line 5: oceanfront/mississippi-stud has 6 seats, not 8" in answer.json()["error"]
    assert evening.get("/gala")["tournaments"] == []


def test_form_setup_error_names_the_field(evening: Evening) -> None:
    evening.open_night()
    fields, _ = read_loosely(TOO_MANY_SEATS)
    answer = evening.ask("/gala/tournaments", tournament="t1", schedule=fields)
    assert answer.status_code == 400
    (finding,) = answer.json()["findings"]
    assert finding["field"] == "seats"
    assert evening.get("/gala")["tournaments"] == []


def test_sample_schedules_can_be_used(evening: Evening) -> None:
    schedules = evening.run(evening.client("organiser").get("/api/schedules")).json()["schedules"]
    assert schedules == samples()
    evening.open_night()
    for number, text in enumerate(schedules.values(), start=1):
        view = evening.must(f"/{EVENT}/tournaments", tournament=f"t{number}", toml=text)
        assert view["title"] == read_schedule(text).title


def test_oms_11_nothing_is_dealt_before_the_brush_has_announced(evening: Evening) -> None:
    evening.open_night().set_up("ann", "bob")
    evening.do("draw-seats")
    assert evening.refusal_of("start")["clause"] == "OMS-11"
    evening.must(f"/{EVENT}{T1}/commands", "brush", command={"do": "announce"})
    assert evening.do("start")["status"] == "playing"


def test_oms_12_a_re_buy_beyond_the_limit_is_refused_and_not_offered(evening: Evening) -> None:
    evening.open_night().start("ann", "bob")
    for _ in range(2):
        evening.do("re-buy", player="ann")
    refusal = evening.refusal_of("re-buy", player="ann")
    assert (refusal["clause"], "$150 spending limit" in refusal["message"]) == ("OMS-12", True)
    field = evening.get(f"/{EVENT}{T1}")["players"]
    reasons = {player["player"]: player["offers"]["re-buy"] for player in field}
    assert reasons == {"ann": refusal["message"], "bob": None}


def test_unknown_tournament_gives_a_readable_error(evening: Evening) -> None:
    evening.open_night().set_up()
    for path in ("", "/clock", "/clock/events", "/paper/sign-in", "/ticket?player=ann"):
        path_to_read = f"/api/nights/{EVENT}/tournaments/t2{path}"
        answer = evening.run(evening.client("organiser").get(path_to_read))
        assert answer.status_code == 404, path
        assert answer.json()["error"] == 'gala has no tournament "t2". Did you mean "t1"?'


def test_offered_commands_are_accepted_and_others_explained(evening: Evening) -> None:
    evening.open_night()
    field = evening.set_up("ann", "bob")
    offers = field["offers"]
    assert (offers["announce"], offers["enter"], offers["draw-seats"]) == (None, None, None)
    for do in ("start", "start-clock", "pause-clock", "next-level", "finish", "post-prizes"):
        assert evening.refusal_of(do)["message"] == offers[do], do
    assert field["players"][0]["offers"]["refund"] is None
    assert field["past"][0]["words"] == "Buy-in: bob"
    view = evening.do("undo", of=field["past"][0]["number"], why="bob has gone")
    assert [player["player"] for player in view["players"]] == ["ann"]


def test_withdrawn_tournament_is_gone(evening: Evening) -> None:
    evening.open_night()
    field = evening.set_up()
    withdrawn = evening.do("undo", of=field["past"][0]["number"])
    assert withdrawn["status"] == "withdrawn"
    answer = evening.run(evening.client("organiser").get(f"/api/nights/{EVENT}{T1}"))
    assert answer.status_code == 404


def test_seats_are_drawn_balanced_and_a_table_breaks(evening: Evening) -> None:
    evening.open_night()
    field = evening.start("ann", "bob", "cyd", "dan")
    assert [len(table["seats"]) for table in field["tables"]] == [2, 2]
    first = [seat["player"] for seat in field["tables"][0]["seats"]]
    field = evening.do("eliminate", players=first[:1])
    field = evening.do("eliminate", players=[field["tables"][1]["seats"][0]["player"]])
    assert field["breakable"] == 2
    field = evening.do("break-table", table=2)
    assert [len(table["seats"]) for table in field["tables"]] == [2]


def test_count_lists_players_and_chips(evening: Evening) -> None:
    evening.open_night().start("ann", "bob")
    evening.do("begin-round", table=1)
    field = evening.do("count-chips", table=1, counts={"ann": "1900", "bob": "100"})
    assert {player["player"]: player["chips"] for player in field["players"]} == {
        "ann": "1900.00",
        "bob": "100.00",
    }


def test_interruption_follows_the_house_rules(evening: Evening) -> None:
    """OMS-14: with two players left the chip count places them."""
    evening.open_night().start("ann", "bob")
    evening.do("count-chips", table=1, counts={"ann": "1900", "bob": "100"})
    result = evening.must(f"/{EVENT}/interrupted", why="power failure")
    assert result["stopped"] == [{"where": "gala.t1", "what": "finished"}]
    field = evening.get(f"/{EVENT}{T1}")
    assert {player["player"]: player["owed"] for player in field["players"]}["ann"] == "90.00"
    assert evening.get(f"/{EVENT}")["interruptions"] == ["power failure"]
