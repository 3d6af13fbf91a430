"""Answers about acts at a table, worked out a second time: order, irregularities, errors."""

from __future__ import annotations

import json
from typing import Any

from tests.engine import oracle
from tests.generated_sheets import document

from pitbook.cards import DECK
from pitbook.engine.actions import Deal, Decide, Expose, Interrupted, Settle, Turn, VoidHand, Warn
from pitbook.engine.report import report
from pitbook.engine.step import step
from pitbook.game.refusals import Refusal
from pitbook.games import bind, round_file
from pitbook.sheets.model import Sheet
from pitbook.train.drills.item import Item, Option
from pitbook.train.drills.procedure import Next

Json = dict[str, Any]


def settled(sheet: Sheet, file: Any) -> Json:
    """What `pitbook settle` says of a round file."""
    known = ("sheet", "community", "dealer", "seats")
    text = json.dumps({key: one for key, one in file.items() if key in known})
    return report(round_file.settle(round_file.parse(text), lambda _: sheet))


def option(item: Item) -> Option:
    return next(one for one in item.question.options if one.id == item.answer)


def next_step(sheet: Sheet, item: Item) -> None:
    """The engine takes the right one, and none of the others."""
    assert item.evidence is not None
    round, shown = item.evidence["round"], item.evidence["shown"]
    taken = [at for at, one in enumerate(shown) if _takes(round, one)]
    assert [item.question.options[at].id for at in taken] == [item.answer]


def _takes(round: Any, one: Next) -> bool:
    if one.what == "wait":
        plays = round.game.plays(round.stage) if round.waiting else ()
        return not all(
            isinstance(step(round, Decide(round.waiting[0], play)), Refusal) for play in plays
        )
    if one.what == "settle":
        there = round.to_settle[round.steps_settled :][:1]
        ready = not isinstance(step(round, Settle()), Refusal)
        return ready and there == ((one.place, one.group),)
    if one.what == "deal":
        return not isinstance(step(round, Deal(one.place)), Refusal)
    unseen = next(card for card in DECK if not round.copies(card))
    return not isinstance(step(round, Turn(one.place, unseen)), Refusal)


def in_order(sheet: Sheet, item: Item) -> None:
    assert item.evidence is not None
    rules = document(sheet)
    part = rules["deal" if item.kind == "dealing-order" else "settlement"]
    seats = sorted(seat.number for seat in item.evidence["round"].seats)
    ways = seats if part["direction"] == "left-to-right" else seats[::-1]
    places = [one.place for one in item.evidence["steps"]]
    if item.kind == "dealing-order":
        assert [place for place in places if place > 0] == (ways if bind(sheet).hand_size else [])
        firsts = ["players" if place > 0 else "common" for place in places]
        assert (firsts[0] == "players") == (part["order"][0] == "players")
    else:
        by_pass: list[int] = []
        for group in part["passes"]:
            by_pass += [
                place
                for place in ways
                for one in item.evidence["steps"]
                if (one.place, list(one.group)) == (place, list(group))
            ]
        assert places == by_pass
    assert sorted(item.answer.split(",")) == sorted(one.id for one in item.question.options)


def what_now(sheet: Sheet, item: Item) -> None:
    """The sheet's own words on irregularities say the same."""
    assert item.evidence is not None
    mishap = item.evidence["mishap"]
    rules = document(sheet)["irregularities"]
    outcome, clause = _by_rules(rules, mishap.action, mishap.round)
    words = {
        "void-round": "The round is void and wagers go back",
        "dead": "The hand is dead: what is not settled goes back",
        "hand-back": "That hand is void, its wagers go back",
        "hand-lost": "That hand is void, its wagers are forfeit",
        "warned": "The player is warned, and the hand plays on",
        "goes-on": "Play goes on, and what is settled stands",
    }
    if item.kind == "what-now":
        assert option(item).text == words[outcome]
    else:
        assert option(item).text.partition(":")[0] == clause


def _by_rules(rules: Json, action: Any, round: Any) -> tuple[str, str]:
    late = rules["misdeal"]["until"] == "first-seat-settled" and round.steps_settled > 0
    stands = ("goes-on", rules["misdeal"]["clause"])
    if isinstance(action, Expose) and action.place <= 0:
        rule = rules["early_card"]
        return ("void-round" if rule["is"] == "void-round" else "goes-on"), rule["clause"]
    if isinstance(action, Expose):
        rule = rules["exposed_card"]
        came = {"void-round": "void-round", "void-hand": "hand-back", "plays": "goes-on"}
        return came[rule["is"]], rule["clause"]
    if isinstance(action, Interrupted):
        rule = rules["interruption"]
        dead = rule["is"] == "agree-or-dead" and not action.agreed
        return ("dead" if dead else "goes-on"), rule["clause"]
    if isinstance(action, Warn):
        rule = rules["cards_off_table"]
        return ("hand-back" if rule["is"] == "void" else "warned"), rule["clause"]
    if isinstance(action, VoidHand):
        return _information(rules["information"], action)
    rule = rules["wrong_card_count" if hasattr(action, "card_count") else "fouled_deck"]
    return stands if late else ("void-round", rule["clause"])


def _information(rule: Json, action: VoidHand) -> tuple[str, str]:
    if rule["result"] == "warn":
        return "warned", rule["clause"]
    spared = {"giver": "took", "taker": "gave"}.get(rule["whose"]["is"])
    if action.part == spared:
        return "warned", rule["whose"]["clause"]
    return ("hand-lost" if rule["result"] == "forfeit" else "hand-back"), rule["clause"]


def spot_error(sheet: Sheet, item: Item) -> None:
    """What is planted is wrong by the engine; what is not planted is right."""
    assert item.evidence is not None
    planted, played = item.evidence["planted"], item.evidence["played"]
    letters = [one.id for one in item.question.options]
    assert letters.index(item.answer) == planted.at
    paid = {
        (seat["seat"], line["wager"]): (line["result"], line["wins"])
        for seat in settled(sheet, item.evidence["file"])["seats"]
        for line in seat["lines"]
    }
    wrong = [
        at
        for at, act in enumerate(planted.acts)
        for line in act.lines
        if (line.result, oracle.written(line.wins)) != paid[act.seat, line.wager]
    ]
    order = [(act.seat, act.lines[0].wager) for act in planted.acts if act.lines]
    right = [(seat, _first(played, seat, group)) for seat, group in played.final.to_settle]
    if planted.error in ("mispay", "bonus-missed"):
        assert wrong == [planted.at]
    else:
        assert not wrong
    assert (order != right) == (planted.error == "wrong-order")
    if planted.refused is not None:
        state, action = planted.refused
        assert isinstance(step(played.states[state], action), Refusal)
    assert (planted.error == "none") == (item.answer == letters[-1])


def _first(played: Any, seat: int, group: tuple[str, ...]) -> str:
    sides = played.final.game.sheet.side
    lines = next(one.lines for one in played.final.settlements if one.seat == seat)
    own = (one for one in lines if (one.wager if one.wager in sides else "main") in group)
    return str(next(own).wager)
