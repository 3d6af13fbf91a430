"""A night on record: commands in, facts and transfers out, the state their fold."""
