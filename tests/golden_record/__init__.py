"""What Pitbook answered before its core was rebuilt, and a program that says whether it still does.

`python -m tests.golden_record check` compares a sample, `check --whole` everything; both name
sheet, command and item of whatever differs. `make` writes the record anew: only where a figure, a
payout or a sentence is meant to change. Everything is asked through what stays: commands, the
public Python API, the server's answers, stored rounds, books. The few inner names that it needs
are in `adapter.py`, and nowhere else.
"""
