"""The counter over HTTP: money passes once for each request, and never more than is there."""

from __future__ import annotations

from tests.house.web.conftest import Running, SignedIn
from tests.house.web.live import SHEETS
from tests.house.web.sat_down import CLOCKS, table_for
from tests.house.web.test_routes_tables import ANTE, Player

from pitbook import load
from pitbook.house.ledger.accounts import Account
from pitbook.house.table.commands import By, Envelope, Leave, PutWager, Sit, Undo
from pitbook.house.web.server import Server
from pitbook.money import Cents, dollars


def test_money_passes_once_for_each_request(
    run: Running, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        sue = signed_in("supervisor")
        paid = {"player": "ann", "amount": "100", "request": "a"}
        first, again = [await sue.post("/api/cage/buy-in", json=paid) for _ in range(2)]
        assert (first.json()["again"], again.json()["again"]) == (False, True)
        assert first.json() | {"again": True} == again.json()
        other = await sue.post("/api/cage/buy-in", json={**paid, "amount": "200"})
        assert other.status_code == 409
        assert "came before with another body" in other.json()["error"]
        wallet = {"player": "ann", "unit": "usd", "balance": "100.00", "held": "0.00"}
        assert (await signed_in("auditor").get("/api/cage/ann")).json() == wallet
        out = {"player": "ann", "amount": "100.01", "request": "b"}
        no = await sue.post("/api/cage/cash-out", json=out)
        assert (no.status_code, no.json()["error"]) == (
            409,
            "wallet:ann holds $100 and cannot give $100.01",
        )
        assert (await sue.post("/api/cage/cash-out", json={**out, "amount": "40"})).is_success
        assert (await sue.get("/api/cage/ann")).json()["balance"] == "60.00"
        assert (await sue.post("/api/cage/fund", json={"amount": "5", "request": "c"})).is_success
        taken = {"amount": "5", "request": "d"}
        assert (await sue.post("/api/cage/withdraw", json=taken)).is_success

    run(play())


def test_what_lies_on_a_table_is_held(run: Running, server: Server, signed_in: SignedIn) -> None:
    async def play() -> None:
        await table_for(server, SHEETS[0], "ann")
        ann = Player(signed_in("player"), "t")
        await ann.fine({"do": "sit", "seat": 1})
        await ann.fine(ANTE)
        http = signed_in("supervisor")
        found = (await http.get("/api/cage/ann")).json()
        assert (found["balance"], found["held"]) == ("9990.00", "10.00")
        await table_named(server, "u")  # Whose player changes between two rounds.
        for name, whose in (("ann", "player"), ("dee", "dealer")):
            await server.house.tables["u"].send(Envelope(By(name, "player"), Sit(1)))
            await server.house.tables["u"].send(Envelope(By(name, "player"), wager("15")))
            held = (await http.get(f"/api/cage/{name}")).json()["held"]
            assert held == {"player": "25.00", "dealer": "15.00"}[whose]
            for command in (Undo(1), Leave(1)):
                await server.house.tables["u"].send(Envelope(By(name, "player"), command))
        assert (await http.get("/api/cage/dee")).json()["held"] == "0.00"
        assert (await http.get("/api/cage/ann")).json()["held"] == "10.00"

    run(play())


async def table_named(server: Server, name: str) -> None:
    await server.house.cage.buy_in("dee", Cents(10_000), actor="test")
    sheet = load(SHEETS[0])
    await server.house.open_table(name, "house", unit="usd", sheet=sheet, clocks=CLOCKS)


def wager(amount: str) -> PutWager:
    return PutWager(1, "ante", dollars(amount))


def test_what_is_no_money_or_nobody_is_a_sentence_and_no_row(
    run: Running, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        sue = signed_in("supervisor")
        fine = {"player": "ann", "amount": "1", "request": "x"}
        before = server.house.ledger.streams()
        for bad, status in (
            ({"amount": "0"}, 400),
            ({"amount": "-1"}, 400),
            ({"amount": "1.001"}, 400),
            ({"amount": "9" * 30}, 400),
            ({"amount": 5}, 422),
            ({"player": "zoe"}, 404),
            ({"player": "guest-1"}, 404),
            ({"request": ""}, 400),
            ({"request": None}, 422),
            ({"more": 1}, 422),
        ):
            answer = await sue.post("/api/cage/buy-in", json={**fine, **bad})
            assert answer.status_code == status, bad
            assert answer.json()["error"]
        assert (await sue.get("/api/cage/zoe")).status_code == 404
        assert server.house.ledger.streams() == before

    run(play())


def test_a_guest_of_a_table_with_real_cards_is_paid_out_by_name(
    run: Running, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        sheet = load(SHEETS[0])
        await server.house.open_table("t", "typed", unit="usd", sheet=sheet)
        dee, sue = Player(signed_in("dealer"), "t"), signed_in("supervisor")
        await dee.fine({"do": "sit", "seat": 1, "player": "Ticket 17"})
        assert (await sue.get("/api/cage/Ticket 17")).status_code == 404
        await dee.fine({"do": "buy-in", "seat": 1, "amount": "200"})
        assert (await sue.get("/api/cage/Ticket 17")).json()["balance"] == "200.00"
        guests = {"player": "Ticket 17", "balance": "200.00", "table": "t"}
        assert (await sue.get("/api/pit/guests")).json() == {"guests": [guests]}
        out = {"player": "Ticket 17", "amount": "200", "request": "a"}
        assert "cash holds" in (await sue.post("/api/cage/cash-out", json=out)).json()["error"]
        assert (await sue.post("/api/cage/fund", json={"amount": "500", "request": "b"})).is_success
        assert (await sue.post("/api/cage/cash-out", json=out)).is_success
        assert (await sue.get("/api/pit/guests")).json() == {"guests": []}
        held = server.house.ledger.balance
        assert held(Account("usd", "box", "t")) == 20_000
        assert held(Account("usd", "cash")) == 30_000

    run(play())
