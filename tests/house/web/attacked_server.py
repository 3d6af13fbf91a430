"""A server on a real port with the protocols of `pitbook serve`, and raw connections to it."""

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
from tests.house.web.in_process_server import serve_config
from websockets.frames import Frame, Opcode

from pitbook.house.people.accounts import People
from pitbook.house.settings import RequestLimits, Settings
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.web.app import create_app
from pitbook.house.web.protocols import UvicornConfig

STUD = "catfish-bend/mississippi-stud"
Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class TargetServer:
    """A server with its app, config and address."""

    def __init__(self, app: FastAPI, config: UvicornConfig, address: str) -> None:
        self.app, self.config, self.address = app, config, address
        self.place = urlsplit(address).netloc

    def client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(base_url=self.address, timeout=30, trust_env=False)

    async def guest(self) -> tuple[str, str]:
        """A guest's cookie and practice table."""
        async with self.client() as client:
            answer = await client.post("/api/practice", json={"sheet": STUD})
            assert answer.status_code == 201, answer.text
            cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
            return cookie, answer.json()["table"]

    async def line(self, first_bytes: bytes = b"") -> Ends:
        """A raw connection with its first bytes sent."""
        host, port = self.place.split(":")
        reader, writer = await asyncio.open_connection(host, int(port), limit=2**20)
        writer.write(first_bytes)
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


def client_frame(document: Any, kind: Opcode = Opcode.TEXT) -> bytes:
    """A client frame; bytes as they are, anything else as JSON."""
    payload = document if isinstance(document, bytes) else json.dumps(document).encode()
    return Frame(kind, payload).serialize(mask=True)


@asynccontextmanager
async def open_target(
    house: LiveTables, people: People, *proxies: str, **limits: Any
) -> AsyncIterator[TargetServer]:
    """A server with default limits, except for those given."""
    settings = Settings(
        data=house.folder.path,
        sign_in=WEAK,
        limits=RequestLimits(**limits),
        trusted_proxies=proxies,
    )
    app = create_app(house, people, settings)
    config = UvicornConfig(app, settings, port=0, log_config=None, access_log=False)
    async with serve_config(config, force=True) as base:
        yield TargetServer(app, config, base)
