"""Refusals of a bot, and servers that are not Pitbook: one message, and the bot leaves."""

from __future__ import annotations

import threading

import pytest
import typer
from tests.command_line import Ask
from tests.house.cli.bot_house import Floor
from tests.sheets.samples import CMS, OMS

from pitbook.errors import PitbookError
from pitbook.house.cli import bot
from pitbook.money import dollars


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("stud-9", "--name", "ann"), 'There is no table "stud-9". Did you mean "stud-'),
        (
            ("stud-1", "--name", "sue"),
            '"sue" is a supervisor. Only players can sit at casino tables.',
        ),
        (("stud-1", "--name", "ann", "--seat", "9"), "There is no seat 9. Choose 1 to 6."),
        (("full", "--name", "ann"), 'Table "full" is full: all 6 seats are taken. Try again lat'),
        (
            ("full", "--name", "ann", "--seat", "2"),
            "Seat 2 is guest 2's. Choose an open seat.",
        ),
        (
            ("stud-1", "--name", "ann", "--side", "three-card=5"),
            '--side: There is no side wager "three-card". Did you mean "three-card-bonus"?',
        ),
        (("stud-1", "--name", "ann", "--ante", "1"), "Ante: $1 at seat 1 is below the minimum"),
        (
            ("stud-1", "--name", "ann", "--ante", "x"),
            '--ante: "x" is not an amount. Write',
        ),
        (("stud-1", "--name", "bob"), "No chips left: bob has $4 left and needs $5. A supervisor"),
        (("stud-1", "--name", "nobody"), "Wrong name or password, or too many failed attempts"),
        (("--practice", "a/b"), 'There is no sheet "a/b". Use one of "catfish-bend/matchem-hi-lo"'),
        (("--practice", CMS, "--ante", "9000"), "Ante: $9,000 at seat 1 is above the maximum"),
    ],
)
def test_impossible_request_gets_a_message(
    play: Ask, floor: Floor, arguments: tuple[str, ...], message: str
) -> None:
    tables = floor.tables()
    answer = play(*arguments)
    assert answer.code == 1
    assert answer.err.startswith(f"pitbook: {message}")
    assert answer.err.count("\n") == 1
    assert "In all" not in answer.out
    assert floor.tables() == tables
    assert all(seat["player"] is None for seat in floor.view_of("stud-1")["seats"]), "nobody stays"


@pytest.mark.long
def test_bot_stops_without_chips(play: Ask, floor: Floor) -> None:
    answer = play("stud-2", "--name", "cyd", "--ante", "100", "--rounds", "500", "--json")
    document = answer.document
    assert answer.code == 1
    assert dollars(document["balance"]) < 10_000
    assert document["error"].startswith("No chips left: cyd has $")
    assert answer.err == f"pitbook: {document['error']}\n"
    assert document["left"]
    assert floor.wallet("cyd") == (document["balance"], "0.00")
    words = play("stud-2", "--name", "cyd", "--ante", "100")
    assert (words.code, words.err) == (1, answer.err)


def test_disabled_game_is_reported(play: Ask, floor: Floor) -> None:
    floor.post(f"/api/pit/sheets/{OMS}/disable", why="new rules come")
    answer = play("--practice", OMS)
    floor.post(f"/api/pit/sheets/{OMS}/enable", why="they came")
    assert (answer.code, answer.err) == (
        1,
        f"pitbook: {OMS} is suspended: new rules come. Choose another game, or ask a supervisor.\n",
    )


def test_wrong_password_is_refused(
    play: Ask, floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PITBOOK_PASSWORD", "not this one")
    answer = play("stud-1", "--name", "dan", "--json")
    assert answer.code == 1
    assert answer.document["error"].startswith(
        "Wrong name or password, or too many failed attempts"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Name a table, or use --practice SHEET.\n"),
        (
            ("stud-1", "--practice", CMS),
            "Error: Invalid value for TABLE: Name a table, or use --practice SHEET, but not both",
        ),
        (("stud-1",), "--name: Only an account can play at a casino table. Add --name.\n"),
        (("--practice", CMS, "--seed", "1"), "--seed: Best play is not random, so --seed works"),
        (("--practice", CMS, "--rounds", "-1"), "'--rounds'"),
        (("--practice", CMS, "--play", "worst"), "'worst' is not one of 'best', 'random'"),
        (
            ("--practice", CMS, "--server", "localhost:1"),
            '"localhost:1" is not an address. Write it',
        ),
        (
            ("--practice", CMS, "--server", "http://[::1"),
            '"http://[::1" is not an address. Write it',
        ),
        (("--practice", CMS, "--side", "bonus"), '"bonus" has no amount. Write it like stax=5.'),
    ],
)
def test_misuse_is_exit_2(ask: Ask, arguments: tuple[str, ...], message: str) -> None:
    answer = ask("bot", *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err


@pytest.mark.long
def test_missing_server_is_reported(ask: Ask) -> None:
    answer = ask("bot", "--practice", CMS, "--server", "http://127.0.0.1:9")
    assert (answer.code, answer.out) == (1, "")
    assert answer.err == (
        "pitbook: No server answers at http://127.0.0.1:9. Start one with pitbook serve, "
        "or name another with --server.\n"
    )


@pytest.mark.long
def test_server_that_is_not_pitbook_is_reported(ask: Ask) -> None:
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

    class Other(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            is_found = self.path == "/found/api/health"
            self.send_response(200 if is_found else 404)
            self.end_headers()
            self.wfile.write(b'{"status": "fine"}' if is_found else b"<h1>not here</h1>")

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Other) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{other.server_address[1]}"
        errors = [
            ask("bot", "--practice", CMS, "--server", f"{address}{path}").err
            for path in ("", "/found")
        ]
        other.shutdown()
    assert errors == [
        f"pitbook: {address} is not a Pitbook server (status 404). Name one with --server.\n",
        f"pitbook: {address}/found is not a Pitbook server (unexpected response). "
        "Name one with --server.\n",
    ]


def test_password_prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PITBOOK_PASSWORD", raising=False)
    monkeypatch.setattr("sys.stdin", type("Pipe", (), {"isatty": lambda _: False})())
    with pytest.raises(PitbookError, match=r"There is no terminal to ask for the password"):
        bot._password("ann")
    monkeypatch.setattr("sys.stdin", type("Terminal", (), {"isatty": lambda _: True})())
    monkeypatch.setattr("getpass.getpass", lambda prompt: f"{prompt}typed")
    assert bot._password("ann") == "Password of ann: typed"

    def end_input(_: str) -> str:
        raise EOFError

    monkeypatch.setattr("getpass.getpass", end_input)
    with pytest.raises(typer.Abort):
        bot._password("ann")
