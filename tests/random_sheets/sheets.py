"""Generated rule sheets that pass the sheet checks, as Hypothesis strategies.

`sheets()` gives both families, `street_stud_sheets()` and `hi_lo_sheets()` one each.
`document(sheet)` is a sheet as plain JSON, which an oracle can read without Pitbook code.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st
from tests.random_sheets.pay_tables import PayLines, hand_pays, match_pays, rising_odds

from pitbook.money import dollars, money
from pitbook.rules.families.hi_lo.sheet import HiLo
from pitbook.rules.families.street_stud.sheet import StreetStud
from pitbook.sheets.check import check
from pitbook.sheets.findings import errors
from pitbook.sheets.model import Sheet

RANK_NAMES = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
DIRECTIONS = ("left-to-right", "right-to-left")
# The smallest chip and the number of them per step, so that odds like 3:2 are payable.
COINS = ((100, 1), (100, 5), (50, 2), (25, 4), (1, 10), (1, 1))
SIDE_NAMES = ("bonus", "three-up", "stax")

Document = dict[str, Any]
Draw = st.DrawFn


def sheets() -> st.SearchStrategy[Sheet]:
    """A valid sheet of either family."""
    return st.one_of(street_stud_sheets(), hi_lo_sheets())


@st.composite
def street_stud_sheets(draw: Draw) -> StreetStud:
    """A playable street-stud sheet; checks of new sheets may still object."""
    sheet = StreetStud.model_validate(draw(street_stud_documents()))
    assume(not errors(check(sheet, thorough=False, on_record=True)))
    return sheet


@st.composite
def hi_lo_sheets(draw: Draw) -> HiLo:
    """A playable hi-lo sheet; checks of new sheets may still object."""
    sheet = HiLo.model_validate(draw(hi_lo_documents()))
    assume(not errors(check(sheet, thorough=False, on_record=True)))
    return sheet


def document(sheet: Sheet) -> Document:
    """The sheet as plain JSON values."""
    return sheet.model_dump(mode="json", by_alias=True)


@st.composite
def street_stud_documents(draw: Draw) -> Document:
    """A street-stud sheet in TOML form."""
    hole = draw(st.integers(1, 4))
    coin, coins = draw(st.sampled_from(COINS))
    stakes = _stakes(draw, coin * coins)
    streets = _streets(draw, 5 - hole, stakes)
    folds = any(street["fold"] for street in streets)
    sizes = {"hand": 5} | {
        key: count for key, count in (("hole", hole), ("community", 5 - hole)) if count > 1
    }
    several = draw(st.sampled_from(["highest", "first-listed"]))
    side = {}
    for name in SIDE_NAMES[: draw(st.integers(0, 3))]:
        looks_at = draw(st.sampled_from(sorted(sizes)))
        pays = draw(hand_pays(sizes[looks_at], many_decks=False, coins=coins, several=several))
        side[name] = _side(draw, name, looks_at, pays, coin * coins)
        if folds:
            side[name]["after_fold"] = _rule(f"{name}-FOLD") | {"plays": draw(st.booleans())}
    main_pays = draw(hand_pays(5, many_decks=False, coins=coins, several=several))
    sheet = _common(draw, side, {"main": main_pays, **_pays_of(side)}, coin, several) | {
        "family": "street-stud",
        "id": "generated/street-stud",
        "title": "Generated Stud",
        "play": _rule("G-1") | {"against": "pay-table"},
        "deck": _deck("G-3", 1),
        "deal": _rule("G-4") | _deal(draw, ("community", "players"), hole),
        "ante": _rule("G-2") | stakes | {"title": "Ante"},
        "streets": streets,
        "main": _rule("G-9") | {"pays": main_pays} | _prose(draw, main_pays),
    }
    sheet["deal"]["hole"] = _choice(hole)
    if folds:
        sheet["fold"] = _fold(draw, list(side))
        sheet["absent"] = _choice(draw(st.sampled_from(["fold", "smallest-bet"])))
    else:
        sheet["absent"] = _choice("smallest-bet")
    return sheet


@st.composite
def hi_lo_documents(draw: Draw) -> Document:
    """A hi-lo sheet in TOML form."""
    decks = draw(st.integers(1, 6))
    player = draw(st.sampled_from([3, 3, 3, 1, 2, 4, 5, 7]))
    dealer = draw(st.integers(2, 9))
    coin, coins = draw(st.sampled_from(COINS))
    several = draw(st.sampled_from(["highest", "first-listed"]))
    ranked = player == 3 if decks > 1 else 2 <= player <= 5
    side = {}
    for name in SIDE_NAMES[: draw(st.integers(0, 3))]:
        looks_at = draw(st.sampled_from(["dealer-match", *(["hand"] if ranked else [])]))
        if looks_at == "hand":
            pays = draw(hand_pays(player, many_decks=decks > 1, coins=coins, several=several))
        else:
            pays = draw(match_pays(dealer, coins=coins))
        side[name] = _side(draw, name, looks_at, pays, coin * coins)
    low, high = draw(rising_odds(2, coins))
    main_pays = {"low": low, "high": draw(st.sampled_from([high, high, "push"]))}
    sheet = _common(draw, side, {"main": main_pays, **_pays_of(side)}, coin, several) | {
        "family": "hi-lo",
        "id": "generated/hi-lo",
        "title": "Generated Hi-Lo",
        "play": _rule("G-1") | {"against": "dealer"},
        "deck": _deck("G-3", decks),
        "deal": _rule("G-4") | _deal(draw, ("players", "dealer"), player),
        "points": _points(draw),
        "bet": _rule("G-2") | _stakes(draw, coin * coins) | {"title": "Bet"},
        "declare": _rule("G-5") | {"low": "L", "high": "H"},
        "dealer": _dealer(draw, dealer),
        "main": _rule("G-9") | {"pays": main_pays},
    }
    sheet["deal"] |= {"player": player, "dealer": dealer}
    spare = decks * 52 - sheet["seats"]["count"] * player - dealer
    if spare and draw(st.booleans()):
        sheet["deck"] |= {"fresh": _choice("cut-card"), "cut_card": draw(st.integers(1, spare))}
    sheet["main"]["ties"] = _choice(draw(st.sampled_from(["player", "dealer", "push"])))
    sheet["settlement"] |= {"high_laid": "upright", "low_laid": "across"}
    sheet["declare"]["absent_high_at"] = _choice(draw(st.integers(0, 40)))
    if draw(st.booleans()):
        within = _choice(draw(st.booleans()))
        times = draw(st.integers(1, 3))
        sheet["double"] = _rule("G-7") | {"times": times, "within_max": within, "area": "beside"}
    return sheet


def _common(
    draw: Draw, side: Document, pays: dict[str, PayLines], coin: int, several: str
) -> Document:
    """The parts that both families share."""
    limits = _limits(draw, pays)
    payouts = {
        "ace_in_straights": _choice(draw(st.sampled_from(["high-or-low", "high"]))),
        "several_lines": _choice(several),
        "stake_counted": _choice(draw(st.sampled_from([False, False, True]))),
        "share_ties": _choice(draw(st.sampled_from(["lower-seat", "higher-seat"]))),
    }
    return {
        "format": 1,
        "source": {"document": "Generated"},
        "house": {
            "venue": "Generated House",
            "jurisdiction": "any",
            "chips": _rule("G-2") | {"values": [money(coin), money(coin * 20)]},
        },
        "seats": _seats(draw),
        "side": side,
        "limits": limits,
        **({} if limits else {"uncapped": _rule("G-12")}),
        "payouts": payouts,
        "irregularities": _irregularities(draw),
        "settlement": _rule("G-10") | _settlement(draw, ["main", *side]),
    }


def _seats(draw: Draw) -> Document:
    count = draw(st.integers(1, 6))
    seats = _rule("G-2") | {"count": count, "per_player": _choice(draw(st.integers(1, count)))}
    for field in ("adjacent", "ends_meet"):
        if draw(st.booleans()):
            seats[field] = _choice(draw(st.booleans()))
    return seats


def _stakes(draw: Draw, step: int) -> Document:
    min_steps = draw(st.integers(1, 10))
    max_steps = min_steps + draw(st.integers(0, 20))
    return {"min": money(step * min_steps), "max": money(step * max_steps), "step": money(step)}


def _side(draw: Draw, name: str, looks_at: str, pays: PayLines, step: int) -> Document:
    stake = _rule(f"{name}-STAKE") | _stakes(draw, step)
    stake["required"] = draw(st.sampled_from([False, False, True]))
    return _rule(name.upper()) | {
        "title": f"the {name}",
        "looks_at": looks_at,
        "pays": pays,
        "stake": stake,
    }


def _pays_of(side: Document) -> dict[str, PayLines]:
    return {name: side_table["pays"] for name, side_table in side.items()}


def _prose(draw: Draw, pays: PayLines) -> Document:
    """Prose that makes the weakest winning hand push, and sometimes prevails."""
    if not draw(st.sampled_from([False, False, True])):
        return {}
    weakest_line = min(
        pays, key=lambda line: Fraction(0) if pays[line] == "push" else _odds(pays[line])
    )
    decides = draw(st.sampled_from(["pays", "prose"]))
    return {"prose": _rule("G-9-PROSE") | {"pays": {weakest_line: "push"}, "decides": decides}}


def _odds(text: str) -> Fraction:
    return Fraction(text.replace(":", "/"))


def _streets(draw: Draw, community: int, ante: Document) -> list[Document]:
    count = draw(st.integers(1, 4))
    cuts = sorted(draw(st.lists(st.integers(0, community), min_size=count - 1, max_size=count - 1)))
    reveals = [end - start for start, end in zip([0, *cuts], [*cuts, community], strict=True)]
    return [_street(draw, number, turned, ante) for number, turned in enumerate(reveals, start=1)]


def _street(draw: Draw, number: int, reveals: int, ante: Document) -> Document:
    fold = draw(st.booleans())
    bets = draw(st.sets(st.integers(0 if draw(st.booleans()) else 1, 5), min_size=1, max_size=4))
    bets |= set() if fold else {0}
    street = _rule(f"G-5-{number}") | {
        "id": f"street-{number}",
        "title": f"street {number} bet",
        "bets": sorted(bets),
        "fold": fold,
        "reveals": _choice(reveals),
    }
    if max(bets) and draw(st.booleans()):
        street["pieces"] = [f"circle {number}" for number in range(1, max(bets) + 1)]
    least = min((bet for bet in bets if bet), default=0)
    if least and draw(st.sampled_from([False, False, True])):
        ante_max = dollars(ante["max"])
        street["bet_max"] = money(draw(st.integers(least * ante_max, max(bets) * ante_max)))
    return street


def _fold(draw: Draw, sides: list[str]) -> Document:
    fold = _rule("G-6")
    fold["board_when_all_fold"] = _choice(draw(st.sampled_from(["if-needed", "always"])))
    if draw(st.booleans()) and sides:
        fold["tucks_under"] = _choice(draw(st.permutations(sides)))
    return fold


def _deck(clause: str, decks: int) -> Document:
    return _rule(clause) | {
        "decks": decks,
        "shuffle": "automatic",
        "fallback": _choice("hand"),
        "fresh": _choice("each-round"),
    }


def _deal(draw: Draw, places: tuple[str, ...], cards: int) -> Document:
    deal: Document = {"order": list(draw(st.permutations(places)))}
    deal["direction"] = draw(st.sampled_from(DIRECTIONS))
    if draw(st.booleans()):
        deal["at_a_time"] = draw(st.integers(1, cards))
    return deal


def _points(draw: Draw) -> Document:
    value = st.integers(0, 12)
    values = dict(zip(RANK_NAMES, draw(st.lists(value, min_size=13, max_size=13)), strict=True))
    higher = draw(st.dictionaries(st.sampled_from(RANK_NAMES), value, max_size=3))
    return _rule("G-8") | {"values": values, "in_high_hand": higher}


def _dealer(draw: Draw, cards: int) -> Document:
    shared = draw(st.sampled_from(["ace-then-highest", "highest", "none"]))
    areas = {"low": "Low", "high": "High"} | ({} if shared == "none" else {"shared": "Both"})
    low = draw(st.integers(1, cards - 1))
    direction = draw(st.sampled_from(DIRECTIONS))
    orders = ["two-to-ace", "ace-to-king", "ace-to-two", "king-to-ace"]
    equal = _choice(draw(st.sampled_from(orders)))
    layout = {"laid": direction, "areas": areas, "equal_points": equal}
    return _rule("G-8") | {"low": low, "shared": shared} | layout


def _settlement(draw: Draw, wagers: list[str]) -> Document:
    order = draw(st.permutations(wagers))
    passes: list[list[str]] = [[order[0]]]
    for wager in order[1:]:
        if draw(st.booleans()):
            passes.append([])
        passes[-1].append(wager)
    return {"direction": draw(st.sampled_from(DIRECTIONS)), "passes": passes}


def _limits(draw: Draw, pays: dict[str, PayLines]) -> list[Document]:
    """Up to three caps, low enough for ordinary wins to reach, with odd amounts."""
    limits = []
    for number in range(draw(st.sampled_from([0, 1, 1, 2, 3]))):
        limit = _rule(f"G-12-{number}") | {
            "per": draw(st.sampled_from(["bet", "hand", "round", "round"])),
            "pays_max": money(draw(st.integers(1, 20_000))),
        }
        kind = draw(st.sampled_from(["every", "odds", "lines"]))
        if kind == "odds":
            limit["counts"] = {"odds_at_least": f"{draw(st.integers(1, 12))}:1"}
        elif kind == "lines":
            limit["counts"] = {"lines": _counted_lines(draw, pays)}
        limits.append(limit)
    return limits


def _counted_lines(draw: Draw, pays: dict[str, PayLines]) -> dict[str, list[str]]:
    wagers = draw(st.sets(st.sampled_from(sorted(pays)), min_size=1))
    return {
        wager: draw(st.lists(st.sampled_from(list(pays[wager])), min_size=1, unique=True))
        for wager in sorted(wagers)
    }


def _irregularities(draw: Draw) -> Document:
    rules: Document = {
        "wrong_card_count": _rule("G-13") | {"result": "misdeal", "hands": ["player"]},
        "misdeal": _rule("G-14")
        | {
            "returns": draw(st.sampled_from(["every-wager", "live-wagers"])),
            "until": draw(st.sampled_from(["last-seat-settled", "first-seat-settled"])),
        },
        "misdeal_over_offence": _choice(draw(st.booleans())),
        "early_card": _choice(draw(st.sampled_from(["void-round", "plays"]))),
        "exposed_card": _choice(draw(st.sampled_from(["plays", "void-hand", "void-round"]))),
        "interruption": _choice(draw(st.sampled_from(["resume", "agree-or-dead"]))),
    }
    if draw(st.booleans()):
        rules["cards_off_table"] = _choice(draw(st.sampled_from(["warn", "void"])))
    if draw(st.booleans()):
        result = draw(st.sampled_from(["forfeit", "void", "warn"]))
        rules["information"] = _rule("G-16") | {"result": result, "whose": _choice("giver")}
    return rules


def _rule(clause: str) -> Document:
    return {"clause": clause}


def _choice(value: Any) -> Document:
    return {"is": value, "clause": "G-0"}
