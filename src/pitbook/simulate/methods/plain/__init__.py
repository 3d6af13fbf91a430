"""Any game from its description: slow and obvious, for whatever no kernel fits."""
