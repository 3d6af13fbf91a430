"""The mathematical report: what a laboratory writes of a game, every figure from `exact`."""
