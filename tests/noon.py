"""Where it is noon now: a night that is made there does not run into midnight during a test."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

__all__ = ["noon"]


def noon() -> dict[str, str]:
    """The date and the zone of a night, where it is between twelve and one."""
    now = datetime.now(UTC)
    zone = f"Etc/GMT{now.hour - 12:+d}"  # Which counts hours westward.
    return {"gaming_date": now.astimezone(ZoneInfo(zone)).date().isoformat(), "zone": zone}
