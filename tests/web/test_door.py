"""A stranger cannot shut a person out, and finds no password by guessing, from wherever it is."""

from __future__ import annotations

from typing import Any

import httpx
from fastapi import FastAPI
from tests.web.conftest import PASSWORD, Running, client_of

ANN = {"name": "ann", "password": PASSWORD}
WRONG = {"name": "ann", "password": "a stranger's guess"}


async def signs_in(client: httpx.AsyncClient, given: dict[str, Any]) -> httpx.Response:
    return await client.post("/api/sign-in", json=given)


def test_a_thousand_guesses_do_not_keep_the_known_device_out(run: Running, app: FastAPI) -> None:
    async def ask() -> None:
        async with client_of(app, "10.0.0.1") as known:
            assert (await signs_in(known, ANN)).status_code == 200
            for number in range(1_000):
                stranger = client_of(app, f"10.1.{number // 250}.{number % 250}")
                answer = await signs_in(stranger, WRONG | {"password": f"guess {number}"})
                assert answer.status_code == 401
                await stranger.aclose()
            assert (await signs_in(known, ANN)).status_code == 200

    run(ask())
