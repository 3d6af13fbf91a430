"""Papers over the network: listed, read and as PDF, by whoever may read the rules."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
from tests.house.web.conftest import Running
from tests.house.web.test_routes_sheets import asked

from pitbook.house.web import jobs as sums
from pitbook.papers.content import FIGURED

pytestmark = pytest.mark.long

STUD = "catfish-bend/mississippi-stud"


def test_papers_are_listed_read_and_fetched(run: Running, client: httpx.AsyncClient) -> None:
    told = asked(run, client, f"/api/papers/{STUD}").json()
    names = [one["id"] for one in told["papers"]]
    assert names == [
        "rules",
        "report",
        "rack-card",
        "sign",
        "strategy-card",
        "dealer-card",
        "layout",
    ]
    assert told["papers"][0]["title"] == "Rules of the game"
    assert [one["id"] for one in told["papers"] if one["figures"]] == [*FIGURED]
    assert (told["state"], len(told["states"])) == ("iowa", 8)
    read = asked(run, client, f"/api/papers/{STUD}/rules/read")
    assert read.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in read.headers["content-security-policy"]
    assert "500 to 1" in read.text
    fetched = asked(run, client, f"/api/papers/{STUD}/sign/pdf", size="a4")
    assert fetched.headers["content-type"] == "application/pdf"
    assert fetched.content.startswith(b"%PDF-1.")


def test_figures_tell_how_far_they_are(
    run: Running, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sums, "SECONDS_MAX", 300.0)  # Its loops may have to be compiled first.
    path = f"/api/papers/{STUD}/figures"
    heard: list[int] = []

    async def both() -> dict[str, Any]:
        made = asyncio.create_task(client.get(path, params={"work": True}))
        while not made.done():
            heard.append((await client.get(path)).json()["done"])
            await asyncio.sleep(0.01)
        return dict((await made).json())

    assert run(both()) == {"kept": True, "done": 5, "steps": 5}
    assert heard == sorted(heard)


def test_checklists_and_redlines(run: Running, client: httpx.AsyncClient) -> None:
    other = "oceanfront/mississippi-stud"
    told = asked(run, client, f"/api/papers/{STUD}/checklist/ohio/read").text
    assert "What Ohio asks for" in told
    changes = asked(run, client, f"/api/papers/{STUD}/redline/{other}/read").text
    assert "250 to 1" in changes
    assert "500 to 1" in changes
    fetched = asked(run, client, f"/api/papers/{STUD}/redline/{other}/pdf", size="a4")
    assert fetched.content.startswith(b"%PDF-1.")


def test_papers_are_told_in_the_askers_language(run: Running, client: httpx.AsyncClient) -> None:
    spanish = {"Accept-Language": "es"}
    told = run(client.get(f"/api/papers/{STUD}", headers=spanish)).json()
    assert told["papers"][0]["title"] == "Reglas del juego"
    read = run(client.get(f"/api/papers/{STUD}/sign/read", headers=spanish)).text
    assert 'lang="es"' in read
    assert "Qué se puede apostar" in read


@pytest.mark.parametrize(
    ("path", "told"),
    [
        (f"{STUD}/rule/read", 'no paper "rule"; did you mean "rules"?'),
        (f"{STUD}/rule/pdf", 'no paper "rule"'),
        ("no/such/rules/read", "no/such"),
        (f"{STUD}/checklist/ohoi/pdf", 'no checklist for "ohoi"; did you mean "ohio"?'),
        (f"{STUD}/redline/no/such/read", "no/such"),
    ],
)
def test_what_is_not_there_is_said(
    run: Running, client: httpx.AsyncClient, path: str, told: str
) -> None:
    answer = asked(run, client, f"/api/papers/{path}")
    assert answer.status_code == 404
    assert told in answer.text.replace("\\", "")
