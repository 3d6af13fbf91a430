"""An independent settlement from the text of sheet and journal.

It reads plain JSON and shares no code with the engine, the games or the hands. It uses dicts,
fractions and the slow hand names from the hand tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor
from typing import Any

from tests.hands.reference_ranking import RISING, hand_name

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
LETTERS = "23456789TJQKA"
SUITED_PAIRS = ("suited-pair", "suited-pair-flush")
COVERS = {  # Shapes also paid by another line.
    "straight-flush": ("royal-flush", "mini-royal"),
    "straight": ("straight-flush", "royal-flush", "mini-royal"),
    "flush": (
        *("straight-flush", "royal-flush", "mini-royal"),
        *("suited-pair-flush", "suited-three-of-a-kind"),
    ),
    "four-of-a-kind": ("four-aces",),
    "three-of-a-kind": ("suited-three-of-a-kind",),
    "suited-pair": ("suited-pair-flush",),
}

Json = dict[str, Any]
Line = Json


def cents(text: str) -> int:
    return int(text.replace(".", "")) if "." in text else int(text) * 100


def format_cents(amount: int) -> str:
    sign = "-" if amount < 0 else ""
    return f"{sign}{abs(amount) // 100}.{abs(amount) % 100:02d}"


def shares(total: int, due: Sequence[int]) -> list[int]:
    """GEN-4 in plain form: fractions rounded down, then one cent each by largest remainder."""
    exact = [Fraction(total * amount, sum(due) or 1) for amount in due]
    portions = [floor(fraction) for fraction in exact]
    while any(due) and sum(portions) < total:
        remainders = [fraction - share for fraction, share in zip(exact, portions, strict=True)]
        portions[remainders.index(max(remainders))] += 1
    return portions


def pay(sheet: Json, wager: str, cards: Sequence[str], matched: int = 0) -> tuple[str, str | None]:
    """The pay table line for a hand and its pay; None if no line pays."""
    table = pay_table(sheet, wager)
    if wager != "main" and sheet["side"][wager]["looks_at"] == "dealer-match":
        line = f"match-{matched}"
        return (line, table[line]) if line in table else ("nothing", None)
    ace_low = sheet["payouts"]["ace_in_straights"]["is"] == "high-or-low"
    many = sheet["deck"]["decks"] > 1
    shape = hand_name(cards, ace_low=ace_low, many_decks=many)
    paired_cards = [
        first[0] for first in cards if sum(first[0] == second[0] for second in cards) == 2
    ]
    pair = RANKS[LETTERS.index(paired_cards[0])] if paired_cards and "pair" in shape else ""
    if shape == "high-card":
        pair = RANKS[max(LETTERS.index(card[0]) for card in cards)]
    fitting = [line for line in table if fits(line, shape, pair)]
    if not fitting:
        return "nothing", None
    line = fitting[0]
    if sheet["payouts"]["several_lines"]["is"] == "highest":
        line = max(
            fitting,
            key=lambda candidate: (worth(table[candidate]), -breadth(candidate, len(cards), many)),
        )
    return line, table[line]


def pay_table(sheet: Json, wager: str) -> dict[str, str]:
    if wager != "main":
        side: dict[str, str] = sheet["side"][wager]["pays"]
        return side
    pays: dict[str, str] = sheet["main"]["pays"]
    prose = sheet["main"].get("prose")
    if not prose or prose["decides"] != "prose":
        return pays
    prose_outcomes = [outcome for line in prose["pays"] for outcome in covered_outcomes(line)]
    undisputed = {
        line: pays_text
        for line, pays_text in pays.items()
        if not set(covered_outcomes(line)) & set(prose_outcomes)
    }
    return {**undisputed, **prose["pays"]}


def covered_outcomes(line: str) -> list[str]:
    """The outcomes of a line: pairs and high cards by rank, others by name."""
    stem = next((prefix for prefix in ("pair", "high-card") if line.startswith(prefix)), None)
    if stem is None:
        return [line]
    first, _, last = line.removeprefix(stem).removeprefix("-").partition("-")
    low = RANKS.index(first) if first else 0
    high = RANKS.index(last or first or "A")
    return [f"{stem}-{rank}" for rank in RANKS[low : high + 1]]


def fits(line: str, shape: str, pair: str) -> bool:
    if line.startswith("pair"):
        return shape in ("pair", *SUITED_PAIRS) and f"pair-{pair}" in covered_outcomes(line)
    if line.startswith("high-card"):
        return shape == "high-card" and f"high-card-{pair}" in covered_outcomes(line)
    return shape == line or shape in COVERS.get(line, ())


def breadth(line: str, cards: int, many_decks: bool) -> int:
    """The number of outcomes of a line; of equal pays the narrower line is named."""
    shapes = RISING[cards].split()
    shapes += [*SUITED_PAIRS, "suited-three-of-a-kind"] if many_decks else []
    ranked = dict.fromkeys(("pair", *SUITED_PAIRS), RANKS) | {"high-card": RANKS[cards:]}
    ranked_shapes = [(shape, rank) for shape in shapes for rank in ranked.get(shape, ("",))]
    return sum(fits(line, shape, pair) for shape, pair in ranked_shapes)


def worth(odds: str) -> Fraction:
    return Fraction(0) if odds == "push" else Fraction(odds.replace(":", "/"))


def price_wager(
    sheet: Json, wager: str, stake: int, line_and_odds: tuple[str, str | None], clause: str
) -> Line:
    """One wager's line before any cap."""
    outcome, odds = line_and_odds
    if odds is None or odds == "push":
        return line_of(wager, stake, clause, outcome, "push" if odds else "lose")
    winnings = worth(odds) * stake
    assert winnings.denominator == 1
    winnings -= stake if sheet["payouts"]["stake_counted"]["is"] else 0
    line = line_of(wager, stake, clause, outcome, "win")
    return line | {"odds": odds, "wins": max(0, int(winnings))}


def line_of(
    wager: str, stake: int, clause: str, outcome: str | None = None, result: str = "void"
) -> Line:
    return {
        "wager": wager,
        "stake": stake,
        "outcome": outcome,
        "result": result,
        "odds": None,
        "wins": 0,
        "clause": clause,
    }


def totals(sheet: Json, cards: Sequence[str], board: Sequence[str]) -> dict[str, int]:
    """The player's lead in points for a low and a high declaration."""
    low = {rank: sheet["points"]["values"][rank] for rank in RANKS}
    high = low | sheet["points"]["in_high_hand"]
    order = {"two-to-ace": LETTERS, "ace-to-king": "A" + LETTERS[:-1]}
    order |= {"ace-to-two": LETTERS[::-1], "king-to-ace": LETTERS[-2::-1] + "A"}
    equal = order[sheet["dealer"].get("equal_points", {"is": "two-to-ace"})["is"]]
    sorted_board = sorted(
        board, key=lambda card: (low[rank_of(card)], equal.index(card[0]), card[1])
    )
    size = sheet["dealer"]["low"]
    bottom, top = sorted_board[:size], sorted_board[size:]
    aces = [card for card in bottom if card[0] == "A"]
    if sheet["dealer"]["shared"] == "ace-then-highest" and aces:
        top.append(aces[-1])
    elif sheet["dealer"]["shared"] != "none":
        top.append(bottom[-1])
    return {
        "low": points(bottom, low) - points(cards, low),
        "high": points(cards, high) - points(top, high),
    }


def points(cards: Sequence[str], values: dict[str, int]) -> int:
    return sum(values[rank_of(card)] for card in cards)


def rank_of(card: str) -> str:
    return RANKS[LETTERS.index(card[0])]


def main_pay(sheet: Json, play: str, ahead: int) -> tuple[str, str | None]:
    """MHL-9: the winner, with the tie rule."""
    side, ties = play.split("+", maxsplit=1)[0], sheet["main"]["ties"]["is"]
    if ahead == 0 and ties == "push":
        return side, "push"
    if ahead > 0 or (ahead == 0 and ties == "player"):
        return side, pay_table(sheet, "main")[side]
    return "nothing", None


def apply_caps(sheet: Json, hands: dict[int, list[Line]]) -> list[Json]:
    """Apply all caps to the lines (bets, hands, then the round); returns those applied."""
    applied = []
    for scope in ("bet", "hand", "round"):
        for limit in sheet["limits"]:
            if limit["per"] == scope:
                applied += apply_cap(sheet, limit, hands)
    return applied


def apply_cap(sheet: Json, limit: Json, hands: dict[int, list[Line]]) -> list[Json]:
    cap = cents(limit["pays_max"])
    applied = []
    for seat, group in limit_groups(sheet, limit, hands):
        due = sum(counted_amount(sheet, wager_line) for lines in group for wager_line in lines)
        if due <= cap:
            continue
        group_dues = [
            sum(counted_amount(sheet, wager_line) for wager_line in lines) for lines in group
        ]
        for lines, share in zip(group, shares(cap, group_dues), strict=True):
            split = shares(share, [counted_amount(sheet, wager_line) for wager_line in lines])
            for wager_line, share_of_line in zip(lines, split, strict=True):
                wager_line["wins"] = max(0, share_of_line - counted_stake(sheet, wager_line))
        cap_report = {
            "clause": limit["clause"],
            "due": format_cents(due),
            "paid": format_cents(cap),
        }
        applied.append(cap_report | ({"seat": seat} if seat else {}))
    return applied


def limit_groups(
    sheet: Json, limit: Json, hands: dict[int, list[Line]]
) -> list[tuple[int, list[list[Line]]]]:
    """The lines of each application of a limit, by seat in the order for ties."""
    covered = {
        seat: [wager_line for wager_line in lines if falls_under(sheet, limit, wager_line)]
        for seat, lines in hands.items()
    }
    if limit["per"] == "bet":
        return [(seat, [[wager_line]]) for seat in sorted(covered) for wager_line in covered[seat]]
    if limit["per"] == "hand":
        return [(seat, [covered[seat]]) for seat in sorted(covered) if covered[seat]]
    higher = sheet["payouts"]["share_ties"]["is"] == "higher-seat"
    return [(0, [covered[seat] for seat in sorted(covered, reverse=higher) if covered[seat]])]


def falls_under(sheet: Json, limit: Json, line: Line) -> bool:
    if line["result"] != "win":
        return False
    counts = limit.get("counts") or {}
    if counts.get("odds_at_least"):
        return worth(line["odds"]) >= worth(counts["odds_at_least"])
    if counts.get("lines"):
        wager = line["wager"] if line["wager"] in sheet["side"] else "main"
        return line["outcome"] in counts["lines"].get(wager, [])
    return True


def counted_amount(sheet: Json, line: Line) -> int:
    wins: int = line["wins"]
    return wins + counted_stake(sheet, line)


def counted_stake(sheet: Json, line: Line) -> int:
    """GEN-3: the stake, if the sheet counts it."""
    stake: int = line["stake"] if sheet["payouts"]["stake_counted"]["is"] else 0
    return stake
