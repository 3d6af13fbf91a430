"""How to play, in five steps on the real felt: all that is said follows from the description."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from typing_extensions import TypedDict

from pitbook.house.table.model import TableState
from pitbook.house.table.seen.layout import layout
from pitbook.house.table.seen.shapes import Layout
from pitbook.house.table.seen.sight import Viewer
from pitbook.house.table.taught.example import PLAYER, SEAT, Example, example, given_up
from pitbook.money import dollars
from pitbook.rules.bind import bind
from pitbook.rules.felt import Circle, felt
from pitbook.rules.game import Duel, Game, Stage
from pitbook.rules.plays import Play
from pitbook.sheets.aloud.pay_tables import pay_tables
from pitbook.sheets.digest import digest
from pitbook.sheets.model import Sheet
from pitbook.text import Sentence, say

__all__ = ["ChoiceTaught", "Lesson", "StepTaught", "lesson"]

DEALER = "dealer"


class ChoiceTaught(TypedDict):
    """A play at the first decision, and what it means."""

    play: str
    title: str
    means: str


class StepTaught(TypedDict):
    """One step: what is said, the felt as it lies then, and what on it is meant."""

    id: str
    title: str
    told: list[str]
    choices: list[ChoiceTaught]
    wagers: list[str]
    places: list[str]
    own: bool
    view: Layout


class Lesson(TypedDict):
    """A game in a minute; the cards are an example, and the same for everybody."""

    sheet: str
    title: str
    hash: str
    seat: int
    steps: list[StepTaught]


class _Told(NamedTuple):
    """A game, its example and the circles of its felt."""

    game: Game
    played: Example
    circles: tuple[Circle, ...]


def lesson(sheet: Sheet) -> Lesson:
    """Five steps: bet, cards, decide, what comes then, and what is paid."""
    game = bind(sheet)
    one = _Told(game, example(sheet), felt(game).circles)
    steps = [_bet(one), _cards(one), _decide(one), _then(one), _paid(one)]
    named = {"sheet": sheet.id, "title": sheet.title, "hash": digest(sheet)}
    return {**named, "seat": SEAT, "steps": steps}  # type: ignore[typeddict-item]


def _step(
    name: str,
    title: Sentence,
    told: Iterator[Sentence],
    state: TableState,
    *,
    choices: list[ChoiceTaught] | None = None,
    wagers: tuple[str, ...] = (),
    places: tuple[str, ...] = (),
    own: bool = False,
) -> StepTaught:
    return {
        "id": name,
        "title": title,
        "told": list(told),
        "choices": choices or [],
        "wagers": list(wagers),
        "places": list(places),
        "own": own,
        "view": layout(state, Viewer(PLAYER, "player")),
    }


def _bet(one: _Told) -> StepTaught:
    must = tuple(circle.wager for circle in one.circles if circle.required)
    title = say("lesson.bet.title")
    return _step("bet", title, _bet_told(one), one.played.bet, wagers=must)


def _bet_told(one: _Told) -> Iterator[Sentence]:
    yield say("lesson.bet.dealer" if _has_dealer(one.game) else "lesson.bet.table")
    main = next(circle for circle in one.circles if circle.limits and circle.kind == "main")
    assert main.limits is not None
    least, most = dollars(main.limits.min), dollars(main.limits.max)
    yield say("lesson.bet.main", wager=main.title, least=least, most=most)
    along = _titles(one, lambda circle: circle.equals is not None)
    if along:
        yield say("lesson.bet.along", wagers=along, count=len(along), main=main.title)
    asked = _titles(one, lambda circle: circle.kind == "side" and circle.required)
    if asked:
        yield say("lesson.bet.required", wagers=asked)
    free = _titles(one, lambda circle: circle.kind == "side" and not circle.required)
    if free:
        yield say("lesson.bet.optional", wagers=free)


def _has_dealer(game: Game) -> bool:
    """Whether the dealer has a hand to beat."""
    return game.board_is_a_hand or any(place.id == DEALER for place in game.places)


def _titles(one: _Told, wanted: Callable[[Circle], bool]) -> tuple[str, ...]:
    return tuple(circle.title for circle in one.circles if wanted(circle))


def _cards(one: _Told) -> StepTaught:
    groups = tuple(group.place for group in felt(one.game).groups)
    title, first = say("lesson.cards.title"), _first(one)
    own = bool(one.game.hand_size)
    return _step("cards", title, _cards_told(one.game), first, places=groups, own=own)


def _first(one: _Told) -> TableState:
    return one.played.asked[0] if one.played.asked else one.played.over


def _cards_told(game: Game) -> Iterator[Sentence]:
    hand = game.places[0]
    if hand.cards:
        yield say("lesson.cards.own", count=hand.cards - hand.later, open=hand.open)
    else:
        yield say("lesson.cards.none")
    opens = next(stage.opens for stage in game.stages if stage.plays)
    for group, place, seen in zip(felt(game).groups, game.places[1:], opens[1:], strict=True):
        dealt = place.cards - place.later
        if not dealt:
            yield say("lesson.cards.later", place=group.label)
        elif not seen:
            yield say("lesson.cards.closed", place=group.label, count=dealt)
        elif seen < dealt:
            yield say("lesson.cards.partly", place=group.label, count=dealt, open=seen)
        else:
            yield say("lesson.cards.open", place=group.label, count=dealt)


def _decide(one: _Told) -> StepTaught:
    stage = _asked(one.game)[0]
    choices: list[ChoiceTaught] = [
        {"play": play, "title": play.label, "means": _means(one, play)} for play in stage.plays
    ]
    filled = tuple(dict.fromkeys(wager for play in stage.plays for wager, _ in play.puts))
    told = _decide_told(one.game, stage)
    title, first = say("lesson.decide.title"), _first(one)
    return _step("decide", title, told, first, choices=choices, wagers=filled, own=True)


def _asked(game: Game) -> list[Stage]:
    return [stage for stage in game.stages if stage.plays]


def _decide_told(game: Game, stage: Stage) -> Iterator[Sentence]:
    yield say("lesson.decide.asked", stage=stage.title)
    if stage.when is not None:
        yield say("lesson.decide.sometimes")


def _means(one: _Told, play: Play) -> Sentence:
    """What a play comes to, by its effects alone."""
    game, main = one.game, one.game.main[1].title
    if play.folds:
        return _given_up(one, play)
    if play.said and play.puts:
        return say("lesson.play.says-and-bets", times=play.times, main=main)
    if play.said:
        return _said(game, play.said)
    if play.takes:
        return say("lesson.play.takes", wagers=tuple(map(game.wager_title, play.takes)))
    if play.puts:
        wagers = tuple(game.wager_title(wager) for wager, _ in play.puts)
        return say("lesson.play.bets", times=play.times, main=main, wagers=wagers)
    return say("lesson.play.goes-on")


def _given_up(one: _Told, play: Play) -> Sentence:
    """What giving up costs, as the table settles the example's hand."""
    if not one.played.asked:
        return say("lesson.play.folds")
    lost, stake = given_up(one.played.asked[0], play)
    if lost == stake:
        return say("lesson.play.folds")
    return say("lesson.play.folds-part", lost=lost, stake=stake)


def _said(game: Game, word: str) -> Sentence:
    duel = next((duel for duel in game.duels if duel.name == word), None)
    if duel is None:
        return say("lesson.play.says", said=word)
    return say("lesson.play.plays-for", said=word, low=duel.low)


def _then(one: _Told) -> StepTaught:
    """The last decision, where there is more than one; else the end."""
    state = one.played.asked[-1] if len(one.played.asked) > 1 else one.played.over
    groups = tuple(group.place for group in felt(one.game).groups)
    title = say("lesson.then.title")
    return _step("then", title, _then_told(one.game), state, places=groups)


def _then_told(game: Game) -> Iterator[Sentence]:
    later = _asked(game)[1:]
    if later:
        titles = tuple(stage.title for stage in later)
        yield say("lesson.then.again", stages=titles, once=any(one.once for one in later))
    yield say("lesson.then.turned")
    if not _has_dealer(game):
        yield say("lesson.then.read")
        return
    yield say("lesson.then.compared")
    yield from _ties(game.duels)
    if any(duel.least is not None for duel in game.duels):
        yield say("lesson.then.qualifies")


def _ties(duels: tuple[Duel, ...]) -> Iterator[Sentence]:
    kinds = {duel.ties for duel in duels}
    if len(kinds) == 1:
        yield say("lesson.then.ties", ties=kinds.pop())


def _paid(one: _Told) -> StepTaught:
    return _step("paid", say("lesson.paid.title"), _paid_told(one), one.played.over, own=True)


def _paid_told(one: _Told) -> Iterator[Sentence]:
    main, *sides = pay_tables(one.game.sheet)
    lines = [line for line in main["lines"] if line["odds"] is not None]
    if lines:
        yield _pays(main["title"], lines)
    pushes = tuple(line["title"] for line in main["lines"] if line["odds"] is None)
    if pushes:
        yield say("lesson.paid.push", lines=pushes, count=len(pushes))
    if sides:
        titles = tuple(side["title"] for side in sides)
        yield say("lesson.paid.sides", wagers=titles, count=len(titles))
    net = one.played.net
    yield say("lesson.paid.example", amount=abs(net), way=(net > 0) - (net < 0))


def _pays(title: str, lines: list[dict[str, str]]) -> Sentence:
    high, low = lines[0], lines[-1]
    if high["says"] == low["says"]:
        return say("lesson.paid.same", title=title, pays=high["says"])
    ends = {
        "title": title,
        "high": high["title"],
        "high_pays": high["says"],
        "low": low["title"],
        "low_pays": low["says"],
    }
    return say("lesson.paid.main", **ends)
