"""A table's box over HTTP: emptied and counted into the vault, and the drop is what was counted."""

from __future__ import annotations

from typing import Any

from tests.house.cage.test_drawers_and_receipts import ask, must
from tests.house.web.conftest import Running, SignedIn

from pitbook import load
from pitbook.house.inspect.table_results import takings
from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.queries import ALWAYS, Interval
from pitbook.house.ledger.stream_kinds import audit_of
from pitbook.house.web.server import Server

STUD = "oceanfront/mississippi-stud"


def test_a_box_is_counted_into_the_vault_and_the_drop_is_the_count(
    run: Running, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        sue, cal, abe = signed_in("supervisor"), signed_in("cashier"), signed_in("auditor")
        await server.house.open_table("stud-1", "typed", unit="usd", sheet=load(STUD))

        async def told(**command: Any) -> None:
            await must(sue, "tables/stud-1/commands", command=command)

        await told(do="sit", seat=1, player="ann")
        count, no_last = "counter/boxes/stud-1/count", {"last": 0}
        empty = "the box of table stud-1 is empty; there is nothing to count"
        assert await ask(sue, count, counted="0", **no_last) == (409, empty)
        await told(do="buy-in", seat=1, amount="300")
        for who in (cal, abe):
            assert (await ask(who, count, counted="300", **no_last))[0] == 403
        for wrong in ("", "-5", "1e3", "3.001", "9" * 30):
            assert (await ask(sue, count, counted=wrong, **no_last))[0] in (400, 422), wrong
        for name in ("nobody", "rack:stud-1", "%00", "x" * 300, "stud-1%2F1"):
            status = (await ask(sue, f"counter/boxes/{name}/count", counted="5", **no_last))[0]
            assert status in (400, 404), name
        once = {"counted": "295.50", "request": "count", **no_last}
        first, again = [await must(sue, count, **once) for _ in range(2)]
        assert (first["receipt"], again["again"]) == (1, True)
        assert (await ask(sue, count, counted="1", request="count", last=0))[0] == 409
        meanwhile = "the box of table stud-1 was counted meanwhile, by receipt 1; look again"
        assert await ask(sue, count, counted="295.50", last=0) == (409, meanwhile)  # By two.
        assert server.house.ledger.balance(Account("usd", "cash")) == 29_550
        assert _drop(server) == 29_550  # Short: what was counted, not what went in.
        boxes = (await abe.get("/api/counter/boxes")).json()
        box = {"table": "stud-1", "holds": "0.00", "last": 1, "open": True}
        assert boxes["boxes"] == [box]
        assert [(one["off"], one["by"]) for one in boxes["counts"]] == [("-4.50", "sue")]
        await told(do="buy-in", seat=1, amount="100")
        assert _drop(server) == 39_550  # What went in since counts as it is on record.
        await must(sue, "counter/receipts/1/undo", why="counted twice")  # Above the limit.
        sam = signed_in("supervisor")
        assert (await ask(sam, "counter/receipts/1/approve"))[0] == 409
        assert (await ask(cal, "counter/receipts/1/undo", why="mine"))[0] in (403, 409)
        await must(sue, "counter/receipts/1/decline", why="it was right")
        await told(do="retire")  # With money in the box still.
        statement = (await abe.get("/api/counter/statement")).json()
        assert {"what": "box", "name": "stud-1", "amount": "100.00"} in statement["each"]
        assert (statement["boxes"], statement["vault"]) == ("100.00", "295.50")
        assert statement["agrees"]
        await must(sue, count, counted="101", last=1)
        assert _drop(server) == 39_650
        assert (await ask(sue, count, counted="0", last=2))[0] == 409
        (box,) = (await abe.get("/api/counter/receipts?count=1")).json()["receipts"]
        assert (box["what"], box["table"], box["off"]) == ("box-counted", "stud-1", "1.00")
        late = takings(server.house.ledger, Interval(box["at"], None))
        assert [(one.table, one.drop) for one in late] == [("stud-1", 100)]
        events = (await abe.get("/api/pit/events")).json()["events"]
        assert [one["what"] for one in events].count("box-counted") == 2
        assert verify(server.house.ledger, following=audit_of).findings == ()

    run(play())


def test_a_small_count_is_undone_and_counted_anew(
    run: Running, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        sue, cal = signed_in("supervisor"), signed_in("cashier")
        await server.house.open_table("stud-1", "typed", unit="usd", sheet=load(STUD))
        for given in (
            {"do": "sit", "seat": 1, "player": "ann"},
            {"do": "buy-in", "seat": 1, "amount": "50"},
        ):
            await must(sue, "tables/stud-1/commands", command=given)
        await must(sue, "counter/boxes/stud-1/count", counted="80", last=0)  # A slip of the hand.
        assert (await ask(cal, "counter/receipts/1/undo", why="mine"))[0] == 403
        await must(sue, "counter/receipts/1/undo", why="80 for 50")
        assert (_drop(server), server.house.ledger.balance(Account("usd", "cash"))) == (5_000, 0)
        assert server.house.ledger.balance(Account("usd", "box", "stud-1")) == 5_000
        await must(sue, "counter/boxes/stud-1/count", counted="50", last=1)
        assert _drop(server) == 5_000
        assert (await sue.get("/api/counter/statement")).json()["agrees"]
        assert verify(server.house.ledger, following=audit_of).findings == ()

    run(play())


def _drop(server: Server) -> int:
    return sum(one.drop for one in takings(server.house.ledger, ALWAYS))
