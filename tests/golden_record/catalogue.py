"""Every kind of item that is on record."""

from __future__ import annotations

from tests.golden_record import commands, rounds, spots

KINDS = (*commands.KINDS, *spots.KINDS, *rounds.KINDS)
