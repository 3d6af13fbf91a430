"""Compiled loops that play rounds; they read only arrays and integers."""
