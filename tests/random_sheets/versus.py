"""Generated versus sheets that pass the sheet checks, as Hypothesis strategies.

Cards, hands, dealer qualification, wagers, decisions, wars and pays are all drawn.
"""

from __future__ import annotations

from hypothesis import assume
from hypothesis import strategies as st
from tests.random_sheets.pay_tables import hand_pays
from tests.random_sheets.sheets import COINS, SIDE_NAMES, Document, Draw
from tests.random_sheets.sheets import _choice as choice
from tests.random_sheets.sheets import _common as shared
from tests.random_sheets.sheets import _deal as deal
from tests.random_sheets.sheets import _deck as deck
from tests.random_sheets.sheets import _rule as rule
from tests.random_sheets.sheets import _side as side_wager
from tests.random_sheets.sheets import _stakes as stakes

from pitbook.rules.families.versus.sheet import Versus
from pitbook.sheets.check import check
from pitbook.sheets.findings import errors

# Cards that count, player cards, dealer cards, community cards.
DEALS = (
    *((3, 3, 3, 0), (3, 3, 4, 0), (3, 4, 3, 0), (3, 2, 2, 2), (3, 1, 1, 3)),
    *((4, 4, 4, 0), (4, 5, 6, 0), (4, 2, 2, 3)),
    *((5, 5, 5, 0), (5, 2, 2, 5), (5, 2, 3, 3), (5, 6, 6, 0), (5, 3, 2, 4)),
)
LEAST = ("pair", "pair-4", "pair-J", "high-card-Q", "high-card-K", "high-card-A")
LOST, TIED = ("lose", "lose", "lose", "push"), ("push", "push", "lose", "1:1")
WON, BELOW = ("1:1", "pays or 1:1", "pays or push", "2:1"), ("push", "1:1", "pays or 1:1")


@st.composite
def versus_sheets(draw: Draw) -> Versus:
    """A playable versus sheet; checks of new sheets may still object."""
    documents = war_documents() if draw(st.integers(0, 7)) == 0 else versus_documents()
    sheet = Versus.model_validate(draw(documents))
    assume(not errors(check(sheet, thorough=False, on_record=True)))
    return sheet


@st.composite
def versus_documents(draw: Draw) -> Document:
    """A hand against the dealer's, in TOML form."""
    cards, player, dealer, community = draw(st.sampled_from(DEALS))
    places = ("players", "dealer", *(("community",) if community else ()))
    plays = draw(st.booleans())
    raised = ["play", *(["raise"] if draw(st.booleans()) else [])]
    decisions = _decisions(draw, raised, community)
    folds = decisions[-1]["instead"] == "fold"
    sheet = _sheet(draw, cards, folds=folds) | {
        "title": "Generated Duel",
        "deck": deck("G-3", 1),
        "hands": rule("G-1") | {"cards": cards},
        "decisions": decisions,
        "wagers": _wagers(draw, [decision["puts"] for decision in decisions], plays=plays),
    }
    sheet["deal"] = rule("G-4") | deal(draw, places, min(player, dealer))
    sheet["deal"] |= {"player": player, "dealer": dealer, "community": community}
    sheet["deal"]["up"] = draw(st.sampled_from([0, 0, 1]))
    if not plays:
        sheet["dealer"] = rule("G-6") | {"qualifies": draw(st.sampled_from(LEAST))}
    sheet["ante"]["settles"] = _settles(draw, plays=plays, wins=("pays or 1:1",))
    if folds:
        always = draw(st.sampled_from(["if-needed", "always"]))
        sheet["fold"] = rule("G-6") | {"dealer_when_all_fold": choice(always)}
    sheet["absent"] = choice("fold" if folds else "smallest-bet")
    return sheet


@st.composite
def war_documents(draw: Draw) -> Document:
    """A card against the dealer's, and a war on a tie."""
    sheet = _sheet(draw, 1, folds=True) | {
        "title": "Generated War",
        "deck": deck("G-3", draw(st.integers(1, 6))),
        "hands": rule("G-1") | {"cards": 1},
        "war": rule("G-7") | {"cards": 1},
        "fold": rule("G-6"),
    }
    sheet["deal"] = rule("G-4") | deal(draw, ("players", "dealer"), 1)
    sheet["deal"] |= {"player": 1, "dealer": 1, "open": True}
    puts = {"puts": "raise", "times": [draw(st.integers(1, 2))], "instead": "surrender"}
    sheet["decisions"] = [rule("G-5") | {"id": "tie", "title": "After a tie"} | puts]
    war_results = {"war_win": "pays", "war_tie": draw(st.sampled_from(TIED)), "war_lose": "lose"}
    settles = rule("G-7") | {"fold": "lose"} | war_results
    raise_rule = rule("G-7") | {"title": "Raise", "made": "by-play", "settles": settles}
    sheet["wagers"] = {"raise": raise_rule}
    war_results = {"war_win": "push", "war_tie": "push", "war_lose": "lose"}
    sheet["ante"]["settles"] = (
        rule("G-9") | {"win": "1:1", "lose": "lose", "fold": "lose"} | war_results
    )
    return sheet


def _sheet(draw: Draw, cards: int, *, folds: bool) -> Document:
    """The parts that all sheets of the family share."""
    coin, coins = draw(st.sampled_from(COINS))
    several = draw(st.sampled_from(["highest", "first-listed"]))
    side: Document = {}
    for name in SIDE_NAMES[: draw(st.integers(0, 2)) if cards > 1 else 0]:
        pays = draw(hand_pays(cards, many_decks=False, coins=coins, several=several))
        side[name] = side_wager(draw, name, "hand", pays, coin * coins)
        if folds:
            side[name]["after_fold"] = rule(f"{name}-FOLD") | {"plays": draw(st.booleans())}
    main = {"high-card": "1:1"}
    if cards > 1:
        main = draw(hand_pays(cards, many_decks=False, coins=coins, several=several))
    all_pays = {"main": main, **{name: side_table["pays"] for name, side_table in side.items()}}
    return shared(draw, side, all_pays, coin, several) | {
        "family": "versus",
        "id": "generated/versus",
        "play": rule("G-1") | {"against": "dealer"},
        "ante": rule("G-2") | stakes(draw, coin * coins) | {"title": "Ante"},
        "main": rule("G-9") | {"pays": main},
    }


def _decisions(draw: Draw, puts: list[str], community: int) -> list[Document]:
    """One to three decisions over rising numbers of cards; a fold is possible only at the last."""
    count = draw(st.integers(1, 3)) if community else 1
    card_counts = sorted(draw(st.lists(st.integers(0, community), min_size=count, max_size=count)))
    once = draw(st.booleans())
    decisions = []
    for number, cards in enumerate(card_counts):
        last = number + 1 == count
        times = draw(st.sets(st.integers(1, 4), min_size=1, max_size=3))
        instead = draw(st.sampled_from(["fold", "fold", "check"])) if last else "check"
        decisions.append(
            rule(f"G-5-{number}")
            | {"id": f"choice-{number}", "title": f"Choice {number}", "community": cards}
            | {"puts": puts[0] if once else puts[number % len(puts)], "times": sorted(times)}
            | {"instead": instead, "once": once and number > 0}
        )
    return decisions


def _wagers(draw: Draw, puts: list[str], *, plays: bool) -> Document:
    kinds = dict.fromkeys(puts, "by-play")
    if draw(st.booleans()):
        kinds["blind"] = "with-ante"
    if draw(st.booleans()):
        kinds["ante-bonus"] = "on-ante"
    return {
        name: rule(f"G-7-{name}")
        | {"title": name.capitalize(), "made": kind}
        | {"settles": _bonus(draw) if kind == "on-ante" else _settles(draw, plays=plays, wins=WON)}
        for name, kind in kinds.items()
    }


def _settles(draw: Draw, *, plays: bool, wins: tuple[str, ...]) -> Document:
    settles_rule = {
        "win": draw(st.sampled_from(wins)),
        "tie": draw(st.sampled_from(TIED)),
        "lose": draw(st.sampled_from(LOST)),
        "fold": "lose",
    }
    if not plays:
        settles_rule["below"] = draw(st.sampled_from(BELOW))
    return rule("G-9") | settles_rule


def _bonus(draw: Draw) -> Document:
    """A bonus on the Ante, paid by the table or not at all."""
    lost = draw(st.sampled_from(["pays", "lose"]))
    return rule("G-9") | {"win": "pays", "tie": "pays", "lose": lost, "fold": "lose"}
