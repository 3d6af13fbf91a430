"""Golden transcripts: every sheet and every kind of ending, in a dealer's words."""
