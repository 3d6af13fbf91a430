"""Services that routes use beside the server: sheets, jobs, practice, nights, school and more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from pitbook.house.incidents.log import Incidents
from pitbook.house.ledger.writer import utc_now
from pitbook.house.nights.registry import Nights
from pitbook.house.nights.schedule_files import Templates
from pitbook.house.nights.store import Hours
from pitbook.house.people.player_limits import PlayerLimits
from pitbook.house.pit.disabled import Pit
from pitbook.house.school.daily import Daily
from pitbook.house.school.drill_sessions import DrillSessions
from pitbook.house.school.table_tests import Examiner
from pitbook.house.school.views import School
from pitbook.house.table.practice import Practice
from pitbook.house.web.coach_reviews import Reviews
from pitbook.house.web.jobs import JobQueue
from pitbook.house.web.server import Server
from pitbook.house.web.sheet_cache import SheetCache


@dataclass(frozen=True)
class Services:
    """Sheets, jobs, disabled games, event hours, practice, events, school and incidents."""

    server: Server
    sheets: SheetCache
    jobs: JobQueue
    pit: Pit
    hours: Hours
    practice: Practice
    reviews: Reviews
    nights: Nights
    daily: Daily
    school: School
    player_limits: PlayerLimits
    incidents: Incidents
    templates: Templates


def build_services(server: Server) -> Services:
    """The services of a server, built once."""
    sheets, jobs = SheetCache(tuple(server.library.folders)), JobQueue()
    pit = Pit(server.house.ledger)
    nights = Nights(server.house.ledger)
    hours = Hours(server.house.ledger)
    daily = Daily(server.house.ledger, server.people.vault)
    practice, reviews = Practice(server), Reviews(jobs)
    drill_sessions = DrillSessions(server.house.ledger)
    school = School(
        drill_sessions, Examiner(server.house.ledger, drill_sessions), sheets, clock=utc_now
    )
    player_limits, incidents = PlayerLimits(server), Incidents(server.house.ledger)
    services = (
        practice,
        reviews,
        nights,
        daily,
        school,
        player_limits,
        incidents,
        Templates(server.house.ledger),
    )
    return Services(server, sheets, jobs, pit, hours, *services)


def get_services(connection: HTTPConnection) -> Services:
    """The services of the app behind a connection."""
    services: Services = connection.app.state.services
    return services


async def _services_dep(connection: HTTPConnection) -> Services:
    return get_services(connection)  # In the event loop: a lookup needs no thread.


ServicesDep = Annotated[Services, Depends(_services_dep)]
