"""The spot explorer over HTTP: decisions, starting hands, a bankroll, and a sheet to keep."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import httpx
import pytest
from tests.house.web.conftest import Running
from tests.sheets.samples import EVERY

from pitbook import load
from pitbook.cards import cards
from pitbook.errors import SheetError
from pitbook.exact.advice import advise
from pitbook.money import Cents
from pitbook.sheets.edit import edit_text
from pitbook.sheets.library import BUNDLED
from pitbook.sheets.load import examine
from pitbook.sheets.pay_tables import pays_of
from pitbook.simulate.plan import plan
from pitbook.simulate.sessions.answer import answer
from pitbook.simulate.sessions.session import session

STUD = "catfish-bend/mississippi-stud"


@pytest.mark.long
def test_every_game_says_which_cards_its_decisions_know(
    run: Running, client: httpx.AsyncClient
) -> None:
    for name in EVERY:
        told = run(client.get(f"/api/sheets/{name}/decisions")).json()
        assert told["decisions"], name
        assert all(one["plays"] for one in told["decisions"])
    stud = run(client.get(f"/api/sheets/{STUD}/decisions")).json()
    assert [(one["own"], one["common"]) for one in stud["decisions"]] == [(2, 0), (2, 1), (2, 2)]
    assert stud["grid"] is True


@pytest.mark.long
def test_the_grid_is_the_advice_of_each_hand(run: Running, client: httpx.AsyncClient) -> None:
    cells = run(client.get(f"/api/sheets/{STUD}/grid")).json()["cells"]
    assert len(cells) == 169
    assert len({(one["cards"], one["suited"]) for one in cells}) == 169
    for place, hand in ((0, "As Ah"), (1, "As Ks"), (13, "Ks Ah"), (168, "2s 2h")):
        found = advise(load(STUD), cards(hand))
        assert cells[place]["play"] == found.best
        assert Fraction(cells[place]["worth"]) == found.actions[found.best]
    no = run(client.get("/api/sheets/catfish-bend/matchem-hi-lo/grid"))
    assert no.status_code == 422


@pytest.mark.long
def test_a_bankrolls_way_is_that_of_the_command(run: Running, client: httpx.AsyncClient) -> None:
    body = {"sheet": STUD, "bankroll": "300", "hours": 1}
    told = run(client.post("/api/sheets/session", json=body)).json()
    asked = session(
        plan(load(STUD), ante=Cents(500), side={}, seats=1, strategy="best", seed=0),
        bankroll=Cents(30_000),
        hours=Fraction(1),
    )
    outlook = answer(asked)
    assert told["ruin"] == pytest.approx(float(outlook.ends["ruin"].chance))
    assert float(told["mean"]) == pytest.approx(float(outlook.mean) / 100, abs=0.01)
    last = [float(one) * 100 for one in told["marks"][-1]["quantiles"]]
    assert last == list(outlook.marks[-1].quantiles)
    for wrong in ({"bankroll": "1"}, {"hours": 99}, {"bankroll": "-5"}, {"ante": "0.01"}):
        no = run(client.post("/api/sheets/session", json={**body, **wrong}))
        assert no.status_code in (400, 422), (wrong, no.text)


@pytest.mark.long
def test_a_changed_sheet_is_a_file_that_says_what_was_wished(
    run: Running, client: httpx.AsyncClient
) -> None:
    wish: dict[str, Any] = {
        "sheet": STUD,
        "pays": {"main": {"flush": "7:1", "pair-6-10": ""}, "three-card-bonus": {"pair": "2:1"}},
        "caps": ["30000"],
    }
    told = run(client.post("/api/sheets/try/file", json=wish))
    assert told.status_code == 200, told.text
    read = examine(told.text, "changed.toml")
    assert read.sheet is not None, read.findings
    assert str(pays_of(read.sheet, "main")["flush"]) == "7:1"
    assert "pair-6-10" not in pays_of(read.sheet, "main")
    assert str(pays_of(read.sheet, "three-card-bonus")["pair"]) == "2:1"
    assert read.sheet.limits[0].pays_max == 3_000_000
    assert read.sheet.id == "changed/mississippi-stud"
    assert "CMS-12" in told.text
    no = run(client.post("/api/sheets/try/file", json={**wish, "pays": {"main": {"flush": "x"}}}))
    assert no.status_code == 422


@pytest.mark.long
@pytest.mark.parametrize("name", EVERY)
def test_every_sheet_can_be_written_under_another_id(name: str) -> None:
    venue, game = name.split("/")
    text = (BUNDLED / venue / f"{game}.toml").read_text(encoding="utf-8")
    written = edit_text(text, load(name), f"changed/{game}")
    sheet = examine(written, "changed.toml").sheet
    assert sheet is not None
    assert all(pays_of(sheet, one) == pays_of(load(name), one) for one in ("main", *sheet.side))


def test_what_cannot_be_written_is_not() -> None:
    text = (BUNDLED / f"{STUD}.toml").read_text(encoding="utf-8")
    with pytest.raises(SheetError, match="cannot be written"):
        edit_text(text.replace("[main.pays]", "[ main.pays ]"), _dearer(), "changed/stud")


def _dearer() -> Any:
    sheet = load(STUD)
    limits = tuple(
        one.model_copy(update={"pays_max": Cents(one.pays_max + 1)}) for one in sheet.limits
    )
    table = {**pays_of(sheet, "main"), "flush": pays_of(sheet, "main")["straight"]}
    main = sheet.main.model_copy(update={"pays": table})
    return sheet.model_copy(update={"limits": limits, "main": main})
