"""The bundled families. All have the same modules, and none imports another.

sheet      the rule sheet model of the family
checks     its additional sheet checks
compile    the sheet as a game: places, stages, plays, wagers, `read` and `price`
prose      its rules in sentences
exposure   the largest payout of a round

docs/families.md shows how to add one. Not public; docs/python.md lists the public API.
"""

from __future__ import annotations

from pitbook.rules.families import hi_lo, street_stud, versus
from pitbook.sheets.families import register

register(street_stud.FAMILY)
register(hi_lo.FAMILY)
register(versus.FAMILY)
