"""The families that ship. Each has the same rooms, and none knows another.

    sheet      what a rule sheet of the family holds, and what every sheet is asked
    checks     what a careful reader objects to
    compile    the sheet as a game: places, stages, plays, wagers, `read` and `price`
    prose      its rules in sentences
    exposure   the most that a round can owe

docs/families.md shows how one is made. Not public; docs/python.md lists what is.
"""

from __future__ import annotations

from pitbook.rules.families import hi_lo, street_stud, versus
from pitbook.sheets.families import register

register(street_stud.FAMILY)
register(hi_lo.FAMILY)
register(versus.FAMILY)
