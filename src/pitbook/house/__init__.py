"""The casino's server: ledger, people, tables, cage, pit and events. Not public API."""
