"""A table's own record of a round and its proof agree, whatever befell the round."""

from __future__ import annotations

from itertools import pairwise

import httpx
import pytest
from tests.house.web.conftest import Running, SignedIn
from tests.house.web.live import SHEETS, Json
from tests.house.web.test_routes_tables import Player, guest_of

from pitbook.shoe.compared import compared, seen_in
from pitbook.shoe.proof import verify

BEFALLS: dict[str, Json | None] = {
    "nothing": None,
    "misdeal": {"do": "misdeal", "reason": "boxed card"},
    "early card": {"do": "expose-card", "place": "board"},  # Between two that turn no board.
    "void hand": {"do": "void-hand", "seat": 1, "reason": "supervisor", "why": "a drink"},
}


@pytest.mark.slow_cases("louisiana-stud/standard", "oceanfront/mississippi-stud")
@pytest.mark.long
@pytest.mark.parametrize("sheet", SHEETS)
def test_record_and_proof_agree(
    run: Running, client: httpx.AsyncClient, signed_in: SignedIn, sheet: str
) -> None:
    async def play() -> None:
        guest = await guest_of(client, sheet)
        floor = Player(signed_in("supervisor"), guest.table)
        records: list[tuple[Json, Json]] = []
        for befalls in BEFALLS.values():
            await guest.bet(1)
            await guest.fine({"do": "close-betting"})
            if befalls is not None:
                await floor.fine(befalls)
            await guest.play(1)
            round_id = (await guest.look())["round"]
            path = f"/api/tables/{guest.table}/rounds/{round_id}"
            told = [(await client.get(one)).json() for one in (path, f"{path}/proof")]
            records.append((told[0], told[1]))
        for record, proof in records:
            assert compared(verify(proof), seen_in(record)).differences == ()
        for (record, _), (_, other) in pairwise(records):
            codes = {one.code for one in compared(verify(other), seen_in(record)).differences}
            assert {"round", "kept", "felt"} <= codes

    run(play())
