"""Random commands, right and wrong: valid, mutated, broken and out of place."""

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
ODD_VALUES: tuple[Any, ...] = (None, True, False, [], {}, [[]], {"do": "sit"}, *NUMBERS, *TEXTS)

PLAYS = ("fold", "1x", "2x", "3x", "low", "high", "low+double", "FOLD", "4x")
WAGERS = ("ante", "bet", "three-card-bonus", "3rd", "main", "none")
AMOUNTS = ("5", "10", "10.00", "25", "0", "0.01", "500", "99999", "9999999999999", "5.5")
REMARKS = ("left alone", "dropped a card", "asked", "my lucky number is 7", "x")
SHEETS = ("catfish-bend/mississippi-stud", "oceanfront/mississippi-stud", "no/such", "../x")
WORDS = {"seat-seed": ["text"], "warn": ["breach"], "misdeal": ["reason"], "interrupt": ["why"]}
REASONS = ("supervisor", "information", "because")
PEOPLE = ("ann", "bob", "cyd", "dee", "", "guest-1", "nobody")


def command(rng: Random) -> Json:
    """Any command with plausible fields, for any sender and table."""
    command_kind = rng.choice(list(KINDS))
    fields = get_type_hints(KINDS[command_kind])
    chosen = [key for key in fields if _is_needed(KINDS[command_kind], key) or rng.random() < 0.5]
    return {"do": command_kind, **{key: _field(rng, key) for key in chosen}}


def offer_commands(offer: Json, rng: Random) -> Iterator[Json]:
    """The commands of a view's offer; of offers that are refused now, only some."""
    if "refused" in offer and rng.random() < 0.8:
        return
    plain: Json = {key: offer[key] for key in ("do", "seat", "on", "place") if key in offer}
    if offer["do"] == "put-wager":
        yield {**plain, "wager": offer["wager"], "amount": offer["min"]}
    elif offer["do"] == "decide":
        yield from ({**plain, "play": option["play"]} for option in offer["choices"])
    else:
        words = dict.fromkeys(WORDS.get(offer["do"], ()), REMARKS[0])
        optional: Json = {key: offer[key] for key in ("reason", "finish") if key in offer}
        yield {**plain, **words, **optional}


def mutate(rng: Random, document: Any) -> Any:
    """A document with one random change: a type, a field, a size, a letter."""
    copy = json.loads(json.dumps(document))
    positions = list(_positions(copy)) if isinstance(copy, dict | list) else []
    if not positions:
        return rng.choice(ODD_VALUES)
    parent, key = rng.choice(positions)
    if isinstance(parent, list):
        parent[key] = rng.choice(ODD_VALUES)
        return copy
    mutation = rng.randrange(5)
    if mutation == 0:
        del parent[key]
    elif mutation == 1:
        parent[str(rng.choice(TEXTS))] = parent[key]
    elif mutation == 2 and isinstance(parent[key], str):
        parent[key] = _change_letter(rng, parent[key])
    else:
        parent[key] = rng.choice(ODD_VALUES)
    return copy


def mutate_text(rng: Random, text: str) -> str:
    """A JSON text that is cut off, doubled, or has a letter added, removed or changed."""
    at = rng.randrange(len(text) + 1)
    mutations = (
        text[:at],
        text[at:],
        text[:at] + rng.choice('{}[]":,\\ \x00\n') + text[at:],
        text[:at] + text[at + 1 :],
        text + text,
        text.replace('":', '":' * rng.randrange(2), 1),
        text.replace('"', "'"),
        text.replace("{", '{"do":"sit","do":"retire",', 1),
        text.replace("{", '{"request":"twice",', 1),
        "[" * rng.randrange(1, 400) + text,
        text.replace(":", ":" + rng.choice(("NaN", "Infinity", "-Infinity", "1e999", "9" * 5_000))),
    )
    return rng.choice(mutations)


def random_bytes(rng: Random, most: int = 200) -> bytes:
    """Random bytes."""
    return rng.randbytes(rng.randrange(most))


def random_text(rng: Random, most: int = 60) -> str:
    """Random characters of any script, without surrogates."""
    codes = (rng.choice((0x20, 0x7F, 0x2FF, 0xFFFF, 0x10FFFF)) for _ in range(rng.randrange(most)))
    code_points = (rng.randrange(code + 1) for code in codes)
    return "".join(
        chr(code_point) for code_point in code_points if not 0xD800 <= code_point <= 0xDFFF
    )


def _is_needed(kind: Any, key: str) -> bool:
    return key not in kind._field_defaults


def _field(rng: Random, key: str) -> Any:
    fields: dict[str, tuple[Any, ...]] = {
        "seat": (1, 1, 2, 3, 4, 6, 7, 0),
        "player": PEOPLE,
        "wager": WAGERS,
        "amount": AMOUNTS,
        "play": PLAYS,
        "place": ("board", 1, 2, 3),
        "card": tuple(name(deck_card) for deck_card in DECK),
        "number": (1, 2, 3),
        "reason": (*REASONS, *REMARKS),
        "on": (True, False),
        "finish": (True, False),
        "card_count": (True, False),
        "sheet": SHEETS,
    }
    return rng.choice(fields.get(key, REMARKS))


def _positions(document: Any) -> Iterator[tuple[Any, Any]]:
    """Every position in a document, as its parent and key."""
    items = document.items() if isinstance(document, dict) else enumerate(document)
    for key, value in list(items):
        yield document, key
        if isinstance(value, dict | list):
            yield from _positions(value)


def _change_letter(rng: Random, text: str) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + str(rng.choice(TEXTS)) + text[at + rng.randrange(2) :]
