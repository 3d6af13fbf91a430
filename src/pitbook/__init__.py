"""One rule sheet in; the table, the mathematics, the training and the paperwork out."""
