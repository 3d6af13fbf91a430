"""The routes of the API, a module for each part of the house; this is the list of them."""

from __future__ import annotations

from fastapi import APIRouter

from pitbook.web.routes import cage, maths, people, pit, running, sheets, socket, tables, watch

__all__ = ["ROUTERS"]

ROUTERS: tuple[APIRouter, ...] = (
    running.router,
    people.router,
    sheets.router,
    maths.router,
    pit.router,
    cage.router,
    tables.router,
    watch.router,
    socket.router,
)
