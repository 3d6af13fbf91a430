"""Papers over HTTP: listed, read and as PDF, for everyone who may read the rules."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
from tests.house.web.conftest import LoopRunner
from tests.house.web.test_routes_sheets import get

from pitbook.house.web import jobs as sums
from pitbook.printing.content import PAPERS_WITH_FIGURES
from pitbook.printing.report_figures import STEPS

pytestmark = pytest.mark.long

STUD = "catfish-bend/mississippi-stud"


def test_papers_are_listed_read_and_fetched(run: LoopRunner, client: httpx.AsyncClient) -> None:
    papers = get(run, client, f"/api/papers/{STUD}").json()
    names = [paper["id"] for paper in papers["papers"]]
    assert names == [
        "rules",
        "report",
        "rack-card",
        "sign",
        "strategy-card",
        "dealer-card",
        "layout",
    ]
    assert papers["papers"][0]["title"] == "Rules of the game"
    assert [paper["id"] for paper in papers["papers"] if paper["figures"]] == [*PAPERS_WITH_FIGURES]
    assert (papers["state"], len(papers["states"])) == ("iowa", 8)
    read = get(run, client, f"/api/papers/{STUD}/rules/read")
    assert read.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in read.headers["content-security-policy"]
    assert "500 to 1" in read.text
    fetched = get(run, client, f"/api/papers/{STUD}/sign/pdf", size="a4")
    assert fetched.headers["content-type"] == "application/pdf"
    assert fetched.content.startswith(b"%PDF-1.")


def test_figures_report_their_progress(
    run: LoopRunner, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sums, "SECONDS_MAX", 300.0)  # Its loops may have to be compiled first.
    path = f"/api/papers/{STUD}/figures"
    heard: list[int] = []

    async def both() -> dict[str, Any]:
        work_task = asyncio.create_task(client.get(path, params={"work": True}))
        while not work_task.done():
            heard.append((await client.get(path)).json()["done"])
            await asyncio.sleep(0.01)
        return dict((await work_task).json())

    assert run(both()) == {"kept": True, "done": len(STEPS), "steps": len(STEPS)}
    assert heard == sorted(heard)


def test_checklists_and_redlines(run: LoopRunner, client: httpx.AsyncClient) -> None:
    other = "oceanfront/mississippi-stud"
    checklist = get(run, client, f"/api/papers/{STUD}/checklist/ohio/read").text
    assert "Requirements of Ohio" in checklist
    changes = get(run, client, f"/api/papers/{STUD}/redline/{other}/read").text
    assert "250 to 1" in changes
    assert "500 to 1" in changes
    fetched = get(run, client, f"/api/papers/{STUD}/redline/{other}/pdf", size="a4")
    assert fetched.content.startswith(b"%PDF-1.")


def test_papers_are_in_the_requested_language(run: LoopRunner, client: httpx.AsyncClient) -> None:
    spanish = {"Accept-Language": "es"}
    papers = run(client.get(f"/api/papers/{STUD}", headers=spanish)).json()
    assert papers["papers"][0]["title"] == "Reglas del juego"
    read = run(client.get(f"/api/papers/{STUD}/sign/read", headers=spanish)).text
    assert 'lang="es"' in read
    assert "Límites de la mesa" in read


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (f"{STUD}/rule/read", 'no paper "rule". Did you mean "rules"?'),
        (f"{STUD}/rule/pdf", 'no paper "rule"'),
        ("no/such/rules/read", "no/such"),
        (f"{STUD}/checklist/ohoi/pdf", 'no checklist for "ohoi". Did you mean "ohio"?'),
        (f"{STUD}/redline/no/such/read", "no/such"),
    ],
)
def test_missing_paper_is_reported(
    run: LoopRunner, client: httpx.AsyncClient, path: str, message: str
) -> None:
    answer = get(run, client, f"/api/papers/{path}")
    assert answer.status_code == 404
    assert message in answer.text.replace("\\", "")
