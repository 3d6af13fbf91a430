"""The dealer's school over HTTP: drills, table tests, certificates, the class."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.drills.test_drills import game_of
from tests.house.web.conftest import BASE, NAMES, PASSWORD, Running, SignedIn
from tests.papers.read_back import text as text_of

from pitbook import load
from pitbook.drills.kinds import drill
from pitbook.house.school.table_tests import game_of as game_of_rules
from pitbook.house.web.services import Services
from pitbook.house.web.sheet_cache import SheetCache
from pitbook.sheets.edit import change_sheet
from pitbook.sheets.library import BUNDLED

STUD = "catfish-bend/mississippi-stud"
STUD_CALLED = "Mississippi Stud, Catfish Bend Casino II"
OWN = "own/mississippi-stud"
Json = dict[str, Any]
TEST: Json = {
    "title": "Stud, first table",
    "sheet": STUD,
    "kinds": ["odds", "bounds"],
    "questions": 4,
    "pass_mark": 75,
    "minutes": 10,
}


def put(run: Running, who: httpx.AsyncClient, **wish: Any) -> Json:
    answer = run(who.post("/api/drills/questions", json={"sheet": STUD} | wish))
    assert answer.status_code == 201, answer.text
    found: Json = answer.json()
    return found


def right(app: FastAPI, name: str) -> str:
    """What the server alone knows: the answer to the question that is open."""
    services: Services = app.state.services
    asked = services.school.desk.pupil(name).open
    assert asked is not None
    return drill(game_of(asked.sheet), asked.kind, asked.seed).answer or "none"


def test_the_kinds_of_a_sheet_are_for_anybody(run: Running, client: httpx.AsyncClient) -> None:
    told = run(client.get("/api/drills", params={"sheet": STUD})).json()
    assert {"kind": "shares", "title": "Caps and shares"} in told["kinds"]
    assert told["facts"] == 20
    spanish = run(client.get("/api/drills", params={"sheet": STUD, "language": "es"})).json()
    assert {"kind": "shares", "title": "Topes y repartos"} in spanish["kinds"]
    assert run(client.get("/api/drills", params={"sheet": "no/such"})).status_code == 404


def test_a_question_is_put_answered_and_explained(
    run: Running, app: FastAPI, signed_in: SignedIn
) -> None:
    dee = signed_in("dealer")
    asked = put(run, dee, kinds=["pay-hand"])
    assert (asked["number"], asked["kind_title"]) == (1, "Pay a hand")
    assert "seed" not in str(asked)
    answer = right(app, "dee")
    assert f"'{answer}'" not in str(asked["question"])
    hinted = run(dee.post("/api/drills/hints", json={"number": 1})).json()
    assert hinted["clauses"][0]["clause"].startswith("CMS-")
    given = {"number": 1, "answer": answer}
    told = run(dee.post("/api/drills/answers", json=given)).json()
    assert (told["right"], told["answer"]) == (True, answer)
    assert told["reasons"][0]["clause"] in ("CMS-9", "CMS-10")
    again = run(dee.post("/api/drills/answers", json=given)).json()
    assert again == told
    late = run(dee.post("/api/drills/answers", json={"number": 1, "answer": "7"}))
    assert (late.status_code, "is not open" in late.json()["error"]) == (400, True)
    looked = run(dee.get("/api/drills/progress")).json()
    assert (looked["all"]["asked"], looked["all"]["right"]) == (1, 1)
    assert looked["days"][0]["asked"] == 1
    sheet = run(dee.get("/api/drills/progress", params={"format": "csv"}))
    assert sheet.headers["content-disposition"] == 'attachment; filename="dee-drills.csv"'
    assert sheet.text.splitlines()[1].split(",")[3] == "pay-hand"


def test_a_question_of_rules_that_have_changed_is_not_judged(
    run: Running, app: FastAPI, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    dee = signed_in("dealer")
    put(run, dee, kinds=["odds"])
    services: Services = app.state.services
    other = change_sheet(load(STUD), {"main.pays.flush": "9:1"})
    monkeypatch.setattr(services.sheets, "load", lambda name, on=None: other)
    answer = run(dee.post("/api/drills/answers", json={"number": 1, "answer": "a"}))
    assert answer.status_code == 400
    assert "have changed since this question was asked" in answer.json()["error"]


def test_what_is_no_answer_is_told_how_and_the_question_stays_open(
    run: Running, app: FastAPI, signed_in: SignedIn
) -> None:
    dee = signed_in("dealer")
    put(run, dee, kinds=["odds"])
    bad = run(dee.post("/api/drills/answers", json={"number": 1, "answer": "lots"}))
    assert (bad.status_code, "one letter" in bad.json()["error"]) == (400, True)
    good = {"number": 1, "answer": right(app, "dee")}
    assert run(dee.post("/api/drills/answers", json=good)).json()["right"]
    for wish in ({"kinds": ["pay-hnd"]}, {"kinds": ["qualifies"]}, {"goal": 0}, {"bias": "x"}):
        answer = run(dee.post("/api/drills/questions", json={"sheet": STUD} | wish))
        assert answer.status_code in (400, 422), answer.text


@pytest.mark.long
def test_wishes_act_timed_or_not_a_goal_and_errors_first(
    run: Running, app: FastAPI, signed_in: SignedIn
) -> None:
    dee = signed_in("dealer")
    missed = put(run, dee, kinds=["pay-hand"])
    wrong = {"number": 1, "answer": "0.01"}
    assert run(dee.post("/api/drills/answers", json=wrong)).json()["right"] is False
    seconds = [
        put(run, dee, kinds=["odds"], **wish)["seconds"]
        for wish in ({}, {"goal": 120}, {"timed": True}, {"timed": True, "goal": 120})
    ]
    assert seconds == [None, None, 60, 30]
    again = put(run, dee, kinds=["pay-hand"], bias="errors")
    assert again["question"] == missed["question"]
    given = {"number": again["number"], "answer": right(app, "dee")}
    assert run(dee.post("/api/drills/answers", json=given)).json()["right"]
    assert put(run, dee, kinds=["pay-hand"], bias="errors")["question"] != missed["question"]
    assert run(dee.get("/api/drills/progress")).json()["left"] == 4


@pytest.mark.long
def test_what_is_taken_along_is_whole_and_the_same_all_day(
    run: Running, client: httpx.AsyncClient
) -> None:
    where = {"sheet": "classic/casino-war", "language": "es"}
    one, two = (run(client.get("/api/drills/packet", params=where)).json() for _ in range(2))
    assert one == two
    assert len(one["items"]) == 36
    for item in one["items"]:
        assert item["answer_text"]
        assert item["reasons"]
    assert "Pagos de memoria" in {item["kind_title"] for item in one["items"]}


def test_a_guest_s_record_goes_along_at_sign_in(
    run: Running, app: FastAPI, client: httpx.AsyncClient
) -> None:
    asked = put(run, client, kinds=["bounds"])
    guest = run(client.get("/api/me")).json()["name"]
    given = {"number": 1, "answer": right(app, guest)}
    assert run(client.post("/api/drills/answers", json=given)).json()["right"]
    signed = {"name": NAMES["dealer"], "password": PASSWORD}
    assert run(client.post("/api/sign-in", json=signed)).status_code == 200
    looked = run(client.get("/api/drills/progress")).json()
    assert (looked["player"], looked["all"]["asked"]) == ("dee", 1)
    own = put(run, client, kinds=["bounds"])
    assert (own["number"], asked["number"]) == (1, 1)  # Numbers are one's own name's,
    late = {"number": 1, "mark": asked["mark"], "answer": "5"}  # but not the guest's in a tab.
    refused = run(client.post("/api/drills/answers", json=late))
    assert (refused.status_code, "is not open" in refused.json()["error"]) == (400, True)
    assert run(client.post("/api/drills/answers", json=late | {"mark": own["mark"]})).is_success


@pytest.mark.long
def test_a_house_s_own_currency_is_meant_in_all_that_is_told(
    run: Running,
    app: FastAPI,
    signed_in: SignedIn,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    services: Services = app.state.services
    text = (BUNDLED / f"{STUD}.toml").read_text().replace(STUD, OWN)
    own = 'jurisdiction = "Iowa"'
    (tmp_path / "stud.toml").write_text(text.replace(own, f'{own}\ncurrency = "EUR"', 1))
    shelf = SheetCache([tmp_path])
    monkeypatch.setattr(services.sheets, "load", shelf.load)
    sue, dee = signed_in("supervisor"), signed_in("dealer")
    asked = put(run, dee, sheet=OWN, kinds=["spot-error"])
    assert asked["question"]["currency"] == "EUR"
    given = {"number": 1, "answer": "0"}
    run(dee.post("/api/drills/answers", json=given))
    told: list[Any] = [asked]
    made = TEST | {"sheet": OWN, "kinds": ["spot-error", "pay-hand"], "questions": 2}
    test = run(sue.post("/api/table-tests", json=made)).json()["test"]
    paper = run(dee.post(f"/api/table-tests/{test}/attempts")).json()
    where = f"/api/attempts/{paper['attempt']}/answers"
    done = [
        run(dee.post(where, json={"position": position, "answer": answer})).json()
        for position, answer in enumerate(("0", "€1"))
    ]
    result = done[-1]["result"]["id"]
    told += [paper, run(sue.get(f"/api/certificates/{result}/items")).json()]
    told += [run(sue.get("/api/class")).json()["kinds"]]
    told += [run(sue.get(f"/api/certificates/{result}/answers")).text]
    told += [run(dee.get("/api/drills/packet", params={"sheet": OWN})).json()]
    for one in told:
        assert "€" in str(one)
        assert "$" not in str(one)


def begin(run: Running, sue: httpx.AsyncClient, dee: httpx.AsyncClient, sheet: str = STUD) -> Json:
    made = run(sue.post("/api/table-tests", json=TEST | {"sheet": sheet}))
    assert made.status_code == 201, made.text
    begun = run(dee.post(f"/api/table-tests/{made.json()['test']}/attempts"))
    assert begun.status_code == 201, begun.text
    paper: Json = begun.json()
    return paper


def take(run: Running, app: FastAPI, dee: httpx.AsyncClient, paper: Json, wrong: int = 0) -> Json:
    services: Services = app.state.services
    began = services.school.desk.pupil("dee").attempts[paper["attempt"]].began
    for position, (kind, seed) in enumerate(began.items):
        answer = drill(game_of_rules(began.hash, began.rules), kind, seed).answer
        if position < wrong:
            answer = {"a": "b"}.get(answer, "a") if kind == "odds" else "0.01"
        body = {"position": position, "answer": answer}
        where = f"/api/attempts/{paper['attempt']}/answers"
        paper = run(dee.post(where, json=body)).json()
    return paper


def test_a_test_is_composed_taken_certified_and_verified(
    run: Running, app: FastAPI, signed_in: SignedIn, client: httpx.AsyncClient
) -> None:
    sue, dee = signed_in("supervisor"), signed_in("dealer")
    paper = begin(run, sue, dee)
    assert (paper["position"], paper["questions"], paper["result"]) == (0, 4, None)
    assert 590 < paper["seconds_left"] <= 600
    assert run(dee.get(f"/api/attempts/{paper['attempt']}")).json()["question"] == paper["question"]
    result = take(run, app, dee, paper, wrong=1)["result"]
    assert (result["passed"], result["right"], result["asked"]) == (True, 3, 4)
    told = run(client.get(f"/api/certificates/{result['id']}")).json()
    assert (told["holds"], told["genuine"], told["changed"]) == (True, True, [])
    assert told["sentence"] == "dee passed, and the rules have not changed since."
    assert told["hash"] == game_of(STUD).digest
    assert run(client.get(f"/api/certificates/{'0' * 64}")).status_code == 404
    mine = run(dee.get("/api/table-tests")).json()
    assert [one["id"] for one in mine["results"]] == [result["id"]]
    assert run(signed_in("player").get("/api/table-tests")).json()["results"] == []


@pytest.mark.long
def test_a_certificate_expires_with_the_rules(
    run: Running,
    app: FastAPI,
    signed_in: SignedIn,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A house changes its own file: the page and the paper say which rule, and not another."""
    services: Services = app.state.services
    file = tmp_path / "sheets" / "stud.toml"
    file.parent.mkdir()
    text = (BUNDLED / f"{STUD}.toml").read_text().replace(STUD, OWN)
    file.write_text(text)
    shelf = SheetCache([file.parent])
    monkeypatch.setattr(services.sheets, "load", shelf.load)
    sue, dee = signed_in("supervisor"), signed_in("dealer")
    result = take(run, app, dee, begin(run, sue, dee, sheet=OWN))["result"]
    where = f"/api/certificates/{result['id']}"
    file.write_text(text.replace('document = "', 'document = "Reprinted: ', 1))
    assert run(dee.get(where)).json()["holds"]  # Another wording is no other rule.
    file.write_text(text.replace('flush = "6:1"', 'flush = "9:1"', 1))
    told = run(dee.get(where)).json()
    assert (told["holds"], told["sheet_title"]) == (False, "Mississippi Stud")
    assert told["sentence"].startswith("dee passed, but one rule has changed since")
    (change,) = told["changed"]
    assert change.startswith("Flush pays 6:1")
    paper = run(dee.get(f"{where}/pdf", params={"language": "es"}))
    assert paper.content.startswith(b"%PDF-")
    read = text_of(paper.content)
    address = f"{BASE}/certificate/{result['id']}"
    for part in ("dee", "Mississippi Stud", "paga 9 a 1", "Certificado", address[:20]):
        assert part in read, read
    assert read.replace(" ", "").count(address) == 2
    file.write_text("title = ")  # No sheet any more.
    told = run(dee.get(where)).json()
    assert (told["holds"], told["venue"]) == (False, "Catfish Bend Casino II")
    assert "cannot be read" in told["changed"][0]


def test_the_answers_of_a_test_are_for_who_took_it_and_who_supervises(
    run: Running, app: FastAPI, signed_in: SignedIn, client: httpx.AsyncClient
) -> None:
    sue, dee = signed_in("supervisor"), signed_in("dealer")
    result = take(run, app, dee, begin(run, sue, dee), wrong=1)["result"]
    where = f"/api/certificates/{result['id']}/answers"
    for who in (sue, dee):
        head, *rows = csv.reader(run(who.get(where)).text.splitlines())
        assert head[:3] == ["number", "kind", "question"]
        assert [row[5] for row in rows] == ["no", "yes", "yes", "yes"]
        assert all(row[2] and row[3] and row[4] for row in rows)
    assert run(signed_in("player").get(where)).status_code == 403
    assert run(client.get(where)).status_code == 401


@pytest.mark.long
def test_every_question_of_a_test_is_shown_as_it_was_put(
    run: Running, app: FastAPI, signed_in: SignedIn, client: httpx.AsyncClient
) -> None:
    sue, dee = signed_in("supervisor"), signed_in("dealer")
    made = run(sue.post("/api/table-tests", json=TEST | {"kinds": ["pay-hand", "odds"]})).json()
    paper = run(dee.post(f"/api/table-tests/{made['test']}/attempts")).json()
    first = paper["question"]
    assert first["seats"][0]["cards"]
    result = take(run, app, dee, paper, wrong=1)["result"]
    where = f"/api/certificates/{result['id']}/items"
    told = run(sue.get(where)).json()
    assert told == run(dee.get(where)).json()
    one, two = told["items"][:2]
    assert (one["question"], one["kind_title"]) == (first, "Pay a hand")
    assert (one["right"], one["given_text"], one["answered"]) == (False, "$0.01", True)
    assert one["answer_text"].startswith("$")
    assert (two["right"], two["given_text"]) == (True, two["answer_text"])
    spanish = run(sue.get(where, params={"language": "es"})).json()["items"][0]
    assert spanish["ask"] != one["ask"]
    assert spanish["question"]["seats"][0]["cards"] == first["seats"][0]["cards"]
    assert run(signed_in("player").get(where)).status_code == 403
    assert run(client.get(where)).status_code == 401


def test_a_failed_test_is_no_certificate(
    run: Running, app: FastAPI, signed_in: SignedIn, client: httpx.AsyncClient
) -> None:
    sue, dee = signed_in("supervisor"), signed_in("dealer")
    result = take(run, app, dee, begin(run, sue, dee), wrong=2)["result"]
    assert result["passed"] is False
    told = run(client.get(f"/api/certificates/{result['id']}")).json()
    assert (told["holds"], told["sentence"]) == (False, "dee took the test and failed.")


def test_a_pass_mark_is_eighty_unless_said_and_seventy_at_least(
    run: Running, signed_in: SignedIn
) -> None:
    sue = signed_in("supervisor")
    usual = {name: one for name, one in TEST.items() if name != "pass_mark"}
    assert run(sue.post("/api/table-tests", json=usual)).json()["pass_mark"] == 80
    assert run(sue.post("/api/table-tests", json=TEST | {"pass_mark": 69})).status_code == 422
    made = run(sue.post("/api/table-tests", json=TEST | {"pass_mark": 70})).json()
    own = run(sue.post(f"/api/table-tests/{made['test']}/attempts"))
    assert (own.status_code, "you composed this test" in own.json()["error"]) == (400, True)


def test_tests_are_withdrawn_and_refused_in_sentences(run: Running, signed_in: SignedIn) -> None:
    sue, dee = signed_in("supervisor"), signed_in("dealer")
    odd = run(sue.post("/api/table-tests", json=TEST | {"kinds": ["qualifies"]}))
    assert (odd.status_code, "has no questions of the kind" in odd.json()["error"]) == (400, True)
    assert run(sue.post("/api/table-tests", json=TEST | {"title": "a\nb"})).status_code == 400
    assert run(dee.post("/api/table-tests", json=TEST)).status_code == 403
    made = run(sue.post("/api/table-tests", json=TEST)).json()["test"]
    assert run(sue.post(f"/api/table-tests/{made}/withdraw")).json()["tests"] == []
    gone = run(dee.post(f"/api/table-tests/{made}/attempts"))
    assert (gone.status_code, "withdrawn" in gone.json()["error"]) == (400, True)
    assert run(signed_in("guest").post(f"/api/table-tests/{made}/attempts")).status_code == 403


def test_the_class_says_who_stands_where_and_what_goes_wrong(
    run: Running, app: FastAPI, signed_in: SignedIn
) -> None:
    sue, dee = signed_in("supervisor"), signed_in("dealer")
    put(run, dee, kinds=["odds"])
    wrong = {"a": "b"}.get(right(app, "dee"), "a")
    run(dee.post("/api/drills/answers", json={"number": 1, "answer": wrong}))
    take(run, app, dee, begin(run, sue, dee))
    put(run, signed_in("guest"), kinds=["odds"])
    told = run(sue.get("/api/class")).json()
    (stands,) = told["people"]
    assert (stands["name"], stands["role"], stands["weakest"]) == ("dee", "dealer", "Odds by heart")
    assert stands["results"][0]["passed"] is True
    odds, bounds = told["kinds"]  # Worst first; what was answered in the test counts too.
    assert (odds["kind"], odds["right"], odds["asked"], odds["people"]) == ("odds", 2, 3, ["dee"])
    assert (bounds["right"], bounds["asked"], bounds["example"]) == (2, 2, None)
    example, (fact,) = odds["example"], told["facts"]
    assert (example["who"], example["sheet_title"]) == ("dee", STUD_CALLED)
    assert example["question"]["ask"] == fact["ask"]
    assert example["answer_text"] == fact["answer_text"] != example["given_text"]
    assert (fact["wrong"], fact["asked"], fact["people"]) == (1, 1, ["dee"])
    assert [(one["title"], one["asked"]) for one in stands["games"]] == [(STUD_CALLED, 1)]
    assert run(dee.get("/api/class")).status_code == 403
