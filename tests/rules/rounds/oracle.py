"""What a round comes to, worked out a second time from the sheet's text and the journal's.

It reads plain JSON and shares no code with the engine, the games or the hands: dicts, fractions,
and the slow names of hands that the tests of the hands use.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor
from typing import Any

from tests.hands.plain import RISING, called

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
LETTERS = "23456789TJQKA"
SUITED_PAIRS = ("suited-pair", "suited-pair-flush")
COVERS = {  # Which shapes a line pays besides the one of its own name.
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


def written(amount: int) -> str:
    sign = "-" if amount < 0 else ""
    return f"{sign}{abs(amount) // 100}.{abs(amount) % 100:02d}"


def shares(total: int, due: Sequence[int]) -> list[int]:
    """GEN-4 said plainly: everybody's fraction rounded down, then a cent each by what was cut."""
    exact = [Fraction(total * one, sum(due) or 1) for one in due]
    given = [floor(one) for one in exact]
    while any(due) and sum(given) < total:
        missed = [one - share for one, share in zip(exact, given, strict=True)]
        given[missed.index(max(missed))] += 1
    return given


def pay(sheet: Json, wager: str, cards: Sequence[str], matched: int = 0) -> tuple[str, str | None]:
    """The line of a pay table that a hand is paid by, and what it pays; None where none is."""
    table = pay_table(sheet, wager)
    if wager != "main" and sheet["side"][wager]["looks_at"] == "dealer-match":
        line = f"match-{matched}"
        return (line, table[line]) if line in table else ("nothing", None)
    ace_low = sheet["payouts"]["ace_in_straights"]["is"] == "high-or-low"
    many = sheet["deck"]["decks"] > 1
    shape = called(cards, ace_low=ace_low, many_decks=many)
    twice = [one[0] for one in cards if sum(one[0] == other[0] for other in cards) == 2]
    pair = RANKS[LETTERS.index(twice[0])] if twice and "pair" in shape else ""
    if shape == "high-card":
        pair = RANKS[max(LETTERS.index(one[0]) for one in cards)]
    fitting = [line for line in table if fits(line, shape, pair)]
    if not fitting:
        return "nothing", None
    line = fitting[0]
    if sheet["payouts"]["several_lines"]["is"] == "highest":
        line = max(fitting, key=lambda one: (worth(table[one]), -breadth(one, len(cards), many)))
    return line, table[line]


def pay_table(sheet: Json, wager: str) -> dict[str, str]:
    if wager != "main":
        side: dict[str, str] = sheet["side"][wager]["pays"]
        return side
    pays: dict[str, str] = sheet["main"]["pays"]
    prose = sheet["main"].get("prose")
    if not prose or prose["decides"] != "prose":
        return pays
    told = [outcome for line in prose["pays"] for outcome in named(line)]
    kept = {line: one for line, one in pays.items() if not set(named(line)) & set(told)}
    return {**kept, **prose["pays"]}


def named(line: str) -> list[str]:
    """A line's own outcomes: pairs and high cards by rank, everything else by name."""
    stem = next((one for one in ("pair", "high-card") if line.startswith(one)), None)
    if stem is None:
        return [line]
    first, _, last = line.removeprefix(stem).removeprefix("-").partition("-")
    low = RANKS.index(first) if first else 0
    high = RANKS.index(last or first or "A")
    return [f"{stem}-{rank}" for rank in RANKS[low : high + 1]]


def fits(line: str, shape: str, pair: str) -> bool:
    if line.startswith("pair"):
        return shape in ("pair", *SUITED_PAIRS) and f"pair-{pair}" in named(line)
    if line.startswith("high-card"):
        return shape == "high-card" and f"high-card-{pair}" in named(line)
    return shape == line or shape in COVERS.get(line, ())


def breadth(line: str, cards: int, many_decks: bool) -> int:
    """How many outcomes a line covers: among equal pays the narrower line is named."""
    shapes = RISING[cards].split()
    shapes += [*SUITED_PAIRS, "suited-three-of-a-kind"] if many_decks else []
    ranked = dict.fromkeys(("pair", *SUITED_PAIRS), RANKS) | {"high-card": RANKS[cards:]}
    each = [(shape, rank) for shape in shapes for rank in ranked.get(shape, ("",))]
    return sum(fits(line, shape, pair) for shape, pair in each)


def worth(odds: str) -> Fraction:
    return Fraction(0) if odds == "push" else Fraction(odds.replace(":", "/"))


def priced(sheet: Json, wager: str, stake: int, found: tuple[str, str | None], clause: str) -> Line:
    """One wager's line before any cap."""
    outcome, odds = found
    if odds is None or odds == "push":
        return line_of(wager, stake, clause, outcome, "push" if odds else "lose")
    won = worth(odds) * stake
    assert won.denominator == 1
    won -= stake if sheet["payouts"]["stake_counted"]["is"] else 0
    line = line_of(wager, stake, clause, outcome, "win")
    return line | {"odds": odds, "wins": max(0, int(won))}


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
    """How far the player is ahead, in points, when the hand is declared low or high."""
    low = {rank: sheet["points"]["values"][rank] for rank in RANKS}
    high = low | sheet["points"]["in_high_hand"]
    order = {"two-to-ace": LETTERS, "ace-to-king": "A" + LETTERS[:-1]}
    order |= {"ace-to-two": LETTERS[::-1], "king-to-ace": LETTERS[-2::-1] + "A"}
    equal = order[sheet["dealer"].get("equal_points", {"is": "two-to-ace"})["is"]]
    laid = sorted(board, key=lambda one: (low[rank_of(one)], equal.index(one[0]), one[1]))
    size = sheet["dealer"]["low"]
    bottom, top = laid[:size], laid[size:]
    aces = [one for one in bottom if one[0] == "A"]
    if sheet["dealer"]["shared"] == "ace-then-highest" and aces:
        top.append(aces[-1])
    elif sheet["dealer"]["shared"] != "none":
        top.append(bottom[-1])
    return {
        "low": points(bottom, low) - points(cards, low),
        "high": points(cards, high) - points(top, high),
    }


def points(cards: Sequence[str], values: dict[str, int]) -> int:
    return sum(values[rank_of(one)] for one in cards)


def rank_of(card: str) -> str:
    return RANKS[LETTERS.index(card[0])]


def declared(sheet: Json, play: str, ahead: int) -> tuple[str, str | None]:
    """MHL-9: who wins, and who wins ties."""
    side, ties = play.split("+", maxsplit=1)[0], sheet["main"]["ties"]["is"]
    if ahead == 0 and ties == "push":
        return side, "push"
    if ahead > 0 or (ahead == 0 and ties == "player"):
        return side, pay_table(sheet, "main")[side]
    return "nothing", None


def capped(sheet: Json, hands: dict[int, list[Line]]) -> list[Json]:
    """Cut the lines to every cap, bets before hands before the round; the caps that bit."""
    bites = []
    for scope in ("bet", "hand", "round"):
        for limit in sheet["limits"]:
            if limit["per"] == scope:
                bites += cut(sheet, limit, hands)
    return bites


def cut(sheet: Json, limit: Json, hands: dict[int, list[Line]]) -> list[Json]:
    most = cents(limit["pays_max"])
    bites = []
    for seat, group in groups(sheet, limit, hands):
        due = sum(counted(sheet, one) for lines in group for one in lines)
        if due <= most:
            continue
        each = [sum(counted(sheet, one) for one in lines) for lines in group]
        for lines, share in zip(group, shares(most, each), strict=True):
            split = shares(share, [counted(sheet, one) for one in lines])
            for one, part in zip(lines, split, strict=True):
                one["wins"] = max(0, part - kept(sheet, one))
        bite = {"clause": limit["clause"], "due": written(due), "paid": written(most)}
        bites.append(bite | ({"seat": seat} if seat else {}))
    return bites


def groups(
    sheet: Json, limit: Json, hands: dict[int, list[Line]]
) -> list[tuple[int, list[list[Line]]]]:
    """What each application of a limit cuts: seats in the order of ties, each with its lines."""
    under = {
        seat: [one for one in lines if falls_under(sheet, limit, one)]
        for seat, lines in hands.items()
    }
    if limit["per"] == "bet":
        return [(seat, [[one]]) for seat in sorted(under) for one in under[seat]]
    if limit["per"] == "hand":
        return [(seat, [under[seat]]) for seat in sorted(under) if under[seat]]
    higher = sheet["payouts"]["share_ties"]["is"] == "higher-seat"
    return [(0, [under[seat] for seat in sorted(under, reverse=higher) if under[seat]])]


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


def counted(sheet: Json, line: Line) -> int:
    wins: int = line["wins"]
    return wins + kept(sheet, line)


def kept(sheet: Json, line: Line) -> int:
    """GEN-3: the stake is counted only where the sheet says so."""
    stake: int = line["stake"] if sheet["payouts"]["stake_counted"]["is"] else 0
    return stake
