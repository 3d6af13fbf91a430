"""Ticket commands on the command line, also while a server runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.command_line import ask  # noqa: F401  A fixture.
from tests.house.nights.test_cli import DATA, Night, expect_error, gala, night  # noqa: F401  Two are fixtures.
from tests.house.nights.test_cli_dealt import start_tournament

from pitbook.house.ledger.locks import FolderLock


@pytest.mark.long
def test_tickets_are_listed_replaced_and_revoked(gala: Night, tmp_path: Path) -> None:  # noqa: F811
    start_tournament(gala, tmp_path)
    assert gala("tournament", "lay-out", "gala.t1").code == 0
    first = gala("tournament", "ticket", "gala.t1", "ANN", "--json").document
    assert (first["player"], first["link"]) == ("ann", f"/check-in/{first['token']}")
    with FolderLock(tmp_path / DATA):  # A server runs on the house, and hears of it.
        output = gala("tournament", "rotate-ticket", "gala.t1", "ann", "--why", "lost").out
        assert "ticket rotated, player ann" in output
        address = ("--address", "http://192.168.0.10:8710/")
        second = gala("tournament", "ticket", "gala.t1", "ann", *address).out.strip()
        assert second.startswith("http://192.168.0.10:8710/check-in/")
        assert first["token"] not in second
        assert gala("tournament", "revoke-ticket", "gala.t1", "bob").code == 0
    expect_error(gala("tournament", "revoke-ticket", "gala.t1", "bob"), "The check-in code of")
    expect_error(gala("tournament", "ticket", "gala.t1", "bob"), "was revoked")
    expect_error(gala("tournament", "rotate-ticket", "gala.t1", "bobb"), "has not entered")
    assert gala("tournament", "tickets", "gala.t1").out == "ann: not opened\nbob: revoked\n"
    tickets = gala("tournament", "tickets", "gala.t1", "--json").document["tickets"]
    assert tickets["bob"] == {"revoked": True, "opened": 0, "opened_at": None}
    expect_error(gala("tournament", "tickets", "gala"), "like gala.t1", 2)
    gala("tournament", "interrupt", "gala.t1", "--why", "storm")
    expect_error(gala("tournament", "ticket", "gala.t1", "ann"), "check-in codes no longer work")
    expect_error(gala("tournament", "rotate-ticket", "gala.t1", "ann"), "gala.t1 is")
