"""What docs/server.md says is what a technician finds, and its walk can be walked."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from docs.examples import blocks
from docs.server import FILE, server
from tests.docs import curl as stand_in
from tests.docs.walk import CURL, has_curl, masked, same, steps, walk
from tests.house.web.served import Served, served
from typer.main import get_command

from pitbook.cli import app as root
from pitbook.house.web.access import ANYONE, SIGNED_IN
from pitbook.house.web.app import ROUTERS
from pitbook.house.web.frames import read_frame
from pitbook.house.web.settings import settings_from, variables

TEXT = FILE.read_text(encoding="utf-8")
README = FILE.parents[1] / "README.md"
PAGE = FILE.parents[1] / "frontend" / "src"


def test_the_tables_are_those_of_the_server() -> None:
    assert server() == TEXT, "run python -m docs.server"


def test_every_setting_says_what_it_is_for() -> None:
    rows = re.findall(r"^\| `([\w.]+)` \| `(PITBOOK_\w+)` \| (.*?) \| (.+) \|$", TEXT, re.M)
    assert {variable: key for key, variable, _, _ in rows} == {
        name: ".".join(path) for name, path in variables().items()
    }
    assert all(meaning not in ("", "None") for *_, meaning in rows)


def test_the_settings_file_that_it_shows_can_be_used(tmp_path: Path) -> None:
    (toml,) = (one.body for one in blocks(TEXT) if one.kind == "toml")
    file = tmp_path / "pitbook.toml"
    file.write_text(toml)
    made = settings_from(file, {})
    assert (made.https, made.sign_in.password_length_min) == (True, 12)
    assert made.is_loopback


def test_the_commands_for_people_are_those_there_are() -> None:
    users: Any = get_command(root.app)
    known = set(users.commands["users"].commands)
    assert set(re.findall(r"`pitbook users ([\w-]+)[^`]*` ?[,|]", TEXT)) == known


def test_the_options_of_the_bot_are_those_there_are() -> None:
    section = TEXT.partition("## Players of ours\n")[2].partition("\n## ")[0]
    bot: Any = get_command(root.app)
    known = {one for param in bot.commands["bot"].params for one in param.opts if "-" in one}
    assert set(re.findall(r"--[a-z]+", section)) == known - {"--json", "--help"}


def test_the_readme_shows_what_the_walk_walks() -> None:
    section = README.read_text(encoding="utf-8").partition("## A house on the network\n")[2]
    (shown, *_) = (one.body for one in blocks(section) if one.kind == "sh")
    commands = [line.partition(" #")[0].strip() for line in shown.splitlines()]
    walked = "".join(step.commands for step in steps())
    assert commands
    assert [one for one in commands if one not in walked] == []


# The API page -------------------------------------------------------------------------------------


def test_the_frames_that_the_page_shows_are_taken() -> None:
    frames = json.loads((PAGE / "described" / "frames.json").read_text(encoding="utf-8"))
    sent = [one["frame"] for one in frames if one["from"] == "you"]
    kinds = [read_frame(json.dumps(frame), depth_max=32).kind for frame in sent]
    assert kinds == ["command", "view", "ping"]


def test_every_part_of_the_api_has_its_words() -> None:
    described = [route for router in ROUTERS for route in router.routes]
    tags = {
        str(tag)
        for route in described
        if getattr(route, "include_in_schema", False)
        for tag in getattr(route, "tags", ())
    }
    words = json.loads((PAGE / "words" / "en" / "described.json").read_text(encoding="utf-8"))
    assert {f"part.{tag}" for tag in tags} <= set(words)
    assert {f"about.{tag}" for tag in tags} <= set(words)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("walk") / "house") as made:
        yield made
        assert made.stop() == 0


@pytest.mark.long
def test_the_description_says_who_may_ask(house: Served) -> None:
    with house.client() as client:
        paths = client.get("/api/openapi.json").json()["paths"]
    for method, path, who in [
        ("get", "/api/pit/drop", ["auditor", "supervisor"]),
        ("post", "/api/cage/buy-in", ["cashier", "supervisor"]),
    ]:
        assert paths[path][method]["x-for"] == who
    named = [frozenset(one["x-for"]) for methods in paths.values() for one in methods.values()]
    assert all(named), "a route that nobody may ask for"
    # The page says "anybody" and "whoever is signed in, guests too" by these two.
    assert {one for one in named if "stranger" in one} == {ANYONE}
    assert {one for one in set(named) - {ANYONE} if "guest" in one} == {SIGNED_IN}


# The walk -----------------------------------------------------------------------------------------


def test_an_answer_is_compared_and_not_waved_through() -> None:
    assert same('{"seq":3,"hash":"0123456789abcdef...', f'{{"seq":3,"hash":"{"ab" * 32}"}}')
    assert not same('{"seq":3,"hash":"0123456789abcdef...', f'{{"seq":4,"hash":"{"ab" * 32}"}}')
    assert same("play ['Js', '5d']", "play ['2c', 'Th']")
    assert not same("play ['Js', '5d']", "play ['2c']")
    assert masked("1 round, net -$5, balance $995") == "1 round, net AMOUNT, balance AMOUNT"
    assert same("ante 10.00 win CMS-9", "ante 10.00 lose CMS-9")
    assert not same("ante 10.00 win CMS-9", "ante 20.00 lose CMS-9")


def taken(folder: Path, *, curl: bool) -> None:
    """Every step in order, each with the answer that the page shows."""
    with walk(folder, curl=curl) as both:
        for step in steps():
            said = both.opening if step.mark == "server" else both.take(step)
            shown = masked(step.shown)
            assert same(step.shown, said), f"{step.name}\n--- shown\n{shown}\n--- said\n{said}"


@pytest.mark.long
def test_the_walk(tmp_path: Path) -> None:
    """With this machine's curl; where there is none, with as much of it as the page needs."""
    assert len(steps()) > 15
    taken(tmp_path, curl=has_curl())


@pytest.mark.slow
def test_the_walk_with_our_stand_in_for_curl(tmp_path: Path) -> None:
    taken(tmp_path, curl=False)


@pytest.mark.long
def test_the_stand_in_knows_every_option_of_curl_that_is_used(
    house: Served, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    calls = [step.commands for step in steps() if "curl " in step.commands]
    options = set(
        re.findall(r"(?<=\s)-\w\b", " ".join(re.findall(r"curl[^\n|;]*", "".join(calls))))
    )
    assert options <= set(re.findall(r'"(-\w)"', CURL.read_text(encoding="utf-8")))
    jar = str(tmp_path / "guest")
    kind = ["-H", "Content-Type: application/json"]
    body = '{"sheet": "catfish-bend/mississippi-stud"}'
    stand_in.main(["-s", "-c", jar, *kind, "-d", body, f"{house.address}/api/practice"])
    made = json.loads(capfdbinary.readouterr().out)
    stand_in.main(["-s", "-b", jar, f"{house.address}/api/me"])
    me = json.loads(capfdbinary.readouterr().out)
    assert me == {"name": made["player"], "role": "guest"}
