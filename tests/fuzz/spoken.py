"""Commands as somebody might say them, right and wrong: whole, bent, broken and out of place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any, get_type_hints

from pitbook.cards import DECK, name
from pitbook.house.table.commands import KINDS

Json = dict[str, Any]
NUMBERS = (0, -1, 1, 2**31, 2**53 + 1, 2**63, -(2**64), 10**30, 1.5, -0.0, 1e308)
TEXTS = (
    *("", " ", "\x00", "\x1b[2J", "\u202eann", "\ufeff", "ﬁ", "é", "e\u0301", "🂡", "\U0010ffff"),
    *("\ud800", "\udfff\ud800", "../../etc/passwd", "' OR 1=1 --", "%00", "${7*7}", "<script>"),
    *("x" * 201, "9" * 400, "NaN", "null", "-1", "1e9", "٣", "１", "bob", "10.001"),
)
ODD: tuple[Any, ...] = (None, True, False, [], {}, [[]], {"do": "sit"}, *NUMBERS, *TEXTS)

PLAYS = ("fold", "1x", "2x", "3x", "low", "high", "low+double", "FOLD", "4x")
WAGERS = ("ante", "bet", "three-card-bonus", "3rd", "main", "none")
AMOUNTS = ("5", "10", "10.00", "25", "0", "0.01", "500", "99999", "9999999999999", "5.5")
SAID = ("left alone", "dropped a card", "asked", "my lucky number is 7", "x")
SHEETS = ("catfish-bend/mississippi-stud", "oceanfront/mississippi-stud", "no/such", "../x")
WORDS = {"seat-seed": ["text"], "warn": ["breach"], "misdeal": ["reason"], "interrupt": ["why"]}
REASONS = ("supervisor", "information", "because")
PEOPLE = ("ann", "bob", "cyd", "dee", "", "guest-1", "nobody")


def command(luck: Random) -> Json:
    """Any command with fields that make sense, whoever says it and whatever is on the table."""
    do = luck.choice(list(KINDS))
    fields = get_type_hints(KINDS[do])
    wanted = [key for key in fields if _is_needed(KINDS[do], key) or luck.random() < 0.5]
    return {"do": do, **{key: _field(luck, key) for key in wanted}}


def said(offer: Json, luck: Random) -> Iterator[Json]:
    """The commands that an offer of a view stands for; of those that are refused now, some."""
    if "refused" in offer and luck.random() < 0.8:
        return
    plain: Json = {key: offer[key] for key in ("do", "seat", "on", "place") if key in offer}
    if offer["do"] == "put-wager":
        yield {**plain, "wager": offer["wager"], "amount": offer["min"]}
    elif offer["do"] == "decide":
        yield from ({**plain, "play": one["play"]} for one in offer["choices"])
    else:
        words = dict.fromkeys(WORDS.get(offer["do"], ()), SAID[0])
        more: Json = {key: offer[key] for key in ("reason", "finish") if key in offer}
        yield {**plain, **words, **more}


def bent(luck: Random, document: Any) -> Any:
    """A document with one thing about it changed: a type, a field, a size, a letter."""
    copy = json.loads(json.dumps(document))
    places = list(_places(copy)) if isinstance(copy, dict | list) else []
    if not places:
        return luck.choice(ODD)
    inside, key = luck.choice(places)
    if isinstance(inside, list):
        inside[key] = luck.choice(ODD)
        return copy
    bend = luck.randrange(5)
    if bend == 0:
        del inside[key]
    elif bend == 1:
        inside[str(luck.choice(TEXTS))] = inside[key]
    elif bend == 2 and isinstance(inside[key], str):
        inside[key] = _respelt(luck, inside[key])
    else:
        inside[key] = luck.choice(ODD)
    return copy


def broken(luck: Random, text: str) -> str:
    """A JSON text that is cut off, doubled, or has a letter too many, too few or wrong."""
    at = luck.randrange(len(text) + 1)
    breaks = (
        text[:at],
        text[at:],
        text[:at] + luck.choice('{}[]":,\\ \x00\n') + text[at:],
        text[:at] + text[at + 1 :],
        text + text,
        text.replace('":', '":' * luck.randrange(2), 1),
        text.replace('"', "'"),
        text.replace("{", '{"do":"sit","do":"retire",', 1),
        text.replace("{", '{"request":"twice",', 1),
        "[" * luck.randrange(1, 400) + text,
        text.replace(
            ":", ":" + luck.choice(("NaN", "Infinity", "-Infinity", "1e999", "9" * 5_000))
        ),
    )
    return luck.choice(breaks)


def noise(luck: Random, most: int = 200) -> bytes:
    """Bytes that mean nothing."""
    return luck.randbytes(luck.randrange(most))


def letters(luck: Random, most: int = 60) -> str:
    """Letters of any script, and what is no letter at all; no half of a pair."""
    codes = (
        luck.choice((0x20, 0x7F, 0x2FF, 0xFFFF, 0x10FFFF)) for _ in range(luck.randrange(most))
    )
    found = (luck.randrange(code + 1) for code in codes)
    return "".join(chr(one) for one in found if not 0xD800 <= one <= 0xDFFF)


def _is_needed(kind: Any, key: str) -> bool:
    return key not in kind._field_defaults


def _field(luck: Random, key: str) -> Any:
    fields: dict[str, tuple[Any, ...]] = {
        "seat": (1, 1, 2, 3, 4, 6, 7, 0),
        "player": PEOPLE,
        "wager": WAGERS,
        "amount": AMOUNTS,
        "play": PLAYS,
        "place": ("board", 1, 2, 3),
        "card": tuple(name(one) for one in DECK),
        "number": (1, 2, 3),
        "reason": (*REASONS, *SAID),
        "on": (True, False),
        "finish": (True, False),
        "card_count": (True, False),
        "sheet": SHEETS,
    }
    return luck.choice(fields.get(key, SAID))


def _places(document: Any) -> Iterator[tuple[Any, Any]]:
    """Every spot of a document, as what it is in and where there."""
    found = document.items() if isinstance(document, dict) else enumerate(document)
    for key, value in list(found):
        yield document, key
        if isinstance(value, dict | list):
            yield from _places(value)


def _respelt(luck: Random, text: str) -> str:
    at = luck.randrange(len(text) + 1)
    return text[:at] + str(luck.choice(TEXTS)) + text[at + luck.randrange(2) :]
