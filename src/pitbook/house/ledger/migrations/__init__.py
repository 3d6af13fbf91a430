"""Migrations from older ledger layouts."""
