"""The cage over HTTP: every request is booked once, never more than there is."""

from __future__ import annotations

from tests.house.web.conftest import LoopRunner, SignedIn
from tests.house.web.live_server import SHEETS
from tests.house.web.seated_players import CLOCKS, table_for
from tests.house.web.test_routes_tables import ANTE, Player

from pitbook import load
from pitbook.house.ledger.accounts import Account
from pitbook.house.table.commands import By, Envelope, Leave, PutWager, Sit, Undo
from pitbook.house.web.server import Server
from pitbook.money import Cents, dollars


def test_repeated_cage_request_is_booked_once(
    run: LoopRunner, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        sue = signed_in("supervisor")
        paid = {"player": "ann", "amount": "100", "request": "a"}
        first, again = [await sue.post("/api/cage/buy-in", json=paid) for _ in range(2)]
        assert (first.json()["again"], again.json()["again"]) == (False, True)
        assert first.json() | {"again": True} == again.json()
        other = await sue.post("/api/cage/buy-in", json={**paid, "amount": "200"})
        assert other.status_code == 409
        assert "was already used with a different body" in other.json()["error"]
        wallet = {"player": "ann", "unit": "usd", "balance": "100.00", "held": "0.00"}
        assert (await signed_in("auditor").get("/api/cage/ann")).json() == wallet
        out = {"player": "ann", "amount": "100.01", "request": "b"}
        refusal = await sue.post("/api/cage/cash-out", json=out)
        assert (refusal.status_code, refusal.json()["error"]) == (
            409,
            "ann has $100, less than $100.01.",
        )
        assert (await sue.post("/api/cage/cash-out", json={**out, "amount": "40"})).is_success
        assert (await sue.get("/api/cage/ann")).json()["balance"] == "60.00"
        assert (await sue.post("/api/cage/fund", json={"amount": "5", "request": "c"})).is_success
        taken = {"amount": "5", "request": "d"}
        assert (await sue.post("/api/cage/withdraw", json=taken)).is_success

    run(play())


def test_money_on_tables_is_held(run: LoopRunner, server: Server, signed_in: SignedIn) -> None:
    async def play() -> None:
        await table_for(server, SHEETS[0], "ann")
        ann = Player(signed_in("player"), "t")
        await ann.accept({"do": "sit", "seat": 1})
        await ann.accept(ANTE)
        http = signed_in("supervisor")
        wallet_document = (await http.get("/api/cage/ann")).json()
        assert (wallet_document["balance"], wallet_document["held"]) == ("9990.00", "10.00")
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


def test_invalid_amount_or_player_is_refused_and_writes_nothing(
    run: LoopRunner, server: Server, signed_in: SignedIn
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


def test_player_without_an_account_is_cashed_out_by_name(
    run: LoopRunner, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        sheet = load(SHEETS[0])
        await server.house.open_table("t", "typed", unit="usd", sheet=sheet)
        dee, sue = Player(signed_in("dealer"), "t"), signed_in("supervisor")
        await dee.accept({"do": "sit", "seat": 1, "player": "Ticket 17"})
        assert (await sue.get("/api/cage/Ticket 17")).status_code == 404
        await dee.accept({"do": "buy-in", "seat": 1, "amount": "200"})
        assert (await sue.get("/api/cage/Ticket 17")).json()["balance"] == "200.00"
        guests = {"player": "Ticket 17", "balance": "200.00", "table": "t"}
        assert (await sue.get("/api/pit/guests")).json() == {"guests": [guests]}
        out = {"player": "Ticket 17", "amount": "200", "request": "a"}
        assert (
            "The vault has $0, less than $200"
            in (await sue.post("/api/cage/cash-out", json=out)).json()["error"]
        )
        assert (await sue.post("/api/cage/fund", json={"amount": "500", "request": "b"})).is_success
        assert (await sue.post("/api/cage/cash-out", json=out)).is_success
        assert (await sue.get("/api/pit/guests")).json() == {"guests": []}
        held = server.house.ledger.balance
        assert held(Account("usd", "box", "t")) == 20_000
        assert held(Account("usd", "cash")) == 30_000

    run(play())
