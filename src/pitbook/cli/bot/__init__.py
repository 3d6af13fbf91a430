"""`pitbook bot`: a player of ours at a table of a server."""
