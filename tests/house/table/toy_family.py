"""Toy games as a family, so that a live table can deal them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Literal

from tests.rules.toy_games import TOYS, ToyGame, raises

import pitbook
from pitbook.money import Cents
from pitbook.rules.actions import FOLD, Play
from pitbook.rules.families.street_stud import FAMILY as STUD
from pitbook.rules.families.street_stud.sheet import Deal, StreetStud
from pitbook.rules.game import Place, Seat, Stage
from pitbook.rules.settlement_lines import Line
from pitbook.sheets.family_registry import Checks, Family


class ToyDeal(Deal):
    order: tuple[str, ...]  # type: ignore[assignment]


class ToySheet(StreetStud):
    """A sheet that names its toy; otherwise a stud sheet."""

    family: Literal["toy"]  # type: ignore[assignment]
    toy: str
    deal: ToyDeal


class Half(ToyGame):
    """A losing hand loses half; a winning one has a bonus without a stake."""

    def price(self, showdown: Any, seat: Seat) -> tuple[Line, ...]:
        lines = super().price(showdown, seat)
        half = tuple(
            line._replace(back=Cents(line.stake // 2)) if line.result == "lose" else line
            for line in lines
        )
        wins = Cents(700 if lines[0].result == "win" else 0)
        return (*half, lines[0]._replace(wager="bonus", stake=Cents(0), wins=wins))


def half() -> ToyGame:
    """A game with lines that return part of their stake, or have none."""
    return Half(
        (Place("own", "own", 2), Place("dealer", "dealer", 2)),
        (Stage("raise", "raise", "TOY-8", (2, 1), (FOLD, *raises("raise", 2))),),
    )


def twice() -> ToyGame:
    """A wager can be raised at either of two decisions."""
    plays = (Play("check"), *raises("raise", 1, 2))
    return ToyGame(
        (Place("own", "own", 2), Place("dealer", "dealer", 2)),
        (Stage("one", "one", "TOY-9", (2, 0), plays), Stage("two", "two", "TOY-9", (2, 1), plays)),
    )


GAMES: dict[str, Callable[[], ToyGame]] = {**TOYS, "half": half, "twice": twice}


def compile_toy(sheet: ToySheet) -> ToyGame:
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
    compile_toy,
)


def toy_sheet(toy: str) -> ToySheet:
    """A stud sheet without side wagers and caps."""
    stud = pitbook.load("catfish-bend/mississippi-stud")
    body = json.loads(stud.model_dump_json(by_alias=True, exclude_none=True))
    places = [place.id for place in GAMES[toy]().places[1:]]
    body |= {"family": "toy", "toy": toy, "side": {}, "limits": []}
    body["deal"]["order"] = ["players", *places]
    body["uncapped"] = {"clause": "TOY-1", "note": "None."}
    body["settlement"]["passes"] = [["main"]]
    body["fold"].pop("tucks_under")
    return ToySheet.model_validate_json(json.dumps(body))
