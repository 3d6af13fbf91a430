"""Rounds and proofs that were kept before: they open, replay and verify as they did.

The documents are made once and never again: a record that is made anew leaves them alone.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from pathlib import Path
from typing import Any

from tests.golden_record import shelf
from tests.golden_record.adapter import Json, asked, house, refused
from tests.golden_record.kinds import Kind, Made, numbered
from tests.golden_record.record import RECORD, read, write
from tests.golden_record.tables import CLOCKS, PLAYERS, SHEETS, Evening, verified
from tests.golden_record.walk import walked

import pitbook

KEPT, NAME = 8, "kept"


def made_once(folder: Path) -> None:
    """Write the documents, unless they are there."""
    if not (folder / f"{NAME}.json.xz").exists():
        rounds = {sheet: [_stored(sheet, n) for n in range(KEPT)] for sheet in shelf.ids()}
        proofs = {sheet: proofs_of(sheet) for sheet in SHEETS[:8]}
        write(folder, NAME, {"rounds": rounds, "proofs": proofs})


def _stored(sheet: str, number: int) -> Json:
    luck = shelf.luck("kept", sheet, number)
    return walked(sheet, luck, mishaps=number % 2 == 1)[0].stored()


def proofs_of(sheet: str) -> Json:
    """The proofs of one round with fresh cards: a player's, another one's, an auditor's."""

    async def played(path: Path) -> Json:
        async with house(path, *PLAYERS.values(), seeded=False) as (app, cookies, open_table):
            await open_table("t", "house", sheet, unit="usd", clocks=CLOCKS, coach=False)
            evening = Evening(app, cookies, shelf.luck("proofs", sheet))
            await evening.do("sue", do="fill", amount="15000.00")
            for seat, who in PLAYERS.items():
                await evening.do(who, do="sit", seat=seat)
            await evening.round(1, ())
            path_of = "/api/tables/t/rounds/t-000001/proof"
            names = ("ann", "bob", "abe")
            return {name: (await evening.people[name].get(path_of))[1] for name in names}

    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(played(Path(folder)))


def replayed(sheet: str, name: str) -> Made:
    """A round that was kept, played again; and one that somebody has touched."""
    document = read(RECORD, NAME)["rounds"][sheet][int(name)]
    settled: Any = pitbook.replay(document)
    made: Made = {"settled": dict(settled), "told": list(settled.transcript)}
    made["kept"] = settled.stored() == document
    changed = json.loads(json.dumps(document))
    amount = next(one for one in changed["actions"] if one["do"] == "wager")
    amount["amount"] = f"{float(amount['amount']) + 0.01:.2f}"
    made["touched"] = refused(lambda: dict(pitbook.replay(changed)))
    return made | (_by_command(document) if name == "0" else {})


def _by_command(document: Json) -> Made:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "round.json"
        file.write_text(json.dumps(document), encoding="utf-8")
        return {"command": asked("rounds", "replay", str(file), "--json")}


def proved(sheet: str, name: str) -> Made:
    """A proof of fresh cards that was kept, verified again; and one with another card in it."""
    proof = read(RECORD, NAME)["proofs"][sheet][name]
    return {"verified": verified(proof), "touched": verified(_touched(proof))}


def _touched(proof: Json) -> Json:
    text = json.dumps(proof)
    place = text.index('"card": "') + len('"card": "')
    other = "2c" if text[place : place + 2] != "2c" else "3d"
    return json.loads(text[:place] + other + text[place + 2 :])


KINDS = (
    Kind(
        "replays", shelf.ids, numbered(KEPT), replayed, keep=4, batches_sampled=14, once=made_once
    ),
    Kind("proofs", lambda: SHEETS[:8], lambda batch: ["ann", "bob", "abe"], proved, once=made_once),
)
