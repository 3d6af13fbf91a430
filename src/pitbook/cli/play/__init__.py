"""`pitbook play`: a table in the terminal."""
