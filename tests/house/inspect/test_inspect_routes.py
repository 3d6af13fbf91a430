"""Inspection over HTTP: search rounds, close and sign days, verify the ledger."""

from __future__ import annotations

import csv
import json
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

import pytest
import typer
from tests.house.web.conftest import LoopRunner, SignedIn
from tests.house.web.live_server import SHEETS, Json
from tests.house.web.seated_players import table_for
from tests.house.web.test_routes_tables import ANTE, Player

from pitbook.house.cli.audit import check_close
from pitbook.house.inspect import routes as inspect
from pitbook.house.inspect.day_close import is_authentic
from pitbook.house.web.server import Server

PLAYS = ("1x", "1x", "1x")


async def play_rounds(server: Server, signed_in: SignedIn, rounds: int = 2) -> list[Json]:
    """Rounds of ann's at seat 1; returns the view after each."""
    await table_for(server, SHEETS[0], "ann")
    ann = Player(signed_in("player"), "t")
    await ann.accept({"do": "sit", "seat": 1})
    views = []
    for _ in range(rounds):
        await ann.accept(ANTE)
        await ann.accept({"do": "close-betting"})
        for play in PLAYS:
            await ann.accept({"do": "decide", "seat": 1, "play": play})
        views.append(await ann.look())
    return views


@pytest.mark.long
def test_round_is_found_by_every_criterion(
    run: LoopRunner, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        today = datetime.now(UTC).date()  # Or yesterday, if midnight passes meanwhile.
        tomorrow, after = today + timedelta(days=1), today + timedelta(days=2)
        views = await play_rounds(server, signed_in)
        abe = signed_in("auditor")

        async def find(**params: object) -> list[str]:
            answer = await abe.get(f"/api/inspect/rounds?{urlencode(params)}")
            assert answer.status_code == 200, answer.text
            return [hand["round"] for hand in answer.json()["hands"]]

        newest_first = [view["round"] for view in reversed(views)]
        (result,) = views[0]["result"]["seats"]
        won = result["wins"]
        outcome = result["lines"][0]["outcome"]
        for query in ({}, {"table": "t"}, {"seat": 1}, {"player": "ANN"}, {"from": today}):
            assert await find(**query) == newest_first, query
        for query in ({"won_min": won, "won_max": won}, {"outcome": outcome}):
            assert views[0]["round"] in await find(**query), query
        both = {"table": "t", "seat": 1, "player": "ann", "outcome": outcome, "won_min": won}
        assert views[0]["round"] in await find(**both, **{"from": today, "to": tomorrow})
        for query in (
            *({"table": "u"}, {"seat": 2}, {"player": "bob"}, {"from": after}),
            *({"outcome": "no-such"}, {"won_min": "100000"}),
        ):
            assert await find(**query) == [], query
        rounds_found = (await abe.get("/api/inspect/rounds")).json()
        (hand, _) = rounds_found["hands"]
        net = views[1]["result"]["seats"][0]["net"]
        assert (hand["player"], hand["net"], hand["table"]) == ("ann", net, "t")
        assert outcome in rounds_found["outcomes"]
        assert (await abe.get(f"/api/pit/explain/{hand['round']}/1")).is_success
        assert (await abe.get(f"/api/tables/t/rounds/{hand['round']}")).is_success

    run(play())


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_day_close_is_signed(
    form: str, run: LoopRunner, server: Server, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        await play_rounds(server, signed_in, rounds=1)
        server.house.folder.sign()
        *_, last = server.house.ledger.entries("table/t")
        played = datetime.fromisoformat(last.at)
        monkeypatch.setattr(inspect, "utc_now", lambda: played)  # Midnight may have passed since.
        abe, today = signed_in("auditor"), played.date()
        path = f"/api/inspect/close?day={today}&format={form}"
        refusal = await abe.get(path)
        assert refusal.status_code == 409
        assert "is not over" in refusal.json()["error"]
        monkeypatch.setattr(inspect, "utc_now", lambda: played + timedelta(days=2))
        file = (await abe.get(path)).text
        key = server.house.folder.keys.public
        assert is_authentic(file, key, form)  # type: ignore[arg-type]
        assert not is_authentic(file.replace("ann", "bob", 1), key, form)  # type: ignore[arg-type]
        assert not is_authentic(file, "00" * 32, form)  # type: ignore[arg-type]
        assert not is_authentic("", key, form)  # type: ignore[arg-type]
        file_path = server.house.folder.path / f"a.{form}"
        file_path.write_text(file, newline="")
        check_close(file_path, data=file_path.parent)
        file_path.write_text(file[:-9], newline="")
        with pytest.raises(typer.Exit):
            check_close(file_path, data=file_path.parent)
        kinds = [
            row[0] if form == "csv" else json.loads(line).get("kind", "signature")
            for line in file.splitlines()
            for row in csv.reader([line])
        ]
        ledger = server.house.ledger
        written = [entry.at for stream in ledger.streams() for entry in ledger.entries(stream.name)]
        entries = sum(at.startswith(str(today)) for at in written)  # The house may be of yesterday.
        assert kinds == ["close", *["entry"] * entries, "checkpoint", "signature"]

    run(play())


def test_ledger_is_verified_over_http(run: LoopRunner, server: Server, signed_in: SignedIn) -> None:
    async def play() -> None:
        await play_rounds(server, signed_in, rounds=1)
        abe = signed_in("auditor")
        verdict = (await abe.get("/api/inspect/verify")).json()
        assert (verdict["sound"], verdict["findings"]) == (True, [])
        assert verdict["entries"] > 5
        assert verdict["key"] == server.house.folder.keys.public

    run(play())
