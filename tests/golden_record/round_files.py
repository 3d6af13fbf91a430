"""Round files drawn at random: most can be settled, some are wrong in one place."""

from __future__ import annotations

from random import Random

from tests.golden_record import shelf
from tests.golden_record.adapter import Json, body_of
from tests.golden_record.walk import PLAYERS, amounts, shuffled


def drawn(sheet: str, luck: Random) -> Json:
    """A whole round as somebody would write it down."""
    body, shoe = body_of(sheet), shuffled(sheet, luck)
    count = body["seats"]["count"]
    numbers = sorted(luck.sample(range(1, count + 1), luck.randint(1, count)))
    board = "community" if "streets" in body else "dealer"
    size = _board(body)
    document: Json = {"sheet": sheet, board: [shoe.pop() for _ in range(size)]}
    document["seats"] = [_seat(sheet, number, shoe, luck) for number in numbers]
    if luck.random() < 0.15:
        document["voided"] = _voided(numbers, luck)
    if luck.random() < 0.05:
        document["misdeal"] = "boxed card"
    elif luck.random() < (0.08 if _may_die(body) else 0.01):
        document["dead"] = "fire alarm"
        document["settled"] = numbers[: luck.randint(0, len(numbers))]
    if luck.random() < 0.15:
        _spoilt(document, board, luck)
    return document


def _may_die(body: Json) -> bool:
    rule = (body.get("irregularities") or {}).get("interruption") or {}
    return bool(rule.get("is") == "agree-or-dead")


def _board(body: Json) -> int:
    if "streets" in body:
        return sum(int(one["reveals"]["is"]) for one in body["streets"])
    return int(body["deal"]["dealer"])


def _seat(sheet: str, number: int, shoe: list[str], luck: Random) -> Json:
    body = body_of(sheet)
    main = "ante" if "ante" in body else "bet"
    wagers = {main: _amount(shelf.main_of(sheet), luck)}
    for name, side in shelf.sides_of(sheet).items():
        if side["stake"]["required"] or luck.random() < 0.5:
            wagers[name] = _amount(side["stake"], luck)
    seat: Json = {"seat": number, "player": _player(sheet, number, luck), "wagers": wagers}
    seat["cards"] = [shoe.pop() for _ in range(shelf.own_cards(sheet))]
    seat["play"] = _plays(sheet, luck)
    if "fold" in seat["play"] and luck.random() < 0.2:
        del seat["cards"]
    return seat


def _player(sheet: str, number: int, luck: Random) -> str:
    """Somebody of one's own at every seat; now and then one player has several."""
    several = int(body_of(sheet)["seats"]["per_player"]["is"]) > 1
    return "ann" if several and luck.random() < 0.15 else f"{PLAYERS[number % 6]} {number}"


def _amount(stake: Json, luck: Random) -> str:
    bounds = {"least": stake["min"], "most": stake["max"], "step": stake["step"]}
    many = amounts(bounds)
    return many[0] if luck.random() < 0.5 else luck.choice(many)


def _plays(sheet: str, luck: Random) -> list[str]:
    """A play a street, to the end or to a fold."""
    made: list[str] = []
    for plays in shelf.plays_of(sheet):
        bold = [one for one in plays if one != "fold"] if luck.random() < 0.75 else plays
        made.append(luck.choice(bold))
        if made[-1] == "fold":
            break
    return made


def _voided(numbers: list[int], luck: Random) -> list[Json]:
    voided: Json = {"seat": luck.choice(numbers)}
    voided["reason"] = luck.choice(["information", "supervisor"])
    part = luck.choice([None, None, "gave", "took"])
    return [voided | ({"part": part} if part and voided["reason"] == "information" else {})]


def _spoilt(document: Json, board: str, luck: Random) -> None:
    """One thing is wrong: a card, a play, a wager, a seat, a field."""
    seat = luck.choice(document["seats"])
    way = luck.randrange(9)
    if way == 0:
        document[board] = document[board][:-1]
    elif way == 1:
        document[board] = [*document[board], "As"]
    elif way == 2 and seat.get("cards"):
        seat["cards"][0] = document[board][0] if document[board] else "Xx"
    elif way == 3:
        seat["play"] = luck.choice([[], ["9x"], [*seat["play"], "1x"], ["low", "high"], ["Fold"]])
    elif way == 4:
        seat["wagers"][luck.choice(["ante", "bet", "stax", "insurance"])] = "7.77"
    elif way == 5:
        seat["seat"] = luck.choice([0, 99, document["seats"][0]["seat"]])
    elif way == 6:
        seat["cards"] = seat.get("cards", [])[:-1]
    elif way == 7:
        document[luck.choice(["community", "dealer", "extra"])] = ["As"]
    else:
        seat["wagers"] = dict(list(seat["wagers"].items())[1:])
