"""Drop boxes over HTTP: emptied and counted into the vault; the count is the drop."""

from __future__ import annotations

from typing import Any

from tests.house.cage.test_drawers_and_receipts import post, post_ok
from tests.house.web.conftest import LoopRunner, SignedIn

from pitbook import load
from pitbook.house.inspect.table_results import table_results
from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.queries import ALL_TIME, Interval
from pitbook.house.ledger.stream_kinds import audit_of
from pitbook.house.web.server import Server

STUD = "oceanfront/mississippi-stud"


def test_box_count_goes_to_the_vault_and_is_the_drop(
    run: LoopRunner, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        sue, cal, abe = signed_in("supervisor"), signed_in("cashier"), signed_in("auditor")
        await server.house.open_table("stud-1", "typed", unit="usd", sheet=load(STUD))

        async def send_command(**command: Any) -> None:
            await post_ok(sue, "tables/stud-1/commands", command=command)

        await send_command(do="sit", seat=1, player="ann")
        count, no_last = "counter/boxes/stud-1/count", {"last": 0}
        empty = "The table stud-1 drop box is empty."
        assert await post(sue, count, counted="0", **no_last) == (409, empty)
        await send_command(do="buy-in", seat=1, amount="300")
        for who in (cal, abe):
            assert (await post(who, count, counted="300", **no_last))[0] == 403
        for wrong in ("", "-5", "1e3", "3.001", "9" * 30):
            assert (await post(sue, count, counted=wrong, **no_last))[0] in (400, 422), wrong
        for name in ("nobody", "rack:stud-1", "%00", "x" * 300, "stud-1%2F1"):
            status = (await post(sue, f"counter/boxes/{name}/count", counted="5", **no_last))[0]
            assert status in (400, 404), name
        once = {"counted": "295.50", "request": "count", **no_last}
        first, again = [await post_ok(sue, count, **once) for _ in range(2)]
        assert (first["receipt"], again["again"]) == (1, True)
        assert (await post(sue, count, counted="1", request="count", last=0))[0] == 409
        meanwhile = (
            "Someone counted the table stud-1 drop box a moment ago (slip 1). Reload to see the "
            "new count."
        )
        # Two people counting.
        assert await post(sue, count, counted="295.50", last=0) == (409, meanwhile)
        assert server.house.ledger.balance(Account("usd", "cash")) == 29_550
        assert _drop(server) == 29_550  # Short: the drop is the count, not what went in.
        boxes = (await abe.get("/api/counter/boxes")).json()
        box = {"table": "stud-1", "holds": "0.00", "last": 1, "open": True}
        assert boxes["boxes"] == [box]
        assert [(count["off"], count["by"]) for count in boxes["counts"]] == [("-4.50", "sue")]
        await send_command(do="buy-in", seat=1, amount="100")
        assert _drop(server) == 39_550  # Later buy-ins count as recorded.
        # Above the limit for one person.
        await post_ok(sue, "counter/receipts/1/undo", why="counted twice")
        sam = signed_in("supervisor")
        assert (await post(sam, "counter/receipts/1/approve"))[0] == 409
        assert (await post(cal, "counter/receipts/1/undo", why="mine"))[0] in (403, 409)
        await post_ok(sue, "counter/receipts/1/decline", why="it was right")
        await send_command(do="retire")  # With money still in the box.
        statement = (await abe.get("/api/counter/statement")).json()
        assert {"what": "box", "name": "stud-1", "amount": "100.00"} in statement["each"]
        assert (statement["boxes"], statement["vault"]) == ("100.00", "295.50")
        assert statement["agrees"]
        await post_ok(sue, count, counted="101", last=1)
        assert _drop(server) == 39_650
        assert (await post(sue, count, counted="0", last=2))[0] == 409
        (box,) = (await abe.get("/api/counter/receipts?count=1")).json()["receipts"]
        assert (box["what"], box["table"], box["off"]) == ("box-counted", "stud-1", "1.00")
        late = table_results(server.house.ledger, Interval(box["at"], None))
        assert [(result.table, result.drop) for result in late] == [("stud-1", 100)]
        events = (await abe.get("/api/pit/events")).json()["events"]
        assert [event["what"] for event in events].count("box-counted") == 2
        assert verify(server.house.ledger, replay_of=audit_of).findings == ()

    run(play())


def test_small_box_count_is_voided_and_repeated(
    run: LoopRunner, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        sue, cal = signed_in("supervisor"), signed_in("cashier")
        await server.house.open_table("stud-1", "typed", unit="usd", sheet=load(STUD))
        for command in (
            {"do": "sit", "seat": 1, "player": "ann"},
            {"do": "buy-in", "seat": 1, "amount": "50"},
        ):
            await post_ok(sue, "tables/stud-1/commands", command=command)
        await post_ok(sue, "counter/boxes/stud-1/count", counted="80", last=0)  # A miscount.
        assert (await post(cal, "counter/receipts/1/undo", why="mine"))[0] == 403
        await post_ok(sue, "counter/receipts/1/undo", why="80 for 50")
        assert (_drop(server), server.house.ledger.balance(Account("usd", "cash"))) == (5_000, 0)
        assert server.house.ledger.balance(Account("usd", "box", "stud-1")) == 5_000
        await post_ok(sue, "counter/boxes/stud-1/count", counted="50", last=1)
        assert _drop(server) == 5_000
        assert (await sue.get("/api/counter/statement")).json()["agrees"]
        assert verify(server.house.ledger, replay_of=audit_of).findings == ()

    run(play())


def _drop(server: Server) -> int:
    return sum(result.drop for result in table_results(server.house.ledger, ALL_TIME))
