"""Plays millions of rounds with compiled kernels and checks them against the exact figures."""
