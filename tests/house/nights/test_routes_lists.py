"""Guest lists, schedule templates and results."""

from __future__ import annotations

import pytest
from tests.house.nights.gaming_date import noon_date_and_zone
from tests.house.nights.night_over_http import SCHEDULE
from tests.house.web.conftest import LoopRunner, SignedIn
from tests.house.web.live_server import Json
from tests.house.web.test_routes_tables import Player

from pitbook.house.ledger.stream_kinds import audit_of
from pitbook.house.nights import schedule_files
from pitbook.house.people.names import name_key
from pitbook.house.web.server import Server

OMS = "oceanfront/mississippi-stud"
T1 = "/api/nights/gala/tournaments/t1"


async def create_night(olga: object, *, opened: bool = False) -> None:
    async def post(path: str, **body: object) -> None:
        answer = await olga.post(path, json={"request": path, **body})  # type: ignore[attr-defined]
        assert answer.is_success, answer.text

    night = {"event": "gala", "charity": "Shelter", "licence": "NH-1", **noon_date_and_zone()}
    await post("/api/nights", **night)
    await post("/api/nights/gala/tournaments", tournament="t1", toml=SCHEDULE)
    if opened:
        await post("/api/nights/gala/open")


@pytest.mark.long
def test_players_are_imported_and_bad_lines_named(
    run: LoopRunner, server: Server, signed_in: SignedIn
) -> None:
    async def scenario() -> None:
        olga, abe = signed_in("organiser"), signed_in("auditor")
        await create_night(olga)
        server.people.persons.exclude("Una Moss", why="asked", actor="sue", until=None, zone="UTC")
        text = "name\nAnn Lee\nUna Moss\nann lee\na/b\nbob\n"
        body = {"text": text, "request": "i1"}
        assert (await abe.post(f"{T1}/import", json=body)).status_code == 403
        answer = await olga.post(f"{T1}/import", json=body)
        assert answer.status_code == 200, answer.text
        response = answer.json()
        assert response["added"] == ["Ann Lee", "bob"]
        assert [(rejected["line"], rejected["name"]) for rejected in response["wrong"]] == [
            (3, "Una Moss"),
            (5, "a/b"),
        ]
        assert response["tournament"]["registered"] == ["Ann Lee", "bob"]
        repeated = (await olga.post(f"{T1}/import", json=body)).json()
        assert (repeated["added"], repeated["known"]) == ([], ["Ann Lee", "bob"])
        empty_list = await olga.post(f"{T1}/import", json={"text": "name\n\n", "request": "i2"})
        assert (empty_list.status_code, "No names found" in empty_list.json()["error"]) == (
            400,
            True,
        )
        enter = {"command": {"do": "enter", "player": "bob"}, "request": "e"}
        assert (await olga.post(f"{T1}/commands", json=enter)).status_code == 409
        assert (await olga.post("/api/nights/gala/open", json={"request": "o"})).is_success
        entered: Json = (await olga.post(f"{T1}/commands", json=enter | {"request": "e2"})).json()
        assert entered["registered"] == ["Ann Lee"]
        assert [player["player"] for player in entered["players"]] == ["bob"]
        results = (await abe.get(f"{T1}/results")).text.splitlines()
        assert results[0] == "place,player,spent,due,paid"
        assert results[1].startswith(",bob,")
        paper = await abe.get(f"{T1}/paper/results")
        assert (paper.status_code, "bob" in paper.text) == (200, True)
        assert server.house.folder.verify(replay_of=audit_of).findings == ()

    run(scenario())


@pytest.mark.long
def test_file_that_is_not_a_list_is_refused_with_the_reason(
    run: LoopRunner, server: Server, signed_in: SignedIn
) -> None:
    many = "\n".join(f"p{n}" for n in range(10_000))
    rejected_texts = {
        many: "This list has 10000 names. A tournament list holds at most 2000 players",
        f"name\n{many}{many}\n{'x' * 100}": "This list is too long",
        "\x89PNG\r\n\x1a\n\x00\x00": "In your spreadsheet, choose Save As, CSV UTF-8, and import",
        "PK\x03\x04[Content_Types].xml": "In your spreadsheet, choose Save As, CSV UTF-8, "
        "and import",
        "name\nJos\ufffd": "In your spreadsheet, choose Save As, CSV UTF-8, and import",
        "email,phone\na@b.c,12\n": 'The first line is: "email", "phone"',
        "name,age\n,3\n": "Put them in a column named",
    }
    accepted_texts = {
        "name\n=1+1\n+1\n-2\n@SUM(A1)\nfine": (["fine"], [2, 3, 4, 5]),
        "name\nann\nANN\n ann \nａｎｎ\n": (["ann"], []),
        "name\nЖанна\n王小明\nمحمد\nаnn\nZoe\u0308\nZoë\n": (
            ["Жанна", "王小明", "محمد", "Zoe\u0308"],
            [5],
        ),
        'name\n"Lee\nbob\ncarl\n': ([], [4]),
        "name\n" + "y" * 70_000: ([], [2]),
    }

    async def scenario() -> None:
        olga = signed_in("organiser")
        await create_night(olga)

        async def import_list(number: int, text: str) -> Json:
            body = {"text": text, "request": f"i{number}"}
            response: Json = (await olga.post(f"{T1}/import", json=body)).json()
            return response

        for number, (text, why) in enumerate(rejected_texts.items()):
            response = await import_list(number, text)
            assert why in response.get("error", ""), response
        for number, (text, (names, wrong)) in enumerate(accepted_texts.items()):
            response = await import_list(100 + number, text)
            assert [name_key(added) for added in response["added"]] == [
                name_key(added) for added in names
            ], response
            assert [rejected["line"] for rejected in response["wrong"]] == wrong
        results = (await olga.get(f"{T1}/results")).text
        assert not any(line.lstrip(",")[:1] in "=+-@" for line in results.splitlines() if line)

    run(scenario())


@pytest.mark.long
def test_templates_are_limited_in_number_and_size(
    run: LoopRunner, server: Server, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schedule_files, "TEMPLATES_MAX", 8)

    async def scenario() -> None:
        olga = signed_in("organiser")

        async def save_status(name: str, toml: str = SCHEDULE) -> int:
            body = {"name": name, "toml": toml, "request": f"{name} {len(toml)}"}
            return (await olga.post("/api/schedules", json=body)).status_code

        for odd in ("\u202etsruht", "a\x00b", "x" * 61, "", "\u200b", "'; --"):
            assert await save_status(odd) in (400, 409, 422), odd
        assert await save_status("long", SCHEDULE + "#" * 20_000) in (400, 413, 422)
        for name in ("木曜日", "Четверг", "الخميس", "Jueves – ñ", "<b>", "t'; --"):
            assert await save_status(name) == 200, name
        assert [await save_status(name) for name in ("t0", "t1", "one more")] == [200, 200, 409]
        assert await save_status("t0", f"{SCHEDULE}\n") == 200  # In the place of another.
        assert len((await olga.get("/api/schedules")).json()["own"]) == 8

    run(scenario())


def test_templates_are_stored_and_prizes_previewed(
    run: LoopRunner, server: Server, signed_in: SignedIn
) -> None:
    async def scenario() -> None:
        olga, ben = signed_in("organiser"), signed_in("brush")
        keep = {"name": "Our Thursday", "toml": SCHEDULE, "request": "k"}
        assert (await ben.post("/api/schedules", json=keep)).status_code == 403
        for _ in range(2):
            response = (await olga.post("/api/schedules", json=keep)).json()
            assert response["own"] == {"Our Thursday": SCHEDULE}
        for odd in ({"name": "hourly"}, {"name": " "}, {"name": "a\nb"}, {"toml": "= 1"}):
            answer = await olga.post("/api/schedules", json=keep | {"request": "k2"} | odd)
            assert answer.status_code in (400, 409), odd
        drop = {"name": "Our Thursday", "request": "d"}
        for _ in range(2):
            assert (await olga.post("/api/schedules/drop", json=drop)).json()["own"] == {}
        drop_answer = await olga.post("/api/schedules/drop", json=drop | {"request": "d2"})
        assert drop_answer.status_code == 409
        body = {"toml": SCHEDULE, "entrants": 10}
        (prizes,) = (await olga.post("/api/schedules/read", json=body)).json()["prizes"]
        assert prizes["entrants"] == 10
        total = sum(round(100 * float(prize)) for prize in prizes["prizes"])
        assert f"{total / 100:.2f}" == prizes["prize_money"]
        wrong = {"toml": SCHEDULE.replace("seats", "seets")}
        assert (await olga.post("/api/schedules/read", json=wrong)).json()["prizes"] == []

    run(scenario())


def test_walk_in_plays_a_game_of_chance_by_name(
    run: LoopRunner, server: Server, signed_in: SignedIn
) -> None:
    async def scenario() -> None:
        olga, dee = signed_in("organiser"), Player(signed_in("dealer"), "stud-1")
        await create_night(olga, opened=True)

        async def post(path: str, **body: object) -> Json:
            answer = await olga.post(path, json={"request": path, **body})
            assert answer.is_success, answer.text
            response: Json = answer.json()
            return response

        await post("/api/nights/gala/cage/float", amount="500")
        await post("/api/nights/gala/cage/sell", player="Walt", amount="40")
        await post("/api/nights/gala/tables", table="stud-1", sheet=OMS, kind="typed")
        await dee.accept({"do": "sit", "seat": 1, "player": "walt"})
        await dee.accept({"do": "put-wager", "seat": 1, "wager": "ante", "amount": "2"})
        (seat,) = (seat_view for seat_view in (await dee.look())["seats"] if seat_view["seat"] == 1)
        assert seat["player"] == "Walt"
        guests = (await signed_in("supervisor").get("/api/pit/guests")).json()
        assert guests == {"guests": []}  # Chips of a night are the night's cage's.
        await dee.accept({"do": "undo", "seat": 1})
        await post("/api/nights/gala/cage/redeem", player="WALT", amount="40")

    run(scenario())
