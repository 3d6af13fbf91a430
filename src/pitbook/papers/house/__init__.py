"""Papers of a house at work: what happened at a table, in the typography of its rules."""
