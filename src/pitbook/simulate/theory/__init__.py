"""Counts held against the exact figures."""
