"""Sheets damaged in every way that comes to mind, from a seed."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from tests.sheets.samples import IDS, UNUSUAL, text_of

TEXTS = [*map(text_of, IDS), *(file.read_text() for file in sorted(UNUSUAL.glob("*.toml")))]
CHARACTERS = "\"'[]{}=.,#:-_ \t\n\r\\\x00\x1b\x7f019aAzü♠😀\u2028\ufeff\u202e\u0301"
VALUES = [
    *("0", "1", "-1", "5", "6", "7", "12", "13", "52", "53", "100", "101", "999999999", "1e400"),
    *("-0", "0x7fffffffffffffff", "0x" + "f" * 4000, "9" * 4400, "1_000", "1.5", "nan", "-inf"),
    *("true", "false", "2018-02-30", "2018-03-12", "0001-01-01", "9999-12-31", "07:32:00"),
    *("2018-03-12T10:00:00Z", "1979-05-27 07:32:00-08:00", '""', '" "', '"x"', "'''x\ny'''"),
    *('"0"', '"-1"', '"0.01"', '"1"', '"3"', '"2.5"', '"9999999999999"'),
    *('"99999999999999"', '"1e3"'),
    *('"0:1"', '"1:0"', '"1:1"', '"3:2"', '"999999999:1"', '"1:999999999"', '"push"', '"50:1"'),
    *('"main"', '"ante"', '"Iowa"', '"hole"', '"hand"', '"dealer-match"', '"community"', '"fold"'),
    *('"high"', '"first-listed"', '"cut-card"', '"street-stud"', '"hi-lo"', '"prose"', '"bet"'),
    *('"round"', '"none"', '"smallest-bet"', '"ü♠😀"', '"\\u0000\\u001b[2J"', '"\\U0010FFFF"'),
    *("[]", "[[]]", "[[[]]]", "[1, 1]", "[3, 2, 1]", "[0]", "[0, 1, 100]"),
    *('["main"]', '[["main"]]'),
    *("{}", "{ is = 0 }", '{ is = 3, clause = "X" }', '{ is = [], clause = "X" }', "[{}, {}]"),
    *('{ is = { is = 1 }, clause = "" }', "{ a = { b = { c = [1, [2, [3]]] } } }", "[[[1]]]"),
    *("[" * 60 + "]" * 60, "[{ a = 1 }]"),
    *("{ a = " * 40 + "1" + " }" * 40, '"' + "x" * 3000 + '"', '{ lines = { main = ["flush"] } }'),
]  # fmt: skip
KEYS = (
    *("id", "is", "clause", "note", "min", "max", "pays", "side.main", "side.x"),
    *("limits", "streets"),
    *('"two words"', "''", '"\\u001b"', "a.b.c", "a" + ".a" * 200, "family", "format", "counts"),
    *("at_a_time", "bet_max", "cut_card", "pieces", "uncapped", "single_bet_max"),
    *("prose", "double"),
)  # fmt: skip

Mutator = Callable[[str, random.Random], str]


def lines(text: str, dice: random.Random) -> str:
    """Lines deleted, doubled, swapped or brought in from another sheet."""
    rows = text.split("\n")
    one, two = dice.randrange(len(rows)), dice.randrange(len(rows))
    how = dice.randrange(4)
    if how == 0:
        del rows[one]
    elif how == 1:
        rows.insert(two, rows[one])
    elif how == 2:
        rows[one], rows[two] = rows[two], rows[one]
    else:
        rows.insert(one, dice.choice(dice.choice(TEXTS).split("\n")))
    return "\n".join(rows)


def characters(text: str, dice: random.Random) -> str:
    """A character changed, put in or taken out."""
    place = dice.randrange(len(text) + 1)
    new = dice.choice(["", dice.choice(CHARACTERS), dice.choice(CHARACTERS) * dice.randrange(1, 4)])
    return text[:place] + new + text[place + dice.randrange(2) :]


def values(text: str, dice: random.Random) -> str:
    """A value replaced by one of another type, size or sense."""
    return _at_a_value(text, dice, dice.choice(VALUES))


def numbers(text: str, dice: random.Random) -> str:
    """A number changed, so that the sheet may well stay valid."""
    found = list(re.finditer(r"(?<![\w-])[0-9]+(?![\w-])", text))
    if not found:
        return text
    one = dice.choice(found)
    new = dice.choice([int(one[0]) + 1, max(0, int(one[0]) - 1), int(one[0]) * 2, 0, 10**9])
    return text[: one.start()] + str(new) + text[one.end() :]


def swapped(text: str, dice: random.Random) -> str:
    """The values of two fields exchanged."""
    rows = text.split("\n")
    fields = [number for number, row in enumerate(rows) if " = " in row]
    if len(fields) < 2:
        return text
    one, two = dice.sample(fields, 2)
    (a, x), (b, y) = (rows[number].split(" = ", 1) for number in (one, two))
    rows[one], rows[two] = f"{a} = {y}", f"{b} = {x}"
    return "\n".join(rows)


def keys(text: str, dice: random.Random) -> str:
    """A field or a table under another name, or one more field."""
    found = list(re.finditer(r"^[\w-]+(?= = )|(?<=^\[)[\w.-]+(?=\]$)", text, re.MULTILINE))
    if not found or not dice.randrange(3):
        place = dice.choice([0, *(one.end() for one in re.finditer("\n", text))])
        return f"{text[:place]}{dice.choice(KEYS)} = {dice.choice(VALUES)}\n{text[place:]}"
    one = dice.choice(found)
    return text[: one.start()] + dice.choice(KEYS) + text[one.end() :]


def tables(text: str, dice: random.Random) -> str:
    """A whole table deleted, doubled or taken from another sheet."""
    blocks = re.split(r"\n(?=\[)", text)
    place = dice.randrange(len(blocks))
    how = dice.randrange(4)
    if how == 0:
        del blocks[place]
    elif how == 1:
        blocks.insert(place, blocks[place])
    elif how == 2:
        blocks[place] = dice.choice(re.split(r"\n(?=\[)", dice.choice(TEXTS)))
    else:
        dice.shuffle(blocks)
    return "\n".join(blocks)


def cut(text: str, dice: random.Random) -> str:
    """The text cut short, without its middle, or with another sheet's end."""
    one, two = sorted((dice.randrange(len(text) + 1), dice.randrange(len(text) + 1)))
    other = dice.choice(TEXTS)
    return dice.choice(
        [text[:one], text[:one] + text[two:], text[:one] + other[one:], other + text]
    )


MUTATORS: tuple[Mutator, ...] = (
    *(lines, characters, values, values, numbers, numbers, swapped, keys, tables, cut),
)


def mutant(dice: random.Random) -> bytes:
    """A sheet with one to three things wrong, mostly still UTF-8."""
    text = dice.choice(TEXTS)
    for _ in range(dice.choice([1, 1, 1, 2, 3])):
        text = dice.choice(MUTATORS)(text, dice)
    raw = text.encode()
    if not dice.randrange(12):
        place, size = dice.randrange(len(raw) + 1), dice.randrange(4)
        raw = raw[:place] + dice.randbytes(dice.randrange(3)) + raw[place + size :]
    return dice.choice([b"", b"", b"", b"\xef\xbb\xbf"]) + raw


def _at_a_value(text: str, dice: random.Random, new: str) -> str:
    found = list(re.finditer(r"(?<= = )(\[[^\]\n]*\]|\{.*\}|\"[^\"\n]*\"|[^\s,}]+)", text))
    if not found:
        return text
    one = dice.choice(found)
    return text[: one.start()] + new + text[one.end() :]
