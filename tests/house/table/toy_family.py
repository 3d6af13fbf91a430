"""The engine's toys as a family, so that a live table deals them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Literal

from tests.rules.rounds.toys import TOYS, Toy, raised

import pitbook
from pitbook.money import Cents
from pitbook.rules.families.street_stud import FAMILY as STUD
from pitbook.rules.families.street_stud.sheet import Deal, StreetStud
from pitbook.rules.game import Place, Seat, Stage
from pitbook.rules.plays import FOLD, Play
from pitbook.rules.settlement import Line
from pitbook.sheets.families import Checks, Family


class ToyDeal(Deal):
    """To any places."""

    order: tuple[str, ...]  # type: ignore[assignment]


class ToySheet(StreetStud):
    """A sheet that names its toy; all else is a stud sheet's."""

    family: Literal["toy"]  # type: ignore[assignment]
    toy: str
    deal: ToyDeal


class Half(Toy):
    """Who is behind loses half; who is ahead has a bonus that nothing was put on."""

    def price(self, showdown: Any, seat: Seat) -> tuple[Line, ...]:
        lines = super().price(showdown, seat)
        half = tuple(
            one._replace(back=Cents(one.stake // 2)) if one.result == "lose" else one
            for one in lines
        )
        wins = Cents(700 if lines[0].result == "win" else 0)
        return (*half, lines[0]._replace(wager="bonus", stake=Cents(0), wins=wins))


def half() -> Toy:
    """A game with lines that return part of their stake, or have none."""
    return Half(
        (Place("own", "own", 2), Place("dealer", "dealer", 2)),
        (Stage("raise", "raise", "TOY-8", (2, 1), (FOLD, *raised("raise", 2))),),
    )


def twice() -> Toy:
    """More can be put on one wager at either of two decisions."""
    plays = (Play("check"), *raised("raise", 1, 2))
    return Toy(
        (Place("own", "own", 2), Place("dealer", "dealer", 2)),
        (Stage("one", "one", "TOY-9", (2, 0), plays), Stage("two", "two", "TOY-9", (2, 1), plays)),
    )


GAMES: dict[str, Callable[[], Toy]] = {**TOYS, "half": half, "twice": twice}


def compiled(sheet: ToySheet) -> Toy:
    """The toy that a sheet names."""
    game = GAMES[sheet.toy]()
    game.sheet = sheet
    return game


def _nothing(sheet: Any) -> Any:
    return iter(())


def _checks() -> Checks:
    none = (_nothing,) * 4
    return Checks(*none, why_never=lambda *_: None, is_play=lambda _: False)


FAMILY = Family(
    "toy",
    ToySheet,
    STUD.scope,
    _checks,
    STUD.rule_texts,
    STUD.main_table,
    STUD.exposure,
    compiled,
)


def toy_sheet(toy: str) -> ToySheet:
    """A stud sheet without side wagers and caps, for a toy."""
    stud = pitbook.load("catfish-bend/mississippi-stud")
    body = json.loads(stud.model_dump_json(by_alias=True, exclude_none=True))
    places = [place.id for place in GAMES[toy]().places[1:]]
    body |= {"family": "toy", "toy": toy, "side": {}, "limits": []}
    body["deal"]["order"] = ["players", *places]
    body["uncapped"] = {"clause": "TOY-1", "note": "None."}
    body["settlement"]["passes"] = [["main"]]
    body["fold"].pop("tucks_under")
    return ToySheet.model_validate_json(json.dumps(body))
