"""Metrics for operators: counts and times, never names or cards."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from pitbook.house.table.live_tables import LiveTables
from pitbook.rules.refusals import Refusal

disable_created_metrics()  # type: ignore[no-untyped-call]  # Twice the lines, and no use.
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """The metrics of one server, in its own registry."""

    def __init__(self, house: LiveTables) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "pitbook_http_requests",
            "HTTP requests by route, method and status.",
            ("route", "method", "status"),
            registry=self.registry,
        )
        self.seconds = Histogram(
            "pitbook_http_request_seconds",
            "HTTP response time.",
            ("route",),
            buckets=SECONDS,
            registry=self.registry,
        )
        self.sockets = Gauge(
            "pitbook_websocket_connections", "Open WebSocket connections.", registry=self.registry
        )
        self.watchers = Gauge(
            "pitbook_event_streams", "Open event streams.", registry=self.registry
        )
        self.appends = Counter(
            "pitbook_commands_accepted", "Commands accepted and recorded.", registry=self.registry
        )
        self.refusals = Counter(
            "pitbook_commands_refused",
            "Commands refused, by code.",
            ("code",),
            registry=self.registry,
        )
        self.sign_ins = Counter(
            "pitbook_sign_ins", "Sign-in attempts by result.", ("result",), registry=self.registry
        )
        self.registry.register(_LedgerCollector(house))

    def count_answer(self, answer: object) -> None:
        """Count a command as accepted or refused."""
        if isinstance(answer, Refusal):
            self.refusals.labels(answer.code.value).inc()
        else:
            self.appends.inc()

    def text(self) -> bytes:
        """All metrics in Prometheus format."""
        return generate_latest(self.registry)


class _LedgerCollector(Collector):
    """Metrics read from the server when Prometheus asks."""

    def __init__(self, house: LiveTables) -> None:
        self._house = house

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Open tables and ledger entries."""
        tables = len(self._house.tables)
        yield GaugeMetricFamily("pitbook_tables", "Open tables of this process.", tables)
        entries = sum(stream.seq for stream in self._house.ledger.streams())
        yield GaugeMetricFamily("pitbook_ledger_entries", "Entries in the ledger.", entries)

    def describe(self) -> Iterator[GaugeMetricFamily]:
        """Nothing: describing would cost a query."""
        return iter(())
