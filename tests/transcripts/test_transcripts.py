"""Every sheet and ending has a transcript whose narration and settlement are unchanged.

`PITBOOK_GOLDEN=write make test` writes them anew; read the difference before committing it.
"""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import get_args

import pytest
from tests.transcripts.scenarios import endings, play_ending

import pitbook
from pitbook.rules.actions import Action
from pitbook.rules.narration import transcript
from pitbook.rules.result_json import report
from pitbook.rules.stored_rounds import replay_stored, store
from pitbook.sheets.library import BUNDLED

HERE = Path(__file__).parent
SHEETS = sorted(
    path.relative_to(BUNDLED).with_suffix("").as_posix() for path in BUNDLED.rglob("*.toml")
)
load = cache(pitbook.load)
CASES = [(sheet, ending) for sheet in SHEETS for ending in endings(load(sheet))]


@pytest.mark.parametrize(("sheet", "ending"), CASES)
def test_round_narration_is_unchanged(sheet: str, ending: str) -> None:
    opened, actions = play_ending(load(sheet), ending)
    _same(HERE / sheet / f"{ending}.txt", "\n".join(transcript(opened, actions)) + "\n")


@pytest.mark.parametrize(("sheet", "ending"), CASES)
def test_the_stored_round_replays_to_the_same_settlement(sheet: str, ending: str) -> None:
    """Stored rounds of this release must always replay, even if the bundled sheet changes."""
    golden = HERE / sheet / f"{ending}.json"
    opened, actions = play_ending(load(sheet), ending)
    if os.environ.get("PITBOOK_GOLDEN") == "write" and not golden.exists():
        final = opened
        for action in actions:
            after = pitbook.step(final, action)
            assert isinstance(after, pitbook.Round)
            final = after
        golden.write_text(json.dumps(store(final, actions)) + "\n", encoding="utf-8")
    document = json.loads(golden.read_text(encoding="utf-8"))
    assert report(replay_stored(document)) == document["settlement"]


def test_every_transcript_has_a_scenario_and_vice_versa() -> None:
    have = {path.relative_to(HERE).with_suffix("").as_posix() for path in HERE.rglob("*.txt")}
    assert have == {f"{sheet}/{ending}" for sheet, ending in CASES}


def test_every_kind_of_action_is_in_some_transcript() -> None:
    done = {
        type(action) for sheet, ending in CASES for action in play_ending(load(sheet), ending)[1]
    }
    assert set(get_args(Action)) - done <= {pitbook.actions.Withdraw}


def _same(golden: Path, transcript_text: str) -> None:
    if os.environ.get("PITBOOK_GOLDEN") == "write":
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_text(transcript_text, encoding="utf-8")
    assert transcript_text == golden.read_text(encoding="utf-8")
