"""The page as a browser gets it: one file for every address, kept files, and no word to others."""

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
from tests.house.web.conftest import PASSWORD, Running, SignedIn

from pitbook.house.web import pages as page
from pitbook.house.web.server import Server
from pitbook.house.web.settings import Settings

INDEX = "<!doctype html><html><head><title>Pitbook</title></head></html>"
BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
SCRIPT = "console.log('a page');" * 20


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text(INDEX)
    (tmp_path / "assets" / "index-1a2b.js").write_text(SCRIPT)
    monkeypatch.setattr(page, "STATIC", tmp_path)
    return tmp_path


@pytest.mark.parametrize("path", page.PATHS.values())
def test_every_address_of_the_page_is_the_page(
    run: Running, client: httpx.AsyncClient, built: Path, path: str
) -> None:
    answer = run(client.get(path.replace("{rest:path}", "a/b/c")))
    assert answer.status_code == 200
    assert answer.text == INDEX
    assert answer.headers["content-type"] == "text/html; charset=utf-8"


def test_the_page_may_run_its_own_scripts_and_ask_this_server_alone(
    run: Running, client: httpx.AsyncClient, built: Path
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


def test_what_has_a_hash_in_its_name_is_kept_for_good(
    run: Running, client: httpx.AsyncClient, built: Path
) -> None:
    answer = run(client.get("/assets/index-1a2b.js", headers={"Accept-Encoding": "identity"}))
    assert answer.text == SCRIPT
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert "content-encoding" not in answer.headers


def test_a_browser_that_reads_gzip_gets_less(
    run: Running, client: httpx.AsyncClient, built: Path
) -> None:
    answer = run(client.get("/assets/index-1a2b.js", headers={"Accept-Encoding": "gzip, br"}))
    assert answer.text == SCRIPT
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["vary"] == "Accept-Encoding"
    assert int(answer.headers["content-length"]) == len(gzip.compress(SCRIPT.encode(), 9, mtime=0))


def test_a_page_that_is_built_again_is_served_again(
    run: Running, client: httpx.AsyncClient, built: Path
) -> None:
    assert "Pitbook" in run(client.get("/")).text
    file = built / "index.html"
    before = file.stat().st_mtime
    file.write_text("another")
    os.utime(file, (before + 2, before + 2))  # However coarse the file system's clock is.
    assert run(client.get("/")).text == "another"


@pytest.mark.parametrize("name", ["nothing.js", "..%2Findex.html", "%00", "x" * 300])
def test_a_file_that_the_page_does_not_have(
    run: Running, client: httpx.AsyncClient, built: Path, name: str
) -> None:
    answer = run(client.get(f"/assets/{name}"))
    assert answer.status_code == 404
    assert "error" in answer.json()


def test_without_a_built_page_a_sentence_says_how_to_build_it(
    run: Running, client: httpx.AsyncClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "STATIC", tmp_path / "missing")
    answer = run(client.get("/"))
    assert answer.status_code == 404
    assert "make page" in answer.text
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"


def test_other_addresses_are_still_nobody_s(run: Running, client: httpx.AsyncClient) -> None:
    for path in ("/nothing/here", "/api/nothing", "/index.html"):
        assert run(client.get(path)).status_code == 404


# Screens that the address alone does not tell ----------------------------------------------------


def told(answer: httpx.Response) -> Any:
    """Which screen the page is told to show, in a page that is else as it was built."""
    meta = re.compile(r'<meta name="screen" content="([^"]*)" />')
    assert meta.sub("", answer.text) == INDEX
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["content-security-policy"] == page.POLICY
    assert answer.headers["cache-control"] == "no-store", "whose link it is, nobody keeps"
    assert answer.headers["vary"] == "Accept"
    (found,) = meta.findall(answer.text)
    return json.loads(unescape(found))


@pytest.mark.parametrize(
    "path", ["/nothing", "/rounds/", "/apiary", "/index.php", "/rules", "/../etc/passwd"]
)
def test_an_unknown_address_is_a_screen_with_a_way_back(
    run: Running, client: httpx.AsyncClient, built: Path, path: str
) -> None:
    for accept in (BROWSER["Accept"], "*/*"):
        answer = run(client.get(path, headers={"Accept": accept}))
        assert answer.status_code == HTTPStatus.NOT_FOUND
        assert told(answer) == {"at": "nowhere"}
    for asked in (client.get(path, headers={"Accept": "application/json"}), client.post(path)):
        assert "error" in run(asked).json(), "a program reads a sentence"


def test_a_browser_gets_a_form_for_an_invitation(
    run: Running, client: httpx.AsyncClient, server: Server, built: Path
) -> None:
    token = server.people.invite("dealer")
    path = f"/api/invitations/{token}"
    assert run(client.get(path)).json()["role"] == "dealer"
    for _ in range(3):
        answer = run(client.get(path, headers=BROWSER))
        assert answer.status_code == HTTPStatus.OK
        assert told(answer) == {"at": "invitation", "role": "dealer"}
        assert token not in answer.text
        assert answer.headers["referrer-policy"] == "no-referrer"
    who = {"name": "zoe", "password": PASSWORD}
    assert run(client.post(path, json=who)).status_code == 201, "looking did not use it up"
    answer = run(client.get(path, headers=BROWSER))
    assert answer.status_code == HTTPStatus.NOT_FOUND
    assert told(answer) == {"at": "closed", "link": "invitation"}
    why = run(client.get(path)).json()["error"]
    assert "ask a supervisor for another" in why


@pytest.mark.long
def test_a_browser_gets_a_form_for_a_new_password(
    run: Running, client: httpx.AsyncClient, server: Server, signed_in: SignedIn, built: Path
) -> None:
    name = '<b>"o\'neil"&'
    server.people.add(name, "player", PASSWORD, actor="sue")
    made = run(signed_in("supervisor").post("/api/resets", json={"name": name})).json()
    answer = run(client.get(made["path"], headers=BROWSER))
    assert answer.status_code == HTTPStatus.OK
    assert told(answer) == {"at": "reset", "name": name}, "whatever somebody is called"
    assert run(client.post(made["path"], json={"password": "quite another"})).status_code == 200
    answer = run(client.get(made["path"], headers=BROWSER))
    assert answer.status_code == HTTPStatus.NOT_FOUND
    assert told(answer) == {"at": "closed", "link": "reset"}


@pytest.mark.long
def test_who_opens_a_closed_link_in_a_browser_has_guessed_once(
    run: Running, client: httpx.AsyncClient, server: Server, settings: Settings, built: Path
) -> None:
    server.login_throttle.addresses._clock = lambda: 0.0
    found = [
        run(client.get(f"/api/resets/{number}", headers=BROWSER)).status_code
        for number in range(33)
    ]
    free = settings.sign_in.address_failures_max
    assert found[:free] == [404] * free
    assert set(found[free:]) == {429}, "as a program does, and not twice as fast"


@pytest.mark.long
def test_without_a_built_page_a_link_says_so_and_can_be_used(
    run: Running,
    client: httpx.AsyncClient,
    server: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(page, "STATIC", tmp_path / "missing")
    path = f"/api/invitations/{server.people.invite('dealer')}"
    for asked, status in [(path, 200), ("/api/invitations/none", 404), ("/nothing", 404)]:
        answer = run(client.get(asked, headers=BROWSER))
        assert (answer.status_code, answer.text) == (status, page.UNBUILT)
    assert run(client.get("/api/openapi.json")).status_code == 200, "which is what it points to"
    who = {"name": "zoe", "password": PASSWORD}
    assert run(client.post(path, json=who)).status_code == 201
