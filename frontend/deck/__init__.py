"""Our own deck of cards, drawn by rule: `python -m deck` in `frontend` draws it anew."""
