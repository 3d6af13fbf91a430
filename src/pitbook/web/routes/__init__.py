"""The routes of the API, a module for each part of the house; this is the list of them."""

from __future__ import annotations

from fastapi import APIRouter

from pitbook.web.pages import page
from pitbook.web.routes import (
    account,
    cage,
    coach,
    daily,
    exclusions,
    exports,
    inspect,
    lab,
    learn,
    maths,
    night_cage,
    night_clock,
    night_dealt,
    night_door,
    night_floor,
    nights,
    openings,
    people,
    pit,
    resets,
    running,
    shared,
    sheets,
    socket,
    table_tests,
    tables,
    train,
    watch,
)

__all__ = ["ROUTERS"]

ROUTERS: tuple[APIRouter, ...] = (
    running.router,
    people.router,
    account.router,
    resets.router,
    exclusions.router,
    sheets.router,
    maths.router,
    lab.router,
    learn.router,
    openings.router,
    pit.router,
    inspect.router,
    cage.router,
    nights.router,
    night_cage.router,
    night_floor.router,
    night_dealt.router,
    night_door.router,
    night_clock.router,
    tables.router,
    coach.router,
    daily.router,
    exports.router,
    train.router,
    table_tests.router,
    shared.router,
    watch.router,
    socket.router,
    page.router,
)
