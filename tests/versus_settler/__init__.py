"""Settles ten games from their rules alone, written independently of the engine."""
