"""Answers about acts at a table, worked out a second time: order, irregularities, errors."""

from __future__ import annotations

import json
from typing import Any

from tests.generated_sheets import document
from tests.rules.rounds import oracle

from pitbook.cards import DECK
from pitbook.drills.item import Item, Option
from pitbook.drills.procedure import DealerAct
from pitbook.rules import round_file
from pitbook.rules.actions import Deal, Decide, Expose, Interrupted, Settle, Turn, VoidHand, Warn
from pitbook.rules.game import compile_game
from pitbook.rules.refusals import Refusal
from pitbook.rules.report import report
from pitbook.rules.step import step
from pitbook.sheets.clauses import find_clause
from pitbook.sheets.model import Sheet

Json = dict[str, Any]


def settled(sheet: Sheet, file: Any) -> Json:
    """What `pitbook settle` says of a round file."""
    known = ("sheet", "community", "dealer", "seats")
    text = json.dumps({key: one for key, one in file.items() if key in known})
    return report(round_file.settle(round_file.parse(text), lambda _: sheet))


def option(item: Item) -> Option:
    return next(one for one in item.question.options if one.id == item.answer)


def stops_of(sheet: Sheet, file: Any) -> list[tuple[Json, list[Json]]]:
    """The settlement by the sheet's JSON: seat by seat and pass by pass, without folded wagers."""
    rule, sides = document(sheet)["settlement"], document(sheet)["side"]
    seats = sorted(settled(sheet, file)["seats"], key=lambda one: int(one["seat"]))
    if rule["direction"] == "right-to-left":
        seats.reverse()
    stops = []
    for group in rule["passes"]:
        for seat in seats:
            lines = [
                line
                for line in seat["lines"]
                if (line["wager"] if line["wager"] in sides else "main") in group
                and line["outcome"] != "fold"
            ]
            stops += [(seat, lines)] if lines else []
    return stops


def next_step(sheet: Sheet, item: Item) -> None:
    """The engine takes the right one, and none of the others."""
    assert item.evidence is not None
    round, shown = item.evidence["played"].states[item.evidence["at"]], item.evidence["shown"]
    taken = [at for at, one in enumerate(shown) if _takes(round, one)]
    assert [item.question.options[at].id for at in taken] == [item.answer]


def _takes(round: Any, one: DealerAct) -> bool:
    if one.what == "wait":
        plays = round.game.plays(round.stage) if round.waiting else ()
        return not all(
            isinstance(step(round, Decide(round.waiting[0], play)), Refusal) for play in plays
        )
    if one.what == "settle":
        there = round.to_settle[round.steps_settled :][:1]
        ready = not isinstance(step(round, Settle()), Refusal)
        return ready and [seat for seat, _ in there] == [one.place] and _in_pass(round, one)
    if one.what == "deal":
        return _deals(round, one)
    unseen = next(card for card in DECK if not round.copies(card))
    return not isinstance(step(round, Turn(one.place, unseen)), Refusal)


def _in_pass(round: Any, one: DealerAct) -> bool:
    (_, group), sides = round.to_settle[round.steps_settled], round.game.sheet.side
    wagers = [wager if wager in sides else "main" for wager in one.wagers]
    return not wagers or any(wager in group for wager in wagers)


def _deals(round: Any, one: DealerAct) -> bool:
    """Whether the whole packet is what comes off the shoe now, and the right one of its seat."""
    seat = round.seat(one.place)
    laid = 0 if seat is None else seat.laid
    for _ in range(one.cards):
        if isinstance(after := step(round, Deal(one.place)), Refusal):
            return False
        round = after
    return one.number in (0, laid + 1)


def in_order(sheet: Sheet, item: Item) -> None:
    """The options in the right order, against the sheet's JSON."""
    assert item.evidence is not None
    options = {one.id: one.text for one in item.question.options}
    told = [options[letter] for letter in item.answer.split(",")]
    assert len(told) == len(options)
    if item.kind == "paying-order":
        stops = stops_of(sheet, item.evidence["file"])
        seats = [f"Seat {seat['seat']}" for seat, _ in stops]
        assert [one.partition(" (")[0] for one in told] == seats
        return
    rule, acts = document(sheet)["deal"], item.evidence["acts"]
    places = [one.place for one in acts]
    seats_dealt = list(dict.fromkeys(place for place in places if place > 0))
    assert seats_dealt == sorted(seats_dealt, reverse=rule["direction"] == "right-to-left")
    first = "players" if places[0] > 0 else "common"
    assert (first == "players") == (rule["order"][0] == "players")
    at_a_time = rule.get("at_a_time") or compile_game(sheet).hand_size
    assert all(one.cards <= at_a_time for one in acts if one.place > 0)


def what_now(sheet: Sheet, item: Item) -> None:
    """The sheet's own words on irregularities say the same."""
    assert item.evidence is not None
    mishap = item.evidence["mishap"]
    rules = document(sheet)["irregularities"]
    outcome, clause = _by_rules(rules, mishap.action, mishap.round)
    words = {
        "void-round": "The round is void: all wagers are returned",
        "dead": "The hand is dead: wagers not yet settled are returned",
        "hand-back": "That player's hand is void: its wagers are returned",
        "hand-lost": "That player's hand is void: its wagers are forfeited",
        "warned": "The player is warned and the hand continues",
        "goes-on": "Play continues",
    }
    if item.kind == "what-now":
        assert option(item).text == words[outcome]
    else:
        _is_at(item, clause)


def which_clause(sheet: Sheet, item: Item) -> None:
    """The sheet's own JSON cites the same clause for what the question is about."""
    assert item.evidence is not None
    rules, evidence = document(sheet), item.evidence
    topic = evidence["topic"]
    if topic == "irregularity":
        what_now(sheet, item)
    elif topic in ("deal", "settlement"):
        _is_at(item, rules[topic]["clause"])
    elif topic == "fold":
        side = rules["side"][evidence["asked"]]
        _is_at(item, (side.get("after_fold") or side)["clause"])
    elif topic == "pay":
        (seat,) = settled(sheet, evidence["file"])["seats"]
        _is_at(item, *(x["clause"] for x in seat["lines"] if x["wager"] == evidence["asked"]))
    else:
        assert settled(sheet, evidence["file"])["limits"]
        _is_at(item, *(limit["clause"] for limit in rules["limits"]))


def _is_at(item: Item, *clauses: str) -> None:
    assert option(item).text in [find_clause(clause).where for clause in clauses]
    assert not any(find_clause(clause).ours for clause in clauses)


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
    order = [(act.seat, {line.wager for line in act.lines}) for act in planted.acts if act.lines]
    right = [
        (seat["seat"], {line["wager"] for line in lines})
        for seat, lines in stops_of(sheet, item.evidence["file"])
    ]
    if planted.error in ("mispay", "bonus-missed"):
        assert wrong == [planted.at]
    else:
        assert not wrong
    assert (order != right) == (planted.error == "wrong-order")
    if planted.refused is not None:
        state, action = planted.refused
        assert isinstance(step(played.states[state], action), Refusal)
    assert (planted.error == "none") == (item.answer == letters[-1])
    _takes_each_folded_wager_once(planted)


def _takes_each_folded_wager_once(planted: Any) -> None:
    """A dealer collects a folded hand's wagers at the fold and not again at the settlement."""
    lost = [line for act in planted.acts for line in act.lines if line.outcome == "fold"]
    assert lost == []
