"""Random round files: most can be settled, some have one mistake."""

from __future__ import annotations

from random import Random

from tests.golden_record import shelf
from tests.golden_record.adapter import Json, body_of
from tests.golden_record.walk import PLAYERS, sample_amounts, shuffled_shoe


def random_round_file(sheet: str, rng: Random) -> Json:
    """A whole round as a person would write it down."""
    body, shoe = body_of(sheet), shuffled_shoe(sheet, rng)
    count = body["seats"]["count"]
    numbers = sorted(rng.sample(range(1, count + 1), rng.randint(1, count)))
    board = "community" if "streets" in body else "dealer"
    size = _board_size(body)
    document: Json = {"sheet": sheet, board: [shoe.pop() for _ in range(size)]}
    document["seats"] = [_random_seat(sheet, number, shoe, rng) for number in numbers]
    if rng.random() < 0.15:
        document["voided"] = _random_void(numbers, rng)
    if rng.random() < 0.05:
        document["misdeal"] = "boxed card"
    elif rng.random() < (0.08 if _can_be_dead(body) else 0.01):
        document["dead"] = "fire alarm"
        document["settled"] = numbers[: rng.randint(0, len(numbers))]
    if rng.random() < 0.15:
        _spoil(document, board, rng)
    return document


def _can_be_dead(body: Json) -> bool:
    rule = (body.get("irregularities") or {}).get("interruption") or {}
    return bool(rule.get("is") == "agree-or-dead")


def _board_size(body: Json) -> int:
    if "streets" in body:
        return sum(int(street["reveals"]["is"]) for street in body["streets"])
    return int(body["deal"]["dealer"])


def _random_seat(sheet: str, number: int, shoe: list[str], rng: Random) -> Json:
    body = body_of(sheet)
    main = "ante" if "ante" in body else "bet"
    wagers = {main: _random_amount(shelf.main_stake(sheet), rng)}
    for name, side in shelf.side_wagers(sheet).items():
        if side["stake"]["required"] or rng.random() < 0.5:
            wagers[name] = _random_amount(side["stake"], rng)
    seat: Json = {"seat": number, "player": _random_player(sheet, number, rng), "wagers": wagers}
    seat["cards"] = [shoe.pop() for _ in range(shelf.hole_card_count(sheet))]
    seat["play"] = _random_plays(sheet, rng)
    if "fold" in seat["play"] and rng.random() < 0.2:
        del seat["cards"]
    return seat


def _random_player(sheet: str, number: int, rng: Random) -> str:
    """Mostly a different player at every seat; sometimes one player has several."""
    several = int(body_of(sheet)["seats"]["per_player"]["is"]) > 1
    return "ann" if several and rng.random() < 0.15 else f"{PLAYERS[number % 6]} {number}"


def _random_amount(stake: Json, rng: Random) -> str:
    bounds = {"least": stake["min"], "most": stake["max"], "step": stake["step"]}
    choices = sample_amounts(bounds)
    return choices[0] if rng.random() < 0.5 else rng.choice(choices)


def _random_plays(sheet: str, rng: Random) -> list[str]:
    """One play for each street, up to a fold or the end."""
    plays_made: list[str] = []
    for plays in shelf.plays_by_street(sheet):
        options = [play for play in plays if play != "fold"] if rng.random() < 0.75 else plays
        plays_made.append(rng.choice(options))
        if plays_made[-1] == "fold":
            break
    return plays_made


def _random_void(numbers: list[int], rng: Random) -> list[Json]:
    voided: Json = {"seat": rng.choice(numbers)}
    voided["reason"] = rng.choice(["information", "supervisor"])
    part = rng.choice([None, None, "gave", "took"])
    return [voided | ({"part": part} if part and voided["reason"] == "information" else {})]


def _spoil(document: Json, board: str, rng: Random) -> None:
    """Introduce one mistake: a card, a play, a wager, a seat or a field."""
    seat = rng.choice(document["seats"])
    kind_of_error = rng.randrange(9)
    if kind_of_error == 0:
        document[board] = document[board][:-1]
    elif kind_of_error == 1:
        document[board] = [*document[board], "As"]
    elif kind_of_error == 2 and seat.get("cards"):
        seat["cards"][0] = document[board][0] if document[board] else "Xx"
    elif kind_of_error == 3:
        seat["play"] = rng.choice([[], ["9x"], [*seat["play"], "1x"], ["low", "high"], ["Fold"]])
    elif kind_of_error == 4:
        seat["wagers"][rng.choice(["ante", "bet", "stax", "insurance"])] = "7.77"
    elif kind_of_error == 5:
        seat["seat"] = rng.choice([0, 99, document["seats"][0]["seat"]])
    elif kind_of_error == 6:
        seat["cards"] = seat.get("cards", [])[:-1]
    elif kind_of_error == 7:
        document[rng.choice(["community", "dealer", "extra"])] = ["As"]
    else:
        seat["wagers"] = dict(list(seat["wagers"].items())[1:])
