"""The school over HTTP: drills, table tests, certificates and the class."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.drills.test_drills import game_of
from tests.house.web.conftest import BASE, NAMES, PASSWORD, LoopRunner, SignedIn
from tests.printing.pdf_reader import text as text_of

from pitbook import load
from pitbook.drills.kinds import drill
from pitbook.house.school.table_tests import recorded_game as game_of_rules
from pitbook.house.web.services import Services
from pitbook.house.web.sheet_cache import SheetCache
from pitbook.sheets.edit import change_sheet
from pitbook.sheets.library import BUNDLED

STUD = "catfish-bend/mississippi-stud"
STUD_LABEL = "Mississippi Stud, Catfish Bend Casino II"
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


def ask_question(run: LoopRunner, who: httpx.AsyncClient, **wish: Any) -> Json:
    answer = run(who.post("/api/drills/questions", json={"sheet": STUD} | wish))
    assert answer.status_code == 201, answer.text
    reply: Json = answer.json()
    return reply


def correct_answer(app: FastAPI, name: str) -> str:
    """The answer to the open question, which only the server knows."""
    services: Services = app.state.services
    question = services.school.drill_sessions.pupil(name).open
    assert question is not None
    return drill(game_of(question.sheet), question.kind, question.seed).answer or "none"


def test_kinds_of_a_sheet_are_public(run: LoopRunner, client: httpx.AsyncClient) -> None:
    kinds = run(client.get("/api/drills", params={"sheet": STUD})).json()
    assert {"kind": "shares", "title": "Payout limits"} in kinds["kinds"]
    assert kinds["facts"] == 20
    spanish = run(client.get("/api/drills", params={"sheet": STUD, "language": "es"})).json()
    assert {"kind": "shares", "title": "Límites de pago"} in spanish["kinds"]
    assert run(client.get("/api/drills", params={"sheet": "no/such"})).status_code == 404


def test_question_is_asked_answered_and_explained(
    run: LoopRunner, app: FastAPI, signed_in: SignedIn
) -> None:
    dee = signed_in("dealer")
    question = ask_question(run, dee, kinds=["pay-hand"])
    assert (question["number"], question["kind_title"]) == (1, "Pay a hand")
    assert "seed" not in str(question)
    answer = correct_answer(app, "dee")
    assert f"'{answer}'" not in str(question["question"])
    hinted = run(dee.post("/api/drills/hints", json={"number": 1})).json()
    assert hinted["clauses"][0]["clause"].startswith("CMS-")
    given = {"number": 1, "answer": answer}
    verdict = run(dee.post("/api/drills/answers", json=given)).json()
    assert (verdict["right"], verdict["answer"]) == (True, answer)
    assert verdict["reasons"][0]["clause"] in ("CMS-9", "CMS-10")
    again = run(dee.post("/api/drills/answers", json=given)).json()
    assert again == verdict
    late = run(dee.post("/api/drills/answers", json={"number": 1, "answer": "7"}))
    assert (late.status_code, "is not open" in late.json()["error"]) == (400, True)
    progress = run(dee.get("/api/drills/progress")).json()
    assert (progress["all"]["asked"], progress["all"]["right"]) == (1, 1)
    assert progress["days"][0]["asked"] == 1
    sheet = run(dee.get("/api/drills/progress", params={"format": "csv"}))
    assert sheet.headers["content-disposition"] == 'attachment; filename="dee-drills.csv"'
    assert sheet.text.splitlines()[1].split(",")[3] == "pay-hand"


def test_question_of_changed_rules_is_not_judged(
    run: LoopRunner, app: FastAPI, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    dee = signed_in("dealer")
    ask_question(run, dee, kinds=["odds"])
    services: Services = app.state.services
    other = change_sheet(load(STUD), {"main.pays.flush": "9:1"})
    monkeypatch.setattr(services.sheets, "load", lambda name, on=None: other)
    answer = run(dee.post("/api/drills/answers", json={"number": 1, "answer": "a"}))
    assert answer.status_code == 400
    assert "changed after this question was asked" in answer.json()["error"]


def test_invalid_answer_leaves_the_question_open(
    run: LoopRunner, app: FastAPI, signed_in: SignedIn
) -> None:
    dee = signed_in("dealer")
    ask_question(run, dee, kinds=["odds"])
    bad = run(dee.post("/api/drills/answers", json={"number": 1, "answer": "lots"}))
    assert (bad.status_code, "one letter" in bad.json()["error"]) == (400, True)
    good = {"number": 1, "answer": correct_answer(app, "dee")}
    assert run(dee.post("/api/drills/answers", json=good)).json()["right"]
    for wish in ({"kinds": ["pay-hnd"]}, {"kinds": ["qualifies"]}, {"goal": 0}, {"bias": "x"}):
        answer = run(dee.post("/api/drills/questions", json={"sheet": STUD} | wish))
        assert answer.status_code in (400, 422), answer.text


@pytest.mark.long
def test_timing_goal_and_error_bias_are_applied(
    run: LoopRunner, app: FastAPI, signed_in: SignedIn
) -> None:
    dee = signed_in("dealer")
    missed = ask_question(run, dee, kinds=["pay-hand"])
    wrong = {"number": 1, "answer": "0.01"}
    assert run(dee.post("/api/drills/answers", json=wrong)).json()["right"] is False
    seconds = [
        ask_question(run, dee, kinds=["odds"], **wish)["seconds"]
        for wish in ({}, {"goal": 120}, {"timed": True}, {"timed": True, "goal": 120})
    ]
    assert seconds == [None, None, 60, 30]
    again = ask_question(run, dee, kinds=["pay-hand"], bias="errors")
    assert again["question"] == missed["question"]
    given = {"number": again["number"], "answer": correct_answer(app, "dee")}
    assert run(dee.post("/api/drills/answers", json=given)).json()["right"]
    assert (
        ask_question(run, dee, kinds=["pay-hand"], bias="errors")["question"] != missed["question"]
    )
    assert run(dee.get("/api/drills/progress")).json()["left"] == 4


@pytest.mark.long
def test_packet_is_complete_and_stable_for_a_day(
    run: LoopRunner, client: httpx.AsyncClient
) -> None:
    where = {"sheet": "classic/casino-war", "language": "es"}
    first, second = (run(client.get("/api/drills/packet", params=where)).json() for _ in range(2))
    assert first == second
    assert len(first["items"]) == 36
    for item in first["items"]:
        assert item["answer_text"]
        assert item["reasons"]
    assert "Pagos de memoria" in {item["kind_title"] for item in first["items"]}


def test_guest_record_is_kept_at_sign_in(
    run: LoopRunner, app: FastAPI, client: httpx.AsyncClient
) -> None:
    guest_question = ask_question(run, client, kinds=["bounds"])
    guest = run(client.get("/api/me")).json()["name"]
    given = {"number": 1, "answer": correct_answer(app, guest)}
    assert run(client.post("/api/drills/answers", json=given)).json()["right"]
    signed = {"name": NAMES["dealer"], "password": PASSWORD}
    assert run(client.post("/api/sign-in", json=signed)).status_code == 200
    progress = run(client.get("/api/drills/progress")).json()
    assert (progress["player"], progress["all"]["asked"]) == ("dee", 1)
    own_question = ask_question(run, client, kinds=["bounds"])
    assert (own_question["number"], guest_question["number"]) == (1, 1)  # Numbers are per name,
    # so a guest's tab cannot answer it.
    late = {"number": 1, "mark": guest_question["mark"], "answer": "5"}
    refused = run(client.post("/api/drills/answers", json=late))
    assert (refused.status_code, "is not open" in refused.json()["error"]) == (400, True)
    assert run(
        client.post("/api/drills/answers", json=late | {"mark": own_question["mark"]})
    ).is_success


@pytest.mark.long
def test_school_views_use_the_house_currency(
    run: LoopRunner,
    app: FastAPI,
    signed_in: SignedIn,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    services: Services = app.state.services
    text = (BUNDLED / f"{STUD}.toml").read_text().replace(STUD, OWN)
    jurisdiction = 'jurisdiction = "Iowa"'
    (tmp_path / "stud.toml").write_text(
        text.replace(jurisdiction, f'{jurisdiction}\ncurrency = "EUR"', 1)
    )
    shelf = SheetCache([tmp_path])
    monkeypatch.setattr(services.sheets, "load", shelf.load)
    sue, dee = signed_in("supervisor"), signed_in("dealer")
    question = ask_question(run, dee, sheet=OWN, kinds=["spot-error"])
    assert question["question"]["currency"] == "EUR"
    given = {"number": 1, "answer": "0"}
    run(dee.post("/api/drills/answers", json=given))
    replies: list[Any] = [question]
    test_json = TEST | {"sheet": OWN, "kinds": ["spot-error", "pay-hand"], "questions": 2}
    test = run(sue.post("/api/table-tests", json=test_json)).json()["test"]
    paper = run(dee.post(f"/api/table-tests/{test}/attempts")).json()
    where = f"/api/attempts/{paper['attempt']}/answers"
    done = [
        run(dee.post(where, json={"position": position, "answer": answer})).json()
        for position, answer in enumerate(("0", "€1"))
    ]
    result = done[-1]["result"]["id"]
    replies += [paper, run(sue.get(f"/api/certificates/{result}/items")).json()]
    replies += [run(sue.get("/api/class")).json()["kinds"]]
    replies += [run(sue.get(f"/api/certificates/{result}/answers")).text]
    replies += [run(dee.get("/api/drills/packet", params={"sheet": OWN})).json()]
    for reply in replies:
        assert "€" in str(reply)
        assert "$" not in str(reply)


def begin_test(
    run: LoopRunner, sue: httpx.AsyncClient, dee: httpx.AsyncClient, sheet: str = STUD
) -> Json:
    created = run(sue.post("/api/table-tests", json=TEST | {"sheet": sheet}))
    assert created.status_code == 201, created.text
    begun = run(dee.post(f"/api/table-tests/{created.json()['test']}/attempts"))
    assert begun.status_code == 201, begun.text
    paper: Json = begun.json()
    return paper


def take_test(
    run: LoopRunner, app: FastAPI, dee: httpx.AsyncClient, paper: Json, wrong: int = 0
) -> Json:
    services: Services = app.state.services
    began = services.school.drill_sessions.pupil("dee").attempts[paper["attempt"]].began
    for position, (kind, seed) in enumerate(began.items):
        answer = drill(game_of_rules(began.hash, began.rules), kind, seed).answer
        if position < wrong:
            answer = {"a": "b"}.get(answer, "a") if kind == "odds" else "0.01"
        body = {"position": position, "answer": answer}
        where = f"/api/attempts/{paper['attempt']}/answers"
        paper = run(dee.post(where, json=body)).json()
    return paper


def test_test_is_composed_taken_certified_and_verified(
    run: LoopRunner, app: FastAPI, signed_in: SignedIn, client: httpx.AsyncClient
) -> None:
    sue, dee = signed_in("supervisor"), signed_in("dealer")
    paper = begin_test(run, sue, dee)
    assert (paper["position"], paper["questions"], paper["result"]) == (0, 4, None)
    assert 590 < paper["seconds_left"] <= 600
    assert run(dee.get(f"/api/attempts/{paper['attempt']}")).json()["question"] == paper["question"]
    result = take_test(run, app, dee, paper, wrong=1)["result"]
    assert (result["passed"], result["right"], result["asked"]) == (True, 3, 4)
    certificate = run(client.get(f"/api/certificates/{result['id']}")).json()
    assert (certificate["holds"], certificate["genuine"], certificate["changed"]) == (
        True,
        True,
        [],
    )
    assert certificate["sentence"] == "dee passed, and the rules have not changed since."
    assert certificate["hash"] == game_of(STUD).digest
    assert run(client.get(f"/api/certificates/{'0' * 64}")).status_code == 404
    mine = run(dee.get("/api/table-tests")).json()
    assert [result_json["id"] for result_json in mine["results"]] == [result["id"]]
    assert run(signed_in("player").get("/api/table-tests")).json()["results"] == []


@pytest.mark.long
def test_certificate_expires_with_the_rules(
    run: LoopRunner,
    app: FastAPI,
    signed_in: SignedIn,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A house edits its own sheet: the page and the paper name the changed rule."""
    services: Services = app.state.services
    file = tmp_path / "sheets" / "stud.toml"
    file.parent.mkdir()
    text = (BUNDLED / f"{STUD}.toml").read_text().replace(STUD, OWN)
    file.write_text(text)
    shelf = SheetCache([file.parent])
    monkeypatch.setattr(services.sheets, "load", shelf.load)
    sue, dee = signed_in("supervisor"), signed_in("dealer")
    result = take_test(run, app, dee, begin_test(run, sue, dee, sheet=OWN))["result"]
    where = f"/api/certificates/{result['id']}"
    file.write_text(text.replace('document = "', 'document = "Reprinted: ', 1))
    assert run(dee.get(where)).json()["holds"]  # A different wording is not a different rule.
    file.write_text(text.replace('flush = "6:1"', 'flush = "9:1"', 1))
    certificate = run(dee.get(where)).json()
    assert (certificate["holds"], certificate["sheet_title"]) == (False, "Mississippi Stud")
    assert certificate["sentence"].startswith("dee passed, but one rule has changed since")
    (change,) = certificate["changed"]
    assert change.startswith("Flush pays 6:1")
    paper = run(dee.get(f"{where}/pdf", params={"language": "es"}))
    assert paper.content.startswith(b"%PDF-")
    read = text_of(paper.content)
    address = f"{BASE}/certificate/{result['id']}"
    for part in ("dee", "Mississippi Stud", "paga 9 a 1", "Certificado", address[:20]):
        assert part in read, read
    assert read.replace(" ", "").count(address) == 2
    file.write_text("title = ")  # No longer a valid sheet.
    certificate = run(dee.get(where)).json()
    assert (certificate["holds"], certificate["venue"]) == (False, "Catfish Bend Casino II")
    assert "cannot be read" in certificate["changed"][0]


def test_test_answers_are_for_the_dealer_and_supervisors(
    run: LoopRunner, app: FastAPI, signed_in: SignedIn, client: httpx.AsyncClient
) -> None:
    sue, dee = signed_in("supervisor"), signed_in("dealer")
    result = take_test(run, app, dee, begin_test(run, sue, dee), wrong=1)["result"]
    where = f"/api/certificates/{result['id']}/answers"
    for who in (sue, dee):
        head, *rows = csv.reader(run(who.get(where)).text.splitlines())
        assert head[:3] == ["number", "kind", "question"]
        assert [row[5] for row in rows] == ["no", "yes", "yes", "yes"]
        assert all(row[2] and row[3] and row[4] for row in rows)
    assert run(signed_in("player").get(where)).status_code == 403
    assert run(client.get(where)).status_code == 401


@pytest.mark.long
def test_test_items_show_questions_as_asked(
    run: LoopRunner, app: FastAPI, signed_in: SignedIn, client: httpx.AsyncClient
) -> None:
    sue, dee = signed_in("supervisor"), signed_in("dealer")
    created = run(sue.post("/api/table-tests", json=TEST | {"kinds": ["pay-hand", "odds"]})).json()
    paper = run(dee.post(f"/api/table-tests/{created['test']}/attempts")).json()
    first = paper["question"]
    assert first["seats"][0]["cards"]
    result = take_test(run, app, dee, paper, wrong=1)["result"]
    where = f"/api/certificates/{result['id']}/items"
    items_json = run(sue.get(where)).json()
    assert items_json == run(dee.get(where)).json()
    first_item, second_item = items_json["items"][:2]
    assert (first_item["question"], first_item["kind_title"]) == (first, "Pay a hand")
    assert (first_item["right"], first_item["given_text"], first_item["answered"]) == (
        False,
        "$0.01",
        True,
    )
    assert first_item["answer_text"].startswith("$")
    assert (second_item["right"], second_item["given_text"]) == (True, second_item["answer_text"])
    spanish = run(sue.get(where, params={"language": "es"})).json()["items"][0]
    assert spanish["ask"] != first_item["ask"]
    assert spanish["question"]["seats"][0]["cards"] == first["seats"][0]["cards"]
    assert run(signed_in("player").get(where)).status_code == 403
    assert run(client.get(where)).status_code == 401


def test_failed_test_is_not_a_certificate(
    run: LoopRunner, app: FastAPI, signed_in: SignedIn, client: httpx.AsyncClient
) -> None:
    sue, dee = signed_in("supervisor"), signed_in("dealer")
    result = take_test(run, app, dee, begin_test(run, sue, dee), wrong=2)["result"]
    assert result["passed"] is False
    certificate = run(client.get(f"/api/certificates/{result['id']}")).json()
    assert (certificate["holds"], certificate["sentence"]) == (
        False,
        "dee took the test and failed.",
    )


def test_pass_mark_defaults_to_80_and_is_at_least_70(run: LoopRunner, signed_in: SignedIn) -> None:
    sue = signed_in("supervisor")
    usual = {name: field_value for name, field_value in TEST.items() if name != "pass_mark"}
    assert run(sue.post("/api/table-tests", json=usual)).json()["pass_mark"] == 80
    assert run(sue.post("/api/table-tests", json=TEST | {"pass_mark": 69})).status_code == 422
    created = run(sue.post("/api/table-tests", json=TEST | {"pass_mark": 70})).json()
    refused = run(sue.post(f"/api/table-tests/{created['test']}/attempts"))
    assert (refused.status_code, "You created this test" in refused.json()["error"]) == (400, True)


def test_withdrawn_and_invalid_tests_are_refused(run: LoopRunner, signed_in: SignedIn) -> None:
    sue, dee = signed_in("supervisor"), signed_in("dealer")
    odd = run(sue.post("/api/table-tests", json=TEST | {"kinds": ["qualifies"]}))
    assert (odd.status_code, "has no questions of the type" in odd.json()["error"]) == (400, True)
    assert run(sue.post("/api/table-tests", json=TEST | {"title": "a\nb"})).status_code == 400
    assert run(dee.post("/api/table-tests", json=TEST)).status_code == 403
    test_id = run(sue.post("/api/table-tests", json=TEST)).json()["test"]
    assert run(sue.post(f"/api/table-tests/{test_id}/withdraw")).json()["tests"] == []
    gone = run(dee.post(f"/api/table-tests/{test_id}/attempts"))
    assert (gone.status_code, "withdrawn" in gone.json()["error"]) == (400, True)
    assert run(signed_in("guest").post(f"/api/table-tests/{test_id}/attempts")).status_code == 403


def test_class_shows_progress_and_mistakes(
    run: LoopRunner, app: FastAPI, signed_in: SignedIn
) -> None:
    sue, dee = signed_in("supervisor"), signed_in("dealer")
    ask_question(run, dee, kinds=["odds"])
    wrong = {"a": "b"}.get(correct_answer(app, "dee"), "a")
    run(dee.post("/api/drills/answers", json={"number": 1, "answer": wrong}))
    take_test(run, app, dee, begin_test(run, sue, dee))
    ask_question(run, signed_in("guest"), kinds=["odds"])
    class_json = run(sue.get("/api/class")).json()
    (stands,) = class_json["people"]
    assert (stands["name"], stands["role"], stands["weakest"]) == ("dee", "dealer", "Odds by heart")
    assert stands["results"][0]["passed"] is True
    odds, bounds = class_json["kinds"]  # Worst first; what was answered in the test counts too.
    assert (odds["kind"], odds["right"], odds["asked"], odds["people"]) == ("odds", 2, 3, ["dee"])
    assert (bounds["right"], bounds["asked"], bounds["example"]) == (2, 2, None)
    example, (fact,) = odds["example"], class_json["facts"]
    assert (example["who"], example["sheet_title"]) == ("dee", STUD_LABEL)
    assert example["question"]["ask"] == fact["ask"]
    assert example["answer_text"] == fact["answer_text"] != example["given_text"]
    assert (fact["wrong"], fact["asked"], fact["people"]) == (1, 1, ["dee"])
    assert [(game_tally["title"], game_tally["asked"]) for game_tally in stands["games"]] == [
        (STUD_LABEL, 1)
    ]
    assert run(dee.get("/api/class")).status_code == 403
