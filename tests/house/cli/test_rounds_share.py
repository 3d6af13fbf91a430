"""`pitbook rounds share` makes links that the server reads."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from tests.cli.conftest import Demo
from tests.cli.ledger_folders import use_folder
from tests.command_line import Ask

from pitbook.house.ledger.keys import read_keys
from pitbook.house.ledger.writer import utc_now
from pitbook.house.web.sharing import Links

ROUND = "catfish-bend-mississippi-stud-000007"


@pytest.fixture
def links(demo: Demo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Links:
    use_folder(tmp_path, monkeypatch)
    monkeypatch.setenv("PITBOOK_DATA", str(demo.path))
    return Links(read_keys(demo.path / "keys.json").sealing)


def test_link_with_and_without_expiry(ask: Ask, links: Links) -> None:
    before = utc_now()
    shared = ask("rounds", "share", ROUND, "1", "--hours", "24", "--json").document
    link = links.read(shared["token"])
    assert link is not None
    assert (link.round, link.until, shared["path"]) == (
        ROUND,
        shared["until"],
        f"/shared/{shared['token']}",
    )
    late = datetime.fromisoformat(shared["until"]) - before - timedelta(hours=24)
    assert timedelta(seconds=-1) <= late < timedelta(minutes=1)
    path, message = ask("rounds", "share", ROUND, "1").out.splitlines()
    assert message == "The link does not expire."
    endless = links.read(path.removeprefix("/shared/"))
    assert endless is not None
    assert endless == link._replace(until="")
    assert not endless.has_ended(utc_now() + timedelta(days=10_000))


@pytest.mark.usefixtures("links")
def test_unshareable_round_is_reported(ask: Ask) -> None:
    for arguments, code, message in (
        ((ROUND, "6"), 1, "Nobody played seat 6 in round"),
        (("nowhere-000001", "1"), 1, 'There is no round "nowhere-000001"'),
        ((ROUND, "1", "--hours", "0"), 2, "--hours"),
    ):
        answer = ask("rounds", "share", *arguments)
        assert answer.code == code
        assert message in answer.err
