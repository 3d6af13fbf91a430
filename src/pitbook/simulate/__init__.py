"""Rounds by the million, played by compiled kernels and checked against the exact figures."""
