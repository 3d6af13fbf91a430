"""Rounds and changes that are on record: found, told, proved, added up."""
