"""A spot at the table (cards, board, bets so far), checked against the sheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pitbook.cards import Card
from pitbook.errors import PitbookError
from pitbook.money import Cents
from pitbook.sheets.model import Sheet, Stake
from pitbook.text import Sentence, say
from pitbook.text.user_input import did_you_mean

if TYPE_CHECKING:
    from pitbook.rules.actions import Play
    from pitbook.rules.game import Game, Seat, Stage


class SpotError(PitbookError):
    """A spot that cannot arise; its text says why."""


@dataclass(frozen=True)
class Spot:
    """The cards, bets and money that a player knows when a decision is due."""

    cards: tuple[Card, ...]
    community: tuple[Card, ...] = ()
    bets: tuple[str, ...] = ()
    ante: Cents | None = None
    side: Mapping[str, Cents] | None = None
    dead: tuple[Card, ...] = ()
    purse: Cents | None = None  # Money left after the wagers made; None means no limit.


def check_spot(game: Game, spot: Spot) -> Spot:
    """The spot, if it can arise; raises SpotError."""
    _check_hand(game, spot)
    _check_duplicates(game.sheet, spot)
    _check_cards_left(game, spot)
    _check_decision(game, spot)
    check_stakes(game.sheet, spot)
    return spot


def _check_hand(game: Game, spot: Spot) -> None:
    """Raise SpotError if the player never has this number of cards at a decision."""
    hand_sizes = [cards_held_at(game, stage) for stage in game.stages if stage.plays]
    if len(spot.cards) not in hand_sizes:
        raise SpotError(say("exact.spot.holds", cards=hand_sizes[0], given=len(spot.cards)))


def cards_held_at(game: Game, stage: Stage) -> int:
    """How many cards a player holds at a stage, without those dealt later."""
    player = game.places[0]
    return max(player.cards - player.later, stage.opens[0])


def _check_duplicates(sheet: Sheet, spot: Spot) -> None:
    decks = sheet.deck.decks
    counts = Counter((*spot.cards, *spot.community, *spot.dead))
    for card, times in counts.items():
        if times > decks:
            fields = {"card": card, "times": times, "decks": decks}
            raise SpotError(say("exact.spot.too-often", **fields))


def _check_cards_left(game: Game, spot: Spot) -> None:
    known_count = len(spot.cards) + len(spot.community) + len(spot.dead)
    cards_left = 52 * game.sheet.deck.decks - known_count
    board = sum(place.cards for place in game.places[1:])
    if cards_left < board - len(spot.community):
        fields = {"known": known_count, "left": cards_left, "board": board}
        raise SpotError(say("exact.spot.too-few-left", **fields))


def _check_decision(game: Game, spot: Spot) -> None:
    """Raise SpotError if no decision is due after these bets with these cards open."""
    if _declares_first(game):
        if spot.community or spot.bets:
            raise SpotError(say("exact.spot.declares-first"))
        return
    number, _ = _due_stage(game, spot)
    stage = game.stages[number]
    cards_held = cards_held_at(game, stage)
    if len(spot.cards) != cards_held:
        fields = {"title": stage.title, "cards": cards_held, "given": len(spot.cards)}
        raise SpotError(say("exact.spot.holds-at", **fields))
    if len(spot.community) != sum(stage.opens[1:]):
        counts = {"open": len(spot.community), "bets": len(spot.bets)}
        face_up = _face_up_cards(game, stage)
        raise SpotError(say("exact.spot.turned", title=stage.title, turned=face_up, **counts))


def _face_up_cards(game: Game, stage: Stage) -> list[Sentence]:
    """The cards that are face up at a stage, by place, such as "3 community cards"."""
    places = list(zip(game.places[1:], stage.opens[1:], strict=True))
    face_up = [(place.id, count) for place, count in places if count]
    if not face_up:  # Cards are turned in the first common place.
        face_up = [(game.places[1].id, 0)]
    return [say("exact.spot.cards-turned", place=place, cards=count) for place, count in face_up]


def _declares_first(game: Game) -> bool:
    """Whether the only decision is a declaration before any other card is seen."""
    (first, *others) = game.stages
    return not others and not any(first.opens[1:]) and all(play.declaration for play in first.plays)


def _due_stage(game: Game, spot: Spot) -> tuple[int, list[Play]]:
    """The stage that a seat reaches after its bets, and those bets as plays."""
    from pitbook.rules.actions import PASSED  # noqa: PLC0415  Figures of a round need no game.
    from pitbook.rules.game import Seat  # noqa: PLC0415

    if len(spot.bets) >= sum(bool(stage.plays) for stage in game.stages):
        raise _no_decision_left(spot)
    seat = Seat(1, "", ((game.sheet.main_id, spot.ante or Cents(1)),), cards=spot.cards)
    plays: list[Play] = []
    for number, stage in enumerate(game.stages):
        if not stage.plays or not _reaches_stage(game, number, seat, spot):
            seat = seat.after_play(PASSED)
        elif len(plays) == len(spot.bets):
            return number, plays
        else:
            plays.append(_find_bet(game, number, spot, len(plays)))
            seat = seat.after_play(plays[-1])
    raise _no_decision_left(spot)


def _reaches_stage(game: Game, number: int, seat: Seat, spot: Spot) -> bool:
    stage = game.stages[number]
    always = not stage.once and stage.when is None
    return always or game.reaches(number, seat, *_cards_by_place(game, number, spot))


def _no_decision_left(spot: Spot) -> SpotError:
    return SpotError(say("exact.spot.nothing-left", bets=len(spot.bets)))


def _find_bet(game: Game, number: int, spot: Spot, index: int) -> Play:
    stage, bet = game.stages[number], spot.bets[index]
    allowed = [play for play in stage.plays if not play.folds]
    play = next((play for play in allowed if play == bet), None)
    if play is None:
        remedy = did_you_mean(bet, allowed)
        raise SpotError(say("exact.spot.no-bet", bet=bet, title=stage.title, remedy=remedy))
    amount = (spot.ante or 0) * play.times
    if stage.most is not None and amount > stage.most:
        fields = {"bet": bet, "amount": amount, "most": stage.most, "title": stage.title}
        raise SpotError(say("exact.spot.above-most", **fields))
    return play


def _cards_by_place(game: Game, number: int, spot: Spot) -> list[tuple[Card, ...]]:
    """The common cards at a stage, by place."""
    cards_by_place, start = [], 0
    for count in game.stages[number].opens[1:]:
        cards_by_place.append(spot.community[start : start + count])
        start += count
    return cards_by_place


def spot_cards_and_plays(game: Game, spot: Spot) -> tuple[list[tuple[Card, ...]], list[Play]]:
    """A checked spot's common cards by place, and the plays made before it."""
    number, plays = _due_stage(game, spot)
    return _cards_by_place(game, number, spot), plays


def ante_or_minimum(
    sheet: Sheet, ante: Cents | None, side: Mapping[str, Cents] | None
) -> Cents | None:
    """The ante for side stakes in dollars: the table's minimum if none is given."""
    return sheet.main_wager.min if ante is None and side else ante


def check_stakes(sheet: Sheet, spot: Spot) -> None:
    """Raise SpotError if an ante, a side wager or a purse is outside the sheet's limits."""
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
        fields = {"title": title, "amount": amount, "step": rule.step}
        raise SpotError(say("exact.spot.no-multiple", **fields))
