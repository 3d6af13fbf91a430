"""Settled rounds: played by hand from the offered actions, and written as round files."""

from __future__ import annotations

from typing import Any

from tests.golden_record import shelf
from tests.golden_record.adapter import Json, answer_or_error, settlement_text, sheet_of
from tests.golden_record.kinds import ItemParts, Kind, numbered_names
from tests.golden_record.round_files import random_round_file
from tests.golden_record.walk import random_walk

import pitbook

WALKED_ROUNDS, ROUND_FILES = 50, 800  # Of each sheet; 2,600 and 17,600 in all.
# Round files cannot describe streets that turn no card.
WALKED_ROUNDS_MORE, ROUND_FILES_FEWER = 200, 200


def play_by_hand(sheet: str, name: str) -> ItemParts:
    """A round played from offers: actions, offers, refusals, settlement and transcript."""
    rng = shelf.seeded_random("rounds", sheet, name)
    played_round, offers_made, refusals = random_walk(sheet, rng, mishaps=int(name) % 2 == 1)
    settled_round = pitbook.replay(played_round.stored_round())
    return {
        "actions": played_round.actions,
        "settled": settled_round.document(),
        "told": list(settled_round.transcript),
        "offers": offers_made,
        "refused": refusals,
    }


def settle_file(sheet: str, name: str) -> ItemParts:
    """A round file, and its settlement or error."""
    document = random_round_file(sheet, shelf.seeded_random("files", sheet, name))
    settled_rounds: list[Any] = []
    error = answer_or_error(
        lambda: settled_rounds.append(pitbook.settle(document, sheet=sheet_of(sheet)))
    )
    parts: ItemParts = {
        "file": document,
        "settled": settled_rounds[0].document() if settled_rounds else error,
    }
    return parts | (_words(settled_rounds[0]) if settled_rounds and int(name) % 10 == 0 else {})


def _words(settled_round: Any) -> Json:
    return {"told": list(settled_round.transcript), "words": settlement_text(settled_round)}


def walk_names(sheet: str) -> list[str]:
    """The names of rounds played by hand."""
    return numbered_names(
        WALKED_ROUNDS_MORE if shelf.has_street_without_card(sheet) else WALKED_ROUNDS
    )(sheet)


def file_names(sheet: str) -> list[str]:
    """The names of round files."""
    return numbered_names(
        ROUND_FILES_FEWER if shelf.has_street_without_card(sheet) else ROUND_FILES
    )(sheet)


KINDS = (
    Kind("rounds", shelf.sheet_ids, walk_names, play_by_hand, keep=10, batches_sampled=14),
    Kind("files", shelf.sheet_ids, file_names, settle_file, keep=30, sample=14),
)
