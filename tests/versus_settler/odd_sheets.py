"""Random sheets of games against a dealer's hand that use every field of the family."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

from tests.sheets.samples import document_of, toml_text

from pitbook.sheets.load import examine
from pitbook.sheets.model import Sheet

CLAUSE = {"clause": "649a.11"}
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
FALLING = {
    1: ("high-card-A", "high-card-K", "high-card-9-Q", "high-card"),
    3: ("mini-royal", "straight-flush", "three-of-a-kind", "straight", "flush", "pair"),
    4: (
        *("four-aces", "four-of-a-kind", "straight-flush", "three-of-a-kind", "flush"),
        *("straight", "two-pair", "pair"),
    ),
    5: (
        *("royal-flush", "straight-flush", "four-of-a-kind", "full-house", "flush", "straight"),
        *("three-of-a-kind", "two-pair", "pair"),
    ),
}
OWN = ("mini-royal", "four-aces", "royal-flush")  # Lines may omit these hands.
ODDS = ("push", "1:1", "3:2", "2:1", "3:1", "7:1", "10:1", "40:1", "200:1")
Document = dict[str, Any]


def odd_sheet(number: int) -> tuple[Document, Sheet]:
    """A random sheet by number, as text and parsed; drawn until it has no error."""
    luck = Random(f"odd sheet {number}")
    while True:
        document = _war(luck) if luck.random() < 0.1 else _draw_document(luck)
        sheet_found = examine(toml_text(document), "odd.toml", thorough=False).sheet
        if sheet_found is not None:
            return document, sheet_found


def _draw_document(luck: Random) -> Document:
    size, community = luck.choice((1, 3, 3, 4, 4, 5, 5)), luck.choice((0, 0, 0, 1, 2, 3, 4, 5))
    least, most = max(1, size - community), max(1, 7 - community)
    player, dealer = (luck.randint(least, max(least, min(most, size + 2))) for _ in range(2))
    document = _skeleton(luck)
    order = ["players", "dealer", *(["community"] if community else [])]
    luck.shuffle(order)
    document["deal"] |= {"order": order, "player": player, "dealer": dealer}
    document["deal"] |= {"community": community, "up": luck.choice((0, 0, luck.randint(0, dealer)))}
    document["deal"]["open"] = luck.random() < 0.2
    document["hands"]["cards"] = size
    del document["dealer"]
    if luck.random() < 0.7:
        document["dealer"] = CLAUSE | {"qualifies": _least(luck, size)}
        if document["dealer"]["qualifies"].startswith("high-card") and size > 1:
            document["dealer"] |= {"kicker": luck.choice(RANKS)} if luck.random() < 0.3 else {}
    raises = luck.sample(("play", "raise", "call"), luck.randint(1, 2))
    document["wagers"] = {}
    for wager in raises:
        document["wagers"][wager] = {"title": wager, "made": "by-play", **CLAUSE}
    for wager, made_with in (("blind", "with-ante"), ("more", "with-ante"), ("bonus", "on-ante")):
        if luck.random() < 0.4:
            document["wagers"][wager] = {"title": wager, "made": made_with, **CLAUSE}
    qualifies = "dealer" in document
    for rule in document["wagers"].values():
        rule["settles"] = _settles(luck, qualifies=qualifies, bonus=rule["made"] == "on-ante")
    document["ante"]["settles"] = _settles(luck, qualifies=qualifies, bonus=False)
    document["decisions"] = _decisions(luck, raises, size, community)
    document["main"] = CLAUSE | {"pays": _table(luck, size)}
    folds = any(decision["instead"] == "fold" for decision in document["decisions"])
    if not folds:
        del document["fold"]
    document["side"] = {}
    for side in luck.sample(("up", "both", "more-up"), luck.randint(0, 3)):
        looks_at = "both-hands" if side == "both" else "hand"
        document["side"][side] = _side(luck, side, looks_at, 5 if side == "both" else size)
        if not folds:
            del document["side"][side]["after_fold"]
    document["settlement"]["passes"] = [["main", *document["side"]]]
    return document


def _war(luck: Random) -> Document:
    """A tie of two cards that goes to war, with any result at every end."""
    document = copy.deepcopy(document_of("classic/casino-war"))
    document.pop("variants")
    document["deck"]["decks"] = luck.randint(1, 8)
    ends = ("lose", "push", "1:1", "2:1", "pays", "pays or 1:1", "half")
    for rule in (document["ante"]["settles"], document["wagers"]["raise"]["settles"]):
        for event in rule:
            if event not in ("clause", "note") and luck.random() < 0.5:
                rule[event] = luck.choice(ends[:4] if event == "fold" else ends)
    document["decisions"][0]["times"] = [luck.randint(1, 3)]
    lines = luck.sample(("win", "tie", "lose"), luck.randint(1, 2))
    document["side"]["tie"]["pays"] = {line: luck.choice(("1:1", "10:1")) for line in lines}
    document["side"]["tie"]["after_fold"]["plays"] = luck.random() < 0.5
    return document


def _skeleton(luck: Random) -> Document:
    document = copy.deepcopy(document_of("pennsylvania/three-card-poker"))
    document.pop("variants")
    document["seats"]["count"] = 3
    document["ante"] |= {"min": "10", "max": "100", "step": "10"}
    if luck.random() < 0.5:
        del document["uncapped"]
        pers = luck.sample(("bet", "hand", "round"), luck.randint(1, 2))
        most = sorted(luck.sample((30, 70, 101, 250, 999, 3000), len(pers)))
        ordered = sorted(pers)  # A cap on a bet, then on a hand, then on the round.
        document["limits"] = [
            {"per": per, "pays_max": str(cap), **CLAUSE}
            for per, cap in zip(ordered, most, strict=True)
        ]
    payouts = document["payouts"]
    payouts["share_ties"]["is"] = luck.choice(("lower-seat", "higher-seat"))
    payouts["ace_in_straights"]["is"] = luck.choice(("high-or-low", "high-or-low", "high"))
    payouts["several_lines"]["is"] = luck.choice(("highest", "highest", "first-listed"))
    return document


def _settles(luck: Random, *, qualifies: bool, bonus: bool) -> Document:
    results = ["lose", "push", "1:1", "2:1", "3:2", "pays", "pays or push", "pays or 1:1"]
    results += [] if bonus else ["half"]
    usual = {"win": "1:1", "tie": "push", "lose": "lose"}
    fold_rules: Document = dict(CLAUSE)
    for event, usual_result in usual.items():
        fold_rules[event] = usual_result if luck.random() < 0.4 else luck.choice(results)
    if qualifies and luck.random() < 0.6:
        fold_rules["below"] = luck.choice(results)
    if luck.random() < 0.4:
        fold_rules["fold"] = luck.choice(
            [result_option for result_option in results if "pays" not in result_option]
        )
    return fold_rules


def _decisions(luck: Random, raises: list[str], size: int, community: int) -> list[Document]:
    many = luck.randint(len(raises), 3)
    opened = sorted(luck.randint(0, community) for _ in range(many))
    decisions: list[Document] = []
    for number in range(many):
        last = number + 1 == many
        decision: Document = {"id": f"d{number}", "title": f"Decision {number}", **CLAUSE}
        decision["puts"] = raises[number] if number < len(raises) else luck.choice(raises)
        decision["times"] = sorted(luck.sample(range(1, 6), luck.randint(1, 3)))
        decision["instead"] = luck.choice(
            ("fold", "check") if not last else ("fold", "fold", "check")
        )
        decision["community"] = community if last and luck.random() < 0.6 else opened[number]
        folds = any(before["instead"] == "fold" for before in decisions)
        decision["once"] = number > 0 and (folds or luck.random() < 0.5)
        if decision["community"] == community and luck.random() < 0.4:
            need = {"times": luck.choice(decision["times"]), "hand": _least(luck, size)}
            decision["needs"] = [need | CLAUSE]
        decisions.append(decision)
    return decisions


def _least(luck: Random, size: int) -> str:
    kind = luck.choice((*FALLING[size], "pair", "high-card", "high-card")) if size > 1 else "high"
    if kind.startswith("high") or (kind == "pair" and luck.random() < 0.7):
        return f"{kind[:4]}{'-card' * kind.startswith('high')}-{luck.choice(RANKS[3:])}"
    return kind


def _table(luck: Random, size: int) -> Document:
    """Lines from the highest down to a random one, with descending odds."""
    lines = FALLING[size][: luck.randint(2, len(FALLING[size]))]
    lines = tuple(line for line in lines if line not in OWN or luck.random() < 0.5)
    if lines[-1] == "pair" and luck.random() < 0.6:
        middle = luck.randrange(1, 12)
        lines = (*lines[:-1], f"pair-{RANKS[middle]}-A")
        lines += (f"pair-2-{RANKS[middle - 1]}",) if middle > 1 and luck.random() < 0.5 else ()
    if lines[-1] == "pair" and luck.random() < 0.4:
        lines += (luck.choice(("high-card", "high-card-A", "high-card-J-A")),)
    places = sorted(luck.choices(range(len(ODDS)), k=len(lines)), reverse=True)
    pays = {
        line: ODDS[max(place, 1 if line == lines[0] else 0)]
        for line, place in zip(lines, places, strict=True)
    }
    listed = list(pays.items())
    if luck.random() < 0.3:
        luck.shuffle(listed)
    return dict(listed)


def _side(luck: Random, title: str, looks_at: str, size: int) -> Document:
    stake = {"min": "2", "max": "100", "step": "2", "required": luck.random() < 0.2, **CLAUSE}
    if luck.random() < 0.3 and not stake["required"]:
        stake["alone"] = {"is": True, **CLAUSE}
    side_wager: Document = {
        "title": f"Side {title}",
        "looks_at": looks_at,
        "stake": stake,
        **CLAUSE,
    }
    side_wager["pays"] = _table(luck, size)
    side_wager["after_fold"] = {"plays": luck.random() < 0.5, **CLAUSE}
    return side_wager
