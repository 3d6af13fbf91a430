"""Random rounds, every sheet, every mishap: each proof verifies, none leaks, any change is found.

A sample runs in `make test`, 10,000 rounds in `make test-slow`; the run's header has the seed.
"""

from __future__ import annotations

import copy
import json
from random import Random
from typing import Any, cast

import pytest
from tests.clauses.one_line_rounds import CMS, LAS, LAS_STAX, MHL, OMS
from tests.house.table.kit import DEALER, START, SUPERVISOR, FakeLuck, Live
from tests.house.table.proof_table import VAULT
from tests.lanes import examples, spread
from tests.shoe.test_packs import with_cut_card

from pitbook.cards import names
from pitbook.errors import PitbookError
from pitbook.house.ledger.fact_codec import Fact
from pitbook.house.table import commands as c
from pitbook.house.table import facts
from pitbook.house.table.apply_facts import apply
from pitbook.house.table.decide import Decision
from pitbook.house.table.environment import LiveEnv
from pitbook.house.table.round_records import JournalStep, RoundRecord
from pitbook.house.table.round_replay import build_proof
from pitbook.house.table.state import TableState
from pitbook.house.table.visibility import Viewer, visible_cards
from pitbook.money import Cents
from pitbook.rules import stored_rounds
from pitbook.rules.refusals import Refusal
from pitbook.sheets.hashes import digest
from pitbook.sheets.model import Sheet
from pitbook.shoe.commitments import SaltedDeck
from pitbook.shoe.stored_shoe import ShoeRecord as Shoe
from pitbook.shoe.stored_shoe import deck
from pitbook.shoe.verify import verify

Json = dict[str, Any]
PARTS = 20  # Of the slow lane, so that none takes long by itself.
PLAYERS = ("ann", "bob", "cho", "dan", "eve", "fay")
SHEETS: dict[str, Sheet] = {
    "cms": CMS,
    "oms": OMS,
    "las": LAS,
    "stax": LAS_STAX,
    "mhl": MHL,
    "cut": with_cut_card(60),
}


class Whims(Live):
    """A table that records its rounds like the ledger."""

    before: TableState
    since: list[Fact]
    deck: SaltedDeck
    revealed: facts.ShoeRevealed | None

    def lucky(self, seed: int) -> FakeLuck:
        luck = LiveEnv(VAULT, wallet=lambda _: Cents(10**9), now=lambda: START)
        return cast(FakeLuck, luck)

    def take(self, decided: Decision) -> None:
        for fact, after in zip(decided.facts, self._afters(decided), strict=True):
            if isinstance(fact, facts.RoundOpened):
                self.before, self.since, self.revealed = self.state, [], None
                assert self.before.shoe is not None
                self.deck = deck(Shoe.of(self.before.shoe), VAULT)
            around = (facts.ShoeOpened, facts.Sat, facts.Left)
            if hasattr(self, "since") and not isinstance(fact, around):
                self.since.append(fact)
            if isinstance(fact, facts.ShoeRevealed):
                self.revealed = fact
            self.state = after

    def _afters(self, decided: Decision) -> tuple[TableState, ...]:

        states, state = [], self.state
        for fact in decided.facts:
            state = apply(state, fact)
            states.append(state)
        return tuple(states)

    @property
    def record(self) -> RoundRecord:
        """The last round, as a record."""
        upto = next(n for n, fact in enumerate(self.since) if isinstance(fact, facts.Settled))
        steps = (JournalStep(1, "", "", tuple(self.since[: upto + 1]), ()),)
        ours = (self.before.shoe or {}).get("id")
        reveal = self.revealed if self.revealed and self.revealed.id == ours else None
        return RoundRecord("table/t1", self.before.round_id, self.before, steps, reveal)


def one_round(live: Whims, luck: Random) -> None:
    """Random bets and seeds, random play, and occasional mishaps."""
    sheet = live.state.game.sheet
    seats = sorted(luck.sample(range(1, min(6, sheet.seats.count) + 1), luck.randint(1, 4)))
    main, rule = live.state.game.main
    for seat in seats:
        player = PLAYERS[seat - 1]
        if seat not in live.state.seats:
            live.do(player, c.Sit(seat))
        seed = f"{luck.random()} é" if luck.random() < 0.7 else None
        live.do(player, c.PutWager(seat, main, rule.min, seed, live.state.history))
        for wager, side in sheet.side.items():
            if side.stake.required or luck.random() < 0.3:
                live.do(player, c.PutWager(seat, wager, side.stake.min))
    live.do(DEALER, c.CloseBetting())
    mishap(live, luck)
    while live.round.waiting:
        seat = luck.choice(live.round.waiting)
        plays = live.round.game.plays(live.round.stage)
        answer = live.ask(PLAYERS[seat - 1], c.Decide(seat, luck.choice(plays)))
        if not isinstance(answer, Refusal):
            live.take(answer)
    assert live.round.phase == "over"


def mishap(live: Whims, luck: Random) -> None:
    seat = luck.choice([seat.number for seat in live.round.seats])
    what: Any = luck.choice(
        [
            *[None] * 12,
            c.Misdeal("a boxed card"),
            c.VoidHand(seat, "supervisor"),
            c.ExposeCard(0),
            c.ExposeCard(seat),
        ]
    )
    if what is not None:
        answer = live.ask(SUPERVISOR, what)
        if not isinstance(answer, Refusal):
            live.take(answer)


def hidden_cards(live: Whims, viewer: Viewer) -> set[str]:
    """Cards that were dealt and are hidden from this viewer."""
    state = live.record.state
    assert state.round is not None
    visible = {*state.round.board}
    for seat in state.round.seats:
        visible |= {card for card in visible_cards(state, seat, viewer) if card is not None}
    dealt = {card for seat in state.round.seats for card in seat.cards}
    return set(names(dealt - visible).split())


def change_one_bit(document: Json, luck: Random) -> Json:
    """The document with one bit changed."""
    edited = copy.deepcopy(document)
    opened = [card for card in edited["cards"] if "salt" in card]
    edited_card = luck.choice(opened or edited["cards"])
    holders: list[tuple[Any, Any]] = [(edited["shoe"], "commitment"), (edited_card, "position")]
    if opened:
        holders += [
            (edited_card, "salt"),
            (edited_card["path"], luck.randrange(len(edited_card["path"]))),
            (edited_card, "card"),
        ]
    if "deck" in edited:
        holders.append((luck.choice(edited["deck"]), 1))
    holder, key = luck.choice(holders)
    right = holder[key]
    if key == "position":
        holder[key] = right ^ (1 << luck.randrange(5))
    elif key == "card":
        holder[key] = next(card for card in ("2c", "2d") if card != right)
    else:
        holder[key] = f"{int(right, 16) ^ (1 << luck.randrange(256)):064x}"
    return edited


@pytest.fixture(autouse=True)
def sheets_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Load each sheet once."""
    sheets_by_hash = {digest(sheet): sheet for sheet in SHEETS.values()}
    monkeypatch.setattr(
        stored_rounds, "stored_sheet", lambda document: sheets_by_hash[document["hash"]]
    )


@pytest.fixture(autouse=True)
def the_same_shoes_come_again(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the seed that the run's header shows."""
    seed = f"{request.config.getoption('--hypothesis-seed')}-{request.node.name}"
    monkeypatch.setattr("pitbook.shoe.stored_shoe.secrets.token_bytes", Random(seed).randbytes)


@pytest.mark.parametrize("part", spread(range(PARTS), 1))
@pytest.mark.parametrize("name", SHEETS)
def test_every_proof_of_random_rounds_verifies_and_every_change_is_found(
    name: str, part: int
) -> None:
    live = Whims(SHEETS[name])
    for number in range(examples(4, 10_000 // (len(SHEETS) * PARTS) + 1)):
        luck = Random(f"proofs {name} {part} {number}")
        one_round(live, luck)
        players = [seat.player for seat in live.round.seats]
        who = luck.choice([*players, "sue"])
        viewer = Viewer(who, "supervisor" if who == "sue" else "player")
        document = json.loads(json.dumps(build_proof(live.record, VAULT, viewer)))
        assert verify(document).differences == (), (name, number, who)
        text = json.dumps([document["cards"], document["round"]["actions"]])
        if SHEETS[name].deck.decks == 1:
            assert not [card for card in hidden_cards(live, viewer) if f'"{card}"' in text]
        salts = {card["salt"] for card in document["cards"] if "salt" in card}
        assert len(salts) == sum(
            salt_text in text for salt_text in (salt.hex() for salt in live.deck.salts)
        )
        assert is_found(change_one_bit(document, luck)), (name, number)
        if live.record.revealed is not None:
            whole = json.loads(json.dumps(build_proof(live.record, VAULT)))
            assert verify(whole).differences == (), (name, number)
            assert is_found(change_one_bit(whole, luck)), (name, number)


def test_card_assignment_leaves_needed_cards_to_other_hands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A supervisor's proof of this round was right, and was said not to come to its money."""
    again = "[las-4]"  # As it was drawn once.
    name = test_every_proof_of_random_rounds_verifies_and_every_change_is_found.__name__
    shoes = Random(f"21-{name}{again}").randbytes
    monkeypatch.setattr("pitbook.shoe.stored_shoe.secrets.token_bytes", shoes)
    live = Whims(LAS)
    for number in range(54):
        one_round(live, Random(f"proofs las 4 {number}"))
    document = json.loads(json.dumps(build_proof(live.record, VAULT, Viewer("sue", "supervisor"))))
    assert verify(document).differences == ()
    monkeypatch.setattr("pitbook.shoe.redacted_rounds.HANDS_MAX", 40)
    assert verify(document).differences, "the search ends where it has gone so far"


def is_found(document: Json) -> bool:
    """Whether the proof is found to be invalid."""

    try:
        return bool(verify(document).differences)
    except PitbookError:
        return True
