"""Every router of the API, in the order in which paths are matched."""

from __future__ import annotations

from fastapi import APIRouter

from pitbook.house.cage import routes as cage
from pitbook.house.incidents import routes as incidents
from pitbook.house.inspect import routes as inspect
from pitbook.house.nights import routes as night_routes
from pitbook.house.nights import routes_door, routes_tournament
from pitbook.house.people import player_limits_routes
from pitbook.house.people import routes as people_routes
from pitbook.house.pit import routes as pit
from pitbook.house.table import routes, routes_rounds, socket
from pitbook.house.table import socket as watch
from pitbook.house.web import (
    autoplay_api,
    coach_api,
    explore_api,
    health_api,
    lab_api,
    math_api,
    pages,
    papers_api,
    sharing_api,
    sheets_api,
)
from pitbook.house.web.routes import certificates, daily, table_tests, train

ROUTERS: tuple[APIRouter, ...] = (
    health_api.router,
    people_routes.router,
    player_limits_routes.router,
    sheets_api.router,
    math_api.router,
    papers_api.router,
    lab_api.router,
    sheets_api.lessons_router,
    explore_api.router,
    routes.opening_router,
    pit.router,
    inspect.router,
    incidents.router,
    cage.router,
    night_routes.router,
    routes_tournament.router,
    routes_door.router,
    routes_tournament.clock_router,
    routes.router,
    routes_rounds.router,
    coach_api.router,
    daily.router,
    autoplay_api.router,
    routes_rounds.export_router,
    train.router,
    table_tests.router,
    certificates.router,
    sharing_api.router,
    watch.events_router,
    socket.socket_router,
    pages.router,
)
