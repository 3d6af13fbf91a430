"""`pitbook math`, `advise`, `strategy`, `compare`: exact figures, and how they are printed."""
