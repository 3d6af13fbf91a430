"""A record of Pitbook's answers before its core was rebuilt, and a program that compares them.

`python -m tests.golden_record check` compares a sample, `check --whole` everything; both name
the sheet, command and item of every difference. `make` writes the record again: use it only if a
figure, a payout or a sentence changes on purpose. Everything is asked through stable interfaces:
commands, the public Python API, the server's answers, stored rounds, ledgers. The few internal
names that it needs are in `adapter.py` only.
"""
