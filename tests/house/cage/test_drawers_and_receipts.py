"""Drawers and receipts over HTTP: counted at both ends, numbered, voided by two above a limit."""

from __future__ import annotations

from typing import Any

from httpx import AsyncClient
from tests.house.web.conftest import LoopRunner, SignedIn

from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.stream_kinds import audit_of
from pitbook.house.web.server import Server

NOT_UNDONE = (
    "cannot be voided. Only buy-ins, cash-outs, vault deposits, vault withdrawals and "
    "drop counts can."
)
ONCE = iter(range(10**6))


async def post(client: AsyncClient, path: str, **body: Any) -> tuple[int, Any]:
    """The status, and the document or the error."""
    answer = await client.post(f"/api/{path}", json={"request": f"r{next(ONCE)}", **body})
    document = answer.json()
    return answer.status_code, document.get("error", document)


async def post_ok(client: AsyncClient, path: str, **body: Any) -> Any:
    status, document = await post(client, path, **body)
    assert status == 200, document
    return document


def test_cashiers_shift(run: LoopRunner, server: Server, signed_in: SignedIn) -> None:
    async def play() -> None:
        sue, cal, abe = signed_in("supervisor"), signed_in("cashier"), signed_in("auditor")
        paid = {"player": "ann", "amount": "100"}
        open_first = "Your drawer is not open. Count it and open it first."
        assert await post(cal, "cage/buy-in", **paid) == (409, open_first)
        status, no = await post(cal, "counter/drawer", counted="500")
        # The vault has nothing for the drawer.
        assert (status, no) == (409, "The vault has $0, less than $500.")
        await post_ok(sue, "cage/fund", amount="1000")
        once = {"counted": "500", "request": "open"}
        first, again = [await post_ok(cal, "counter/drawer", **once) for _ in range(2)]
        assert (first["receipt"], again["receipt"], again["again"]) == (2, 2, True)
        assert (await post(cal, "counter/drawer", counted="1"))[1] == (
            "cal's drawer is already open (slip 2)."
        )
        assert (await post_ok(cal, "cage/buy-in", **paid))["receipt"] == 3
        await post_ok(cal, "cage/cash-out", player="ann", amount="30")
        # From the vault: she has no drawer.
        await post_ok(sue, "cage/buy-in", player="ann", amount="5")
        drawers = (await cal.get("/api/counter/drawers")).json()
        assert (drawers["open"][0]["holds"], drawers["vault"]) == (None, None)
        drawers = (await abe.get("/api/counter/drawers")).json()
        assert (drawers["open"][0]["holds"], drawers["vault"]) == ("570.00", "505.00")
        await post_ok(sue, "counter/drawers/cal/money", amount="70", to="vault")
        assert (await post(sue, "counter/drawers/sue/money", amount="1", to="drawer"))[1] == (
            "sue's drawer is not open."
        )
        closed = await post_ok(cal, "counter/drawers/cal/close", counted="499.50")
        (receipt,) = (await abe.get("/api/counter/receipts?count=1")).json()["receipts"]
        assert (receipt["number"], receipt["off"]) == (closed["receipt"], "-0.50")
        assert (await post(cal, "counter/drawers/cal/close", counted="1"))[0] == 409
        held = server.house.ledger.balances("usd")
        assert held[Account("usd", "cash")] == 107_450
        assert held[Account("usd", "house")] == 99_950
        statement = (await abe.get("/api/counter/statement")).json()
        assert statement["agrees"]
        assert (statement["lies"], statement["wallets"]) == ("1074.50", "75.00")
        receipts_found = (await cal.get("/api/counter/receipts?text=ANN&count=2")).json()
        assert [receipt["what"] for receipt in receipts_found["receipts"]] == ["buy-in", "cash-out"]
        assert receipts_found["more"]
        assert verify(server.house.ledger, replay_of=audit_of).findings == ()

    run(play())


def test_receipt_is_voided_once_and_by_two_above_the_limit(
    run: LoopRunner, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        sue, cal = signed_in("supervisor"), signed_in("cashier")
        await post_ok(sue, "cage/fund", amount="1000")
        await post_ok(cal, "counter/drawer", counted="500")
        await post_ok(cal, "cage/buy-in", player="ann", amount="100")
        await post_ok(cal, "cage/buy-in", player="ann", amount="100.01")
        undone = {"why": "typed 100 for 10", "request": "undo"}
        first, again = [await post_ok(cal, "counter/receipts/3/undo", **undone) for _ in range(2)]
        assert first["receipt"] == again["receipt"] == 5
        for number, no in (
            (3, "Slip 3 was already voided by slip 5."),
            (5, f"Slip 5 {NOT_UNDONE}"),
            (9, "There is no slip 9."),
        ):
            assert await post(cal, f"counter/receipts/{number}/undo", why="x") == (409, no)
        assert (await post(cal, "counter/receipts/4/undo", why="\n"))[0] == 400
        assert (await post(cal, "counter/receipts/1/undo", why="the house's"))[0] == 403
        assert (await post_ok(cal, "counter/receipts/4/undo", why="wrong"))["receipt"] is None
        assert server.house.ledger.balance(Account("usd", "wallet", "ann")) == 10_001
        assert (await post(cal, "counter/receipts/4/undo", why="again"))[0] == 409
        assert (await post(cal, "counter/receipts/4/approve"))[0] == 403
        await post_ok(sue, "counter/receipts/4/decline", why="ask again")
        await post_ok(cal, "counter/receipts/4/undo", why="wrong")
        await post_ok(sue, "counter/receipts/4/approve")
        (last,) = (await cal.get("/api/counter/receipts?count=1")).json()["receipts"]
        assert (last["who"], last["asked_by"], last["of"]) == ("sue", "cal", 4)
        assert server.house.ledger.balance(Account("usd", "cash", "drawer/cal")) == 50_000
        await post_ok(sue, "cage/buy-in", player="ann", amount="300")
        await post_ok(sue, "counter/receipts/7/undo", why="mine")
        status, no = await post(sue, "counter/receipts/7/approve")
        assert (status, no) == (
            409,
            "You asked to void slip 7. A second person must approve it.",
        )
        await post_ok(cal, "cage/buy-in", player="ann", amount="50")
        await post_ok(cal, "cage/cash-out", player="ann", amount="350")
        assert await post(cal, "counter/receipts/8/undo", why="what is gone cannot come back") == (
            409,
            "ann has $0, less than $50.",
        )
        assert verify(server.house.ledger, replay_of=audit_of).findings == ()

    run(play())
