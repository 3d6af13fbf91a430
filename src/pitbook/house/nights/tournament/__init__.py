"""Tournaments of a night: entries, seats, clock, play and payouts."""
