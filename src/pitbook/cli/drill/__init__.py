"""`pitbook drill`: dealer drills in the terminal."""
