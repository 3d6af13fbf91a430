"""Event types cover every fact and action."""

from __future__ import annotations

from pitbook.house.ledger.fact_codec import record_fields
from pitbook.house.table.facts import FACTS
from pitbook.house.table.view_types import EventBody
from pitbook.rules.stored_rounds import KINDS

# A shoe event omits the seal, and an action event replaces the fact that holds it.
OTHERWISE = {"record", "action"}


def test_every_fact_and_action_field_is_an_event_field() -> None:
    kinds = {**FACTS.kinds, **KINDS}
    event_fields = {field for kind in kinds.values() for field in record_fields(kind).names}
    assert event_fields - OTHERWISE - set(EventBody.__annotations__) == set()
