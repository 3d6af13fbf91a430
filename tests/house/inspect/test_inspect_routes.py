"""The inspector's desk: rounds are found by every key, days closed and signed, the book proved."""

from __future__ import annotations

import csv
import json
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

import pytest
import typer
from tests.house.web.conftest import Running, SignedIn
from tests.house.web.live import SHEETS, Json
from tests.house.web.sat_down import table_for
from tests.house.web.test_routes_tables import ANTE, Player

from pitbook.cli.audit.check_close import check_close
from pitbook.house.inspect import routes as inspect
from pitbook.house.inspect.day_close import is_whole
from pitbook.house.web.server import Server

PLAYS = ("1x", "1x", "1x")


async def evening(server: Server, signed_in: SignedIn, rounds: int = 2) -> list[Json]:
    """Some rounds of ann's at seat 1; what became of each."""
    await table_for(server, SHEETS[0], "ann")
    ann = Player(signed_in("player"), "t")
    await ann.fine({"do": "sit", "seat": 1})
    found = []
    for _ in range(rounds):
        await ann.fine(ANTE)
        await ann.fine({"do": "close-betting"})
        for play in PLAYS:
            await ann.fine({"do": "decide", "seat": 1, "play": play})
        found.append(await ann.look())
    return found


@pytest.mark.long
def test_a_round_is_found_by_every_key(run: Running, server: Server, signed_in: SignedIn) -> None:
    async def play() -> None:
        today = datetime.now(UTC).date()  # Or, if midnight strikes meanwhile, yesterday.
        tomorrow, after = today + timedelta(days=1), today + timedelta(days=2)
        seen = await evening(server, signed_in)
        abe = signed_in("auditor")

        async def find(**asked: object) -> list[str]:
            answer = await abe.get(f"/api/inspect/rounds?{urlencode(asked)}")
            assert answer.status_code == 200, answer.text
            return [one["round"] for one in answer.json()["hands"]]

        newest_first = [one["round"] for one in reversed(seen)]
        (result,) = seen[0]["result"]["seats"]
        won = result["wins"]
        outcome = result["lines"][0]["outcome"]
        for asked in ({}, {"table": "t"}, {"seat": 1}, {"player": "ANN"}, {"from": today}):
            assert await find(**asked) == newest_first, asked
        for asked in ({"won_min": won, "won_max": won}, {"outcome": outcome}):
            assert seen[0]["round"] in await find(**asked), asked
        both = {"table": "t", "seat": 1, "player": "ann", "outcome": outcome, "won_min": won}
        assert seen[0]["round"] in await find(**both, **{"from": today, "to": tomorrow})
        for asked in (
            *({"table": "u"}, {"seat": 2}, {"player": "bob"}, {"from": after}),
            *({"outcome": "no-such"}, {"won_min": "100000"}),
        ):
            assert await find(**asked) == [], asked
        told = (await abe.get("/api/inspect/rounds")).json()
        (hand, _) = told["hands"]
        net = seen[1]["result"]["seats"][0]["net"]
        assert (hand["player"], hand["net"], hand["table"]) == ("ann", net, "t")
        assert outcome in told["outcomes"]
        assert (await abe.get(f"/api/pit/explain/{hand['round']}/1")).is_success
        assert (await abe.get(f"/api/tables/t/rounds/{hand['round']}")).is_success

    run(play())


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_a_day_is_closed_under_a_signature_that_any_change_breaks(
    form: str, run: Running, server: Server, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        await evening(server, signed_in, rounds=1)
        server.house.folder.sign()
        *_, last = server.house.ledger.entries("table/t")
        played = datetime.fromisoformat(last.at)
        monkeypatch.setattr(inspect, "utc_now", lambda: played)  # Midnight may have struck since.
        abe, today = signed_in("auditor"), played.date()
        path = f"/api/inspect/close?day={today}&format={form}"
        no = await abe.get(path)
        assert no.status_code == 409
        assert "is not over" in no.json()["error"]
        monkeypatch.setattr(inspect, "utc_now", lambda: played + timedelta(days=2))
        file = (await abe.get(path)).text
        key = server.house.folder.keys.public
        assert is_whole(file, key, form)  # type: ignore[arg-type]
        assert not is_whole(file.replace("ann", "bob", 1), key, form)  # type: ignore[arg-type]
        assert not is_whole(file, "00" * 32, form)  # type: ignore[arg-type]
        assert not is_whole("", key, form)  # type: ignore[arg-type]
        kept = server.house.folder.path / f"a.{form}"
        kept.write_text(file, newline="")
        check_close(kept, data=kept.parent)
        kept.write_text(file[:-9], newline="")
        with pytest.raises(typer.Exit):
            check_close(kept, data=kept.parent)
        kinds = [
            row[0] if form == "csv" else json.loads(line).get("kind", "signature")
            for line in file.splitlines()
            for row in csv.reader([line])
        ]
        ledger = server.house.ledger
        written = [one.at for name in ledger.streams() for one in ledger.entries(name.name)]
        entries = sum(at.startswith(str(today)) for at in written)  # A house may be of yesterday.
        assert kinds == ["close", *["entry"] * entries, "checkpoint", "signature"]

    run(play())


def test_the_book_is_verified_from_the_page(
    run: Running, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        await evening(server, signed_in, rounds=1)
        abe = signed_in("auditor")
        told = (await abe.get("/api/inspect/verify")).json()
        assert (told["sound"], told["findings"]) == (True, [])
        assert told["entries"] > 5
        assert told["key"] == server.house.folder.keys.public

    run(play())
