"""The hand analyzer over HTTP: decisions, starting hands, bankroll simulation, and a sheet file."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import httpx
import pytest
from tests.house.web.conftest import LoopRunner
from tests.sheets.samples import ALL_IDS

from pitbook import load
from pitbook.cards import cards
from pitbook.errors import SheetError
from pitbook.exact.advice import advise
from pitbook.money import Cents
from pitbook.sheets.edit import edit_text
from pitbook.sheets.library import BUNDLED
from pitbook.sheets.load import examine
from pitbook.sheets.pay_tables import pays_of
from pitbook.simulation.plan import plan
from pitbook.simulation.sessions.answer import find_outlook
from pitbook.simulation.sessions.session import session

STUD = "catfish-bend/mississippi-stud"


@pytest.mark.long
def test_every_game_lists_the_known_cards_of_its_decisions(
    run: LoopRunner, client: httpx.AsyncClient
) -> None:
    for name in ALL_IDS:
        document = run(client.get(f"/api/sheets/{name}/decisions")).json()
        assert document["decisions"], name
        assert all(decision["plays"] for decision in document["decisions"])
    stud = run(client.get(f"/api/sheets/{STUD}/decisions")).json()
    assert [(decision["own"], decision["common"]) for decision in stud["decisions"]] == [
        (2, 0),
        (2, 1),
        (2, 2),
    ]
    assert stud["grid"] is True


@pytest.mark.long
def test_the_grid_is_the_advice_of_each_hand(run: LoopRunner, client: httpx.AsyncClient) -> None:
    cells = run(client.get(f"/api/sheets/{STUD}/grid")).json()["cells"]
    assert len(cells) == 169
    assert len({(cell["cards"], cell["suited"]) for cell in cells}) == 169
    for place, hand in ((0, "As Ah"), (1, "As Ks"), (13, "Ks Ah"), (168, "2s 2h")):
        advice = advise(load(STUD), cards(hand))
        assert cells[place]["play"] == advice.best
        assert Fraction(cells[place]["worth"]) == advice.actions[advice.best]
    refusal = run(client.get("/api/sheets/catfish-bend/matchem-hi-lo/grid"))
    assert refusal.status_code == 422


@pytest.mark.long
def test_bankroll_simulation_matches_the_command(
    run: LoopRunner, client: httpx.AsyncClient
) -> None:
    body = {"sheet": STUD, "bankroll": "300", "hours": 1}
    document = run(client.post("/api/sheets/session", json=body)).json()
    visit = session(
        plan(load(STUD), ante=Cents(500), side={}, seats=1, strategy="best", seed=0),
        bankroll=Cents(30_000),
        hours=Fraction(1),
    )
    outlook = find_outlook(visit)
    assert document["ruin"] == pytest.approx(float(outlook.ends["ruin"].chance))
    assert float(document["mean"]) == pytest.approx(float(outlook.mean) / 100, abs=0.01)
    last = [float(quantile) * 100 for quantile in document["marks"][-1]["quantiles"]]
    assert last == list(outlook.marks[-1].quantiles)
    for wrong in ({"bankroll": "1"}, {"hours": 99}, {"bankroll": "-5"}, {"ante": "0.01"}):
        refusal = run(client.post("/api/sheets/session", json={**body, **wrong}))
        assert refusal.status_code in (400, 422), (wrong, refusal.text)


@pytest.mark.long
def test_changed_sheet_file_has_the_edits(run: LoopRunner, client: httpx.AsyncClient) -> None:
    wish: dict[str, Any] = {
        "sheet": STUD,
        "pays": {"main": {"flush": "7:1", "pair-6-10": ""}, "three-card-bonus": {"pair": "2:1"}},
        "caps": ["30000"],
    }
    file_response = run(client.post("/api/sheets/try/file", json=wish))
    assert file_response.status_code == 200, file_response.text
    read = examine(file_response.text, "changed.toml")
    assert read.sheet is not None, read.findings
    assert str(pays_of(read.sheet, "main")["flush"]) == "7:1"
    assert "pair-6-10" not in pays_of(read.sheet, "main")
    assert str(pays_of(read.sheet, "three-card-bonus")["pair"]) == "2:1"
    assert read.sheet.limits[0].pays_max == 3_000_000
    assert read.sheet.id == "changed/mississippi-stud"
    assert "CMS-12" in file_response.text
    refusal = run(
        client.post("/api/sheets/try/file", json={**wish, "pays": {"main": {"flush": "x"}}})
    )
    assert refusal.status_code == 422


@pytest.mark.long
@pytest.mark.parametrize("name", ALL_IDS)
def test_every_sheet_can_be_written_under_another_id(name: str) -> None:
    venue, game = name.split("/")
    text = (BUNDLED / venue / f"{game}.toml").read_text(encoding="utf-8")
    written = edit_text(text, load(name), f"changed/{game}")
    sheet = examine(written, "changed.toml").sheet
    assert sheet is not None
    assert all(
        pays_of(sheet, wager) == pays_of(load(name), wager) for wager in ("main", *sheet.side)
    )


def test_unwritable_sheet_is_refused() -> None:
    text = (BUNDLED / f"{STUD}.toml").read_text(encoding="utf-8")
    with pytest.raises(SheetError, match="cannot be saved"):
        edit_text(
            text.replace("[main.pays]", "[ main.pays ]"),
            _sheet_with_higher_payouts(),
            "changed/stud",
        )


def _sheet_with_higher_payouts() -> Any:
    sheet = load(STUD)
    limits = tuple(
        limit.model_copy(update={"pays_max": Cents(limit.pays_max + 1)}) for limit in sheet.limits
    )
    table = {**pays_of(sheet, "main"), "flush": pays_of(sheet, "main")["straight"]}
    main = sheet.main.model_copy(update={"pays": table})
    return sheet.model_copy(update={"limits": limits, "main": main})
