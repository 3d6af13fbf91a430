"""House rules as data, and the sheets that a house deals by them."""
