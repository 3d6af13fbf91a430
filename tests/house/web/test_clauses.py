"""A clause over the wire: its wording, its place and our notes; and whose a limit or a table is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.house.web.conftest import Running
from tests.sheets.samples import EVERY

from pitbook.house.web import sheet_cache as told_clauses
from pitbook.house.web import sheets_api as sheets
from pitbook.house.web.sheet_cache import ClauseCache
from pitbook.sheets import load
from pitbook.sheets.model import Sheet
from pitbook.sheets.prose.clauses import clause_document

LAS, CMS = "louisiana-stud/standard", "catfish-bend/mississippi-stud"


@pytest.mark.long
def test_a_clause_opens_with_wording_place_and_note(
    run: Running, client: httpx.AsyncClient
) -> None:
    told = run(client.get("/api/clauses/las-8", params={"sheet": LAS})).json()
    assert told["clause"] == "LAS-8"
    assert told["place"].endswith("Rules of Play, item 8; Ante & Raise Wagers")
    (rule,) = told["sheets"][0]["rules"]
    assert rule["ours"] == "in part our choice"
    assert rule["notes"][0].startswith("LAS-10: posted tables are the house's to choose")
    everywhere = run(client.get("/api/clauses/GEN-4")).json()
    assert everywhere["ours"] is True
    assert sorted(one["sheet"] for one in everywhere["sheets"]) == sorted(EVERY)


@pytest.mark.long
def test_a_clause_is_read_aloud_once_for_the_same_sheets(
    run: Running, app: FastAPI, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It took 12 ms of everybody's, each time that anybody asked."""
    asked: list[str] = []

    def counted(name: str, given: Sequence[Sheet]) -> dict[str, Any]:
        asked.append(name)
        return clause_document(name, given)

    monkeypatch.setattr(sheets, "clause_document", counted)
    monkeypatch.setattr(sheets, "_TOLD", ClauseCache(), raising=False)
    first = run(client.get("/api/clauses/GEN-1"))
    assert first.headers["content-type"] == "application/json"
    for name in ("GEN-1", "gen-1", "GEN-1%20"):
        assert run(client.get(f"/api/clauses/{name}")).json() == first.json()
    assert asked == ["GEN-1"]
    one = run(client.get("/api/clauses/GEN-1", params={"sheet": CMS})).json()
    assert [told["sheet"] for told in one["sheets"]] == [CMS]
    load._read_cached.cache_clear()
    app.state.services.sheets._seen = None  # As where a file has changed.
    assert run(client.get("/api/clauses/GEN-1")).json() == first.json()
    assert len(asked) == 3
    for _ in range(2):
        assert run(client.get("/api/clauses/GEN-999")).status_code == 404


def test_answers_about_clauses_do_not_pile_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(told_clauses, "CLAUSES_MAX", 2)
    told = ClauseCache()
    for name in ("a", "b", "c", "a"):
        assert told.of(name, "", [], name.upper) == name.upper()
    assert len(told._kept) == 2


@pytest.mark.parametrize("clause", ["CMS-99", "x" * 500, "%00", "a/b"])
def test_an_unknown_clause_is_a_sentence(
    run: Running, client: httpx.AsyncClient, clause: str
) -> None:
    answer = run(client.get(f"/api/clauses/{clause}"))
    assert answer.status_code == 404
    assert "there is no clause" in answer.json()["error"]


@pytest.mark.long
def test_figures_and_comparisons_say_whose_table_they_rest_on(
    run: Running, client: httpx.AsyncClient
) -> None:
    wager = run(client.get(f"/api/math/{LAS}", params={"wager": "three-up"})).json()
    assert wager["wagers"]["three-up"]["ours"] == "our choice"
    both = run(client.get("/api/compare", params={"a": LAS, "b": CMS})).json()
    assert both["wagers"][0]["ours"] == {"a": "in part our choice", "b": ""}


def test_a_line_that_somebody_changes_in_the_lab_is_theirs(
    run: Running, client: httpx.AsyncClient
) -> None:
    def tables(pays: dict[str, dict[str, str]]) -> dict[str, str]:
        told = run(client.post("/api/sheets/try", json={"sheet": LAS, "pays": pays})).json()
        return {one["wager"]: one["ours"] for one in told["tables"]}

    printed = {"main": "in part our choice", "three-up": "our choice", "stax": "our choice"}
    assert tables({}) == printed
    assert tables({"three-up": {"pair": "1:1"}}) == printed
    changed = tables({"three-up": {"pair": "2:1"}})
    assert changed == {**printed, "three-up": "our choice, changed by you"}
