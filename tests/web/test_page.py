"""The page as a browser gets it: one file for every address, kept files, and no word to others."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import httpx
import pytest
from tests.web.conftest import Running

from pitbook.web.pages import page

SCRIPT = "console.log('a page');" * 20


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html><title>Pitbook</title>")
    (tmp_path / "assets" / "index-1a2b.js").write_text(SCRIPT)
    monkeypatch.setattr(page, "STATIC", tmp_path)
    return tmp_path


@pytest.mark.parametrize("path", page.PATHS.values())
def test_every_address_of_the_page_is_the_page(
    run: Running, client: httpx.AsyncClient, built: Path, path: str
) -> None:
    answer = run(client.get(path.replace("{rest:path}", "a/b/c")))
    assert answer.status_code == 200
    assert answer.text == "<!doctype html><title>Pitbook</title>"
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
