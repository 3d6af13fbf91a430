"""Replays of a question's round through the engine, dealt again by hand from its shoe.

`replay(sheet, item)` fails if the round could not happen: incomplete decks, cards out of dealing
order, a refused act, or a different result.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from tests.drills.check_steps import settle_file
from tests.random_sheets.sheets import document
from tests.rules import oracle

from pitbook.cards import Card, name
from pitbook.drills.question import Item
from pitbook.drills.random_rounds import PlayedRound
from pitbook.rules.actions import Action, Deal, Turn
from pitbook.rules.game import Game, compile_game
from pitbook.rules.refusals import Refusal
from pitbook.rules.round import new_round
from pitbook.rules.step import step
from pitbook.sheets.model import Sheet

Json = dict[str, Any]
FACTS = ("odds", "bounds")  # These ask about the sheet itself and need no round.


def replay(sheet: Sheet, item: Item) -> None:
    """Deal, play and settle a question's round again, and compare all that it shows."""
    if item.kind in FACTS:
        assert item.fact is not None
        return
    assert item.evidence is not None
    played: PlayedRound = item.evidence["played"]
    _is_whole_decks(sheet, played)
    dealt = _deal_by_hand(sheet, played)
    _replay_actions(sheet, played, dealt)
    _shows_only_what_was_dealt(sheet, item, dealt)
    if "file" in item.evidence:
        _settles_the_same(sheet, item, played)


def _is_whole_decks(sheet: Sheet, played: PlayedRound) -> None:
    decks = document(sheet)["deck"]["decks"]
    counts = Counter(map(name, played.shoe))
    assert (len(counts), set(counts.values())) == (52, {decks})


def _deal_by_hand(sheet: Sheet, played: PlayedRound) -> dict[int, list[Card]]:
    """Every place with its cards in dealing order, by the text of the sheet."""
    order = _dealing_order(rule_of(sheet), compile_game(sheet), _numbers(played))
    order += _order_after_tie(sheet, played)
    places = [action.place for action in played.actions if isinstance(action, Deal)]
    assert places == order[: len(places)]
    dealt: dict[int, list[Card]] = defaultdict(list)
    for place, card in zip(places, played.shoe, strict=False):
        dealt[place].append(card)
    return dealt


def rule_of(sheet: Sheet) -> Json:
    """The sheet's dealing rule; a family may fix the order or direction."""
    fixed = {"order": sheet.deal.order, "direction": sheet.deal.direction}
    return {**fixed, **document(sheet)["deal"]}


def _numbers(played: PlayedRound) -> list[int]:
    return sorted(seat.number for seat in played.final.seats)


def _dealing_order(rule: Json, game: Game, seats: list[int]) -> list[int]:
    hand = game.places[0].cards - game.places[0].later
    at_a_time = min(rule.get("at_a_time") or hand, hand)
    seats = seats if rule["direction"] == "left-to-right" else seats[::-1]
    order: list[int] = []
    for who in rule["order"]:
        if who == "players":
            remaining = hand
            while remaining:
                cards = min(at_a_time, remaining)
                order += [seat for seat in seats for _ in range(cards)]
                remaining -= cards
        else:
            at = [place.id for place in game.places].index(who)
            order += [1 - at] * (game.places[at].cards - game.places[at].later)
    return order


def _order_after_tie(sheet: Sheet, played: PlayedRound) -> list[int]:
    """Cards dealt after a decision: to the seats that go on, then to the dealer."""
    rule, game = rule_of(sheet), compile_game(sheet)
    if not any(place.later for place in game.places):
        return []
    seats = [s.number for s in played.final.seats if s.cards_dealt == game.places[0].cards]
    seats = seats if rule["direction"] == "left-to-right" else seats[::-1]
    players = [seat for seat in seats for _ in range(game.places[0].later)]
    common = [-at for at, place in enumerate(game.places[1:]) for _ in range(place.later)]
    return players + common if rule["order"][0] == "players" else common + players


def _replay_actions(sheet: Sheet, played: PlayedRound, dealt: dict[int, list[Card]]) -> None:
    round = new_round(compile_game(sheet))
    turned: Counter[int] = Counter()
    for action, expected in zip(played.actions, played.states[1:], strict=True):
        _is_next_card(action, dealt, turned)
        after = step(round, action)
        assert not isinstance(after, Refusal), (action, after)
        assert after == expected
        round = after


def _is_next_card(action: Action, dealt: dict[int, list[Card]], turned: Counter[int]) -> None:
    if isinstance(action, Turn):
        assert dealt[action.place][turned[action.place]] == action.card
        turned[action.place] += 1


def _shows_only_what_was_dealt(sheet: Sheet, item: Item, dealt: dict[int, list[Card]]) -> None:
    layout = item.question.lies
    for at, (_, cards) in enumerate(layout.common if layout else ()):
        assert list(cards) == dealt[-at][: len(cards)]
    for seat in layout.seats if layout else ():
        assert list(seat.cards) == dealt[seat.seat][: len(seat.cards)]
    everything = Counter(card for cards in dealt.values() for card in cards)
    options = [Counter(option.cards) for option in item.question.options]
    if item.question.form != "choice":  # Cards that are chosen from are all there at once.
        options = [sum(options, Counter())]
    for counted in options:
        assert counted <= everything, item.question.options
    assert max(everything.values(), default=0) <= document(sheet)["deck"]["decks"]


def _settles_the_same(sheet: Sheet, item: Item, played: PlayedRound) -> None:
    """`pitbook settle` gives the same lines from the round file alone."""
    assert item.evidence is not None
    settlement = {
        (seat["seat"], line["wager"]): (line["result"], line["wins"], line["outcome"])
        for seat in settle_file(sheet, item.evidence["file"])["seats"]
        for line in seat["lines"]
    }
    assert settlement == {
        (hand.seat, line.wager): (line.result, oracle.format_cents(line.wins), line.outcome)
        for hand in played.final.settlements
        for line in hand.lines
    }
