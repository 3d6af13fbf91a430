"""A second computation of answers about acts: order, irregularities and errors."""

from __future__ import annotations

import json
from typing import Any

from tests.random_sheets.sheets import document
from tests.rules import oracle

from pitbook.cards import DECK
from pitbook.drills.procedure import DealerAct
from pitbook.drills.question import Item, Option
from pitbook.rules import round_file
from pitbook.rules.actions import Deal, Decide, Expose, Interrupted, Settle, Turn, VoidHand, Warn
from pitbook.rules.game import compile_game
from pitbook.rules.refusals import Refusal
from pitbook.rules.result_json import report
from pitbook.rules.step import step
from pitbook.sheets.clauses import find_clause
from pitbook.sheets.model import Sheet

Json = dict[str, Any]


def settle_file(sheet: Sheet, file: Any) -> Json:
    """The output of `pitbook settle` for a round file."""
    fields = ("sheet", "community", "dealer", "seats")
    text = json.dumps({key: field_value for key, field_value in file.items() if key in fields})
    return report(round_file.settle(round_file.parse(text), lambda _: sheet))


def option(item: Item) -> Option:
    return next(option for option in item.question.options if option.id == item.answer)


def stops_of(sheet: Sheet, file: Any) -> list[tuple[Json, list[Json]]]:
    """The settlement by the sheet's JSON: by pass and seat, without folded wagers."""
    rule, sides = document(sheet)["settlement"], document(sheet)["side"]
    seats = sorted(settle_file(sheet, file)["seats"], key=lambda seat: int(seat["seat"]))
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
    """The engine accepts the right act and none of the others."""
    assert item.evidence is not None
    round, acts = item.evidence["played"].states[item.evidence["at"]], item.evidence["shown"]
    accepted = [at for at, act in enumerate(acts) if _engine_accepts(round, act)]
    assert [item.question.options[at].id for at in accepted] == [item.answer]


def _engine_accepts(round: Any, act: DealerAct) -> bool:
    if act.what == "wait":
        plays = round.game.plays(round.stage) if round.waiting else ()
        return not all(
            isinstance(step(round, Decide(round.waiting[0], play)), Refusal) for play in plays
        )
    if act.what == "settle":
        next_stop = round.to_settle[round.steps_settled :][:1]
        ready = not isinstance(step(round, Settle()), Refusal)
        return ready and [seat for seat, _ in next_stop] == [act.place] and _is_in_pass(round, act)
    if act.what == "deal":
        return _is_next_packet(round, act)
    unseen = next(card for card in DECK if not round.copies(card))
    return not isinstance(step(round, Turn(act.place, unseen)), Refusal)


def _is_in_pass(round: Any, act: DealerAct) -> bool:
    (_, group), sides = round.to_settle[round.steps_settled], round.game.sheet.side
    wagers = [wager if wager in sides else "main" for wager in act.wagers]
    return not wagers or any(wager in group for wager in wagers)


def _is_next_packet(round: Any, act: DealerAct) -> bool:
    """Whether the whole packet comes next, with the right number for its seat."""
    seat = round.seat(act.place)
    cards_dealt = 0 if seat is None else seat.cards_dealt
    for _ in range(act.cards):
        if isinstance(after := step(round, Deal(act.place)), Refusal):
            return False
        round = after
    return act.number in (0, cards_dealt + 1)


def in_order(sheet: Sheet, item: Item) -> None:
    """The options in the answer's order agree with the sheet's JSON."""
    assert item.evidence is not None
    options = {option.id: option.text for option in item.question.options}
    texts = [options[letter] for letter in item.answer.split(",")]
    assert len(texts) == len(options)
    if item.kind == "paying-order":
        stops = stops_of(sheet, item.evidence["file"])
        seats = [f"Seat {seat['seat']}" for seat, _ in stops]
        assert [text.partition(" (")[0] for text in texts] == seats
        return
    rule, acts = document(sheet)["deal"], item.evidence["acts"]
    places = [act.place for act in acts]
    seats_dealt = list(dict.fromkeys(place for place in places if place > 0))
    assert seats_dealt == sorted(seats_dealt, reverse=rule["direction"] == "right-to-left")
    first = "players" if places[0] > 0 else "common"
    assert (first == "players") == (rule["order"][0] == "players")
    at_a_time = rule.get("at_a_time") or compile_game(sheet).hand_size
    assert all(act.cards <= at_a_time for act in acts if act.place > 0)


def what_now(sheet: Sheet, item: Item) -> None:
    """The sheet's rules on irregularities give the same outcome."""
    assert item.evidence is not None
    mishap = item.evidence["mishap"]
    rules = document(sheet)["irregularities"]
    outcome, clause = _by_rules(rules, mishap.action, mishap.round)
    words = {
        "void-round": "The round is void. All bets are returned.",
        "dead": "The hand is dead. Bets not yet settled are returned.",
        "hand-back": "That player's hand is void. The bets are returned.",
        "hand-lost": "That player's hand is void. The bets are forfeited.",
        "warned": "The player is warned and the hand continues.",
        "goes-on": "Play continues.",
    }
    if item.kind == "what-now":
        assert option(item).text == words[outcome]
    else:
        _cites(item, clause)


def which_clause(sheet: Sheet, item: Item) -> None:
    """The sheet's JSON cites the same clause."""
    assert item.evidence is not None
    rules, evidence = document(sheet), item.evidence
    topic = evidence["topic"]
    if topic == "irregularity":
        what_now(sheet, item)
    elif topic in ("deal", "settlement"):
        _cites(item, rules[topic]["clause"])
    elif topic == "fold":
        side = rules["side"][evidence["asked"]]
        _cites(item, (side.get("after_fold") or side)["clause"])
    elif topic == "pay":
        (seat,) = settle_file(sheet, evidence["file"])["seats"]
        _cites(item, *(x["clause"] for x in seat["lines"] if x["wager"] == evidence["asked"]))
    else:
        assert settle_file(sheet, evidence["file"])["limits"]
        _cites(item, *(limit["clause"] for limit in rules["limits"]))


def _cites(item: Item, *clauses: str) -> None:
    assert option(item).text in [find_clause(clause).where for clause in clauses]
    assert not any(find_clause(clause).ours for clause in clauses)


def _by_rules(rules: Json, action: Any, round: Any) -> tuple[str, str]:
    late = rules["misdeal"]["until"] == "first-seat-settled" and round.steps_settled > 0
    unchanged = ("goes-on", rules["misdeal"]["clause"])
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
    return unchanged if late else ("void-round", rule["clause"])


def _information(rule: Json, action: VoidHand) -> tuple[str, str]:
    if rule["result"] == "warn":
        return "warned", rule["clause"]
    spared = {"giver": "took", "taker": "gave"}.get(rule["whose"]["is"])
    if action.part == spared:
        return "warned", rule["whose"]["clause"]
    return ("hand-lost" if rule["result"] == "forfeit" else "hand-back"), rule["clause"]


def spot_error(sheet: Sheet, item: Item) -> None:
    """The engine refuses the planted error; everything else is right."""
    assert item.evidence is not None
    planted, played = item.evidence["planted"], item.evidence["played"]
    letters = [option.id for option in item.question.options]
    assert letters.index(item.answer) == planted.at
    paid = {
        (seat["seat"], line["wager"]): (line["result"], line["wins"])
        for seat in settle_file(sheet, item.evidence["file"])["seats"]
        for line in seat["lines"]
    }
    wrong = [
        at
        for at, act in enumerate(planted.acts)
        for line in act.lines
        if (line.result, oracle.format_cents(line.wins)) != paid[act.seat, line.wager]
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
    """A dealer collects a folded hand's wagers at the fold, not again at the settlement."""
    lost = [line for act in planted.acts for line in act.lines if line.outcome == "fold"]
    assert lost == []
