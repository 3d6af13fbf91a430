"""Stream names of the cage, of tables, and of practice tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.house.ledger.stream_kinds import register

if TYPE_CHECKING:
    from pitbook.house.ledger.stream_kinds import AuditReplay


def _table_audit() -> AuditReplay:
    from pitbook.house.table.audit import TableAudit  # noqa: PLC0415  Only the audit needs it.

    return TableAudit()


def _cage_audit() -> AuditReplay:
    from pitbook.house.cage.cage import CageAudit  # noqa: PLC0415  Only the audit needs it.

    return CageAudit()


TABLE = register("table/", _table_audit, module=__name__)
PRACTICE = register("practice/", _table_audit, module=__name__)
CAGE = register("cage", _cage_audit, module=__name__)
