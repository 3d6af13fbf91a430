"""A house on a real port behind the door of `pitbook serve`, and lines that an attacker draws."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import httpx
from fastapi import FastAPI
from tests.house.web.conftest import WEAK
from tests.house.web.listening import listening
from websockets.frames import Frame, Opcode

from pitbook.house.people.accounts import People
from pitbook.house.table.tables import LiveTables
from pitbook.house.web.app import create_app
from pitbook.house.web.protocols import UvicornConfig
from pitbook.house.web.settings import RequestLimits, Settings

STUD = "catfish-bend/mississippi-stud"
Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Attacked:
    """A house, its server and its door."""

    def __init__(self, app: FastAPI, config: UvicornConfig, address: str) -> None:
        self.app, self.config, self.address = app, config, address
        self.place = urlsplit(address).netloc

    def client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(base_url=self.address, timeout=30, trust_env=False)

    async def guest(self) -> tuple[str, str]:
        """A cookie and a table."""
        async with self.client() as client:
            answer = await client.post("/api/practice", json={"sheet": STUD})
            assert answer.status_code == 201, answer.text
            cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
            return cookie, answer.json()["table"]

    async def line(self, said: bytes = b"") -> Ends:
        """A line of the network, and the first words on it."""
        host, port = self.place.split(":")
        reader, writer = await asyncio.open_connection(host, int(port), limit=2**20)
        writer.write(said)
        return reader, writer

    def head(self, path: str, method: str = "GET", *more: str) -> bytes:
        lines = (f"{method} {path} HTTP/1.1", f"Host: {self.place}", *more, "", "")
        return "\r\n".join(lines).encode()

    async def socket(self, cookie: str, table: str) -> Ends:
        asks = ("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13")
        key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
        path = f"/api/tables/{table}/socket"
        ends = await self.line(self.head(path, "GET", f"Cookie: {cookie}", *asks, key))
        assert b" 101 " in await ends[0].readuntil(b"\r\n\r\n")
        return ends

    async def health(self) -> int:
        async with self.client() as client:
            return (await client.get("/api/health")).status_code


def frame(document: Any, kind: Opcode = Opcode.TEXT) -> bytes:
    """A frame as a client sends it; text as it is, anything else as JSON."""
    said = document if isinstance(document, bytes) else json.dumps(document).encode()
    return Frame(kind, said).serialize(mask=True)


@asynccontextmanager
async def attacked(
    house: LiveTables, people: People, *proxies: str, **limits: Any
) -> AsyncIterator[Attacked]:
    """The house with its limits as shipped, but for those that are given."""
    settings = Settings(
        data=house.folder.path,
        sign_in=WEAK,
        limits=RequestLimits(**limits),
        trusted_proxies=proxies,
    )
    app = create_app(house, people, settings)
    config = UvicornConfig(app, settings, port=0, log_config=None, access_log=False)
    async with listening(config, force=True) as base:
        yield Attacked(app, config, base)
