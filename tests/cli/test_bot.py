"""A bot at tables of real servers: it plays what is offered, counts to the cent, and leaves."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import typer
from tests.command_line import Answer, Ask
from tests.sheets.samples import CMS, IDS, OMS, path_of
from tests.web.conftest import WEAK, opened, people_of
from tests.web.live import serving
from tests.web.served import SECONDS, Served, command, environment, served

from pitbook import load
from pitbook.cards import cards
from pitbook.cli import bot
from pitbook.cli.choices import Best, Lot, _best
from pitbook.cli.seated import NoChips, Seated, Wish
from pitbook.cli.visit import Job, Visit
from pitbook.client import Client, ClientError, Refused
from pitbook.errors import PitbookError
from pitbook.exact.advice import advise
from pitbook.money import Cents, dollars
from pitbook.table.house import House
from pitbook.web.app import create_app
from pitbook.web.settings import Limits, Settings

Json = dict[str, Any]
PASSWORD = "one two three four"
PLAYERS = {"ann": "5000", "bob": "4", "cyd": "300", "dan": "1000", "eva": "1000"}
FULL = [f"guest {number}" for number in range(1, 7)]
FAST = {
    "PITBOOK_LIMITS_SIGN_INS_PER_MINUTE": "6000",
    "PITBOOK_LIMITS_COMMANDS_PER_SECOND": "10000",
    "PITBOOK_LIMITS_COMMANDS_BURST": "10000",
    "PITBOOK_LIMITS_REQUESTS_PER_SECOND": "10000",
    "PITBOOK_LIMITS_REQUESTS_BURST": "10000",
}


class Floor:
    """A house with people and tables, and its supervisor."""

    def __init__(self, house: Served) -> None:
        self.address = house.address
        self.sue = house.client()
        self.post(house.link(), name="sue", password=PASSWORD)

    def post(self, path: str, **body: Any) -> Any:
        return self.sue.post(path, json=body).raise_for_status().json()

    def add(self, name: str, chips: str | None = None) -> None:
        self.post("/api/people", name=name, role="player", password=PASSWORD)
        if chips is not None:
            self.post("/api/cage/buy-in", player=name, amount=chips, request=f"chips of {name}")

    def look(self, table: str) -> Json:
        return dict(self.sue.get(f"/api/tables/{table}").raise_for_status().json())

    def wallet(self, player: str) -> tuple[str, str]:
        told = self.sue.get(f"/api/cage/{player}").json()
        return told["balance"], told["held"]

    def tables(self) -> float:
        """All tables of the house, practice ones too."""
        lines = self.sue.get("/metrics").text.splitlines()
        return float(next(one for one in lines if one.startswith("pitbook_tables ")).split()[1])


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    with served(tmp_path_factory.mktemp("bots") / "house", **FAST) as house:
        made = Floor(house)
        for name, chips in PLAYERS.items():
            made.add(name, chips)
        made.post("/api/tables", name="stud-1", sheet=CMS)
        made.post("/api/tables", name="stud-2", sheet=CMS)
        made.post("/api/tables", name="full", sheet=CMS)
        for number, name in enumerate(FULL, start=1):
            made.add(name)
            with httpx.Client(base_url=house.address) as client:
                client.post("/api/sign-in", json={"name": name, "password": PASSWORD})
                sit = {"request": "sit", "command": {"do": "sit", "seat": number}}
                client.post("/api/tables/full/commands", json=sit).raise_for_status()
        yield made
        made.sue.close()
        assert house.stop() == 0


@pytest.fixture
def play(ask: Ask, floor: Floor, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """`pitbook bot` in this process, at that house."""
    monkeypatch.setenv("PITBOOK_PASSWORD", PASSWORD)

    def run(*arguments: str) -> Answer:
        return ask("bot", "--server", floor.address, *arguments)

    return run


# Playing ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sheet", IDS)
@pytest.mark.parametrize("how", ["best", "random"])
def test_a_practice_table_of_every_sheet(play: Ask, floor: Floor, sheet: str, how: str) -> None:
    before = floor.tables()
    answer = play("--practice", sheet, "--rounds", "3", "--play", how, "--json")
    assert (answer.code, answer.err) == (0, "")
    told = answer.document
    assert (told["sheet"], told["rounds"], told["play"]) == (sheet, 3, how)
    assert dollars(told["balance"]) == 100_000 + _cents(told["net"])
    assert dollars(told["wagered"]) >= 3 * load(sheet).main_wager.min
    assert (told["left"], told["stopped"], told["lost"], told["error"]) == (True, False, 0, None)
    assert (told["seed"] is None) == (how == "best")
    assert floor.tables() == before, "the table is cleared away"


def test_best_play_is_best_at_every_decision_on_record(play: Ask, floor: Floor) -> None:
    side = ("--ante", "10", "--side", "three-card-bonus=5")
    told = play("stud-1", "--name", "ann", "--rounds", "8", *side, "--json").document
    found = floor.sue.get("/api/tables/stud-1/rounds", params={"player": "ann", "count": 8})
    rounds = found.json()["rounds"]
    assert len(rounds) == told["rounds"] == 8
    sheet, decisions = load(CMS), 0
    for one in rounds:
        (seat,) = one["seats"]
        assert dict(seat["wagers"])["three-card-bonus"] == "5.00"
        for street, played in enumerate(seat["plays"]):
            seen, bets = cards(" ".join(one["board"][:street])), seat["plays"][:street]
            stakes = {"three-card-bonus": Cents(500)}
            held = cards(" ".join(seat["cards"]))
            assert advise(sheet, held, seen, bets, Cents(1000), stakes).best == played
            decisions += 1
    assert decisions >= 8
    assert _cents(told["net"]) == sum(
        _cents(hand["net"]) for one in rounds for hand in one["settlement"]["seats"]
    )
    assert floor.wallet("ann") == (told["balance"], "0.00")
    assert all(seat["player"] is None for seat in floor.look("stud-1")["seats"])


def test_what_a_person_reads(play: Ask) -> None:
    answer = play("--practice", CMS, "--rounds", "2", "--play", "random", "--seed", "52")
    first, rules, seed, one, two, total = answer.out.splitlines()
    assert first.startswith("guest-")
    assert " sits at seat 1 of practice-" in first
    assert rules == f"It plays Mississippi Stud, {CMS}."
    assert seed == "It plays by lot; --seed 52 draws the same again."
    assert one.startswith("1 round, net ")
    assert two.startswith("2 rounds, net ")
    assert total.startswith(f"In all {two}; wagered ")
    assert total.endswith(" play.")


def test_on_a_terminal_one_line_is_written_over(play: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    out = play("--practice", CMS, "--rounds", "2").out
    assert out.count("\r") == 2
    assert "\nIn all 2 rounds" in out


def test_the_same_seed_draws_the_same() -> None:
    async def drawn(seed: str) -> list[str]:
        lot = Lot(seed)
        return [await lot({}, {}, ["fold", "1x", "2x", "3x"]) for _ in range(50)]

    first = asyncio.run(drawn("a"))
    assert first == asyncio.run(drawn("a"))
    assert first != asyncio.run(drawn("b"))
    assert set(first) == {"fold", "1x", "2x", "3x"}


def test_best_of_what_is_offered() -> None:
    sheet = load(CMS)
    view = {"board": {"cards": [None, None, None]}}
    hand = {"wagers": [["ante", "10.00"]], "cards": ["As", "Ad"], "plays": []}
    assert _best(sheet, view, hand, ["fold", "1x", "2x", "3x"]) == "3x"
    assert _best(sheet, view, hand, ["fold", "1x"]) == "1x", "the wallet covers no more"


def test_a_person_practises_too(play: Ask) -> None:
    told = play("--practice", CMS, "--name", "ann", "--rounds", "1", "--json").document
    assert (told["player"], told["kind"], told["unit"]) == ("ann", "practice", "play")


def test_the_next_address_is_asked_where_the_first_is_gone(ask: Ask, floor: Floor) -> None:
    gone = ("--server", "http://127.0.0.1:9")
    there = ("--server", floor.address)
    told = ask("bot", *gone, *there, "--practice", CMS, "--rounds", "1", "--json").document
    assert (told["server"], told["rounds"]) == (floor.address, 1)


# Refused ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("stud-9", "--name", "ann"), 'there is no table "stud-9"; did you mean "stud-'),
        (("stud-1", "--name", "sue"), '"sue" is a supervisor; a seat at a table of the house is'),
        (("stud-1", "--name", "ann", "--seat", "9"), "there is no seat 9; seats are 1 to 6; wit"),
        (("full", "--name", "ann"), 'table "full" is full, all 6 seats are taken; try again lat'),
        (("full", "--name", "ann", "--seat", "2"), "seat 2 is guest 2's; one player a position"),
        (
            ("stud-1", "--name", "ann", "--side", "three-card=5"),
            '--side: there is no side wager "three-card"; did you mean "three-card-bonus"?',
        ),
        (("stud-1", "--name", "ann", "--ante", "1"), "Ante of $1 at seat 1 is below the minimum"),
        (("stud-1", "--name", "ann", "--ante", "x"), '--ante: "x" is no amount of money; write'),
        (("stud-1", "--name", "bob"), "no chips left: bob has $4 left; $5 is needed; a supervisor"),
        (("stud-1", "--name", "nobody"), "the name or the password is wrong, or too many attempts"),
        (("--practice", "a/b"), 'there is no sheet "a/b"; known are "catfish-bend/matchem-hi-lo"'),
        (("--practice", CMS, "--ante", "9000"), "Ante of $9,000 at seat 1 is above the maximum"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(
    play: Ask, floor: Floor, arguments: tuple[str, ...], said: str
) -> None:
    tables = floor.tables()
    answer = play(*arguments)
    assert answer.code == 1
    assert answer.err.startswith(f"pitbook: {said}")
    assert answer.err.count("\n") == 1
    assert "In all" not in answer.out
    assert floor.tables() == tables
    assert all(seat["player"] is None for seat in floor.look("stud-1")["seats"]), "nobody stays"


def test_the_last_chips(play: Ask, floor: Floor) -> None:
    answer = play("stud-2", "--name", "cyd", "--ante", "100", "--rounds", "500", "--json")
    told = answer.document
    assert answer.code == 1
    assert dollars(told["balance"]) < 10_000
    assert told["error"].startswith("no chips left: cyd has $")
    assert answer.err == f"pitbook: {told['error']}\n"
    assert told["left"]
    assert floor.wallet("cyd") == (told["balance"], "0.00")
    words = play("stud-2", "--name", "cyd", "--ante", "100")
    assert (words.code, words.err) == (1, answer.err)


def test_a_game_that_the_pit_has_shut(play: Ask, floor: Floor) -> None:
    floor.post(f"/api/pit/sheets/{OMS}/disable", why="new rules come")
    answer = play("--practice", OMS)
    floor.post(f"/api/pit/sheets/{OMS}/enable", why="they came")
    assert (answer.code, answer.err) == (
        1,
        f"pitbook: the pit has disabled {OMS}: new rules come.\n",
    )


def test_a_wrong_password(play: Ask, floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PITBOOK_PASSWORD", "not this one")
    answer = play("stud-1", "--name", "dan", "--json")
    assert answer.code == 1
    assert answer.document["error"].startswith("the name or the password is wrong")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "name a table, or --practice SHEET for one of your own\n"),
        (("stud-1", "--practice", CMS), "for one of your own, not both\n"),
        (("stud-1",), "--name: a seat at a table of the house is a person's; say whose\n"),
        (("--practice", CMS, "--seed", "1"), "--seed: best play draws nothing by lot; a seed goes"),
        (("--practice", CMS, "--rounds", "-1"), "'--rounds'"),
        (("--practice", CMS, "--play", "worst"), "'worst' is not one of 'best', 'random'"),
        (("--practice", CMS, "--server", "localhost:1"), '"localhost:1" is no address; write it'),
        (("--practice", CMS, "--server", "http://[::1"), '"http://[::1" is no address; write it'),
        (("--practice", CMS, "--side", "bonus"), '"bonus" names no stake; write it as in stax=5'),
    ],
)
def test_misuse(ask: Ask, arguments: tuple[str, ...], said: str) -> None:
    answer = ask("bot", *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err


def test_a_server_that_is_not_there(ask: Ask) -> None:
    answer = ask("bot", "--practice", CMS, "--server", "http://127.0.0.1:9")
    assert (answer.code, answer.out) == (1, "")
    assert answer.err == (
        "pitbook: nothing answers at http://127.0.0.1:9; pitbook serve opens a house there, "
        "and --server names another address.\n"
    )


def test_a_server_of_another_kind(ask: Ask) -> None:
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

    class Other(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = self.path == "/found/api/health"
            self.send_response(200 if found else 404)
            self.end_headers()
            self.wfile.write(b'{"status": "fine"}' if found else b"<h1>not here</h1>")

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Other) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{other.server_address[1]}"
        said = [
            ask("bot", "--practice", CMS, "--server", f"{address}{one}").err
            for one in ("", "/found")
        ]
        other.shutdown()
    assert said == [
        f"pitbook: {address} is no Pitbook server (status 404); --server names one.\n",
        f"pitbook: {address}/found is no Pitbook server (it says something else); "
        "--server names one.\n",
    ]


def test_the_password_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PITBOOK_PASSWORD", raising=False)
    monkeypatch.setattr("sys.stdin", type("Pipe", (), {"isatty": lambda _: False})())
    with pytest.raises(PitbookError, match=r"no terminal to ask .* PITBOOK_PASSWORD gives one"):
        bot._password("ann")
    monkeypatch.setattr("sys.stdin", type("Terminal", (), {"isatty": lambda _: True})())
    monkeypatch.setattr("getpass.getpass", lambda prompt: f"{prompt}typed")
    assert bot._password("ann") == "Password of ann: typed"

    def ended(_: str) -> str:
        raise EOFError

    monkeypatch.setattr("getpass.getpass", ended)
    with pytest.raises(typer.Abort):
        bot._password("ann")


# Stopped ------------------------------------------------------------------------------------------


def interrupt(when: Callable[[], bool], times: int) -> threading.Thread:
    """Ctrl-C from another terminal, as soon as something is so."""

    def wait_and_press() -> None:
        until = threading.Event()
        for _ in range(2000):
            if when():
                break
            until.wait(0.01)
        for _ in range(times):
            os.kill(os.getpid(), signal.SIGINT)
            until.wait(0.05)

    thread = threading.Thread(target=wait_and_press)
    thread.start()
    return thread


def in_play(floor: Floor, table: str) -> Callable[[], bool]:
    return lambda: floor.look(table)["phase"] == "play"


def test_ctrl_c_finishes_the_round_and_leaves(play: Ask, floor: Floor) -> None:
    thread = interrupt(in_play(floor, "stud-1"), 1)
    answer = play("stud-1", "--name", "dan", "--rounds", "0", "--pace", "0.15")
    thread.join()
    assert answer.code == 0
    assert answer.err.strip() == (
        "The round under way is finished first; Ctrl-C again leaves at once."
    )
    assert "\nStopped as asked.\n" in answer.out
    view = floor.look("stud-1")
    assert all(seat["player"] is None for seat in view["seats"])
    assert view["phase"] == "over"
    assert floor.wallet("dan")[1] == "0.00"


def test_ctrl_c_twice_leaves_the_hand_to_the_house(play: Ask, floor: Floor) -> None:
    thread = interrupt(in_play(floor, "stud-1"), 2)
    answer = play("stud-1", "--name", "eva", "--rounds", "0", "--pace", "0.5", "--json")
    thread.join()
    assert answer.code == 130
    told = answer.document
    assert (told["stopped"], told["left"], told["error"]) == (True, False, None)
    assert floor.look("stud-1")["seats"][0]["player"] == "eva"
    again = play("stud-1", "--name", "eva", "--rounds", "1")
    assert again.code == 0, "whoever comes back plays the hand on"
    assert again.out.splitlines()[-1].startswith("In all 1 round, ")


def test_ctrl_c_twice_is_told_in_words() -> None:
    from types import SimpleNamespace

    seated = SimpleNamespace(
        player="eva",
        seat=3,
        stopping=True,
        left=False,
        live=SimpleNamespace(connections=3),
        tally=SimpleNamespace(rounds=4, net=-500, balance=99_500, wagered=2_500),
    )
    visit: Any = SimpleNamespace(seated=seated, view={"unit": "usd"})
    words = bot._Words(quiet=False)
    printed: list[str] = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("builtins.print", lambda *told, **_: printed.append(" ".join(told)))
        words.summary(visit)
    assert printed == [
        "In all 4 rounds, net -$5, balance $995; wagered $25.",
        "Stopped as asked.",
        "Seat 3 is still taken; the house's rules play its hand.",
        "The line was lost 2 times and taken up again.",
    ]


def test_ctrl_c_before_there_is_a_seat(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    async def knocking(_: Client) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(60)

    monkeypatch.setattr("pitbook.cli.visit._knock", knocking)
    answer = ask("bot", "--practice", CMS)
    assert (answer.code, answer.out) == (130, "")


# The line -----------------------------------------------------------------------------------------


@asynccontextmanager
async def house_of(folder: Path, **clocks: int | None) -> AsyncIterator[tuple[str, House]]:
    """A house in this loop with ann and bob, who have money, and a table "t"."""
    wide = Limits(
        requests_per_second=1e6,
        requests_burst=10**6,
        commands_per_second=1e6,
        commands_burst=10**6,
        sign_ins_per_minute=1e6,
    )
    settings = Settings(data=folder, sign_in=WEAK, limits=wide)
    async with opened(folder) as house:
        people = people_of(house, settings)
        for name in ("ann", "bob"):
            people.add(name, "player", PASSWORD, actor="test")
            await house.cage.buy_in(name, Cents(100_000), actor="test")
        await house.open_table("t", "house", sheet=load(CMS), unit="usd", clocks=clocks)
        async with serving(create_app(house, people, settings)) as base:
            yield base, house


def test_a_line_that_is_cut_every_round(tmp_path: Path) -> None:
    async def play() -> None:
        async with house_of(tmp_path) as (base, house):

            def told(visit: Visit) -> None:
                assert visit.seated is not None
                cut.append(asyncio.ensure_future(visit.seated.live.lose()))

            cut: list[asyncio.Future[None]] = []
            job = Job((base,), "t", name="ann", password=PASSWORD, rounds=5)
            visit = Visit(job, told)
            await visit.play()
            assert visit.seated is not None
            tally = visit.seated.tally
            assert tally.rounds == 5
            assert visit.seated.live.connections > 1
            assert house.ledger.balance(house.cage.wallet("ann")) == tally.balance
            assert tally.balance == 100_000 + tally.net
            await asyncio.gather(*cut)

    asyncio.run(play())


def test_two_at_one_table_wait_for_each_other(tmp_path: Path) -> None:
    async def play() -> None:
        async with house_of(tmp_path, betting=1, decision=45) as (base, house):
            visits = [
                Visit(Job((base,), "t", name=name, password=PASSWORD, seed=name, rounds=2), print)
                for name in ("ann", "bob")
            ]
            await asyncio.gather(*(one.play() for one in visits))
            assert [one.seated.tally.rounds for one in visits if one.seated] == [2, 2]
            assert house.tables["t"].state.seats == {}
            for name, visit in zip(("ann", "bob"), visits, strict=True):
                assert visit.seated is not None
                balance = house.ledger.balance(house.cage.wallet(name))
                assert balance == visit.seated.tally.balance

    before = signal.getsignal(signal.SIGINT)
    try:
        asyncio.run(play())
    finally:  # Two of them in one process part with it in no order.
        signal.signal(signal.SIGINT, before)


def test_a_house_that_is_killed_and_comes_back(tmp_path: Path) -> None:
    """On a sheet that asks the players whether to finish an interrupted hand (OMS-16)."""
    data = tmp_path / "house"
    with served(data, **FAST) as house:
        floor = Floor(house)
        floor.add("ann", "1000")
        floor.post("/api/tables", name="one", sheet=OMS)
        port = house.address.rsplit(":", 1)[1]
        asked = ("one", "--name", "ann", "--rounds", "4", "--pace", "0.1", "--json")
        player = subprocess.Popen(
            command("bot", "--server", house.address, *asked),
            env=environment(PITBOOK_PASSWORD=PASSWORD),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        with player:
            try:
                while not in_play(floor, "one")():
                    assert player.poll() is None
                floor.sue.close()
                house.stop(signal.SIGKILL)
                with served(data, "--port", port, **FAST) as again:
                    out, err = player.communicate(timeout=SECONDS)
                    assert again.stop() == 0
            finally:
                player.kill()
    told = json.loads(out)
    assert (player.returncode, err) == (0, "")
    assert (told["rounds"], told["left"], told["error"]) == (4, True, None)
    assert told["lost"] >= 1
    assert dollars(told["balance"]) == 100_000 + _cents(told["net"])


# The parts ----------------------------------------------------------------------------------------


class Table:
    """A table over a socket as a test wants it."""

    def __init__(self, *events: Json, rounds: list[Json] | None = None) -> None:
        self.table, self.client, self.rounds = "t", self, rounds or []
        self.given = events
        self.sent: list[Json] = []
        self.answer: Any = Refused("forbidden", "no", "CMS-1")

    async def events(self) -> AsyncIterator[Json]:
        for one in self.given:
            yield one

    async def ask(self, _method: str, _path: str) -> Json:
        return {"rounds": self.rounds}

    async def send(self, sent: Json) -> Any:
        self.sent.append(sent)
        return self.answer


def hand(seat: int = 1, player: str = "ann", net: str = "-15.00") -> Json:
    lines = [{"stake": "5.00"}, {"stake": "10.00"}]
    return {"seat": seat, "player": player, "net": net, "lines": lines}


def seated(table: Table) -> Seated:
    async def choose(view: Json, own: Json, able: list[str]) -> str:
        return able[0]

    return Seated(table, "ann", 1, choose)  # type: ignore[arg-type]


def test_every_settled_hand_counts_once() -> None:
    one = {"what": "settled", "body": {"round": "t-1", "report": {"seats": [hand()]}}}
    bobs = {"seats": [hand(2, "bob")]}
    other = {"what": "settled", "body": {"round": "t-2", "report": bobs}}
    missed = {"round": "t-3", "settlement": {"seats": [hand(net="40.00")]}}
    known = {"round": "t-1", "settlement": {"seats": [hand()]}}
    away = {"what": "view", "body": {}}
    played = seated(Table(one, other, away, one, rounds=[missed, known]))
    asyncio.run(played._listen())
    tally = played.tally
    assert (tally.rounds, tally.wagered, tally.net) == (2, 3_000, 2_500)


def view_of(**more: Any) -> Json:
    row = {"seat": 1, "player": "ann", "played_by": "ann", "cards": ["As", None], "wagers": []}
    offers = [
        {"do": "put-wager", "seat": 1, "wager": "ante", "now": "0.00"},
        {"do": "close-betting"},
    ]
    view = {"version": 1, "phase": "wagers", "seats": [row], "offers": offers, "deadlines": {}}
    return view | more


WISH = Wish({"ante": "5"})


def test_cards_that_are_still_to_be_typed_are_waited_for() -> None:
    choices = [{"do": "decide", "seat": 1, "choices": [{"play": "fold"}]}]
    assert asyncio.run(seated(Table())._next(view_of(phase="play", offers=choices), WISH)) is None


def test_an_interrupted_hand_is_finished() -> None:
    asks = [{"do": "agree", "seat": 1, "finish": True}]
    agreed = asyncio.run(seated(Table())._next(view_of(phase="agreement", offers=asks), WISH))
    assert agreed == {"do": "agree", "seat": 1, "finish": True}
    done = [asks[0] | {"refused": {"code": "already-decided"}}]
    view = view_of(phase="agreement", offers=done)
    assert asyncio.run(seated(Table())._next(view, WISH)) is None


def test_why_there_is_no_seat() -> None:
    from pitbook.cli.visit import _no_seat

    table: Any = Table()
    table.view = {"seats": [{}, {}]}
    assert _no_seat(table, []) == 'table "t" is full, all 2 seats are taken; try again later'
    assert _no_seat(table, [{"refused": {"message": "wait for its end"}}]) == "wait for its end"


def test_a_refusal_that_time_mends_and_one_that_it_does_not() -> None:
    table = Table()
    played = seated(table)
    with pytest.raises(ClientError, match=r"^no \(CMS-1\)$"):
        asyncio.run(played._act(view_of(), WISH))
    table.answer = Refused("not-covered", "ann has $4 left", None)
    with pytest.raises(NoChips, match=r"^ann has \$4 left$"):
        asyncio.run(played._act(view_of(), WISH))
    table.answer = Refused("not-now", "betting is closed", None)
    assert asyncio.run(played._act(view_of(), WISH))
    assert not asyncio.run(played._act(view_of(), WISH)), "the same again would be in vain"
    assert asyncio.run(played._act(view_of(version=2), WISH))
    assert len(table.sent) == 4


def test_a_seat_or_a_wager_that_is_gone() -> None:
    played = seated(Table())
    with pytest.raises(ClientError, match="seat 1 is not ann's any more"):
        asyncio.run(played._next(view_of(offers=[]), WISH))
    with pytest.raises(ClientError, match='there is no wager "stax" at this table any more'):
        asyncio.run(played._next(view_of(), Wish({"stax": "5"})))


def test_others_have_time_to_bet() -> None:
    played = seated(Table())
    lies = [{"do": "put-wager", "seat": 1, "wager": "ante", "now": "5.00"}, {"do": "close-betting"}]
    deal = {"do": "close-betting"}
    bob = {"seat": 2, "player": "bob"}

    def then(**more: Any) -> Json | None:
        view = view_of(offers=lies)
        return asyncio.run(played._next(view | more, WISH))

    assert then() == then(deadlines={"betting": "soon"}) == deal
    with_bob = [*view_of()["seats"], bob]
    assert then(seats=with_bob) == deal, "without a clock nobody else would"
    assert then(seats=with_bob, deadlines={"betting": "soon"}) is None


def test_rules_that_only_the_server_has(
    tmp_path: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheets = tmp_path / "sheets"
    sheets.mkdir()
    text = path_of(CMS).read_text(encoding="utf-8")
    (sheets / "own.toml").write_text(text.replace(CMS, "three-rivers/stud"), encoding="utf-8")
    monkeypatch.setenv("PITBOOK_PASSWORD", PASSWORD)
    with served(tmp_path / "house", PITBOOK_SHEETS=str(sheets), **FAST) as house:
        asked = ("--server", house.address, "--practice", "three-rivers/stud", "--rounds", "2")
        told = ask("bot", *asked, "--json").document
        assert (told["sheet"], told["rounds"]) == ("three-rivers/stud", 2)
        assert house.stop() == 0


def test_rules_that_cannot_be_read_here() -> None:
    class Odd:
        async def ask(self, _method: str, _path: str) -> Json:
            return {"family": "roulette", "hash": "0", "aloud": []}

    best = Best(Odd())  # type: ignore[arg-type]
    with pytest.raises(ClientError, match=r"the rules of table t cannot be read here .*; install"):
        asyncio.run(best.sheet({"table": "t", "sheet": {"id": "a/b", "hash": "0"}}))


def _cents(text: str) -> int:
    return int(text.replace(".", ""))
