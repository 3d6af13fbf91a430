"""A second computation of drill answers, from the sheet's JSON and from `pitbook settle`.

`confirm(sheet, item)` fails unless the item's answer matches the published rules.
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
    settle_file,
    spot_error,
    stops_of,
    what_now,
    which_clause,
)
from tests.drills.replay_rounds import replay
from tests.random_sheets.sheets import document
from tests.rules import oracle
from tests.versus_settler import hands as plain

from pitbook.cards import name
from pitbook.drills.question import Item, label_options
from pitbook.drills.spot_error import CLEAN
from pitbook.sheets.model import Sheet
from pitbook.sheets.phrases import outcome
from pitbook.text.formats import money_text

Json = dict[str, Any]
CUT = re.compile(r"instead of (\S+), because of the limit")
FIELDS = {"ask", "form", "common", "seats", "lines", "options", "chips", "pick"}


def confirm(sheet: Sheet, item: Item) -> None:
    """Assert one right answer, which the question does not reveal."""
    ids = [option.id for option in item.question.options]
    choices = [(option.text, option.cards) for option in item.question.options]
    assert len(set(ids)) == len(ids)
    assert len(set(choices)) == len(choices), choices
    if item.question.form == "choice":
        assert item.answer in ids
    assert not item.reveals_answer
    _hides_answer(item)
    assert item.reasons
    assert all(reason.text for reason in item.reasons)
    replay(sheet, item)
    CHECKS[item.kind](sheet, item)


def _hides_answer(item: Item) -> None:
    """Assert that every option has the same fields and no typed answer is sent."""
    sent = item.question.document()
    assert set(sent) == FIELDS
    assert ids_by_place(sent["options"])
    assert all(set(option_json) == {"id", "text", "cards"} for option_json in sent["options"])
    if item.question.form in ("amount", "chips", "steps"):
        assert not re.search(rf"(?<![0-9.]){re.escape(item.answer)}(?![0-9])", json.dumps(sent))


def ids_by_place(options: list[Json]) -> bool:
    """Whether options are labeled in order, with "no mistake" last."""
    letters = [option.id for option in label_options([("", ())] * len(options))]
    ids = [option_json["id"] for option_json in options]
    return ids == ([*letters[:-1], CLEAN] if CLEAN in ids else letters)


def lines_of(sheet: Sheet, item: Item) -> list[Json]:
    assert item.evidence is not None
    (seat,) = settle_file(sheet, item.evidence["file"])["seats"]
    return list(seat["lines"])


def pay_hand(sheet: Sheet, item: Item) -> None:
    assert item.evidence is not None
    (seat,) = settle_file(sheet, item.evidence["file"])["seats"]
    assert item.answer == seat["wins"]
    assert item.answer != "0.00"


def cut_chips(sheet: Sheet, item: Item) -> None:
    assert item.evidence is not None
    (seat,) = settle_file(sheet, item.evidence["file"])["seats"]
    remaining = oracle.cents(seat["wins"])
    chips = []
    for value in sorted(
        (oracle.cents(chip_text) for chip_text in chip_values(sheet)), reverse=True
    ):
        if remaining >= value:
            chips.append(f"{oracle.format_cents(value)}x{remaining // value}")
            remaining %= value
    assert (item.answer, remaining) == (",".join(chips), 0)


def chip_values(sheet: Sheet) -> list[str]:
    return list(document(sheet)["house"]["chips"]["values"])


def settle_table(sheet: Sheet, item: Item) -> None:
    """Every stop with the player's net; folded bets were collected before."""
    assert item.evidence is not None
    nets = [(seat["seat"], _net(lines)) for seat, lines in stops_of(sheet, item.evidence["file"])]
    options = {option.id: option.text for option in item.question.options}
    answered = [part.split("=") for part in item.answer.split(",")]
    assert [oracle.format_cents(net) for _, net in nets] == [amount for _, amount in answered]
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
    line = _asked_line(sheet, item)
    words = {"win": "Win", "push": "Push", "lose": "Lose"}
    assert option(item).text == words[line["result"]]


def _asked_line(sheet: Sheet, item: Item) -> Json:
    assert item.evidence is not None
    wager = item.evidence["asked"]
    return next(line for line in lines_of(sheet, item) if line["wager"] == wager)


def read_hand(sheet: Sheet, item: Item) -> None:
    met = _asked_line(sheet, item)["outcome"]
    assert option(item).text == ("none" if met == "nothing" else outcome(met))


def after_fold(sheet: Sheet, item: Item) -> None:
    assert item.evidence is not None
    sides = document(sheet)["side"]
    alive = {
        option.id
        for option, wager in zip(item.question.options, item.evidence["wagers"], strict=True)
        if wager in sides and (sides[wager].get("after_fold") or {"plays": True})["plays"]
    }
    assert set(filter(None, item.answer.split(","))) == alive
    by_wager = {line["wager"]: line for line in lines_of(sheet, item)}
    for choice, wager in zip(item.question.options, item.evidence["wagers"], strict=True):
        if wager in sides:
            assert (by_wager[wager]["outcome"] == "fold") == (choice.id not in alive)


def best_cards(sheet: Sheet, item: Item) -> None:
    size = item.question.pick
    assert size is not None
    by_id = {option.id: option.cards[0] for option in item.question.options}
    low = _low_ace(sheet)
    values = {
        some: plain.value([by_id[letter] for letter in some], low=low)
        for some in combinations(by_id, size)
    }
    best = max(values.values())
    assert [some for some, hand_value in values.items() if hand_value == best] == [
        tuple(item.answer.split(","))
    ]


def _low_ace(sheet: Sheet) -> bool:
    return bool(document(sheet)["payouts"]["ace_in_straights"]["is"] == "high-or-low")


def qualifies(sheet: Sheet, item: Item) -> None:
    rule, cards = document(sheet)["dealer"], document(sheet)["hands"]["cards"]
    assert item.question.lies is not None
    visible = [card for _, there in item.question.lies.common for card in there]
    best = plain.best(visible, cards, low=_low_ace(sheet))
    words = rule["qualifies"].split("-")
    names = {"pair": "pair", "high": "high"}
    ranks = [
        oracle.RANKS.index(rank_letter)
        for rank_letter in (words[-1], rule.get("kicker"))
        if rank_letter in oracle.RANKS
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
    """The low hand's count matches the oracle's, card for card."""
    rule = document(sheet)
    assert item.evidence is not None
    board = list(map(name, item.evidence["played"].final.board))
    low = oracle.totals(rule, [], board)["low"]
    values = rule["points"]["values"]
    counted = oracle.points([name(card) for card in option(item).cards], values)
    assert counted == low
    assert len(option(item).cards) == rule["dealer"]["low"]


def shares(sheet: Sheet, item: Item) -> None:
    """A seat in a round over a limit is paid what `pitbook settle` pays it."""
    assert item.evidence is not None
    settlement = settle_file(sheet, item.evidence["file"])
    assert settlement["limits"]
    seat = next(seat for seat in settlement["seats"] if seat["seat"] == item.evidence["asked"])
    assert item.answer == seat["wins"]
    due = {line["wager"]: _due(sheet, seat["lines"], line) for line in seat["lines"]}
    assert oracle.cents(seat["wins"]) < sum(due.values())
    cut = [line for line in seat["lines"] if oracle.cents(line["wins"]) < due[line["wager"]]]
    matches = [CUT.search(reason.text) for reason in item.reasons]
    assert sorted(match[1] for match in matches if match) == sorted(
        money_text(due[line["wager"]]) for line in cut
    )


def _due(sheet: Sheet, lines: list[Json], line: Json) -> int:
    """What a wager wins before a limit; one without a stake is paid on the ante."""
    if line["odds"] is None or line["result"] != "win":
        return 0
    stake = oracle.cents(line["stake"])
    ante = next((oracle.cents(line["stake"]) for line in lines if line["wager"] == "ante"), 0)
    counted = stake if document(sheet)["payouts"]["stake_counted"]["is"] else 0
    return max(0, math.floor(oracle.worth(line["odds"]) * (stake or ante)) - counted)


def odds(sheet: Sheet, item: Item) -> None:
    assert item.fact is not None
    _, wager, line = item.fact.split("/")
    pay = oracle.pay_table(document(sheet), wager)[line]
    text = option(item).text
    assert odds_of(text) == pay
    for choice in item.question.options:
        assert choice.text == "push" or oracle.worth(odds_of(choice.text)) >= odds_min(sheet)


def odds_of(text: str) -> str:
    return text.replace(",", "").replace(" to ", ":")


def odds_min(sheet: Sheet) -> Fraction:
    """Even money, or the smallest odds of the sheet itself."""
    wagers = ("main", *document(sheet)["side"])
    pays = [
        oracle.worth(pay) for w in wagers for pay in oracle.pay_table(document(sheet), w).values()
    ]
    return min([Fraction(1), *(pay for pay in pays if pay > 0)])


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
