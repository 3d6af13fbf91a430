"""Papers of the house: round reports and table results."""
