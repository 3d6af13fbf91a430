"""Old stored rounds and proofs: they open, replay and verify as before.

The documents are made once and never again; making the record again leaves them alone.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from pathlib import Path
from typing import Any

from tests.golden_record import shelf
from tests.golden_record.adapter import Json, answer_or_error, house, run_command
from tests.golden_record.kinds import ItemParts, Kind, numbered_names
from tests.golden_record.record import RECORD, read, write
from tests.golden_record.tables import CLOCKS, PLAYERS, SHEETS, TablePlay, verify_proof
from tests.golden_record.walk import random_walk

import pitbook

ROUNDS_PER_SHEET, NAME = 8, "kept"


def make_documents_once(folder: Path) -> None:
    """Write the documents, unless they exist."""
    if not (folder / f"{NAME}.json.xz").exists():
        rounds = {
            sheet: [_stored_round(sheet, number) for number in range(ROUNDS_PER_SHEET)]
            for sheet in shelf.sheet_ids()
        }
        proofs = {sheet: round_proofs(sheet) for sheet in SHEETS[:8]}
        write(folder, NAME, {"rounds": rounds, "proofs": proofs})


def _stored_round(sheet: str, number: int) -> Json:
    rng = shelf.seeded_random("kept", sheet, number)
    return random_walk(sheet, rng, mishaps=number % 2 == 1)[0].stored_round()


def round_proofs(sheet: str) -> Json:
    """The proofs of one round with fresh cards: for two players and an auditor."""

    async def play_round(path: Path) -> Json:
        async with house(path, *PLAYERS.values(), seeded=False) as (app, cookies, open_table):
            await open_table("t", "house", sheet, unit="usd", clocks=CLOCKS, coach=False)
            evening = TablePlay(app, cookies, shelf.seeded_random("proofs", sheet))
            await evening.send("sue", do="fill", amount="15000.00")
            for seat, player in PLAYERS.items():
                await evening.send(player, do="sit", seat=seat)
            await evening.play_round(1, ())
            path_of = "/api/tables/t/rounds/t-000001/proof"
            names = ("ann", "bob", "abe")
            return {name: (await evening.people[name].get(path_of))[1] for name in names}

    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(play_round(Path(folder)))


def replay_answers(sheet: str, name: str) -> ItemParts:
    """Replay a stored round, and one with a changed amount."""
    document = read(RECORD, NAME)["rounds"][sheet][int(name)]
    settled_round: Any = pitbook.replay(document)
    parts: ItemParts = {"settled": settled_round.document(), "told": list(settled_round.transcript)}
    parts["kept"] = settled_round.stored() == document
    changed_document = json.loads(json.dumps(document))
    wager = next(action for action in changed_document["actions"] if action["do"] == "wager")
    wager["amount"] = f"{float(wager['amount']) + 0.01:.2f}"
    parts["touched"] = answer_or_error(lambda: pitbook.replay(changed_document).document())
    return parts | (_by_command(document) if name == "0" else {})


def _by_command(document: Json) -> ItemParts:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "round.json"
        file.write_text(json.dumps(document), encoding="utf-8")
        return {"command": run_command("rounds", "replay", str(file), "--json")}


def proof_answers(sheet: str, name: str) -> ItemParts:
    """Verify a stored proof, and one with another card."""
    proof = read(RECORD, NAME)["proofs"][sheet][name]
    return {"verified": verify_proof(proof), "touched": verify_proof(_with_changed_card(proof))}


def _with_changed_card(proof: Json) -> Json:
    text = json.dumps(proof)
    position = text.index('"card": "') + len('"card": "')
    other_card = "2c" if text[position : position + 2] != "2c" else "3d"
    return json.loads(text[:position] + other_card + text[position + 2 :])


KINDS = (
    Kind(
        "replays",
        shelf.sheet_ids,
        numbered_names(ROUNDS_PER_SHEET),
        replay_answers,
        keep=4,
        batches_sampled=14,
        once=make_documents_once,
    ),
    Kind(
        "proofs",
        lambda: SHEETS[:8],
        lambda batch: ["ann", "bob", "abe"],
        proof_answers,
        once=make_documents_once,
    ),
)
