"""docs/server.md is correct, and its walk through the house works."""

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
from tests.docs.server_walkthrough import (
    CURL,
    has_curl,
    mask_varying_text,
    matches_page,
    steps,
    walk,
)
from tests.house.web.server_process import ServerProcess, run_server
from typer.main import get_command

from pitbook.cli import app as root
from pitbook.house.settings import settings_from, variables
from pitbook.house.web.access import ANYONE, SIGNED_IN
from pitbook.house.web.app import ROUTERS
from pitbook.house.web.frames import read_frame

TEXT = FILE.read_text(encoding="utf-8")
README = FILE.parents[1] / "README.md"
PAGE = FILE.parents[1] / "frontend" / "src"


def test_page_tables_are_up_to_date() -> None:
    assert server() == TEXT, "run python -m docs.server"


def test_every_setting_has_a_meaning() -> None:
    rows = re.findall(r"^\| `([\w.]+)` \| `(PITBOOK_\w+)` \| (.*?) \| (.+) \|$", TEXT, re.M)
    assert {variable: key for key, variable, _, _ in rows} == {
        name: ".".join(path) for name, path in variables().items()
    }
    assert all(meaning not in ("", "None") for *_, meaning in rows)


def test_example_settings_file_is_valid(tmp_path: Path) -> None:
    (toml,) = (block.body for block in blocks(TEXT) if block.kind == "toml")
    file = tmp_path / "pitbook.toml"
    file.write_text(toml)
    settings = settings_from(file, {})
    assert (settings.https, settings.sign_in.password_length_min) == (True, 12)
    assert settings.is_loopback


def test_user_commands_are_complete() -> None:
    users: Any = get_command(root.app)
    user_commands = set(users.commands["users"].commands)
    assert set(re.findall(r"`pitbook users ([\w-]+)[^`]*` ?[,|]", TEXT)) == user_commands


def test_bot_options_are_complete() -> None:
    section = TEXT.partition("## Players of ours\n")[2].partition("\n## ")[0]
    bot: Any = get_command(root.app)
    options = {
        option for param in bot.commands["bot"].params for option in param.opts if "-" in option
    }
    assert set(re.findall(r"--[a-z]+", section)) == options - {"--json", "--help"}


def test_readme_commands_are_part_of_the_walk() -> None:
    section = README.read_text(encoding="utf-8").partition("## Run a server\n")[2]
    (example, *_) = (block.body for block in blocks(section) if block.kind == "sh")
    commands = [line.partition(" #")[0].strip() for line in example.splitlines()]
    walk_commands = "".join(step.commands for step in steps())
    assert commands
    assert [command for command in commands if command not in walk_commands] == []


# The API page -------------------------------------------------------------------------------------


def test_example_frames_are_accepted() -> None:
    frames = json.loads((PAGE / "reference" / "frames.json").read_text(encoding="utf-8"))
    sent = [frame_example["frame"] for frame_example in frames if frame_example["from"] == "you"]
    kinds = [read_frame(json.dumps(frame), depth_max=32).kind for frame in sent]
    assert kinds == ["command", "view", "ping"]


def test_every_api_tag_is_described() -> None:
    routes = [route for router in ROUTERS for route in router.routes]
    tags = {
        str(tag)
        for route in routes
        if getattr(route, "include_in_schema", False)
        for tag in getattr(route, "tags", ())
    }
    words = json.loads((PAGE / "words" / "en" / "described.json").read_text(encoding="utf-8"))
    assert {f"part.{tag}" for tag in tags} <= set(words)
    assert {f"about.{tag}" for tag in tags} <= set(words)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with run_server(tmp_path_factory.mktemp("walk") / "house") as server:
        yield server
        assert server.stop() == 0


@pytest.mark.long
def test_openapi_names_the_roles_of_routes(house: ServerProcess) -> None:
    with house.client() as client:
        paths = client.get("/api/openapi.json").json()["paths"]
    for method, path, roles in [
        ("get", "/api/pit/drop", ["auditor", "supervisor"]),
        ("post", "/api/cage/buy-in", ["cashier", "supervisor"]),
    ]:
        assert paths[path][method]["x-for"] == roles
    role_sets = [
        frozenset(route_["x-for"]) for methods in paths.values() for route_ in methods.values()
    ]
    assert all(role_sets), "a route that nobody may ask for"
    # The page describes these two sets in words.
    assert {roles_set for roles_set in role_sets if "stranger" in roles_set} == {ANYONE}
    assert {roles_set for roles_set in set(role_sets) - {ANYONE} if "guest" in roles_set} == {
        SIGNED_IN
    }


# The walk -----------------------------------------------------------------------------------------


def test_masked_answers_are_still_compared() -> None:
    assert matches_page('{"seq":3,"hash":"0123456789abcdef...', f'{{"seq":3,"hash":"{"ab" * 32}"}}')
    assert not matches_page(
        '{"seq":3,"hash":"0123456789abcdef...', f'{{"seq":4,"hash":"{"ab" * 32}"}}'
    )
    assert matches_page("play ['Js', '5d']", "play ['2c', 'Th']")
    assert not matches_page("play ['Js', '5d']", "play ['2c']")
    assert (
        mask_varying_text("1 round, net -$5, balance $995") == "1 round, net AMOUNT, balance AMOUNT"
    )
    assert matches_page("ante 10.00 win CMS-9", "ante 10.00 lose CMS-9")
    assert not matches_page("ante 10.00 win CMS-9", "ante 20.00 lose CMS-9")


def assert_walk_matches_page(folder: Path, *, curl: bool) -> None:
    """Run every step in order and compare its output with the page."""
    with walk(folder, curl=curl) as terminals:
        for step in steps():
            output = terminals.opening if step.mark == "server" else terminals.run_step(step)
            expected = mask_varying_text(step.expected_output)
            assert matches_page(step.expected_output, output), (
                f"{step.name}\n--- shown\n{expected}\n--- said\n{output}"
            )


@pytest.mark.long
def test_walk_matches_the_page(tmp_path: Path) -> None:
    """With this machine's curl, or with our substitute if there is none."""
    assert len(steps()) > 15
    assert_walk_matches_page(tmp_path, curl=has_curl())


@pytest.mark.slow
def test_walk_with_our_curl_matches_the_page(tmp_path: Path) -> None:
    assert_walk_matches_page(tmp_path, curl=False)


@pytest.mark.long
def test_our_curl_supports_the_options_used(
    house: ServerProcess, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
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
    practice = json.loads(capfdbinary.readouterr().out)
    stand_in.main(["-s", "-b", jar, f"{house.address}/api/me"])
    me = json.loads(capfdbinary.readouterr().out)
    assert me == {"name": practice["player"], "role": "guest"}
