"""A table's record of a round agrees with its proof."""

from __future__ import annotations

from itertools import pairwise

import httpx
import pytest
from tests.house.web.conftest import LoopRunner, SignedIn
from tests.house.web.live_server import SHEETS, Json
from tests.house.web.test_routes_tables import Player, guest_of

from pitbook.shoe.verdict import compare, read_known_round
from pitbook.shoe.verify import verify

INCIDENTS: dict[str, Json | None] = {
    "nothing": None,
    "misdeal": {"do": "misdeal", "reason": "boxed card"},
    "early card": {"do": "expose-card", "place": "board"},  # Between two that turn no board.
    "void hand": {"do": "void-hand", "seat": 1, "reason": "supervisor", "why": "a drink"},
}


@pytest.mark.slow_cases("louisiana-stud/standard", "oceanfront/mississippi-stud")
@pytest.mark.long
@pytest.mark.parametrize("sheet", SHEETS)
def test_round_record_and_proof_agree(
    run: LoopRunner, client: httpx.AsyncClient, signed_in: SignedIn, sheet: str
) -> None:
    async def play() -> None:
        guest = await guest_of(client, sheet)
        floor = Player(signed_in("supervisor"), guest.table)
        records: list[tuple[Json, Json]] = []
        for incident in INCIDENTS.values():
            await guest.bet(1)
            await guest.accept({"do": "close-betting"})
            if incident is not None:
                await floor.accept(incident)
            await guest.play(1)
            round_id = (await guest.look())["round"]
            path = f"/api/tables/{guest.table}/rounds/{round_id}"
            documents = [(await client.get(path)).json() for path in (path, f"{path}/proof")]
            records.append((documents[0], documents[1]))
        for record, proof in records:
            assert compare(verify(proof), read_known_round(record)).differences == ()
        for (record, _), (_, other) in pairwise(records):
            codes = {
                difference.code
                for difference in compare(verify(other), read_known_round(record)).differences
            }
            assert {"round", "kept", "felt"} <= codes

    run(play())
