"""The server enforces players' own limits and breaks across pages, tabs and new guests."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.house.web.coach_rounds import (
    decide,
    last,
    play_rounds,
    settings,  # noqa: F401  Hundreds of rounds are no abuse here.
)
from tests.house.web.conftest import BASE, LoopRunner, SignedIn, client_of
from tests.house.web.live_server import Json
from tests.house.web.test_routes_tables import STUD, Player, guest_of

from pitbook.house.people.access_list import AccessList
from pitbook.house.people.break_cookie import BREAK_COOKIE
from pitbook.house.people.player_limits import PlayToday
from pitbook.house.people.roster import (
    OwnBreak,
    OwnLimits,
    Roster,
    apply_events,
    dump_roster,
    load_roster,
)
from pitbook.house.people.roster_store import get_persons
from pitbook.house.web.server import Server

NOON = datetime(2026, 11, 17, 12, tzinfo=UTC)


def set_at(hours: float, loss: int | None, minutes: int | None = None) -> OwnLimits:
    at = NOON + timedelta(hours=hours)
    return OwnLimits("ann", loss, minutes, at.isoformat(timespec="seconds"))


@pytest.mark.parametrize(
    ("limits_set", "holds"),
    [
        ([set_at(-1, 5_000)], (5_000, None)),
        (
            [set_at(-48, 5_000), set_at(-1, 2_000)],
            (2_000, None),
        ),  # A stricter limit applies at once,
        ([set_at(-48, 5_000), set_at(-1, 9_000)], (5_000, None)),  # a milder one a day later:
        ([set_at(-48, 5_000), set_at(-24.1, 9_000)], (9_000, None)),
        ([set_at(-48, 5_000), set_at(-1, None)], (5_000, None)),
        ([set_at(-48, 5_000), set_at(-25, None)], (None, None)),
        ([set_at(-48, 5_000), set_at(-3, 1_000), set_at(-2, 9_000)], (1_000, None)),
        ([set_at(-2, None, 60), set_at(-1, None, 30)], (None, 30)),
    ],
)
def test_stricter_limit_applies_at_once_and_milder_one_a_day_later(
    limits_set: list[OwnLimits], holds: tuple[int | None, int | None]
) -> None:
    roster = apply_events(Roster(), limits_set)
    assert AccessList(roster, NOON).limits("ann") == holds
    again = load_roster(dump_roster(roster))
    assert AccessList(again, NOON).limits("ann") == holds
    assert AccessList(roster, NOON).limits("bob") == (None, None)


def test_break_ends_on_time_and_a_shorter_one_does_not_shorten_it() -> None:
    ends = (NOON + timedelta(hours=2)).isoformat()
    sooner = (NOON + timedelta(hours=1)).isoformat()
    roster = apply_events(Roster(), [OwnBreak("ann", ends, ""), OwnBreak("ann", sooner, "")])
    for loaded_roster in (roster, load_roster(dump_roster(roster))):
        assert (
            AccessList(loaded_roster, NOON + timedelta(minutes=119)).exclusion_of("ann") is not None
        )
        assert AccessList(loaded_roster, NOON + timedelta(minutes=121)).exclusion_of("ann") is None
    good = apply_events(roster, [OwnBreak("ann", None, "")])
    assert AccessList(good, NOON + timedelta(days=9_999)).exclusion_of("ann") is not None


def test_pauses_are_not_counted_as_play() -> None:
    acted = tuple(NOON + timedelta(minutes=minute) for minute in (0, 4, 8, 30, 32))
    assert (PlayToday({}, 0, acted).minutes, PlayToday({}, 0, acted).since) == (10, acted[3])
    assert (PlayToday({}, 0, ()).minutes, PlayToday({}, 0, ()).since) == (0, None)


async def care(client: httpx.AsyncClient) -> Json:
    answer = await client.get("/api/care")
    assert answer.status_code == 200, answer.text
    care_document: Json = answer.json()
    return care_document


async def limit(client: httpx.AsyncClient, **limits_: Any) -> httpx.Response:
    return await client.post("/api/care/limits", json={"loss": None, "minutes": None, **limits_})


async def bet(player: Player, amount: str) -> httpx.Response:
    command = {"do": "put-wager", "seat": 1, "wager": "ante", "amount": amount}
    body = {"request": f"bet-{amount}-{id(command)}", "command": command}
    return await player.http.post(f"/api/tables/{player.table}/commands", json=body)


@pytest.mark.long
def test_todays_result_matches_the_ledger(run: LoopRunner, client: httpx.AsyncClient) -> None:
    async def play() -> None:
        guest = await guest_of(client, STUD)
        await play_rounds(guest, 5)
        rounds_played = (await client.get("/api/rounds", params={"count": 100})).json()["rounds"]
        net = sum(float(round_["settlement"]["seats"][0]["net"]) for round_ in rounds_played)
        care_document = await care(client)
        assert care_document["rounds"] == 5
        assert float(care_document["net"]["play"]) == pytest.approx(net)

    run(play())


@pytest.mark.long
def test_loss_limit_holds_across_tabs(
    run: LoopRunner, app: FastAPI, client: httpx.AsyncClient
) -> None:
    """An ante of $5 can cost $50 in all: 1 + 3 + 3 + 3 antes."""

    async def play() -> None:
        guest = await guest_of(client, STUD)
        assert (await limit(client, loss="50")).status_code == 200
        assert (await bet(guest, "5")).status_code == 200
        refusal = await bet(guest, "6")
        assert refusal.status_code == 409
        assert refusal.json()["refused"]["code"] == "own-limit"
        assert "Your loss limit is $50 a day" in refusal.json()["refused"]["message"]
        # Another tab of the same browser asks for a higher limit.
        async with client_of(app) as tab:
            tab.cookies.update(client.cookies)
            raised = await limit(tab, loss="5000")
            assert raised.json()["limits"]["loss"] == "50.00"
            assert raised.json()["later"]["loss"] == "5000.00"
            second = (await tab.post("/api/practice", json={"sheet": STUD})).json()
            other = Player(tab, second["table"])
            assert (await bet(other, "5")).status_code == 409  # $50 are at risk at the other table.
        assert (await bet(guest, "0")).status_code == 200  # Taking a bet back is always allowed.
        assert (await bet(guest, "5")).status_code == 200
        await guest.accept({"do": "close-betting"})
        await decide(guest, last)  # A dealt hand is played to its end.
        assert float((await care(client))["net"]["play"]) >= -50

    run(play())


@pytest.mark.long
def test_rebet_and_undo_are_refused_after_the_loss_limit(
    run: LoopRunner, client: httpx.AsyncClient
) -> None:
    async def play() -> None:
        guest = await guest_of(client, STUD)
        while (await care(client))["net"].get("play", "0.00") in ("0.00", "5.00", "10.00"):
            await play_rounds(guest, 1, lambda plays, _: plays[0])  # Folds.
        assert (await limit(client, loss="5")).status_code == 200
        for command in ({"do": "rebet", "seat": 1}, {"do": "undo", "seat": 1}):
            body = {"request": str(command), "command": command}
            answer = await client.post(f"/api/tables/{guest.table}/commands", json=body)
            assert answer.status_code == 409, answer.text

    run(play())


def test_invalid_limits_are_refused(run: LoopRunner, client: httpx.AsyncClient) -> None:
    async def ask() -> None:
        await guest_of(client, STUD)
        for wanted in ({"loss": "-5"}, {"loss": "0"}, {"loss": "much"}, {"minutes": 0}):
            assert (await limit(client, **wanted)).status_code in (400, 422), wanted
        assert (await limit(client, name="ann", loss="5")).status_code == 422
        unconfirmed = await client.post("/api/care/rest", json={"length": "day", "meant": False})
        assert unconfirmed.status_code == 422
        assert (await care(client))["resting"] is False

    run(ask())


def test_guests_break_holds_for_the_browser(run: LoopRunner, client: httpx.AsyncClient) -> None:
    async def rest() -> None:
        guest = await guest_of(client, STUD)
        answer = await client.post("/api/care/rest", json={"length": "day", "meant": True})
        assert answer.json()["resting"] is True
        assert (await bet(guest, "5")).status_code == 409
        assert (await client.post("/api/practice", json={"sheet": STUD})).status_code == 409
        await client.post("/api/sign-out")
        for _ in range(2):
            again = await client.post("/api/practice", json={"sheet": STUD})
            assert again.status_code == 409, again.text
            assert "This browser is on a break until" in again.json()["refused"]["message"]
        assert (await client.post("/api/daily")).status_code == 409
        break_cookie = next(cookie for cookie in client.cookies.jar if cookie.name == BREAK_COOKIE)
        client.cookies.set(BREAK_COOKIE, f"{break_cookie.value}x", domain=httpx.URL(BASE).host)

    run(rest())


def test_break_cannot_be_ended_early(run: LoopRunner, signed_in: SignedIn, server: Server) -> None:
    async def rest() -> None:
        ann, sue = signed_in("player"), signed_in("supervisor")
        break_answer = await ann.post("/api/care/rest", json={"length": "week", "meant": True})
        until = break_answer.json()["rest"]
        shorter = await ann.post("/api/care/rest", json={"length": "hour", "meant": True})
        assert shorter.json()["rest"] == until
        end = await sue.post("/api/exclusions/end", json={"name": "ann", "why": "asked nicely"})
        assert end.status_code == 400
        assert (await ann.post("/api/practice", json={"sheet": STUD})).status_code == 409
        again = get_persons(server.house.ledger).catch_up()
        assert AccessList(again, datetime.now(UTC)).exclusion_of("ann") is not None
        facts = [fact for entry in server.house.ledger.entries("persons") for fact in entry.facts]
        assert [fact["fact"] for fact in facts].count("rest-taken") == 2

    run(rest())


@pytest.mark.long
def test_table_log_is_readable_and_private(run: LoopRunner, app: FastAPI) -> None:
    async def play() -> None:
        async with client_of(app) as http, client_of(app) as other_http:
            mine, theirs = await guest_of(http, STUD), await guest_of(other_http, STUD)
            await play_rounds(mine, 2)
            log_text = (await http.get(f"/api/tables/{mine.table}/log")).text
            assert "Round 1\n" in log_text
            assert "Round 2\n" in log_text
            assert (await http.get(f"/api/tables/{theirs.table}/log")).status_code == 404
            spanish = await http.get(f"/api/tables/{mine.table}/log", params={"language": "es"})
            assert "Ronda 1\n" in spanish.text

    run(play())


@pytest.mark.long
@pytest.mark.parametrize("strategy", ["best", "cheapest", "dearest"])
def test_autoplay_follows_its_strategy_at_practice_tables(
    run: LoopRunner, client: httpx.AsyncClient, strategy: str
) -> None:
    async def play() -> None:
        guest = await guest_of(client, STUD)
        path, body = f"/api/tables/{guest.table}/autoplay", {"seat": 1, "strategy": strategy}
        assert (await client.post(path, json=body)).status_code == 409
        await guest.bet(1)
        await guest.accept({"do": "close-betting"})
        while (await guest.look())["phase"] == "play":
            answer = await client.post(path, json=body)
            assert answer.status_code == 200, answer.text
        plays = (await guest.look())["seats"][0]["plays"]
        assert strategy == "best" or set(plays) == {"1x" if strategy == "cheapest" else "3x"}
        if strategy == "best":
            review = (await client.get(f"/api/tables/{guest.table}/coach")).json()
            assert review["summary"]["mistakes"] == 0
            assert all(decision["advised"] for decision in review["decisions"])

    run(play())


PAIRS = """
[[street]]
made = ["pair"]
play = "3x"

[[street]]
on = ["flop"]
play = "2x"

[[street]]
play = "1x"
"""


@pytest.mark.long
def test_repeated_autoplay_request_is_played_once(
    run: LoopRunner, client: httpx.AsyncClient
) -> None:
    async def play() -> None:
        guest = await guest_of(client, STUD)
        path = f"/api/tables/{guest.table}/autoplay"
        await guest.bet(1)
        await guest.accept({"do": "close-betting"})
        body = {"seat": 1, "strategy": "best", "request": "first"}
        first = await client.post(path, json=body)
        assert first.status_code == 200, first.text
        version = (await guest.look())["version"]
        again = await client.post(path, json=body)
        assert again.status_code == 200, again.text
        assert len((await guest.look())["seats"][0]["plays"]) == 1
        assert (await guest.look())["version"] == version

    run(play())


@pytest.mark.long
def test_autoplay_refuses_a_reused_request_id(run: LoopRunner, client: httpx.AsyncClient) -> None:
    async def play() -> None:
        guest = await guest_of(client, STUD)
        path = f"/api/tables/{guest.table}/autoplay"
        bet = {"do": "put-wager", "seat": 1, "wager": "ante", "amount": "5"}
        table = f"/api/tables/{guest.table}/commands"
        answer = await client.post(table, json={"command": bet, "request": "bet"})
        assert answer.status_code == 200, answer.text
        await guest.accept({"do": "close-betting"})
        version = (await guest.look())["version"]
        refused = await client.post(path, json={"seat": 1, "strategy": "best", "request": "bet"})
        assert refused.status_code == 409
        assert refused.json()["refused"]["code"] == "request-reused"
        assert (await guest.look())["version"] == version

    run(play())


@pytest.mark.long
def test_autoplay_follows_a_players_own_rules(run: LoopRunner, client: httpx.AsyncClient) -> None:
    """By the visible cards, and nothing by invalid rules."""

    async def play() -> None:
        guest = await guest_of(client, STUD)
        path = f"/api/tables/{guest.table}/autoplay"
        for _ in range(4):
            await guest.bet(1)
            await guest.accept({"do": "close-betting"})
            for n, least in enumerate(("2x", "1x", "1x")):
                view = await guest.look()
                cards = [*view["seats"][0]["cards"], *view["common"][0]["cards"]]
                ranks = [card[0] for card in cards if card]
                fits = len(set(ranks)) == len(ranks) - 1
                for body, status, message in WRONG_RULES:
                    refusal = await client.post(path, json={"seat": 1, **body})
                    assert (refusal.status_code, message in refusal.text) == (status, True), (
                        refusal.text
                    )
                answer = await client.post(path, json={"seat": 1, "rules": PAIRS})
                assert answer.status_code == 200, answer.text
                play_made = (await guest.look())["seats"][0]["plays"][n]
                assert play_made == "3x" if fits else play_made in (least, "1x"), (cards, play_made)

    run(play())


WRONG_RULES: list[tuple[Json, int, str]] = [
    ({"rules": '[[street]]\nplay = "9x"\n'}, 422, "rules.toml:2:8: "),
    ({"rules": "[[street]\n"}, 422, "rules.toml:1:"),
    ({"rules": '[[declare]]\nplay = "low"\n'}, 422, "rules.toml:1:1"),
    ({"rules": ""}, 422, "rules.toml:1:1"),
    ({"rules": "x" * 20_001}, 422, "rules"),
    ({"rules": PAIRS, "strategy": "/etc/hostname.toml"}, 422, "strategy"),
]
