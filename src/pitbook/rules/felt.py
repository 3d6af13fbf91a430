"""The layout of a game: groups of cards, betting circles, declaration boxes, links and labels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidatorFunctionWrapHandler, WrapValidator

from pitbook.money import money
from pitbook.rules.actions import multiple
from pitbook.rules.game import Game, Place
from pitbook.sheets.model import Stake
from pitbook.text import Sentence, say


def _keep_sentence(text: Any, plain: ValidatorFunctionWrapHandler) -> str:
    return text if isinstance(text, Sentence) else str(plain(text))


# A plain str would lose the sentence's key and fields.
LayoutText = Annotated[str, WrapValidator(_keep_sentence)]


class FeltPart(BaseModel):
    """A part of the layout."""

    model_config = ConfigDict(frozen=True)


class Area(FeltPart):
    """A printed area for some cards of a group."""

    title: LayoutText = Field(examples=["Dealer's Lo Hand"])
    cards: int = Field(examples=[2], description="How many of the group's cards lie there.")
    shared: bool = Field(description="Its cards stand in the hands on both sides of it.")


class Group(FeltPart):
    """A row of shared cards."""

    place: str = Field(examples=["board"], description="As views and events name it.")
    title: LayoutText = Field(examples=["Community cards"])
    label: LayoutText = Field(examples=["Dealer's cards"], description="What lies there, in full.")
    cards: int = Field(examples=[3])
    areas: tuple[Area, ...] = Field(description="From left to right; none: nothing is printed.")


class Limits(FeltPart):
    """The limits of a circle before the deal."""

    min: str = Field(examples=["5.00"])
    max: str = Field(examples=["500.00"])
    clause: str = Field(examples=["CMS-2"])


class Link(FeltPart):
    """A play that puts chips in a circle."""

    stage: str = Field(examples=["flop"])
    play: str = Field(examples=["3x"])
    times: int = Field(examples=[3], description="So many main wagers are put there.")


class Circle(FeltPart):
    """A betting circle."""

    wager: str = Field(examples=["ante"])
    title: LayoutText = Field(examples=["Ante"])
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
    """The box where a declared hand is placed."""

    says: str = Field(examples=["low"], description="As offers and seats say it.")
    title: LayoutText = Field(examples=["L"], description="What is printed there.")
    laid: LayoutText = Field(
        examples=["low, across the dealer's cards"], description="How the hand lies there."
    )
    across: bool = Field(description="It is turned by a quarter once it is opened.")


class Felt(FeltPart):
    """Everything printed on the layout of a game."""

    hand: int = Field(examples=[2], description="Cards to each seat.")
    groups: tuple[Group, ...] = Field(description="Cards in common, from above.")
    circles: tuple[Circle, ...] = Field(description="The main wager first, then by the sheet.")
    boxes: tuple[Box, ...] = Field(description="From left to right; none: hands lie open.")


def felt(game: Game) -> Felt:
    """The layout of a game."""
    return Felt(
        hand=game.hand_size,
        groups=tuple(_groups(game)),
        circles=(*_main(game), *_play_circles(game), *_side_circles(game)),
        boxes=tuple(Box(**box._asdict()) for box in game.boxes),
    )


def place_name(number: int) -> str:
    """The name of a shared place in views and events, by its index from 0."""
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
    """The short and the full title of shared cards."""
    if place.id == "dealer":
        return say("game.felt.dealer"), say("game.felt.dealers-cards")
    cards = say("game.felt.cards", place=place.id, title=place.title.capitalize())
    return cards, cards


def _main(game: Game) -> Iterator[Circle]:
    """Circles of the main wager and those placed with it; those pulled back first come first."""
    main, rule = game.main
    pulled_back = {wager for stage in game.stages for play in stage.plays for wager in play.takes}
    for wager in sorted((main, *game.equals), key=lambda name: name not in pulled_back):
        if wager == main:
            yield _circle(game, main, "main", required=True, limits=_limits(rule))
        else:
            yield _circle(game, wager, "main", required=True, equals=main)


def _play_circles(game: Game) -> Iterator[Circle]:
    """Every wager that a play places, in the order of the stages."""
    placed_by_plays = dict.fromkeys(
        wager for stage in game.stages for play in stage.plays for wager, _ in play.puts
    )
    placed_before_deal = {game.main[0], *game.equals, *game.sheet.side}
    for wager in placed_by_plays:
        if wager not in placed_before_deal:
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
    placing_plays = [
        (stage, play, times)
        for stage in game.stages
        for play in stage.plays
        for name, times in play.puts
        if name == wager
    ]
    allows_zero = any(multiple(play) == 0 for stage, _, _ in placing_plays for play in stage.plays)
    boxes = {box.says for box in game.boxes}
    return Circle(
        wager=wager,
        title=game.wager_title(wager),
        kind=kind,
        required=required,
        limits=limits,
        equals=equals,
        times=tuple(
            sorted({times for _, _, times in placing_plays} | ({0} if allows_zero else set()))
        ),
        links=tuple(
            Link(stage=stage.id, play=play, times=times) for stage, play, times in placing_plays
        ),
        boxed=bool(placing_plays)
        and all(play.declaration in boxes for _, play, _ in placing_plays),
    )


def _limits(stake: Stake) -> Limits:
    return Limits(min=money(stake.min), max=money(stake.max), clause=stake.clause)
