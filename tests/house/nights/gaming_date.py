"""A time zone where it is noon, so that test nights do not cross midnight."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

__all__ = ["noon_date_and_zone"]


def noon_date_and_zone() -> dict[str, str]:
    """The date and zone of a night, in a zone where it is between noon and 1 pm."""
    now = datetime.now(UTC)
    zone = f"Etc/GMT{now.hour - 12:+d}"  # Etc/GMT zones count hours westward.
    return {"gaming_date": now.astimezone(ZoneInfo(zone)).date().isoformat(), "zone": zone}
