"""`pitbook audit explain`: why a seat was paid, as text, as JSON and as a proof."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Demo
from tests.cli.ledger_folders import tamper, use_folder
from tests.command_line import Ask

from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.data_folder import Folder
from pitbook.house.ledger.writer import utc_now
from pitbook.house.table import commands
from pitbook.house.table.actor import LiveTable
from pitbook.house.table.commands import By, Envelope
from pitbook.house.table.environment import LiveEnv
from pitbook.money import Cents
from pitbook.rules.stored_rounds import KINDS
from pitbook.shoe.crypto import Vault

STUD, OCEAN, HI_LO = (
    "catfish-bend-mississippi-stud",
    "oceanfront-mississippi-stud",
    "catfish-bend-matchem-hi-lo",
)
CAPPED = f"{STUD}-000007"


@pytest.fixture
def house(demo: Demo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    use_folder(tmp_path, monkeypatch)
    monkeypatch.setenv("PITBOOK_DATA", str(demo.path))
    return demo.path


@pytest.fixture
def own_copy(demo: Demo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A copy of the demo folder that a test may change."""
    path = tmp_path / "own"
    path.mkdir(mode=0o700)
    use_folder(tmp_path, monkeypatch)
    for file in demo.path.iterdir():
        (path / file.name).write_bytes(file.read_bytes())
        (path / file.name).chmod(0o600)
    monkeypatch.setenv("PITBOOK_DATA", str(path))
    return path


def squeeze(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.slow_cases("80")
@pytest.mark.long
@pytest.mark.usefixtures("house")
@pytest.mark.parametrize("columns", [80, 120])
def test_a_capped_payout_is_explained_to_the_cent(ask: Ask, columns: int) -> None:
    answer = ask("audit", "explain", CAPPED, "1", columns=columns)
    assert answer.code == 0
    assert answer.err == ""
    assert max(map(len, answer.out.splitlines())) <= columns
    text = squeeze(answer.out)
    for sentence in (
        f"Why seat 1 (dev) nets $22,727.27 in round {CAPPED}",
        "Rules catfish-bend/mississippi-stud: Mississippi Stud, Catfish Bend Casino II, "
        "effective March 12, 2018",
        f"Shoe {STUD}-shoe-000007, arranged, one deck, pack 1, automatic shuffle",
        "dev Seat 1 (dev) bets $10 on the Ante.",
        "dana No more bets.",
        "Seat 1 has As Ks.",
        "dev Seat 1 bets 3x ($30) on the Flop bet.",
        "after fay Dealer turns over Qs.",
        "Seat 1: As Ks Community: Qs Js Ts",
        "Ante ($10) wins $2,272.73 of $5,000 (payout limit): royal flush pays 500 to 1 (CMS-9).",
        "Payout limit for the round (CMS-12): $55,000 owed, $25,000 paid, shared in proportion",
        "Seat 1 is owed $50,000 of the $55,000 total: $50,000 × $25,000 ÷ $55,000 = "
        "$22,727.27 (GEN-4).",
        "Seat 2 is owed $5,000 of the $55,000 total: $5,000 × $25,000 ÷ $55,000 = $2,272.73 "
        "(GEN-4).",
        "Seat 1, Ante: $5,000 owed, $2,272.73 paid.",
        "Seat 1, River bet: $15,000 owed, $6,818.18 paid.",
        "Remaining cents go to the largest fractions. Equal fractions: the lowest seat number "
        "first (GEN-4).",
        "Replayed from the ledger, the round settles as recorded.",
        "The seat wins $22,727.27, loses $0 and nets $22,727.27.",
    ):
        assert sentence in text
    assert "Seat 2 has" not in text


@pytest.mark.usefixtures("house")
def test_json_says_the_same(ask: Ask) -> None:
    account: dict[str, Any] = ask("audit", "explain", CAPPED, "2", "--json").document
    assert (account["round"], account["seat"], account["player"]) == (CAPPED, 2, "eli")
    assert (account["kind"], account["unit"], account["stream"]) == (
        "house",
        "usd",
        f"table/{STUD}",
    )
    assert account["sheet"]["id"] == "catfish-bend/mississippi-stud"
    assert account["sheet"]["effective"] == "2018-03-12"
    assert len(account["sheet"]["hash"]) == 64
    assert (account["board"], account["cards"]) == (["Qs", "Js", "Ts"], ["9s", "8s"])
    assert account["plays"] == ["3x", "3x", "3x"]
    assert account["result"] == "settled"
    assert account["net"] == "2272.73"
    assert [line["wins"] for line in account["lines"]] == ["227.27", "681.82", "681.82", "681.82"]
    (cap,) = account["limits"]
    assert (cap["clause"], cap["due"], cap["paid"]) == ("CMS-12", "55000.00", "25000.00")
    assert cap["seat"] is None
    assert [(hand["seat"], hand["due"], hand["paid"]) for hand in cap["hands"]] == [
        (1, "50000.00", "22727.27"),
        (2, "5000.00", "2272.73"),
    ]
    assert cap["hands"][1]["lines"][0] == {"wager": "ante", "due": "500.00", "paid": "227.27"}
    before, after = (float(account["balance"][when]) for when in ("before", "after"))
    assert round(after - before, 2) == 2272.73
    assert [transfer["why"].split(" ", 3)[3] for transfer in account["transfers"][:2]] == [
        "ante put",
        "flop put",
    ]
    assert account["shoe"]["kind"] == "arranged"
    assert len(account["shoe"]["seed"]) == 64
    assert "sealed" not in account["shoe"]
    assert account["differs"] == []
    assert {step["actor"] for step in account["story"]} == {"eli", "dana", "fay"}


@pytest.mark.usefixtures("house")
@pytest.mark.parametrize(
    ("round_id", "seat", "expected"),
    [
        (
            f"{STUD}-000005",
            2,
            ["Misdeal: three cards at seat 2 (CMS-13).", "Ante ($5) is returned (CMS-13)."],
        ),
        (
            f"{STUD}-000006",
            3,
            ["sam The hand of seat 3 is void: gave information.", "is forfeited (CMS-16)."],
        ),
        (
            f"{OCEAN}-000003",
            1,
            [
                "sam Play stopped: the lights went out.",
                "Asked whether to finish the hand: mia, ned and ola.",
                "mia mia agrees to finish the hand.",
                "ned ned declines to finish the hand. Interrupted; the hand is dead (OMS-16).",
                "is returned (OMS-16).",
                "Community: no card turned",
                "The seat wins $0, loses $0 and nets $0.",
            ],
        ),
        (
            f"{HI_LO}-000003",
            1,
            ["Interrupted; resumed (GEN-15).", "Seat 1 plays", "Dealer's Hi Hand"],
        ),
    ],
)
def test_irregularities_are_explained_with_their_clause(
    ask: Ask, round_id: str, seat: int, expected: list[str]
) -> None:
    answer = ask("audit", "explain", round_id, str(seat))
    assert answer.code == 0
    text = squeeze(answer.out)
    assert [sentence for sentence in expected if sentence not in text] == []


@pytest.mark.long
@pytest.mark.usefixtures("house")
def test_every_seat_of_every_round_can_be_explained(ask: Ask) -> None:
    for table in (STUD, OCEAN, HI_LO, "louisiana-stud-standard", "louisiana-stud-stax-required"):
        for number in range(1, 9):
            answer = ask("audit", "explain", f"{table}-{number}", "3", "--json")
            assert answer.code == 0
            assert answer.document["round"] == f"{table}-{number:06d}"


@pytest.mark.usefixtures("house")
@pytest.mark.parametrize(
    ("round_id", "seat", "why"),
    [
        (f"{STUD}-000009", "1", f"table/{STUD} has no round 9. Its rounds are 1 to 8."),
        (
            "catfish-bend-missisippi-stud-000007",
            "1",
            f'There is no round "catfish-bend-missisippi-stud-000007". Did you mean "{CAPPED}"?',
        ),
        (CAPPED, "4", f"Seat 4 was empty in round {CAPPED}. Seats 1, 2 and 3 were in play."),
        (CAPPED, "0", f"Seat 0 was empty in round {CAPPED}. Seats 1, 2 and 3 were in play."),
    ],
)
def test_unknown_round_or_seat_is_refused(ask: Ask, round_id: str, seat: str, why: str) -> None:
    answer = ask("audit", "explain", round_id, seat)
    assert (answer.code, answer.out) == (1, "")
    assert answer.err == f"pitbook: {why}\n"
    assert ask("audit", "explain", round_id, seat, "--json").document == {"error": why}


@pytest.mark.usefixtures("house")
@pytest.mark.parametrize("arguments", [(), (CAPPED,), (CAPPED, "four"), (CAPPED, "1", "2")])
def test_missing_or_extra_arguments_are_misuse(ask: Ask, arguments: tuple[str, ...]) -> None:
    assert ask("audit", "explain", *arguments).code == 2


@pytest.mark.usefixtures("house")
@pytest.mark.parametrize("round_id", [CAPPED, f"{HI_LO}-000003", f"{OCEAN}-000003"])
def test_the_proof_deals_the_same_cards_again(ask: Ask, round_id: str) -> None:
    assert ask("audit", "explain", round_id, "1", "--proof", "round.json").code == 0
    verdict = ask("verify-deal", "round.json", "--json")
    assert verdict.code == 0
    assert verdict.document["result"] == "agrees"
    repeated = ask("audit", "explain", round_id, "1", "--proof", "round.json")
    assert repeated.code == 1
    assert repeated.err == ("pitbook: round.json already exists. Choose another name.\n")


def test_changed_settlement_is_found(ask: Ask, own_copy: Path) -> None:
    tamper(own_copy, "UPDATE entry SET content = replace(content, '\"22727.27\"', '\"99999.99\"')")
    answer = ask("audit", "explain", CAPPED, "1")
    assert answer.code == 1
    finding = "Finding: A replay of the round gives a different settlement."
    assert finding in squeeze(answer.out)
    assert "settles as it was written down" not in answer.out
    assert ask("audit", "explain", CAPPED, "1", "--json").document["differs"] == [
        "A replay of the round gives a different settlement."
    ]


def test_changed_transfer_is_found(ask: Ask, own_copy: Path) -> None:
    tamper(
        own_copy, "UPDATE entry SET content = replace(content, '\"cents\":227273,', '\"cents\":9,')"
    )
    answer = ask("audit", "explain", CAPPED, "1")
    assert answer.code == 1
    assert "Seat 1 nets 22727.27 by the rules but 20454.63 in the ledger." in squeeze(answer.out)


UNREAD = (
    'event "acted" cannot be read: {"did": "deal", "place": "board"} is not a valid action. '
    f'"do" must be one of {", ".join(KINDS)}'
)


@pytest.mark.long
@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (
            'UPDATE entry SET content = replace(content, \'"do":"deal"\', \'"did":"deal"\')',
            f"The record of round {CAPPED} is damaged ({UNREAD}). "
            "Run pitbook audit verify to see what was changed.",
        ),
        (
            "UPDATE stream SET seq = 'x'",
            "checkpoints has no last entry. Run pitbook audit verify to see what was changed.",
        ),
        (
            "UPDATE entry SET content = '{' WHERE seq = 9",
            "A ledger entry is damaged: it is not valid JSON.",
        ),
    ],
)
def test_damaged_record_is_refused(ask: Ask, own_copy: Path, damage: str, why: str) -> None:
    tamper(own_copy, damage)
    answer = ask("audit", "explain", CAPPED, "1")
    assert (answer.code, answer.out) == (1, "")
    assert answer.err == f"pitbook: {why}\n"
    assert ask("audit", "verify").code == 1


@pytest.fixture
def waiting(own_copy: Path) -> Path:
    """A table at which a round waits for a decision."""

    async def play(folder: Folder) -> None:
        env = LiveEnv(
            Vault(folder.keys.sealing),
            wallet=lambda player: folder.ledger.balance(Account("usd", "wallet", player)),
            now=utc_now,
        )
        table = LiveTable(folder.ledger, f"table/{STUD}", env)
        await table.open(prunable=False)
        dev, dana = By("dev", "player"), By("dana", "dealer")
        ante = commands.PutWager(1, "ante", Cents(1_000))
        for by, command in (
            (dev, commands.SeatSeed(1, "lucky")),
            (dev, ante),
            (dev, commands.Undo(1)),
            (dev, ante),
            (By("sam", "supervisor"), commands.Coach(True)),
            (dana, commands.CloseBetting()),
            (dev, commands.AdviceShown(1, "2x costs nothing")),
            (dev, commands.Decide(1, "2x")),
        ):
            answer = await table.send(Envelope(by, command))
            assert hasattr(answer, "seq"), answer
        await table.close()

    with Folder.open(own_copy) as folder:
        asyncio.run(play(folder))
    return own_copy


@pytest.mark.usefixtures("waiting")
def test_unfinished_round_shows_the_amount_in_play(ask: Ask, tmp_path: Path) -> None:
    answer = ask("audit", "explain", f"{STUD}-000009", "1")
    assert answer.code == 0
    text = squeeze(answer.out)
    for sentence in (
        f"Round {STUD}-000009 is not over for seat 1 (dev).",
        "Seed not revealed",
        "Seat 1 pulls back the Ante. Seat 1 undoes its last bet change.",
        'Coach to seat 1: "2x costs nothing"',
        "Nothing is settled yet.",
        "$30 is held at the seat.",
    ):
        assert sentence in text
    account = ask("audit", "explain", f"{STUD}-000009", "1", "--json").document
    assert (account["result"], account["held"]) == (None, "30.00")
    assert [hint["text"] for hint in account["advice"]] == ["2x costs nothing"]
    proof = str(tmp_path / "proof.json")
    answer_without_seed = ask("audit", "explain", f"{STUD}-000009", "1", "--proof", proof)
    assert answer_without_seed.code == 1
    assert "The seed of its shoe is not revealed yet" in answer_without_seed.err


@pytest.mark.usefixtures("house")
def test_control_characters_are_not_printed(ask: Ask) -> None:
    answer = ask("audit", "explain", "\x1b[31mround-000001", "1")
    assert answer.code == 1
    assert "\x1b" not in answer.err
    assert json.dumps(answer.err).count("x1b[31mround") == 1
