"""Clauses over HTTP: wording, place and notes; and whose limits and tables are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.house.web.conftest import LoopRunner
from tests.sheets.samples import ALL_IDS

from pitbook.house.web import sheet_cache as told_clauses
from pitbook.house.web import sheets_api as sheets
from pitbook.house.web.sheet_cache import ClauseCache
from pitbook.sheets import load
from pitbook.sheets.display_documents import clause_document
from pitbook.sheets.model import Sheet

ASSUMPTION = "Assumption: the source does not say this."
LAS, CMS = "louisiana-stud/standard", "catfish-bend/mississippi-stud"


@pytest.mark.long
def test_clause_has_wording_place_and_notes(run: LoopRunner, client: httpx.AsyncClient) -> None:
    document = run(client.get("/api/clauses/las-8", params={"sheet": LAS})).json()
    assert document["clause"] == "LAS-8"
    assert document["place"].endswith("Rules of Play, item 8; Ante & Raise Wagers")
    (rule,) = document["sheets"][0]["rules"]
    assert rule["ours"] == "Assumption, except for pair of sixes to tens."
    assert rule["notes"][0].startswith(
        "The document leaves the posted pay tables to the house (LAS-10)"
    )
    everywhere = run(client.get("/api/clauses/GEN-4")).json()
    assert everywhere["ours"] is True
    assert sorted(sheet["sheet"] for sheet in everywhere["sheets"]) == sorted(ALL_IDS)


@pytest.mark.long
def test_clause_is_rendered_once_for_the_same_sheets(
    run: LoopRunner, app: FastAPI, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rendering blocked everyone for 12 ms at each request."""
    clauses_rendered: list[str] = []

    def count_render(name: str, sheets: Sequence[Sheet]) -> dict[str, Any]:
        clauses_rendered.append(name)
        return clause_document(name, sheets)

    monkeypatch.setattr(sheets, "clause_document", count_render)
    monkeypatch.setattr(sheets, "_CLAUSES", ClauseCache(), raising=False)
    first = run(client.get("/api/clauses/GEN-1"))
    assert first.headers["content-type"] == "application/json"
    for name in ("GEN-1", "gen-1", "GEN-1%20"):
        assert run(client.get(f"/api/clauses/{name}")).json() == first.json()
    assert clauses_rendered == ["GEN-1"]
    filtered = run(client.get("/api/clauses/GEN-1", params={"sheet": CMS})).json()
    assert [sheet["sheet"] for sheet in filtered["sheets"]] == [CMS]
    load._read_cached.cache_clear()
    app.state.services.sheets._seen = None  # As if a file had changed.
    assert run(client.get("/api/clauses/GEN-1")).json() == first.json()
    assert len(clauses_rendered) == 3
    for _ in range(2):
        assert run(client.get("/api/clauses/GEN-999")).status_code == 404


def test_clause_cache_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(told_clauses, "CLAUSES_MAX", 2)
    cache = ClauseCache()
    for name in ("a", "b", "c", "a"):
        assert cache.get(name, "", [], name.upper) == name.upper()
    assert len(cache._answers) == 2


@pytest.mark.parametrize("clause", ["CMS-99", "x" * 500, "%00", "a/b"])
def test_unknown_clause_is_answered_with_a_message(
    run: LoopRunner, client: httpx.AsyncClient, clause: str
) -> None:
    answer = run(client.get(f"/api/clauses/{clause}"))
    assert answer.status_code == 404
    assert "There is no clause" in answer.json()["error"]


@pytest.mark.long
def test_figures_and_comparisons_say_whose_table_they_rest_on(
    run: LoopRunner, client: httpx.AsyncClient
) -> None:
    wager = run(client.get(f"/api/math/{LAS}", params={"wager": "three-up"})).json()
    assert wager["wagers"]["three-up"]["ours"].startswith(ASSUMPTION)
    both = run(client.get("/api/compare", params={"a": LAS, "b": CMS})).json()
    marks = both["wagers"][0]["ours"]
    assert marks["a"].startswith("Assumption in part:")
    assert marks["b"] == ""


def test_changed_row_in_the_lab_is_marked(run: LoopRunner, client: httpx.AsyncClient) -> None:
    def tables(pays: dict[str, dict[str, str]]) -> dict[str, str]:
        document = run(client.post("/api/sheets/try", json={"sheet": LAS, "pays": pays})).json()
        return {table["wager"]: table["ours"] for table in document["tables"]}

    in_part = "Assumption, except for pair of sixes to tens."
    printed = {"main": in_part, "three-up": ASSUMPTION, "stax": ASSUMPTION}
    assert tables({}) == printed
    assert tables({"three-up": {"pair": "1:1"}}) == printed
    changed = tables({"three-up": {"pair": "2:1"}})
    assert changed == {**printed, "three-up": f"{ASSUMPTION} Changed by you."}
