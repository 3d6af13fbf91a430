"""Any change to a proof with closed hands is detected."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.clauses.one_line_rounds import CMS, LAS
from tests.lanes import examples
from tests.shoe.test_cardwise import AUDITOR_PROOF, PLAYER_PROOF, PUBLISHED
from tests.shoe.test_proof import with_value

from pitbook.cards import card
from pitbook.errors import PitbookError, RoundError
from pitbook.money import Cents
from pitbook.rules.actions import Action, Close, Deal, Decide, Settle, Turn, Wager
from pitbook.rules.round import open_round
from pitbook.rules.stored_rounds import replay, store
from pitbook.sheets.model import Sheet
from pitbook.shoe.redacted_rounds import (
    parse_partial_round,
    partial_settlement_differences,
    replay_partial,
)
from pitbook.shoe.verify import verify

Json = dict[str, Any]
Path_ = tuple[str | int, ...]
SKIPPED = ("body", "round_id")  # The sheet has its hash; the reader must know which round it is.


def leaves(part: Any, path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """Every leaf value of a document."""
    inner: Any = ()
    if isinstance(part, dict):
        inner = [(key, part[key]) for key in part if key not in SKIPPED]
    elif isinstance(part, list):
        inner = list(enumerate(part))
    else:
        yield path, part
    for key, child in inner:
        yield from leaves(child, (*path, key))


def altered_values(value: Any) -> list[Any]:
    """Values that a forger might write instead."""
    if isinstance(value, bool) or value is None:
        return [not value, "As", 1]
    if isinstance(value, int):
        return [value + 1, value - 1, None]
    last_character_changed = value[:-1] + chr(ord(value[-1]) ^ 1)
    return [
        last_character_changed,
        value[:-1],
        value + "0",
        None,
        *({"fold", "1x", "3x"} - {value}),
    ]


def is_detected(document: Any) -> bool:
    try:
        return bool(verify(document).differences)
    except PitbookError:
        return True


@pytest.mark.parametrize(
    "file", sorted(PUBLISHED.iterdir()), ids=lambda proof_path: proof_path.stem
)
def test_any_change_to_a_proof_is_detected(file: Path) -> None:
    """Cards, salts, stakes, plays, wins of open and closed hands; the slow lane tries all
    changes.
    """
    original = json.loads(file.read_text(encoding="utf-8"))
    players = {seat_report["player"] for seat_report in original["round"]["settlement"]["seats"]}
    changes = [
        (path, other)
        for path, value in leaves(original)
        if path[-1] != "player" or value in players  # The player of a returned bet is not known.
        for other in altered_values(value)
    ]
    for path, other in Random(17).sample(changes, examples(60, len(changes))):
        assert is_detected(with_value(original, *path, to=other)), (path, other)


@pytest.mark.parametrize("player", ["ann", "bob"])
def test_invented_cap_does_not_hide_a_changed_win(player: str) -> None:
    changed = copy.deepcopy(PLAYER_PROOF)
    settlement = changed["round"]["settlement"]
    settlement["limits"] = [{"clause": "CMS-12", "due": "30000.00", "paid": "25000.00"}]
    assert is_detected(changed)
    seat = next(
        seat_report for seat_report in settlement["seats"] if seat_report["player"] == player
    )
    seat["lines"][0] |= {"result": "win", "odds": "1", "wins": "10.00"}
    assert is_detected(changed)


def test_a_round_without_its_settlement_is_no_proof() -> None:
    for document in (PLAYER_PROOF, AUDITOR_PROOF):
        (difference,) = verify(with_value(document, "round", "settlement", to=None)).differences
        assert difference.code == "settlement"


def test_the_board_and_an_auditors_cards_are_never_closed() -> None:
    turned = {
        action["place"]: n
        for n, action in enumerate(PLAYER_PROOF["round"]["actions"])
        if action["do"] == "turn"
    }
    with pytest.raises(RoundError, match="A community card is hidden, but every player may see it"):
        verify(with_value(PLAYER_PROOF, "round", "actions", turned["board"], "card", to=None))
    (difference, *_) = verify(
        with_value(AUDITOR_PROOF, "round", "actions", turned[2], "card", to=None)
    ).differences
    assert difference.code == "closed"


# Closed hands that affect the settlement --------------------------------------------------------

BOARD, ANN, BOB = "Tc Js Qs", "Ks As", "Jd Jh"


def round_with_stax(sheet: Sheet, ann: str = ANN, bob: str = BOB, board: str = BOARD) -> Json:
    """Ann plays to the end; Bob folds, and his STAX wager still depends on his hand."""
    hands = {1: ann.split(), 2: bob.split()}
    actions: list[Action] = [Wager(1, "ann", "ante", Cents(500_00))]
    actions += [Wager(2, "bob", "ante", Cents(500)), Wager(2, "bob", "stax", Cents(500)), Close()]
    dealt_round = replay(open_round(sheet), actions)
    actions += [Deal(place) for place in dealt_round.to_deal]
    actions += [Turn(seat, card(card_name)) for seat, hand in hands.items() for card_name in hand]
    actions += [Decide(2, "fold")]
    for card_name in board.split():
        actions += [Decide(1, "3x"), Turn(0, card(card_name))]
    actions += [Settle()] * len(replay(open_round(sheet), actions).to_settle)
    final = replay(open_round(sheet), actions)
    return json.loads(json.dumps(store(final, actions)))  # type: ignore[no-any-return]


def hide_bob(round: Json) -> Json:
    """The round as Ann may know it."""
    hidden = copy.deepcopy(round)
    for action in hidden["actions"]:
        if action["do"] == "turn" and action["place"] == 2:
            action["card"] = None
    return hidden


def settlement_messages(round: Json) -> list[str]:
    partial_round = parse_partial_round(round)
    return [
        difference.message
        for difference in partial_settlement_differences(
            partial_round, replay_partial(partial_round)
        )
    ]


@pytest.mark.parametrize("bob", ["Jd Jh", "2c 7d", "2c 2d", "Td Th", "9s Ts"])
def test_closed_hand_win_is_explained_by_some_cards(bob: str) -> None:
    round = hide_bob(round_with_stax(LAS, bob=bob))
    assert settlement_messages(round) == []
    (stax,) = [line for line in round["settlement"]["seats"][1]["lines"] if line["wager"] == "stax"]
    stax |= {"outcome": "four-of-a-kind", "result": "win", "odds": "4000:1"}
    assert settlement_messages(round) != []


def test_impossible_win_of_a_closed_hand_is_found() -> None:
    """A royal flush at the correct odds; with this board no hand can make it."""
    royal = round_with_stax(LAS, bob="Ks As", ann="2c 2d", board="Ts Js Qs")
    line = royal["settlement"]["seats"][1]["lines"][1]
    assert line["outcome"] == "royal-flush"
    round = hide_bob(round_with_stax(LAS, bob="Kd Ad", ann="2c 2d", board="Tc Js 3h"))
    round["settlement"]["seats"][1] = royal["settlement"]["seats"][1]
    assert "Seat 2 does not match the stored result." in settlement_messages(round)


def test_cms_12_cap_shared_with_a_closed_hand_is_exact_to_the_cent() -> None:
    (limit,) = CMS.limits
    capped = LAS.model_copy(
        update={
            "limits": (limit.model_copy(update={"pays_max": Cents(10_000_00)}),),
            "uncapped": None,
        }
    )
    round = hide_bob(round_with_stax(capped, ann="Ks As", bob="8s 9s", board="Ts Js Qs"))
    assert [limit["clause"] for limit in round["settlement"]["limits"]] == ["CMS-12"]
    assert settlement_messages(round) == []
    for path in (("limits", 0, "due"), ("seats", 0, "wins"), ("seats", 1, "lines", 1, "wins")):
        assert settlement_messages(with_value(round, "settlement", *path, to="9999.99")) != [], path
