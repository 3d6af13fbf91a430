"""`pitbook night`: charity nights from the command line."""
