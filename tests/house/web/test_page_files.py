"""The page as a browser gets it: one file for every address, cached assets, strict headers."""

from __future__ import annotations

import gzip
import json
import os
import re
from html import unescape
from http import HTTPStatus
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.house.web.conftest import PASSWORD, LoopRunner, SignedIn

from pitbook.house.settings import Settings
from pitbook.house.web import page_files as page
from pitbook.house.web.server import Server

INDEX = "<!doctype html><html><head><title>Pitbook</title></head></html>"
BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
SCRIPT = "console.log('a page');" * 20


@pytest.fixture
def built_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text(INDEX)
    (tmp_path / "assets" / "index-1a2b.js").write_text(SCRIPT)
    monkeypatch.setattr(page, "STATIC", tmp_path)
    return tmp_path


@pytest.mark.parametrize("path", page.PATHS.values())
def test_every_page_address_serves_the_page(
    run: LoopRunner, client: httpx.AsyncClient, built_page: Path, path: str
) -> None:
    answer = run(client.get(path.replace("{rest:path}", "a/b/c")))
    assert answer.status_code == 200
    assert answer.text == INDEX
    assert answer.headers["content-type"] == "text/html; charset=utf-8"


def test_the_page_may_run_its_own_scripts_and_ask_this_server_alone(
    run: LoopRunner, client: httpx.AsyncClient, built_page: Path
) -> None:
    headers = run(client.get("/")).headers
    policy = dict(
        part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";")
    )
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["cache-control"] == "no-cache"
    assert headers["x-content-type-options"] == "nosniff"


def test_hashed_files_are_cached_forever(
    run: LoopRunner, client: httpx.AsyncClient, built_page: Path
) -> None:
    answer = run(client.get("/assets/index-1a2b.js", headers={"Accept-Encoding": "identity"}))
    assert answer.text == SCRIPT
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert "content-encoding" not in answer.headers


def test_a_browser_that_reads_gzip_gets_less(
    run: LoopRunner, client: httpx.AsyncClient, built_page: Path
) -> None:
    answer = run(client.get("/assets/index-1a2b.js", headers={"Accept-Encoding": "gzip, br"}))
    assert answer.text == SCRIPT
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["vary"] == "Accept-Encoding"
    assert int(answer.headers["content-length"]) == len(gzip.compress(SCRIPT.encode(), 9, mtime=0))


def test_rebuilt_page_is_served(
    run: LoopRunner, client: httpx.AsyncClient, built_page: Path
) -> None:
    assert "Pitbook" in run(client.get("/")).text
    file = built_page / "index.html"
    before = file.stat().st_mtime
    file.write_text("another")
    os.utime(file, (before + 2, before + 2))  # For file systems with a coarse clock.
    assert run(client.get("/")).text == "another"


@pytest.mark.parametrize("name", ["nothing.js", "..%2Findex.html", "%00", "x" * 300])
def test_missing_asset_is_not_found(
    run: LoopRunner, client: httpx.AsyncClient, built_page: Path, name: str
) -> None:
    answer = run(client.get(f"/assets/{name}"))
    assert answer.status_code == 404
    assert "error" in answer.json()


def test_missing_page_says_how_to_build_it(
    run: LoopRunner, client: httpx.AsyncClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "STATIC", tmp_path / "missing")
    answer = run(client.get("/"))
    assert answer.status_code == 404
    assert "make page" in answer.text
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"


def test_unknown_addresses_are_not_found(run: LoopRunner, client: httpx.AsyncClient) -> None:
    for path in ("/nothing/here", "/api/nothing", "/index.html"):
        assert run(client.get(path)).status_code == 404


# Screens that the address alone does not tell ----------------------------------------------------


def screen_of(answer: httpx.Response) -> Any:
    """The screen that the page is to show, in an otherwise unchanged page."""
    meta = re.compile(r'<meta name="screen" content="([^"]*)" />')
    assert meta.sub("", answer.text) == INDEX
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["content-security-policy"] == page.POLICY
    assert answer.headers["cache-control"] == "no-store", "whose link it is, nobody keeps"
    assert answer.headers["vary"] == "Accept"
    (screens,) = meta.findall(answer.text)
    return json.loads(unescape(screens))


@pytest.mark.parametrize(
    "path", ["/nothing", "/rounds/", "/apiary", "/index.php", "/rules", "/../etc/passwd"]
)
def test_unknown_address_shows_a_not_found_screen(
    run: LoopRunner, client: httpx.AsyncClient, built_page: Path, path: str
) -> None:
    for accept in (BROWSER["Accept"], "*/*"):
        answer = run(client.get(path, headers={"Accept": accept}))
        assert answer.status_code == HTTPStatus.NOT_FOUND
        assert screen_of(answer) == {"kind": "not-found"}
    for request in (client.get(path, headers={"Accept": "application/json"}), client.post(path)):
        assert "error" in run(request).json(), "a program reads a sentence"


def test_a_browser_gets_a_form_for_an_invitation(
    run: LoopRunner, client: httpx.AsyncClient, server: Server, built_page: Path
) -> None:
    token = server.people.invite("dealer")
    path = f"/api/invitations/{token}"
    assert run(client.get(path)).json()["role"] == "dealer"
    for _ in range(3):
        answer = run(client.get(path, headers=BROWSER))
        assert answer.status_code == HTTPStatus.OK
        assert screen_of(answer) == {"kind": "invitation", "role": "dealer"}
        assert token not in answer.text
        assert answer.headers["referrer-policy"] == "no-referrer"
    who = {"name": "zoe", "password": PASSWORD}
    assert run(client.post(path, json=who)).status_code == 201, "looking did not use it up"
    answer = run(client.get(path, headers=BROWSER))
    assert answer.status_code == HTTPStatus.NOT_FOUND
    assert screen_of(answer) == {"kind": "closed", "link": "invitation"}
    why = run(client.get(path)).json()["error"]
    assert "Ask a supervisor for another" in why


@pytest.mark.long
def test_a_browser_gets_a_form_for_a_new_password(
    run: LoopRunner,
    client: httpx.AsyncClient,
    server: Server,
    signed_in: SignedIn,
    built_page: Path,
) -> None:
    name = '<b>"o\'neil"&'
    server.people.add(name, "player", PASSWORD, actor="sue")
    reset = run(signed_in("supervisor").post("/api/resets", json={"name": name})).json()
    answer = run(client.get(reset["path"], headers=BROWSER))
    assert answer.status_code == HTTPStatus.OK
    assert screen_of(answer) == {"kind": "reset", "name": name}, "any name is escaped"
    assert run(client.post(reset["path"], json={"password": "quite another"})).status_code == 200
    answer = run(client.get(reset["path"], headers=BROWSER))
    assert answer.status_code == HTTPStatus.NOT_FOUND
    assert screen_of(answer) == {"kind": "closed", "link": "reset"}


@pytest.mark.long
def test_invalid_link_in_a_browser_counts_as_one_guess(
    run: LoopRunner, client: httpx.AsyncClient, server: Server, settings: Settings, built_page: Path
) -> None:
    server.login_throttle.addresses._clock = lambda: 0.0
    statuses = [
        run(client.get(f"/api/resets/{number}", headers=BROWSER)).status_code
        for number in range(33)
    ]
    free = settings.sign_in.address_failures_max
    assert statuses[:free] == [404] * free
    assert set(statuses[free:]) == {429}, "as a program does, and not twice as fast"


@pytest.mark.long
def test_links_work_without_a_built_page(
    run: LoopRunner,
    client: httpx.AsyncClient,
    server: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(page, "STATIC", tmp_path / "missing")
    path = f"/api/invitations/{server.people.invite('dealer')}"
    for link, status in [(path, 200), ("/api/invitations/none", 404), ("/nothing", 404)]:
        answer = run(client.get(link, headers=BROWSER))
        assert (answer.status_code, answer.text) == (status, page.NOT_BUILT_MESSAGE)
    assert run(client.get("/api/openapi.json")).status_code == 200, "which is what it points to"
    who = {"name": "zoe", "password": PASSWORD}
    assert run(client.post(path, json=who)).status_code == 201
