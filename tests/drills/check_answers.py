"""Answers of drills worked out a second time: from the sheet's JSON, and from `pitbook settle`.

`confirm(sheet, item)` fails where the item's answer is not the one that the house's papers give.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from typing import Any

from tests.drills.check_steps import (
    in_order,
    next_step,
    option,
    settled,
    spot_error,
    stops_of,
    what_now,
    which_clause,
)
from tests.drills.replay_rounds import replay
from tests.generated_sheets import document
from tests.rules.rounds import oracle
from tests.versus_settler import hands as plain

from pitbook.cards import name
from pitbook.drills.item import Item, lettered
from pitbook.drills.spot_error import CLEAN
from pitbook.sheets.model import Sheet
from pitbook.sheets.prose.words import outcome
from pitbook.text.formats import amount

Json = dict[str, Any]
CUT = re.compile(r"instead of (\S+), because of the limit")
FIELDS = {"ask", "form", "common", "seats", "lines", "options", "chips", "pick"}


def confirm(sheet: Sheet, item: Item) -> None:
    """Exactly one right answer, the one that is given, and nothing of it in the question."""
    ids = [option.id for option in item.question.options]
    shown = [(option.text, option.cards) for option in item.question.options]
    assert len(set(ids)) == len(ids)
    assert len(set(shown)) == len(shown), shown
    if item.question.form == "choice":
        assert item.answer in ids
    assert not item.gives_itself_away
    _is_silent(item)
    assert item.reasons
    assert all(reason.text for reason in item.reasons)
    replay(sheet, item)
    CHECKS[item.kind](sheet, item)


def _is_silent(item: Item) -> None:
    """What is sent has the same fields for every option, and no answer that is to be typed."""
    sent = item.question.document()
    assert set(sent) == FIELDS
    assert ids_by_place(sent["options"])
    assert all(set(one) == {"id", "text", "cards"} for one in sent["options"])
    if item.question.form in ("amount", "chips", "steps"):
        assert not re.search(rf"(?<![0-9.]){re.escape(item.answer)}(?![0-9])", json.dumps(sent))


def ids_by_place(options: list[Json]) -> bool:
    """Whether options are named by where they stand; that there is no mistake stands last."""
    letters = [one.id for one in lettered([("", ())] * len(options))]
    ids = [one["id"] for one in options]
    return ids == ([*letters[:-1], CLEAN] if CLEAN in ids else letters)


def lines_of(sheet: Sheet, item: Item) -> list[Json]:
    assert item.evidence is not None
    (seat,) = settled(sheet, item.evidence["file"])["seats"]
    return list(seat["lines"])


def pay_hand(sheet: Sheet, item: Item) -> None:
    assert item.evidence is not None
    (seat,) = settled(sheet, item.evidence["file"])["seats"]
    assert item.answer == seat["wins"]
    assert item.answer != "0.00"


def cut_chips(sheet: Sheet, item: Item) -> None:
    assert item.evidence is not None
    (seat,) = settled(sheet, item.evidence["file"])["seats"]
    left = oracle.cents(seat["wins"])
    chips = []
    for value in sorted((oracle.cents(one) for one in chip_values(sheet)), reverse=True):
        if left >= value:
            chips.append(f"{oracle.written(value)}x{left // value}")
            left %= value
    assert (item.answer, left) == (",".join(chips), 0)


def chip_values(sheet: Sheet) -> list[str]:
    return list(document(sheet)["house"]["chips"]["values"])


def settle_table(sheet: Sheet, item: Item) -> None:
    """Every stop, with what the player has from it; what a fold lost was collected before."""
    assert item.evidence is not None
    nets = [(seat["seat"], _net(lines)) for seat, lines in stops_of(sheet, item.evidence["file"])]
    options = {one.id: one.text for one in item.question.options}
    answered = [part.split("=") for part in item.answer.split(",")]
    assert [oracle.written(net) for _, net in nets] == [amount for _, amount in answered]
    for (seat, _), (letter, _) in zip(nets, answered, strict=True):
        assert options[letter].startswith(f"Seat {seat} (")
    assert len({letter for letter, _ in answered}) == len(options)


def _net(lines: list[Json]) -> int:
    net = 0
    for line in lines:
        net += oracle.cents(line["wins"])
        if line["result"] in ("lose", "forfeit"):
            net -= oracle.cents(line["stake"]) - oracle.cents(line.get("back", "0.00"))
    return net


def what_becomes(sheet: Sheet, item: Item) -> None:
    line = _asked(sheet, item)
    words = {"win": "Win", "push": "Push", "lose": "Lose"}
    assert option(item).text == words[line["result"]]


def _asked(sheet: Sheet, item: Item) -> Json:
    assert item.evidence is not None
    wager = item.evidence["asked"]
    return next(one for one in lines_of(sheet, item) if one["wager"] == wager)


def read_hand(sheet: Sheet, item: Item) -> None:
    met = _asked(sheet, item)["outcome"]
    assert option(item).text == ("none" if met == "nothing" else outcome(met))


def after_fold(sheet: Sheet, item: Item) -> None:
    assert item.evidence is not None
    sides = document(sheet)["side"]
    alive = {
        one.id
        for one, wager in zip(item.question.options, item.evidence["wagers"], strict=True)
        if wager in sides and (sides[wager].get("after_fold") or {"plays": True})["plays"]
    }
    assert set(filter(None, item.answer.split(","))) == alive
    by_wager = {line["wager"]: line for line in lines_of(sheet, item)}
    for one, wager in zip(item.question.options, item.evidence["wagers"], strict=True):
        if wager in sides:
            assert (by_wager[wager]["outcome"] == "fold") == (one.id not in alive)


def best_cards(sheet: Sheet, item: Item) -> None:
    size = item.question.pick
    assert size is not None
    by_id = {one.id: one.cards[0] for one in item.question.options}
    low = _low_ace(sheet)
    values = {
        some: plain.value([by_id[one] for one in some], low=low)
        for some in combinations(by_id, size)
    }
    best = max(values.values())
    assert [some for some, one in values.items() if one == best] == [tuple(item.answer.split(","))]


def _low_ace(sheet: Sheet) -> bool:
    return bool(document(sheet)["payouts"]["ace_in_straights"]["is"] == "high-or-low")


def qualifies(sheet: Sheet, item: Item) -> None:
    rule, cards = document(sheet)["dealer"], document(sheet)["hands"]["cards"]
    assert item.question.lies is not None
    shown = [one for _, there in item.question.lies.common for one in there]
    best = plain.best(shown, cards, low=_low_ace(sheet))
    words = rule["qualifies"].split("-")
    names = {"pair": "pair", "high": "high"}
    ranks = [
        oracle.RANKS.index(one) for one in (words[-1], rule.get("kicker")) if one in oracle.RANKS
    ]
    assert (option(item).text == "Yes") == plain.at_least(best, cards, names[words[0]], *ranks)


def points(sheet: Sheet, item: Item) -> None:
    rule = document(sheet)
    assert item.evidence is not None
    played, whose = item.evidence["played"], item.evidence["whose"]
    low = rule["points"]["values"]
    high = low | rule["points"]["in_high_hand"]
    if whose == "dealer":
        dealer = oracle.totals(rule, [], list(map(name, played.final.board)))
        areas = rule["dealer"]["areas"]
        counts = {areas["low"]: dealer["low"], areas["high"]: -dealer["high"]}
        assert f"the total of the {item.evidence['title']}?" in item.question.ask
        assert int(item.answer) == counts[item.evidence["title"]]
    else:
        cards = list(map(name, played.final.seats[0].cards))
        assert f"played {whose}?" in item.question.ask
        assert int(item.answer) == oracle.points(cards, low if whose == "low" else high)


def arrange(sheet: Sheet, item: Item) -> None:
    """Laid as told, the low hand counts what the oracle says it does, card for card."""
    rule = document(sheet)
    assert item.evidence is not None
    board = list(map(name, item.evidence["played"].final.board))
    low = oracle.totals(rule, [], board)["low"]
    values = rule["points"]["values"]
    counted = oracle.points([name(one) for one in option(item).cards], values)
    assert counted == low
    assert len(option(item).cards) == rule["dealer"]["low"]


def shares(sheet: Sheet, item: Item) -> None:
    """A seat of a round in which a limit was reached, paid what `pitbook settle` pays it."""
    assert item.evidence is not None
    found = settled(sheet, item.evidence["file"])
    assert found["limits"]
    seat = next(one for one in found["seats"] if one["seat"] == item.evidence["asked"])
    assert item.answer == seat["wins"]
    due = {line["wager"]: _due(sheet, seat["lines"], line) for line in seat["lines"]}
    assert oracle.cents(seat["wins"]) < sum(due.values())
    cut = [one for one in seat["lines"] if oracle.cents(one["wins"]) < due[one["wager"]]]
    said = [CUT.search(reason.text) for reason in item.reasons]
    assert sorted(found[1] for found in said if found) == sorted(
        amount(due[line["wager"]]) for line in cut
    )


def _due(sheet: Sheet, lines: list[Json], line: Json) -> int:
    """What a wager wins before a limit; one without a stake of its own is paid on the ante."""
    if line["odds"] is None or line["result"] != "win":
        return 0
    stake = oracle.cents(line["stake"])
    ante = next((oracle.cents(one["stake"]) for one in lines if one["wager"] == "ante"), 0)
    counted = stake if document(sheet)["payouts"]["stake_counted"]["is"] else 0
    return max(0, math.floor(oracle.worth(line["odds"]) * (stake or ante)) - counted)


def odds(sheet: Sheet, item: Item) -> None:
    assert item.fact is not None
    _, wager, line = item.fact.split("/")
    pay = oracle.pay_table(document(sheet), wager)[line]
    text = option(item).text
    assert odds_of(text) == pay
    for one in item.question.options:
        assert one.text == "push" or oracle.worth(odds_of(one.text)) >= least(sheet)


def odds_of(text: str) -> str:
    return text.replace(",", "").replace(" to ", ":")


def least(sheet: Sheet) -> Fraction:
    """Even money, or the smallest odds that the sheet itself pays: no house prints less."""
    wagers = ("main", *document(sheet)["side"])
    every = [
        oracle.worth(one) for w in wagers for one in oracle.pay_table(document(sheet), w).values()
    ]
    return min([Fraction(1), *(one for one in every if one > 0)])


def bounds(sheet: Sheet, item: Item) -> None:
    assert item.fact is not None
    what, of = item.fact.split("/")
    rules = document(sheet)
    if what == "cap":
        wanted = rules["limits"][int(of)]["pays_max"]
    else:
        stake = rules["side"][of]["stake"] if of in rules["side"] else rules[sheet.main_id]
        wanted = stake[{"least": "min", "most": "max"}[what]]
    assert oracle.cents(item.answer) == oracle.cents(wanted)


CHECKS: dict[str, Callable[[Sheet, Item], None]] = {
    "pay-hand": pay_hand,
    "cut-chips": cut_chips,
    "settle-table": settle_table,
    "what-becomes": what_becomes,
    "after-fold": after_fold,
    "read-hand": read_hand,
    "best-cards": best_cards,
    "qualifies": qualifies,
    "arrange": arrange,
    "points": points,
    "shares": shares,
    "odds": odds,
    "bounds": bounds,
    "next-step": next_step,
    "paying-order": in_order,
    "dealing-order": in_order,
    "what-now": what_now,
    "which-clause": which_clause,
    "spot-error": spot_error,
}
