"""A spot at the table (cards, board, bets so far), checked against the sheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from pitbook.cards import Card
from pitbook.errors import PitbookError
from pitbook.money import Cents
from pitbook.rules.game import Game, Seat, Stage
from pitbook.rules.plays import PASSED, Play
from pitbook.sheets.findings import did_you_mean
from pitbook.sheets.model import Sheet
from pitbook.sheets.parts import Stake
from pitbook.text import Sentence, say


class SpotError(PitbookError):
    """A spot that cannot arise; its text says why."""


@dataclass(frozen=True)
class Spot:
    """What a player knows when a decision is due."""

    cards: tuple[Card, ...]
    community: tuple[Card, ...] = ()
    bets: tuple[str, ...] = ()
    ante: Cents | None = None
    side: Mapping[str, Cents] | None = None
    dead: tuple[Card, ...] = ()
    purse: Cents | None = None  # What is left to bet with, beside what lies there; None is enough.


def check_spot(game: Game, spot: Spot) -> Spot:
    """The spot, if it can arise; raises SpotError with a sentence."""
    _check_hand(game, spot)
    _check_duplicates(game.sheet, spot)
    _check_cards_left(game, spot)
    _check_decision(game, spot)
    check_stakes(game.sheet, spot)
    return spot


def _check_hand(game: Game, spot: Spot) -> None:
    """Raise SpotError where a player holds another number of cards at every decision."""
    held = [cards_held_at(game, one) for one in game.stages if one.plays]
    if len(spot.cards) not in held:
        raise SpotError(say("exact.spot.holds", cards=held[0], given=len(spot.cards)))


def cards_held_at(game: Game, stage: Stage) -> int:
    """How many cards of their own players have at a stage: those that come later not before it."""
    own = game.places[0]
    return max(own.cards - own.later, stage.opens[0])


def _check_duplicates(sheet: Sheet, spot: Spot) -> None:
    decks = sheet.deck.decks
    counts = Counter((*spot.cards, *spot.community, *spot.dead))
    for card, times in counts.items():
        if times > decks:
            often = {"card": card, "times": times, "decks": decks}
            raise SpotError(say("exact.spot.too-often", **often))


def _check_cards_left(game: Game, spot: Spot) -> None:
    known = len(spot.cards) + len(spot.community) + len(spot.dead)
    left = 52 * game.sheet.deck.decks - known
    board = sum(place.cards for place in game.places[1:])
    if left < board - len(spot.community):
        few = {"known": known, "left": left, "board": board}
        raise SpotError(say("exact.spot.too-few-left", **few))


def _check_decision(game: Game, spot: Spot) -> None:
    """Raise SpotError where no decision is due after these bets, with these cards open."""
    if _declares_first(game):
        if spot.community or spot.bets:
            raise SpotError(say("exact.spot.declares-first"))
        return
    number, _ = _due_stage(game, spot)
    due = game.stages[number]
    held = cards_held_at(game, due)
    if len(spot.cards) != held:
        cards = {"title": due.title, "cards": held, "given": len(spot.cards)}
        raise SpotError(say("exact.spot.holds-at", **cards))
    if len(spot.community) != sum(due.opens[1:]):
        given = {"open": len(spot.community), "bets": len(spot.bets)}
        turned = _face_up_cards(game, due)
        raise SpotError(say("exact.spot.turned", title=due.title, turned=turned, **given))


def _face_up_cards(game: Game, stage: Stage) -> list[Sentence]:
    """The cards that are face up at a stage, by place, such as "3 community cards"."""
    places = list(zip(game.places[1:], stage.opens[1:], strict=True))
    turned = [(place.id, count) for place, count in places if count]
    if not turned:  # The first place in common is where cards are turned.
        turned = [(game.places[1].id, 0)]
    return [say("exact.spot.cards-turned", place=place, cards=count) for place, count in turned]


def _declares_first(game: Game) -> bool:
    """Whether the one decision is a declaration, before any other card is seen."""
    (first, *more) = game.stages
    return not more and not any(first.opens[1:]) and all(play.said for play in first.plays)


def _due_stage(game: Game, spot: Spot) -> tuple[int, list[Play]]:
    """The stage that a seat comes to after its bets, and those bets as plays."""
    if len(spot.bets) >= sum(bool(stage.plays) for stage in game.stages):
        raise _no_decision_left(spot)
    seat = Seat(1, "", ((game.sheet.main_id, spot.ante or Cents(1)),), cards=spot.cards)
    made: list[Play] = []
    for number, stage in enumerate(game.stages):
        if not stage.plays or not _reaches_stage(game, number, seat, spot):
            seat = seat.made(PASSED)
        elif len(made) == len(spot.bets):
            return number, made
        else:
            made.append(_find_bet(game, number, spot, len(made)))
            seat = seat.made(made[-1])
    raise _no_decision_left(spot)


def _reaches_stage(game: Game, number: int, seat: Seat, spot: Spot) -> bool:
    stage = game.stages[number]
    always = not stage.once and stage.when is None
    return always or game.reaches(number, seat, *_cards_by_place(game, number, spot))


def _no_decision_left(spot: Spot) -> SpotError:
    return SpotError(say("exact.spot.nothing-left", bets=len(spot.bets)))


def _find_bet(game: Game, number: int, spot: Spot, place: int) -> Play:
    stage, bet = game.stages[number], spot.bets[place]
    allowed = [play for play in stage.plays if not play.folds]
    play = next((one for one in allowed if one == bet), None)
    if play is None:
        remedy = did_you_mean(bet, allowed)
        raise SpotError(say("exact.spot.no-bet", bet=bet, title=stage.title, remedy=remedy))
    made = (spot.ante or 0) * play.times
    if stage.most is not None and made > stage.most:
        above = {"bet": bet, "amount": made, "most": stage.most, "title": stage.title}
        raise SpotError(say("exact.spot.above-most", **above))
    return play


def _cards_by_place(game: Game, number: int, spot: Spot) -> list[tuple[Card, ...]]:
    """The cards in common as they lie at a stage, place by place."""
    found, start = [], 0
    for many in game.stages[number].opens[1:]:
        found.append(spot.community[start : start + many])
        start += many
    return found


def spot_cards_and_plays(game: Game, spot: Spot) -> tuple[list[tuple[Card, ...]], list[Play]]:
    """A checked spot's cards in common by place, and the plays that led to it."""
    number, made = _due_stage(game, spot)
    return _cards_by_place(game, number, spot), made


def ante_or_minimum(
    sheet: Sheet, ante: Cents | None, side: Mapping[str, Cents] | None
) -> Cents | None:
    """The ante that side stakes in dollars stand beside: left out, the table's smallest."""
    return sheet.main_wager.min if ante is None and side else ante


def check_stakes(sheet: Sheet, spot: Spot) -> None:
    """Raise SpotError where an ante, a side wager or a purse is outside the sheet's limits."""
    main = sheet.main_wager
    if spot.ante is not None:
        _check_amount(spot.ante, main, main.title)
    for wager, stake in (spot.side or {}).items():
        if wager not in sheet.side:
            remedy = did_you_mean(wager, sheet.side)
            raise SpotError(say("exact.spot.no-side-wager", wager=wager, remedy=remedy))
        _check_amount(stake, sheet.side[wager].stake, sheet.side[wager].title)
    _check_purse(spot)


def _check_purse(spot: Spot) -> None:
    if spot.purse is None:
        return
    if spot.purse < 0:
        raise SpotError(say("exact.spot.purse-below-nothing"))
    if spot.ante is None:
        raise SpotError(say("exact.spot.purse-needs-ante", purse=spot.purse))


def _check_amount(amount: Cents, rule: Stake, title: str) -> None:
    if not rule.min <= amount <= rule.max:
        bounds = {"title": title, "amount": amount, "least": rule.min, "most": rule.max}
        raise SpotError(say("exact.spot.outside", **bounds))
    if amount % rule.step:
        odd = {"title": title, "amount": amount, "step": rule.step}
        raise SpotError(say("exact.spot.no-multiple", **odd))
