"""Randomly damaged sheets, from a seed."""

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


def change_lines(text: str, dice: random.Random) -> str:
    """Delete, double, swap or import lines."""
    rows = text.split("\n")
    first, second = dice.randrange(len(rows)), dice.randrange(len(rows))
    kind = dice.randrange(4)
    if kind == 0:
        del rows[first]
    elif kind == 1:
        rows.insert(second, rows[first])
    elif kind == 2:
        rows[first], rows[second] = rows[second], rows[first]
    else:
        rows.insert(first, dice.choice(dice.choice(TEXTS).split("\n")))
    return "\n".join(rows)


def change_character(text: str, dice: random.Random) -> str:
    """Change, insert or delete a character."""
    place = dice.randrange(len(text) + 1)
    new = dice.choice(["", dice.choice(CHARACTERS), dice.choice(CHARACTERS) * dice.randrange(1, 4)])
    return text[:place] + new + text[place + dice.randrange(2) :]


def change_value(text: str, dice: random.Random) -> str:
    """Replace a value with one of another type, size or meaning."""
    return _replace_value(text, dice, dice.choice(VALUES))


def change_number(text: str, dice: random.Random) -> str:
    """Change a number, so that the sheet may stay valid."""
    number_matches = list(re.finditer(r"(?<![\w-])[0-9]+(?![\w-])", text))
    if not number_matches:
        return text
    match = dice.choice(number_matches)
    new = dice.choice([int(match[0]) + 1, max(0, int(match[0]) - 1), int(match[0]) * 2, 0, 10**9])
    return text[: match.start()] + str(new) + text[match.end() :]


def swap_values(text: str, dice: random.Random) -> str:
    """Exchange the values of two fields."""
    rows = text.split("\n")
    fields = [number for number, row in enumerate(rows) if " = " in row]
    if len(fields) < 2:
        return text
    first, second = dice.sample(fields, 2)
    (a, x), (b, y) = (rows[number].split(" = ", 1) for number in (first, second))
    rows[first], rows[second] = f"{a} = {y}", f"{b} = {x}"
    return "\n".join(rows)


def change_key(text: str, dice: random.Random) -> str:
    """Rename a field or a table, or add a field."""
    key_matches = list(re.finditer(r"^[\w-]+(?= = )|(?<=^\[)[\w.-]+(?=\]$)", text, re.MULTILINE))
    if not key_matches or not dice.randrange(3):
        place = dice.choice([0, *(newline.end() for newline in re.finditer("\n", text))])
        return f"{text[:place]}{dice.choice(KEYS)} = {dice.choice(VALUES)}\n{text[place:]}"
    match = dice.choice(key_matches)
    return text[: match.start()] + dice.choice(KEYS) + text[match.end() :]


def change_table(text: str, dice: random.Random) -> str:
    """Delete, double or import a whole table, or shuffle all."""
    blocks = re.split(r"\n(?=\[)", text)
    place = dice.randrange(len(blocks))
    kind = dice.randrange(4)
    if kind == 0:
        del blocks[place]
    elif kind == 1:
        blocks.insert(place, blocks[place])
    elif kind == 2:
        blocks[place] = dice.choice(re.split(r"\n(?=\[)", dice.choice(TEXTS)))
    else:
        dice.shuffle(blocks)
    return "\n".join(blocks)


def cut_text(text: str, dice: random.Random) -> str:
    """Cut the text, remove its middle, or append another sheet's end."""
    start, end = sorted((dice.randrange(len(text) + 1), dice.randrange(len(text) + 1)))
    other = dice.choice(TEXTS)
    return dice.choice(
        [text[:start], text[:start] + text[end:], text[:start] + other[start:], other + text]
    )


MUTATORS: tuple[Mutator, ...] = (
    *(
        change_lines,
        change_character,
        change_value,
        change_value,
        change_number,
        change_number,
        swap_values,
        change_key,
        change_table,
        cut_text,
    ),
)


def random_mutant(dice: random.Random) -> bytes:
    """A sheet with one to three defects, mostly still UTF-8."""
    text = dice.choice(TEXTS)
    for _ in range(dice.choice([1, 1, 1, 2, 3])):
        text = dice.choice(MUTATORS)(text, dice)
    raw = text.encode()
    if not dice.randrange(12):
        place, size = dice.randrange(len(raw) + 1), dice.randrange(4)
        raw = raw[:place] + dice.randbytes(dice.randrange(3)) + raw[place + size :]
    return dice.choice([b"", b"", b"", b"\xef\xbb\xbf"]) + raw


def _replace_value(text: str, dice: random.Random, new: str) -> str:
    value_matches = list(re.finditer(r"(?<= = )(\[[^\]\n]*\]|\{.*\}|\"[^\"\n]*\"|[^\s,}]+)", text))
    if not value_matches:
        return text
    match = dice.choice(value_matches)
    return text[: match.start()] + new + text[match.end() :]
