"""A proof with closed hands, changed anywhere: its reader holds against it all that is known."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.clauses.table import CMS, LAS
from tests.lanes import examples
from tests.shoe.test_cardwise import AUDITOR, KEPT, PLAYER
from tests.shoe.test_proof import bent

from pitbook.cards import card
from pitbook.errors import PitbookError, RoundError
from pitbook.money import Cents
from pitbook.rules.actions import Action, Close, Deal, Decide, Settle, Turn, Wager
from pitbook.rules.round import open_round
from pitbook.rules.stored import replay, store
from pitbook.sheets.model import Sheet
from pitbook.shoe.partly import dealt, of_the_money, partly
from pitbook.shoe.proof import verify

Json = dict[str, Any]
Path_ = tuple[str | int, ...]
SKIPPED = ("body", "round_id")  # The sheet has its hash; which round it is, the reader must know.


def leaves(part: Any, path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """Every value of a document that holds no other."""
    inner: Any = ()
    if isinstance(part, dict):
        inner = [(key, part[key]) for key in part if key not in SKIPPED]
    elif isinstance(part, list):
        inner = list(enumerate(part))
    else:
        yield path, part
    for key, one in inner:
        yield from leaves(one, (*path, key))


def others(value: Any) -> list[Any]:
    """What somebody might write in place of a value."""
    if isinstance(value, bool) or value is None:
        return [not value, "As", 1]
    if isinstance(value, int):
        return [value + 1, value - 1, None]
    turned = value[:-1] + chr(ord(value[-1]) ^ 1)
    return [turned, value[:-1], value + "0", None, *({"fold", "1x", "3x"} - {value})]


def is_found(document: Any) -> bool:
    try:
        return bool(verify(document).differences)
    except PitbookError:
        return True


@pytest.mark.parametrize("file", sorted(KEPT.iterdir()), ids=lambda one: one.stem)
def test_a_proof_that_is_changed_anywhere_is_found(file: Path) -> None:
    """Cards, salts, stakes, plays, wins of closed hands and open ones; the slow lane tries all."""
    right = json.loads(file.read_text(encoding="utf-8"))
    names = {one["player"] for one in right["round"]["settlement"]["seats"]}
    changes = [
        (path, other)
        for path, value in leaves(right)
        if path[-1] != "player" or value in names  # A bet that was taken back is nobody's.
        for other in others(value)
    ]
    for path, other in Random(17).sample(changes, examples(60, len(changes))):
        assert is_found(bent(right, *path, to=other)), (path, other)


@pytest.mark.parametrize("player", ["ann", "bob"])
def test_a_cap_that_did_not_bite_hides_no_other_win(player: str) -> None:
    changed = copy.deepcopy(PLAYER)
    settlement = changed["round"]["settlement"]
    settlement["limits"] = [{"clause": "CMS-12", "due": "30000.00", "paid": "25000.00"}]
    assert is_found(changed)
    seat = next(one for one in settlement["seats"] if one["player"] == player)
    seat["lines"][0] |= {"result": "win", "odds": "1", "wins": "10.00"}
    assert is_found(changed)


def test_a_round_without_its_settlement_is_no_proof() -> None:
    for document in (PLAYER, AUDITOR):
        (found,) = verify(bent(document, "round", "settlement", to=None)).differences
        assert found.code == "settlement"


def test_the_board_and_an_auditors_cards_are_never_closed() -> None:
    turned = {
        one["place"]: n for n, one in enumerate(PLAYER["round"]["actions"]) if one["do"] == "turn"
    }
    with pytest.raises(RoundError, match="everybody may see it"):
        verify(bent(PLAYER, "round", "actions", turned["board"], "card", to=None))
    (found, *_) = verify(bent(AUDITOR, "round", "actions", turned[2], "card", to=None)).differences
    assert found.code == "closed"


# Closed hands that bear on the money -------------------------------------------------------------

BOARD, ANN, BOB = "Tc Js Qs", "Ks As", "Jd Jh"


def with_stax(sheet: Sheet, ann: str = ANN, bob: str = BOB, board: str = BOARD) -> Json:
    """Ann plays to the end; bob folds, and his STAX wager looks at his hand all the same."""
    hands = {1: ann.split(), 2: bob.split()}
    actions: list[Action] = [Wager(1, "ann", "ante", Cents(500_00))]
    actions += [Wager(2, "bob", "ante", Cents(500)), Wager(2, "bob", "stax", Cents(500)), Close()]
    now = replay(open_round(sheet), actions)
    actions += [Deal(place) for place in now.to_deal]
    actions += [Turn(seat, card(one)) for seat, hand in hands.items() for one in hand]
    actions += [Decide(2, "fold")]
    for one in board.split():
        actions += [Decide(1, "3x"), Turn(0, card(one))]
    actions += [Settle()] * len(replay(open_round(sheet), actions).to_settle)
    final = replay(open_round(sheet), actions)
    return json.loads(json.dumps(store(final, actions)))  # type: ignore[no-any-return]


def closed(round: Json) -> Json:
    """The round as ann may know it."""
    made = copy.deepcopy(round)
    for one in made["actions"]:
        if one["do"] == "turn" and one["place"] == 2:
            one["card"] = None
    return made


def found_in(round: Json) -> list[str]:
    told = partly(round)
    return [one.message for one in of_the_money(told, dealt(told))]


@pytest.mark.parametrize("bob", ["Jd Jh", "2c 7d", "2c 2d", "Td Th", "9s Ts"])
def test_whatever_a_closed_hand_won_beside_its_fold_some_cards_explain(bob: str) -> None:
    round = closed(with_stax(LAS, bob=bob))
    assert found_in(round) == []
    (stax,) = [one for one in round["settlement"]["seats"][1]["lines"] if one["wager"] == "stax"]
    stax |= {"outcome": "four-of-a-kind", "result": "win", "odds": "4000:1"}
    assert found_in(round) != []


def test_a_win_that_no_closed_cards_can_give_is_found() -> None:
    """A royal flush by the rules' own odds: with this board nobody can hold it."""
    royal = with_stax(LAS, bob="Ks As", ann="2c 2d", board="Ts Js Qs")
    line = royal["settlement"]["seats"][1]["lines"][1]
    assert line["outcome"] == "royal-flush"
    round = closed(with_stax(LAS, bob="Kd Ad", ann="2c 2d", board="Tc Js 3h"))
    round["settlement"]["seats"][1] = royal["settlement"]["seats"][1]
    assert "seat 2 does not come to what is stored for it" in found_in(round)


def test_cms_12_a_cap_that_a_closed_hand_shared_is_worked_out_to_the_cent() -> None:
    (limit,) = CMS.limits
    capped = LAS.model_copy(
        update={
            "limits": (limit.model_copy(update={"pays_max": Cents(10_000_00)}),),
            "uncapped": None,
        }
    )
    round = closed(with_stax(capped, ann="Ks As", bob="8s 9s", board="Ts Js Qs"))
    assert [one["clause"] for one in round["settlement"]["limits"]] == ["CMS-12"]
    assert found_in(round) == []
    for path in (("limits", 0, "due"), ("seats", 0, "wins"), ("seats", 1, "lines", 1, "wins")):
        assert found_in(bent(round, "settlement", *path, to="9999.99")) != [], path
