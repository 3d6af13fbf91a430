"""The felt of a game: groups of cards, circles, boxes, links and labels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidatorFunctionWrapHandler, WrapValidator

from pitbook.money import money
from pitbook.rules.game import Game, Place
from pitbook.rules.plays import multiple
from pitbook.sheets.parts import Stake
from pitbook.text import Sentence, say


def _identity(text: Any, plain: ValidatorFunctionWrapHandler) -> str:
    return text if isinstance(text, Sentence) else str(plain(text))


Worded = Annotated[str, WrapValidator(_identity)]  # Text alone would forget what it is made of.


class FeltPart(BaseModel):
    """Something on the felt."""

    model_config = ConfigDict(frozen=True)


class Area(FeltPart):
    """An area that is printed under cards of a group."""

    title: Worded = Field(examples=["Dealer's Lo Hand"])
    cards: int = Field(examples=[2], description="How many of the group's cards lie there.")
    shared: bool = Field(description="Its cards stand in the hands on both sides of it.")


class Group(FeltPart):
    """Cards in common, in one row."""

    place: str = Field(examples=["board"], description="As views and events name it.")
    title: Worded = Field(examples=["Community cards"])
    label: Worded = Field(examples=["Dealer's cards"], description="What lies there, in full.")
    cards: int = Field(examples=[3])
    areas: tuple[Area, ...] = Field(description="From left to right; none: nothing is printed.")


class Limits(FeltPart):
    """How much a circle takes before the cards."""

    min: str = Field(examples=["5.00"])
    max: str = Field(examples=["500.00"])
    clause: str = Field(examples=["CMS-2"])


class Link(FeltPart):
    """A play that fills a circle."""

    stage: str = Field(examples=["flop"])
    play: str = Field(examples=["3x"])
    times: int = Field(examples=[3], description="So many main wagers are put there.")


class Circle(FeltPart):
    """Where a wager lies."""

    wager: str = Field(examples=["ante"])
    title: Worded = Field(examples=["Ante"])
    kind: Literal["main", "side", "play"] = Field(
        description='"play": it is filled by plays, not before the cards.'
    )
    required: bool = Field(description="Nobody is dealt in without it.")
    limits: Limits | None
    equals: str | None = Field(description="The wager along with which it is made, as high as it.")
    times: tuple[int, ...] = Field(
        examples=[[1, 2, 3]], description="Main wagers that may be put there by plays, rising."
    )
    links: tuple[Link, ...] = Field(description="The plays that fill it.")
    boxed: bool = Field(description="It stands in the box that the hand was not laid in.")


class Box(FeltPart):
    """Where a hand is laid by what it says."""

    says: str = Field(examples=["low"], description="As offers and seats say it.")
    title: Worded = Field(examples=["L"], description="What is printed there.")
    laid: Worded = Field(
        examples=["low, across the dealer's cards"], description="How the hand lies there."
    )
    across: bool = Field(description="It is turned by a quarter once it is opened.")


class Felt(FeltPart):
    """All that is printed on a felt, for any game."""

    hand: int = Field(examples=[2], description="Cards to each seat.")
    groups: tuple[Group, ...] = Field(description="Cards in common, from above.")
    circles: tuple[Circle, ...] = Field(description="The main wager first, then by the sheet.")
    boxes: tuple[Box, ...] = Field(description="From left to right; none: hands lie open.")


def felt(game: Game) -> Felt:
    """The felt that a game is played on."""
    return Felt(
        hand=game.hand_size,
        groups=tuple(_groups(game)),
        circles=(*_main(game), *_play_circles(game), *_side_circles(game)),
        boxes=tuple(Box(**one._asdict()) for one in game.boxes),
    )


def place_name(number: int) -> str:
    """What a place in common is called in views and events, counted from 0."""
    return f"board-{number}" if number else "board"


def _groups(game: Game) -> Iterator[Group]:
    for number, place in enumerate(game.places[1:]):
        title, label = _place_label(place)
        areas = () if number else game.printed
        yield Group(
            place=place_name(number),
            title=title,
            label=label,
            cards=place.cards,
            areas=tuple(Area(**area._asdict()) for area in areas),
        )


def _place_label(place: Place) -> tuple[str, str]:
    """What cards in common are called in short, and in full."""
    if place.id == "dealer":
        return say("game.felt.dealer"), say("game.felt.dealers-cards")
    cards = say("game.felt.cards", place=place.id, title=place.title.capitalize())
    return cards, cards


def _main(game: Game) -> Iterator[Circle]:
    """The main wager and those that go with it: what is taken back first lies first."""
    main, rule = game.main
    taken = {wager for stage in game.stages for play in stage.plays for wager in play.takes}
    for wager in sorted((main, *game.equals), key=lambda one: one not in taken):
        if wager == main:
            yield _circle(game, main, "main", required=True, limits=_limits(rule))
        else:
            yield _circle(game, wager, "main", required=True, equals=main)


def _play_circles(game: Game) -> Iterator[Circle]:
    """Every wager that a play makes, in the order of the stages."""
    made = dict.fromkeys(
        wager for stage in game.stages for play in stage.plays for wager, _ in play.puts
    )
    before = {game.main[0], *game.equals, *game.sheet.side}
    for wager in made:
        if wager not in before:
            yield _circle(game, wager, "play", required=False)


def _side_circles(game: Game) -> Iterator[Circle]:
    for wager, side in game.sheet.side.items():
        stake = side.stake
        yield _circle(game, wager, "side", required=stake.required, limits=_limits(stake))


def _circle(
    game: Game,
    wager: str,
    kind: Literal["main", "side", "play"],
    *,
    required: bool,
    limits: Limits | None = None,
    equals: str | None = None,
) -> Circle:
    filled = [
        (stage, play, times)
        for stage in game.stages
        for play in stage.plays
        for name, times in play.puts
        if name == wager
    ]
    nothing = any(multiple(play) == 0 for stage, _, _ in filled for play in stage.plays)
    boxes = {box.says for box in game.boxes}
    return Circle(
        wager=wager,
        title=game.wager_title(wager),
        kind=kind,
        required=required,
        limits=limits,
        equals=equals,
        times=tuple(sorted({times for _, _, times in filled} | ({0} if nothing else set()))),
        links=tuple(Link(stage=one.id, play=play, times=times) for one, play, times in filled),
        boxed=bool(filled) and all(play.said in boxes for _, play, _ in filled),
    )


def _limits(stake: Stake) -> Limits:
    return Limits(min=money(stake.min), max=money(stake.max), clause=stake.clause)
